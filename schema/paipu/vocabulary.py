"""The vocabulary of ``paipu/1``: the table of the log's contract, row by row, in code.

The order of members here is the order in which they are written. Every kind of event has one row, and everything
else follows from it: what is accepted, the words of an error, the event's class, and the document of an event.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, Literal, NamedTuple

from replays import events
from replays.tiles import CODES, NUMBERS
from schema.paipu.kinds import Many, Member, Options, Scalar, Shape, choice, flag, integer, text

FORMAT = "paipu/1"

#: A game has at most so many events.
EVENT_LIMIT = 100_000
#: The longest list of tiles is a whole wall.
TILE_LIMIT = 144
#: A player's name has at most so many characters.
NAME_LIMIT = 64

_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{3}Z")


def is_time(value: Any) -> bool:
    """Whether ``value`` is RFC 3339 UTC with milliseconds and ``Z``, and a day that exists.

    A leap second (``:60``) is refused: neither Python nor PostgreSQL keeps one.
    """
    if type(value) is not str or _TIME.fullmatch(value) is None:
        return False
    try:
        datetime.fromisoformat(value[:10])
    except ValueError:
        return False
    return True


# Numbers and words
SEQ = integer(0)
HAND = integer(1, 2**32 - 1)  # a u32 in the shuffle protocol
SEAT = integer(0, 3, "a seat")
COUNT = integer(0, 2**32 - 1)
AMOUNT = integer(-(2**53 - 1), 2**53 - 1)
DIE = integer(1, 6)
FLAG = flag()
TIME = Scalar("a time such as 2026-03-01T12:00:05.125Z", str, is_time)

# Text. C0, C1, DEL and lone surrogates are no part of an id: it is shown, logged and compared.
_VISIBLE = r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]"
ID = text("an id of 1 to 128 characters without control characters", _VISIBLE + "{1,128}")
REASON = text("1 to 256 characters without control characters", _VISIBLE + "{1,256}")
NAME = text(f"text of at most {NAME_LIMIT} characters", rf"(?s:[^\ud800-\udfff]{{0,{NAME_LIMIT}}})")
HEX = text("lower-case hex, two digits a byte, of at most 256 bytes", r"(?:[0-9a-f]{2}){0,256}")

# Tiles
TILE = Scalar(
    "a tile of 1m-9m 1p-9p 1s-9s 1z-7z 1f-8f",
    Literal[CODES],
    lambda value: type(value) is str and value in NUMBERS,
    NUMBERS.__getitem__,
    CODES.__getitem__,
)
TILES = Many(TILE, "tiles", TILE_LIMIT)
WITH = Many(TILE, "tiles", 4)

DICE = Many(DIE, "dice", 2, 2)
SCORES = Many(AMOUNT, "integers", 4, 2)  # two to four players
END_OF_WALL = choice("head", "tail", load="tail".__eq__, dump=("head", "tail").__getitem__)
KONG_KINDS = ("exposed", "added", "concealed")
DECLARATIONS = ("you", "double_you", "triple_you", "heavenly_ready")


class _Ruleset(NamedTuple):
    """The rule set as the log names it; the event holds its three parts itself."""

    id: str
    version: str
    options: dict[str, Any]


def _ruleset(event: Any) -> _Ruleset:
    return _Ruleset(event.ruleset, event.version, event.options)


ACT = Shape(
    events.Act,
    (
        Member("act", choice("discard", "chow", "pung", "kong", "win", "pass", "declare")),
        Member("tile", TILE, required=False),
        Member("with", WITH, required=False, field="with_"),
        Member("kind", choice(*KONG_KINDS, *DECLARATIONS), required=False),
        Member("win", ID, required=False),
        Member("from", SEAT, required=False, field="from_"),
    ),
)


def act_order(act: events.Act) -> tuple[Any, ...]:
    """The key by which acts are listed: act, tile, with, each as text; then whatever still tells two apart."""
    tile = "" if act.tile is None else CODES[act.tile]
    with_ = tuple(CODES[tile] for tile in act.with_)
    return act.act, tile, with_, act.kind or "", act.win or "", -1 if act.from_ is None else act.from_


ACTS = Many(ACT, "acts", 1000, sort=act_order)
RULESET = Shape(_Ruleset, (Member("id", ID), Member("version", ID), Member("options", Options(depth=3))))
SEATING = Shape(events.Seating, (Member("player", ID), Member("name", NAME, required=False)))
RECORDS = Shape(events.Records, (Member("passes", FLAG), Member("wall", FLAG), Member("prompts", FLAG)))
GAME_COMMITMENT = Shape(events.GameCommitment, (Member("scheme", ID), Member("root", HEX), Member("hands", COUNT)))
HAND_COMMITMENT = Shape(
    events.HandCommitment,
    (Member("scheme", ID), Member("commitment", HEX), Member("proof", Many(HEX, "hashes", 64), required=False)),
)
COMMITTED_SEED = Shape(
    events.ClientSeed, (Member("seat", SEAT), Member("commitment", HEX), Member("seed", HEX, required=False))
)
OPENED_SEED = Shape(events.ClientSeed, (Member("seat", SEAT), Member("seed", HEX)))
ITEM = Shape(events.Item, (Member("seat", SEAT), Member("code", ID), Member("value", AMOUNT)))

_IN_GAME = (Member("seq", SEQ), Member("at", TIME))
_IN_HAND = (*_IN_GAME, Member("hand", HAND))
_CLAIM = (Member("seat", SEAT), Member("tile", TILE), Member("from", SEAT, field="from_"))
_WITH = Member("with", WITH, field="with_")

_ROWS: dict[type, tuple[Member, ...]] = {
    events.GameStarted: (
        Member("seq", integer(0, 0)),
        Member("at", TIME),
        Member("format", choice(FORMAT)),
        Member("game", ID),
        Member("ruleset", RULESET, take=_ruleset),
        Member("seats", Many(SEATING, "seats", 4, 2)),
        Member("first_dealer", SEAT),
        Member("scores", SCORES, required=False),
        Member("records", RECORDS),
        Member("server", ID, required=False),
        Member("commitment", GAME_COMMITMENT, required=False),
    ),
    events.HandStarted: (
        *_IN_HAND,
        Member("dealer", SEAT),
        Member("streak", COUNT),
        Member("scores", SCORES),
        Member("commitment", HAND_COMMITMENT, required=False),
        Member("client_seeds", Many(COMMITTED_SEED, "seeds", 4), required=False),
        Member("wall_root", HEX, required=False),
    ),
    events.SeedsOpened: (*_IN_HAND, Member("client_seeds", Many(OPENED_SEED, "seeds", 4))),
    events.DiceRolled: (
        *_IN_HAND,
        Member("purpose", choice("break", "gold")),
        Member("dice", DICE),
        Member("seat", SEAT),
    ),
    events.Dealt: (*_IN_HAND, Member("seat", SEAT), Member("tiles", TILES)),
    events.FlowersReplaced: (*_IN_HAND, Member("seat", SEAT), Member("flowers", TILES), Member("drawn", TILES)),
    events.GoldFlipped: (
        *_IN_HAND,
        Member("tiles", TILES),
        Member("gold", TILE),
        Member("index", integer(1, TILE_LIMIT), required=False),
    ),
    events.TurnPrompted: (*_IN_HAND, Member("seat", SEAT), Member("options", ACTS)),
    events.Drew: (
        *_IN_HAND,
        Member("seat", SEAT),
        Member("tile", TILE),
        Member("from", END_OF_WALL, field="tail"),
    ),
    events.Discarded: (
        *_IN_HAND,
        Member("seat", SEAT),
        Member("tile", TILE),
        Member("level", choice("double_you", "triple_you"), required=False),
    ),
    events.Chowed: (*_IN_HAND, *_CLAIM, _WITH),
    events.Punged: (*_IN_HAND, *_CLAIM, _WITH),
    events.Konged: (
        *_IN_HAND,
        Member("seat", SEAT),
        Member("kind", choice(*KONG_KINDS)),
        Member("tile", TILE),
        Member("from", SEAT, required=False, field="from_"),
        _WITH,
    ),
    events.Passed: (
        *_IN_HAND,
        Member("seat", SEAT),
        Member("options", ACTS),
        Member("on", SEQ, required=False),
        Member("auto", FLAG, required=False),
    ),
    events.ClaimOverridden: (*_IN_HAND, Member("seat", SEAT), Member("claim", ACT), Member("by", SEAT)),
    events.Declared: (*_IN_HAND, Member("seat", SEAT), Member("declaration", choice(*DECLARATIONS))),
    events.Won: (
        *_IN_HAND,
        Member("seat", SEAT),
        Member("win", ID),
        Member("tile", TILE, required=False),
        Member("from", SEAT, required=False, field="from_"),
        Member("tile_out", TILE, required=False),
    ),
    events.Exhausted: _IN_HAND,
    events.Settled: (
        *_IN_HAND,
        Member("deltas", SCORES),
        Member("items", Many(ITEM, "items", 1000), required=False),
    ),
    events.WallRevealed: (
        *_IN_HAND,
        Member("wall", TILES),
        Member("server_seed", HEX, required=False),
        Member("salt", HEX, required=False),
    ),
    events.HandEnded: (*_IN_HAND, Member("scores", SCORES)),
    events.PresenceChanged: (
        *_IN_GAME,
        Member("hand", HAND, required=False),
        Member("seat", SEAT),
        Member("state", choice("left", "returned", "auto_on", "auto_off")),
    ),
    events.Voided: (*_IN_HAND, Member("reason", REASON)),
    events.GameEnded: (
        *_IN_GAME,
        Member("scores", SCORES),
        Member("reason", choice("finished", "abandoned", "voided"), required=False),
    ),
}

_GAME_STARTED_PATHS = {"ruleset": "ruleset.id", "version": "ruleset.version", "options": "ruleset.options"}


def _shape(tag: str, cls: type) -> Shape:
    paths = _GAME_STARTED_PATHS if cls is events.GameStarted else {}
    return Shape(cls, _ROWS[cls], tag, paths)


#: The shape of every event, by its ``type``.
SHAPES: dict[str, Shape] = {tag: _shape(tag, cls) for tag, cls in events.TYPES.items()}
