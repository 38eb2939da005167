"""Hands to be settled, written short: for clauses that hang on one hand alone.

Tiles and melds are written as in ``tests.rules.builders``. Unless a case says otherwise seat 1 wins and seat 0 deals
without a streak, so that the base is 8.
"""

from __future__ import annotations

from typing import Any

from replays.hands import Layout, layout, pack, size
from replays.referee import offers
from replays.rulebook import Facts, Rulebook, Settlement, Violation
from replays.settle import decide
from replays.tiles import CODES, KINDS, flower_bit, parse
from replays.variants import rulebook
from tests.rules.builders import Game, chosen_wall, meld, tiles

#: Five runs, four of them whole, and 9p to make a pair: waits for 9p alone and has no water.
PLAIN = "123456789m 123456p 9p"


def book(**options: Any) -> Rulebook:
    """The rule set under the options that differ from the defaults."""
    return rulebook("xiamen", "1", options)


def _open(text: str, where: Layout) -> tuple[int, ...]:
    faces = [where.faces[tile] for tile in tiles(text)]
    return tuple(faces.count(kind) for kind in range(KINDS))


def facts(
    hand: str,
    tile: str | None = None,
    by: str = "self_draw",
    *,
    gold: str = "1z",
    melds: tuple[str, ...] = (),
    flowers: str = "",
    out: str = "",
    **rest: Any,
) -> Facts:
    """The facts of a win: ``hand`` is concealed without the winning ``tile``; at the opening it is the whole hand.

    ``out`` are tiles that lie open elsewhere on the table.
    """
    where = layout(tiles(gold))
    held = tiles(hand)
    full = held if tile is None else (*held, parse(tile))
    given: dict[str, Any] = {
        "players": 4,
        "seat": 1,
        "dealer": 0,
        "streak": 0,
        "from_": 2 if by in ("discard", "rob_kong") else None,
        "out": _open(out, where),
    }
    hand_size = 3 * len(melds) + size(pack(full, where))
    assert hand_size == 17 or (by == "opening" and hand_size == 16), f"{hand_size} tiles"
    return Facts(
        layout=where,
        hand=pack(full, where),
        waiting=None if tile is None else pack(held, where),
        melds=tuple(map(meld, melds)),
        flowers=sum(flower_bit(flower) for flower in tiles(flowers)),
        tile=None if tile is None else parse(tile),
        by=by,
        **given | rest,
    )


def win(position: Facts, **options: Any) -> Settlement:
    """What a hand that wins is worth."""
    found = decide(book(**options), position)
    assert isinstance(found, Settlement), found
    return found


def refusal(position: Facts, **options: Any) -> Violation:
    """Why a hand does not win."""
    found = decide(book(**options), position)
    assert isinstance(found, Violation), found
    return found


def cited(position: Facts, **options: Any) -> tuple[str, str]:
    """Clause and code of the reason why a hand does not win."""
    found = refusal(position, **options)
    return found.clause, found.code


def lines(position: Facts, *clauses: str, **options: Any) -> list[tuple[str, int]]:
    """The clauses and values of a win's lines, those of ``clauses`` alone where some are given."""
    return [(item.code, item.value) for item in win(position, **options).items if not clauses or item.code in clauses]


def opened(hands: dict[int, str], *, options: dict[str, Any] | None = None, **wall: Any) -> Game:
    """A game in which seat 0 has dealt the ``hands`` and discarded its lowest tile; ``wall`` as for ``chosen_wall``."""
    given = {"gold": "1z"} | wall
    game = Game(options).open(chosen_wall(hands, **given))
    assert game.table.golds == tiles(given["gold"])
    lowest = next(act.tile for act in offers(game.table)[0] if act.act == "discard")
    assert lowest is not None
    return game.discard(CODES[lowest])
