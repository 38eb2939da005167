"""Positions by hand: tiles, acts, a table, and what the referee says there. See ``tests.rules.builders``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from replays import events as ev
from replays.events import Act, Records, Seating
from replays.finding import Finding
from replays.hands import layout, pack
from replays.reducer import apply, start
from replays.referee import judge, offers, why_not
from replays.rulebook import Rulebook
from replays.table import (
    AFTER_CLAIM,
    AFTER_CONCEALED_KONG,
    AFTER_DEAL,
    AFTER_DRAW,
    AFTER_KONG,
    CLAIMS,
    FLOWER,
    KONG,
    NOTHING,
    PHASES,
    TURN,
    Meld,
    Table,
    Throw,
    never_there,
)  # fmt: skip
from replays.tiles import CODES, FIRST_FLOWER, FIRST_HONOUR, KINDS, NUMBERS, WHITE, Tile, flower_bit, is_flower
from replays.variants import rulebook

RULESET = "xiamen"
SOURCES = {
    "claim": AFTER_CLAIM,
    "deal": AFTER_DEAL,
    "draw": AFTER_DRAW,
    "kong": AFTER_KONG,
    "concealed_kong": AFTER_CONCEALED_KONG,
}
MELDS = ("chow", "pung", "exposed", "added", "concealed")


# -- Tiles ---------------------------------------------------------------------------------------------------------


def tiles(text: str) -> tuple[Tile, ...]:
    """The tiles of MPSZ shorthand, in the order written: ``"123m5z 1f"``."""
    packed = text.replace(" ", "")
    if re.sub(r"\d+[mpszf]", "", packed):
        raise ValueError(f"not MPSZ shorthand: {text!r}")
    return tuple(NUMBERS[digit + suit] for digits, suit in re.findall(r"(\d+)([mpszf])", packed) for digit in digits)


def tile(code: str) -> Tile:
    """The one tile of a code."""
    return NUMBERS[code]


def text(some: Iterable[Tile]) -> str:
    """Codes joined: ``"1m2m3m"``."""
    return "".join(CODES[one] for one in some)


def meld(words: str) -> Meld:
    """``"chow 345m@3"`` (the claimed tile first, from seat 3), ``"pung 5p@1"``, ``"exposed 5p@1"``, ``"added 5p@1"``,
    ``"concealed 5p"``; the discarder is seat 0 where none is named."""
    kind, rest = words.split()
    code, _, seat = rest.partition("@")
    if kind not in MELDS:
        raise ValueError(f"no meld {kind!r}")
    found = tiles(code)
    if kind != "chow" and len(found) == 1:
        found *= 3 if kind == "pung" else 4
    return Meld(kind, found, NOTHING if kind == "concealed" else int(seat or 0))


# -- Acts ----------------------------------------------------------------------------------------------------------


def discard(code: str) -> Act:
    return Act("discard", tile(code))


def chow(code: str, with_: str, from_: int) -> Act:
    return Act("chow", tile(code), tiles(with_), from_=from_)


def pung(code: str, from_: int) -> Act:
    return Act("pung", tile(code), (tile(code),) * 2, from_=from_)


def kong(code: str, kind: str, from_: int | None = None) -> Act:
    """A kong of ``kind`` ``exposed`` (with ``from_``), ``added`` or ``concealed``."""
    copies = {"exposed": 3, "added": 1, "concealed": 4}[kind]
    return Act("kong", tile(code), (tile(code),) * copies, kind, from_=from_)


def win(code: str | None = None, way: str | None = None, from_: int | None = None) -> Act:
    return Act("win", None if code is None else tile(code), win=way, from_=from_)


def declare(what: str) -> Act:
    return Act("declare", kind=what)


PASS = Act("pass")


def words(act: Act) -> str:
    """An act in words: ``"discard 5m"``, ``"chow 3m 4m5m"``, ``"pung 5p"``, ``"kong 5p added"``,
    ``"win self_draw 5m"``, ``"win heavenly_win"``, ``"declare you"``, ``"pass"``."""
    code = "" if act.tile is None else CODES[act.tile]
    middle = {"chow": f"{code} {text(act.with_)}", "win": f"{act.win} {code}"}.get(act.act, code)
    return " ".join(f"{act.act} {middle} {act.kind or ''}".split())


# -- Positions -----------------------------------------------------------------------------------------------------


def table(
    hands: Sequence[str] | Mapping[int, str] = (),
    *,
    golds: str | None = None,
    turn: int = 0,
    drawn: str | None = None,
    last: str | None = None,
    phase: str | None = None,
    source: str | None = None,
    melds: Mapping[int, Sequence[str]] | None = None,
    discards: Mapping[int, str] | None = None,
    flowers: Mapping[int, str] | None = None,
    held: Mapping[int, str] | None = None,
    flipped: str | None = None,
    thrown: str = "",
    left: int | None = None,
    dealer: int = 0,
    streak: int = 0,
    opening: bool = False,
    robbable: bool | None = None,
    levels: Mapping[int, int] | None = None,
    options: Mapping[str, Any] | None = None,
    records: Records | None = None,
    ruleset: str = RULESET,
    players: int | None = None,
    dice: tuple[int, int] | None = None,
    **state: Any,
) -> Table:
    """One position.

    ``ruleset`` and ``players``: the rule set, and how many sit down (by default as many as it is for). ``golds``: the
    face kinds, as many as the rule set flips under its ``options`` (``"9s1z"``); by default those of ``gold_kinds``.
    ``hands``: concealed tiles a seat, WITHOUT the drawn tile, which ``drawn`` adds to the seat on ``turn`` (a flower
    goes to ``held``, phase ``flower``). Seats left out get a dull hand that can claim nothing and waits for nothing.
    At the opening the hand of the seat on turn is the whole one, a tile more. ``last``: the discard of ``turn`` that
    lies open (phase ``claims``), or with ``phase="kong"`` the kong's tile (robbable if ``turn`` has an added kong of
    it). ``source``: how ``turn`` got its extra tile, ``draw``, ``kong`` (exposed or added), ``concealed_kong``,
    ``claim`` or ``deal`` (by default ``draw`` where something is ``drawn``, else ``deal`` at the opening and ``claim``
    later). ``melds``: words as for ``meld``. ``thrown``: kinds discarded besides those that still lie there. ``left``:
    tiles in the wall, by default all that are nowhere else. ``levels``: 2 or 3 a seat. ``state``: masks of the table
    as collections of seats (``untouched=[1, 2]``, ``gold_out``, ``lock``, ``fallen``, ``stale``, ``declared``,
    ``answered``, ``doubt``) or any other field of ``Table`` as it is. What clauses of the rule set remember is as at
    the flip: more of it comes by playing on (``after``).
    """
    book = rulebook(ruleset, "1", options or {})
    position = _bare(book, records or Records(), dealer, streak, players)
    number = PHASES.index(phase) if phase else _phase(drawn, last)
    n = len(position.seats)
    gold_tiles = tiles(gold_kinds(book) if golds is None else golds)
    gone = gold_tiles if flipped is None else tiles(flipped)
    extra = NOTHING if drawn is None else tile(drawn)
    given = dict(hands) if isinstance(hands, Mapping) else dict(enumerate(hands))
    lying = tuple(tuple(meld(words) for words in (melds or {}).get(seat, ())) for seat in range(n))
    river = _river(discards or {}, turn, last if number == CLAIMS else None, n)
    laid = _by_seat(flowers or {}, n)
    kept = _kept(given, held or {}, turn, extra, n)
    open_tiles = [*gone, *(code & 63 for code in river), *_flat(laid), *_flat(kept)]
    open_tiles += [one for own in lying for known in own for one in known.tiles]
    known = [*open_tiles, *([extra] if 0 <= extra < KINDS else [])]
    sizes = [book.hand_size + (opening and seat == turn) - 3 * len(lying[seat]) for seat in range(n)]
    concealed = _concealed(book, given, known, gold_tiles, sizes)
    if 0 <= extra < KINDS:
        concealed[turn].append(extra)
    out = [*open_tiles, *_flat(concealed)]
    claimed = [known.tiles[0] for own in lying for known in own if known.from_ != NOTHING]
    where = layout(gold_tiles)
    fields: dict[str, Any] = {
        "hand": 1,
        "phase": number,
        "turn": turn,
        "hands": tuple(pack(own, where) for own in concealed),
        "layout": where,
        "flowers": tuple(map(_flower_mask, laid)),
        "held": tuple(map(_flower_mask, kept)),
        "melds": lying,
        "river": river,
        "thrown": _mask([*claimed, *(code & 63 for code in river), *tiles(thrown)]),
        "golds": gold_tiles,
        "flipped": gone,
        "left": len(book.wall) - len(out) if left is None else left,
        "seen": never_there(book) + sum(1 << 8 * one for one in out),
        "drawn": extra,
        "source": SOURCES[source] if source else _source(extra, opening),
        "last": NOTHING if last is None else tile(last),
        "robbable": _robbable(number, last, lying[turn]) if robbable is None else robbable,
        "opening": opening,
        "levels": tuple((levels or {}).get(seat, 0) for seat in range(n)),
        "throws": () if dice is None else (Throw(position.seq, "gold", dice),),
        **as_at_the_flip(book),
    }
    return position._replace(**fields, **{name: _state(name, value) for name, value in state.items()})


def gold_kinds(book: Rulebook) -> str:
    """The golds of positions and walls that name none: as many as the rule set flips."""
    return "9s1z"[: 2 * book.gold_flips]


def as_at_the_flip(book: Rulebook) -> dict[str, Any]:
    """What the rule set's own clauses remember when play begins, as a field of the table."""
    return {"own": tuple(memory.start for memory in book.memories)}


def _by_seat(some: Mapping[int, str], n: int) -> list[tuple[Tile, ...]]:
    return [tiles(some.get(seat, "")) for seat in range(n)]


def _flat(some: Iterable[Iterable[Tile]]) -> list[Tile]:
    return [one for own in some for one in own]


def _river(discards: Mapping[int, str], turn: int, last: str | None, n: int) -> bytes:
    """The discards seat by seat, those of the seat on turn at the end, the open one last."""
    order = [(turn + 1 + step) % n for step in range(n)]
    lying = [(seat, one) for seat in order for one in tiles(discards.get(seat, ""))]
    lying += [] if last is None else [(turn, tile(last))]
    return bytes(seat << 6 | one for seat, one in lying)


def _kept(given: Mapping[int, str], held: Mapping[int, str], turn: int, extra: Tile, n: int) -> list[list[Tile]]:
    """Flowers in hand and not laid out: in ``held``, among the hands, or just drawn."""
    kept = [list(tiles(held.get(seat, ""))) for seat in range(n)]
    for seat, hand in sorted(given.items()):
        kept[seat] += filter(is_flower, tiles(hand))
    if extra >= FIRST_FLOWER:
        kept[turn].append(extra)
    return kept


def _concealed(
    book: Rulebook, given: Mapping[int, str], out: Iterable[Tile], golds: Iterable[Tile], sizes: Sequence[int]
) -> list[list[Tile]]:
    """The playing tiles of every seat, dull ones where none are given."""
    barred = (*golds, *(kind for kind in range(KINDS) if kind not in book.wall))
    known = {seat: [one for one in tiles(hand) if not is_flower(one)] for seat, hand in sorted(given.items())}
    gone = [*out, *_flat(known.values())]
    for seat, size in enumerate(sizes):
        if seat not in known:
            known[seat] = dull(gone, barred, size, apart=apart(book))
            gone += known[seat]
    return [known[seat] for seat in range(len(sizes))]


def _flower_mask(flowers: Iterable[Tile]) -> int:
    return sum(flower_bit(one) for one in flowers)


def _mask(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in sorted(set(numbers)))


def _state(name: str, value: Any) -> Any:
    """A mask of seats from a collection of them; other fields as they are."""
    is_mask = isinstance(Table._field_defaults.get(name), int) and not isinstance(value, int)
    return _mask(value) if is_mask else value


def _bare(book: Rulebook, records: Records, dealer: int, streak: int, players: int | None) -> Table:
    n = players or most_players(book)
    seats = tuple(Seating(f"p{seat}") for seat in range(n))
    first = ev.GameStarted(0, clock(0), "g", book.id, book.version, dict(book.options), seats, dealer, None, records)
    begun = ev.HandStarted(9, clock(9), 1, dealer, streak, (0,) * n)
    return apply(start(first), begun)._replace(seq=10, at=clock(10))


def most_players(book: Rulebook) -> int:
    """How many seats a rule set's table has at most."""
    return book.players.stop - 1


def _phase(drawn: str | None, last: str | None) -> int:
    if drawn is not None and is_flower(tile(drawn)):
        return FLOWER
    return TURN if last is None else CLAIMS


def _source(drawn: int, opening: bool) -> int:
    if drawn != NOTHING:
        return AFTER_DRAW
    return AFTER_DEAL if opening else AFTER_CLAIM


def _robbable(phase: int, last: str | None, lying: Sequence[Meld]) -> bool:
    return phase == KONG and any(known.kind == "added" and known.tiles[0] == tile(last or "") for known in lying)


def apart(book: Rulebook) -> int:
    """How far apart the tiles of a dull hand must be for it to claim nothing."""
    return 3 if "chow" in book.claims else 1


def dull(out: Iterable[Tile], golds: Iterable[Tile] = (), size: int = 16, *, apart: int = 3) -> list[Tile]:
    """A hand of at most ``size`` playing tiles, none twice and none near another (``apart`` from it), so that it can
    claim nothing, out of the copies that ``out`` leaves; without golds and whites. It may come out a tile or two short.
    """
    gone, barred = list(out), {*golds, WHITE}
    hand: list[Tile] = []
    for kind in (*range(0, 27, 3), *range(FIRST_HONOUR, KINDS), *range(1, 27, 3), *range(2, 27, 3)):
        is_near = any(other // 9 == kind // 9 and abs(other - kind) < apart for other in hand if kind < FIRST_HONOUR)
        if kind not in barred and not is_near and gone.count(kind) < 4 and len(hand) < size:
            hand.append(kind)
    return hand


def clock(step: int) -> str:
    """A time that goes forward a second a step."""
    return f"2026-03-01T{step // 3600:02d}:{step // 60 % 60:02d}:{step % 60:02d}.000Z"


# -- Events and verdicts at a position -----------------------------------------------------------------------------

_ONE = frozenset({"tile", "gold", "tile_out"})
_MANY = frozenset({"tiles", "with_", "flowers", "drawn", "wall"})


def members(**given: Any) -> dict[str, Any]:
    """Members of an event with tiles written as text made numbers; lists become tuples."""
    return {name: _member(name, value) for name, value in given.items()}


def _member(name: str, value: Any) -> Any:
    if name in _ONE and isinstance(value, str):
        return tile(value)
    if name in _MANY and isinstance(value, str):
        return tiles(value)
    return tuple(value) if isinstance(value, list) else value


def event(position: Table, kind: str, /, **given: Any) -> Any:
    """The next event at a position, of the log's type ``kind``: number, time and hand follow unless given."""
    envelope: dict[str, Any] = {"seq": position.seq + 1, "at": clock(position.seq + 1)}
    if "hand" in ev.TYPES[kind]._fields:
        envelope["hand"] = position.hand
    return ev.TYPES[kind](**(envelope | members(**given)))


def findings(position: Table, kind: str, /, **given: Any) -> list[Finding]:
    """What the referee finds at an event, whole."""
    return judge(position, event(position, kind, **given))


def judged(position: Table, kind: str, /, **given: Any) -> list[tuple[str, str]]:
    """What the referee finds at an event: clause and code of each finding."""
    return [(found.clause, found.code) for found in findings(position, kind, **given)]


def after(position: Table, kind: str, /, **given: Any) -> Table:
    """The position after an event."""
    return apply(position, event(position, kind, **given))


def verdict(position: Table, seat: int, act: Act) -> tuple[str, str] | None:
    """Clause and code that forbid an act, ``None`` where it is legal."""
    found = why_not(position, seat, act)
    return None if found is None else (found.clause, found.code)


def offered(position: Table, seat: int, act: str = "") -> list[str]:
    """What a seat may do, in ``words``, sorted as the referee sorts; only acts of one name where it is given."""
    return [words(one) for one in offers(position)[seat] if one.act.startswith(act)]
