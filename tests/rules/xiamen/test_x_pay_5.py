"""X-PAY-5: losers do not settle water among themselves (option ``loser_water``: every pair of losers settles its
difference of flowers, golds, triplets and kongs, without multiplier)."""

from __future__ import annotations

import pytest

from replays.rulebook import Settlement
from replays.settle import decide, facts_of
from tests.rules.builders import audited, offered, table
from tests.rules.xiamen.positions import PLAIN, opened


def deltas(hands: dict[int, str], *, loser_water: bool, melds: dict[int, list[str]] | None = None,
           flowers: dict[int, str] | None = None, gold: str = "9s") -> tuple[int, ...]:  # fmt: skip
    """Seat 0, the dealer, draws 9p on ``PLAIN`` and takes 32 from each."""
    position = table(
        {0: PLAIN} | hands, drawn="9p", golds=gold, melds=melds, flowers=flowers, options={"loser_water": loser_water}
    )
    facts = facts_of(position, 0)
    assert facts is not None
    found = decide(position.book, facts)
    assert isinstance(found, Settlement)
    return found.deltas


OTHERS = {1: "147s 1234z 67z 147p 258m 3m", 2: "258s 1234z 67z 147p 258m 6m", 3: "147s 1234z 67z 258p 258m 3m"}

CASES = {
    "flowers": ({}, {}, {1: "12f", 2: "5f"}, (3, 0, -3)),
    "a class of flowers": ({}, {}, {1: "1234f"}, (16, -8, -8)),
    "a gold": ({1: "147s 1234z 67z 147p 258m 9s"}, {}, {}, (2, -1, -1)),
    "a concealed triplet": ({2: "777s 1234z 67z 147p 258m 6m"}, {}, {}, (-1, 2, -1)),
    "a concealed honour triplet": ({3: "147s 444z 123z 258p 258m 3m"}, {}, {}, (-2, -2, 4)),
    "a pung of a suit": ({1: "1234z 67z 147p 258m 3m"}, {1: ["pung 7s@2"]}, {}, (0, 0, 0)),
    "a pung of honours": ({1: "134z 67z 147p 258m 36m"}, {1: ["pung 2z@2"]}, {}, (2, -1, -1)),
    "kongs": ({1: "1234z 67z 147p 258m 3m", 3: "124z 67z 258p 258m 36m"},
              {1: ["concealed 7s"], 3: ["exposed 3z@2"]}, {}, (3, -6, 3)),
    "nothing": ({}, {}, {}, (0, 0, 0)),
}  # fmt: skip


@pytest.mark.parametrize(("hands", "melds", "flowers", "among"), CASES.values(), ids=CASES)
def test_differences_of_losers(
    hands: dict[int, str], melds: dict[int, list[str]], flowers: dict[int, str], among: tuple[int, ...]
) -> None:
    held = OTHERS | hands
    assert deltas(held, loser_water=False, melds=melds, flowers=flowers) == (96, -32, -32, -32)
    expected = (96, *(-32 + own for own in among))
    assert deltas(held, loser_water=True, melds=melds, flowers=flowers) == expected


def test_off_by_default() -> None:
    game = opened({1: PLAIN, 2: "1f", 3: "777z"}, draws="9p", tail="2s").draw().win(1).close().end()
    assert game.audit().hands[0].deltas == (-32, 96, -32, -32)
    assert audited(game.events) == []


def test_in_a_log() -> None:
    """天聽: 32 from each; seat 3 has a concealed triplet of dragons, seat 2 a flower, the dealer nothing."""
    hands = {
        0: "147s 1234z 66z 147p 258m 37m",
        1: PLAIN,
        2: "258s 1234z 1f 147p 258m 6m 2p",
        3: "147s 123z 777z 258p 258m 3m",
    }
    game = opened(hands, draws="9p", tail="3p", options={"loser_water": True}, gold="9s").draw().win(1).close().end()
    assert audited(game.events) == []
    water = {0: 0, 2: 1, 3: 2}
    total = sum(water.values())
    own = [96 if seat == 1 else -32 + 3 * water[seat] - total for seat in range(4)]
    assert game.audit().hands[0].deltas == tuple(own)
    items = [item for item in game.audit().hands[0].items if item.code == "X-PAY-5"]
    assert sum(item.value for item in items) == 0


def test_the_winner_neither_pays_nor_gets_it() -> None:
    hands = OTHERS | {1: "777s 1234z 67z 147p 258m 3m"}
    for loser_water in (False, True):
        assert deltas(hands, loser_water=loser_water, flowers={2: "12345f"})[0] == 96


def test_it_changes_no_way_and_no_right() -> None:
    position = table({0: PLAIN} | OTHERS, drawn="9p", golds="9s", options={"loser_water": True})
    assert offered(position, 0, "win") == ["win self_draw 9p"]
