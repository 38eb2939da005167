"""L-WIN-9: 槓上開花, a self-draw on a kong's replacement, is worth what the self-draw is; it matters only for locks."""

from __future__ import annotations

import pytest

from tests.rules.builders import after, audited, judged, offered
from tests.rules.longyan.positions import FULL, opened, table, way, won

SHORT = "123456m 77p 12s"  # beside a kong


@pytest.mark.parametrize("kind", ["exposed", "added", "concealed"])
def test_it_has_no_value_of_its_own(kind: str) -> None:
    found = won(SHORT, "3s", melds=[f"{kind} 5s"], kong_replacement=True)
    assert (found["win"], found["factor"], found["deltas"]) == ("self_draw", 2, [-4, 8, -2, -2])
    assert found["deltas"] == won(SHORT, "3s", melds=[f"{kind} 5s"])["deltas"]


def test_in_the_full_mode() -> None:
    found = won(SHORT, "3s", melds=["concealed 5s"], kong_replacement=True, **FULL)
    assert (found["win"], found["factor"]) == ("self_draw", 2)


@pytest.mark.parametrize(("level", "expected"), [(None, ("you", 4)), ("double_you", ("double_you", 8))])
def test_out_of_you_state_it_is_you(level: str | None, expected: tuple[str, int]) -> None:
    hand = "123456m 123p 9s"
    assert way(hand, "7z", melds=["concealed 5s"], kong_replacement=True, level=level) == expected


def test_three_golds_on_a_replacement() -> None:
    assert way("147m 258p 3s 999s", "7z", melds=["exposed 5s"], kong_replacement=True) == ("three_golds", 4)


# -- At the table ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "source"), [("exposed", "kong"), ("added", "kong"), ("concealed", "concealed_kong")])
def test_the_name_is_that_of_the_self_draw(kind: str, source: str) -> None:
    position = table({0: SHORT}, melds={0: [f"{kind} 5s@1"]}, drawn="3s", source=source)
    assert offered(position, 0, "win") == ["win self_draw 3s"]
    assert judged(position, "won", seat=0, win="self_draw", tile="3s") == []


SOURCES = [("draw", False), ("kong", True), ("concealed_kong", True)]


@pytest.mark.parametrize(("source", "may_win"), SOURCES)
def test_in_a_lock_only_the_replacement_wins(source: str, may_win: bool) -> None:
    """Seat 1 has discarded a gold (L-LOCK-1)."""
    melds = {0: ["concealed 5s" if source == "concealed_kong" else "exposed 5s@1"]}
    position = table({0: SHORT}, melds=melds, drawn="3s", source=source, gold_out=[1], discards={1: "9s"})
    assert offered(position, 0, "win") == (["win self_draw 3s"] if may_win else [])
    found = judged(position, "won", seat=0, win="self_draw", tile="3s")
    assert found == ([] if may_win else [("L-LOCK-1", "locked_by_gold")])


def test_without_a_lock_either_does() -> None:
    for source, _ in SOURCES:
        position = table({0: SHORT}, melds={0: ["concealed 5s"]}, drawn="3s", source=source)
        assert offered(position, 0, "win") == ["win self_draw 3s"]


@pytest.mark.parametrize(("source", "may_win"), [("draw", False), ("kong", True)])
def test_a_flower_in_between(source: str, may_win: bool) -> None:
    """What replaces a flower is what the flower was: a replacement for a kong, or not."""
    position = table({0: SHORT}, melds={0: ["exposed 5s@1"]}, drawn="1f", source=source, gold_out=[1])
    position = after(position, "flowers_replaced", seat=0, flowers="1f", drawn="3s")
    assert offered(position, 0, "win") == (["win self_draw 3s"] if may_win else [])


def test_a_kong_long_ago_does_not_count() -> None:
    position = table({0: SHORT}, melds={0: ["concealed 5s"]}, turn=3, last="2z", gold_out=[1], discards={1: "9s"})
    position = after(position, "drew", seat=0, tile="3s", tail=False)
    assert offered(position, 0, "win") == []


def test_a_whole_hand() -> None:
    game = opened({0: f"{SHORT} 555s 2z"}, draws="5s 4m 4m 4p", tail="3s", players=2, gold="8s").discard("2z")
    game.draw().discard("5s").kong(0).draw()
    assert offered(game.table, 0, "win") == ["win self_draw 3s"]
    game.win(0).close().end()
    assert audited(game.events) == []
    # The kong is paid too: 1 for the one other player, doubled with the dealer.
    assert game.table.scores == (4 + 2, -4 - 2)
