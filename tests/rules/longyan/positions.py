"""Positions and hands of Longyan, written short: for the clauses of ``tests/rules/longyan``.

Tiles and melds are written as in ``tests.rules.builders``. Unless a case says otherwise four sit down, seat 0 deals,
seat 1 wins, and the gold is 9s (with the mode ``full`` 9s and 1z).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from replays.table import Table
from replays.tiles import CODES
from schema.scoring import score_document
from tests.rules import builders
from tests.rules.builders import Game, Records, altered, audited, chosen_wall, meld, seq_of, tiles

RULESET = "longyan"
FULL: dict[str, Any] = {"mode": "full"}

#: Four sets and a pair but for 3s; nothing in it has a name.
PLAIN = "123456789m 77p 12s"
#: Sets and a lone gold.
YOU = "123456789m 123p 9s"
#: Seven pairs but for 7z.
SEVEN = "1199m 1199p 2255s 7z"
#: Each of the thirteen once: waits for all of them, under a gold that is none of them.
ORPHANS = "19m 19p 19s 1234567z"
#: Ten tiles that come to nothing, whatever three golds may do.
JUNK = "147m 258p 36s 24z"


def score(
    hand: str,
    tile: str | None = None,
    by: str = "self_draw",
    *,
    golds: str | None = None,
    melds: Sequence[str] = (),
    flowers: str = "",
    seat: int = 1,
    dealer: int = 0,
    players: int = 4,
    from_: int | None = None,
    level: str | None = None,
    right: str | None = None,
    kong_replacement: bool = False,
    **options: Any,
) -> dict[str, Any]:
    """The result of one hand: ``hand`` is concealed without the winning ``tile``, at the opening it is whole. A kong
    is robbed from seat 0 unless ``from_`` says otherwise."""
    robbed = (0 if seat else 1) if by in ("rob_kong", "discard") and from_ is None else from_
    return score_document(
        {
            "ruleset": RULESET,
            "options": options,
            "players": players,
            "seat": seat,
            "dealer": dealer,
            "golds": _codes(golds or ("9s1z" if options.get("mode") == "full" else "9s")),
            "concealed": _codes(hand),
            "melds": [_meld(words) for words in melds],
            "flowers": _codes(flowers),
            "tile": tile,
            "by": by,
            "from": robbed,
            "level": level,
            "right": right,
            "kong_replacement": kong_replacement,
            "opening": by == "opening",
        }
    )


def _codes(text: str) -> list[str]:
    return [CODES[one] for one in tiles(text)]


def _meld(words: str) -> dict[str, Any]:
    known = meld(words)
    code = CODES[known.tiles[0]]
    return {"type": "kong", "kind": known.kind, "tile": code} if known.is_kong else {"type": known.kind, "tile": code}


def won(hand: str, tile: str | None = None, by: str = "self_draw", **rest: Any) -> dict[str, Any]:
    """The result of a hand that wins; ``rest`` as for ``score``."""
    found = score(hand, tile, by, **rest)
    assert found["wins"], found
    return found


def way(hand: str, tile: str | None = None, by: str = "self_draw", **rest: Any) -> tuple[str, int]:
    """The way that counts, and its v."""
    found = won(hand, tile, by, **rest)
    return found["win"], found["factor"]


def cited(hand: str, tile: str | None = None, by: str = "self_draw", **rest: Any) -> tuple[str, str]:
    """Clause and code of the reason why a hand does not win."""
    found = score(hand, tile, by, **rest)
    assert not found["wins"], found
    return found["why"]["clause"], found["why"]["code"]


def table(hands: Sequence[str] | Mapping[int, str] = (), **rest: Any) -> Table:
    """A position of this rule set; ``rest`` as for ``builders.table``."""
    return builders.table(hands, ruleset=RULESET, **rest)


def opened(
    hands: Sequence[str] | Mapping[int, str] = (),
    *,
    players: int = 4,
    options: Mapping[str, Any] | None = None,
    dealer: int = 0,
    records: Records | None = None,
    game: Game | None = None,
    opening: Mapping[str, Any] | None = None,
    **wall: Any,
) -> Game:
    """A game up to the dealer's first turn: ``wall`` as for ``chosen_wall``, ``opening`` as for ``Game.open``."""
    begun = game or Game(options, ruleset=RULESET, players=players, first_dealer=dealer, records=records)
    chosen = chosen_wall(
        hands,
        ruleset=RULESET,
        players=len(begun.table.seats),
        options=begun.table.book.options,
        dealer=begun.table.dealer,
        **wall,
    )
    return begun.open(chosen, **(opening or {}))


def repaid(game: Game, deltas: Sequence[int]) -> list[tuple[int, str, str]]:
    """What an audit finds once a game of one hand, which had been right, pays ``deltas`` instead."""
    assert audited(game.events) == []
    events = altered(game.events, seq_of(game.events, "settled"), deltas=tuple(deltas))
    totals = ("hand_ended", "game_ended")
    return audited([one._replace(scores=tuple(deltas)) if one.type in totals else one for one in events])
