"""X-GOLD-3: whoever discards a gold wins only by self-draw or robbing until the own next discard; the others may win on
discards meanwhile. Nobody may chow, pung, kong or win on the gold itself."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.builders import after, chow, findings, kong, offered, pung, table, verdict
from tests.rules.builders import win as won
from tests.rules.xiamen.positions import PLAIN, cited, facts, opened, win


def test_only_self_draw_and_robbing_are_left() -> None:
    assert cited(facts(PLAIN, "9p", "discard", has_thrown_gold=True)) == ("X-GOLD-3", "discarded_gold")
    assert win(facts(PLAIN, "9p", has_thrown_gold=True)).win == "self_draw"
    assert win(facts(PLAIN, "9p", "rob_kong", has_thrown_gold=True)).win == "self_draw"


@pytest.mark.parametrize("value", ["any", "two_or_more", "none"])
def test_whatever_gold_blocks(value: str) -> None:
    position = facts(PLAIN, "9p", "discard", has_thrown_gold=True)
    assert cited(position, gold_blocks_discard_win=value) == ("X-GOLD-3", "discarded_gold")


def test_the_others_may_win_on_discards() -> None:
    position = table({1: PLAIN, 2: "123456789s 123456p 9p"}, last="9p", turn=3, golds="1z", gold_out=[1])
    assert offered(position, 1, "win") == []
    assert offered(position, 2, "win") == ["win discard 9p"]
    (found,) = findings(position, "won", seat=1, win="discard", tile="9p", from_=3)
    assert (found.clause, found.code) == ("X-GOLD-3", "discarded_gold")


def test_until_the_own_next_discard() -> None:
    """Seat 1 discards a gold; until it has discarded again it may not win on 9p."""
    game = opened({1: "123456789m 123456p 1z", 2: "9p"}, draws="9p 9p 258s 369s").draw().discard("1z")
    assert game.table.gold_out == 1 << 1
    assert game.draw().discard("9p").table.gold_out == 1 << 1
    assert offered(game.table, 1, "win") == []
    assert game.play("- -").draw().table.gold_out == 1 << 1
    game.discard("8s" if "discard 8s" in offered(game.table, 1) else "3s")
    assert game.table.gold_out == 0


@pytest.mark.parametrize(("tile", "gold_out"), [("1z", [1]), ("5s", [])])
def test_another_gold_binds_again(tile: str, gold_out: list[int]) -> None:
    position = table({1: "147m 258m 258p 369p 11z 6z"}, turn=1, drawn="5s", golds="1z", gold_out=[1])
    assert after(position, "discarded", seat=1, tile=tile).gold_out == sum(1 << seat for seat in gold_out)


# ---- the gold itself -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "act"),
    [
        ("2234m 58p 258s 2346z 55m 3m", chow("3m", "24m", 0)),
        ("33m 58m 258p 258s 2346z 1m", pung("3m", 0)),
        ("333m 58m 258p 258s 234z 1m", kong("3m", "exposed", 0)),
        ("12m 456789m 123456p 99p", won("3m", "discard", 0)),
    ],
    ids=["chow", "pung", "kong", "win"],
)
def test_nobody_claims_a_gold(hand: str, act: Any) -> None:
    position = table({1: hand}, last="3m", golds="3m")
    assert offered(position, 1) == []
    code = "win_on_gold" if act.act == "win" else "gold_claimed"
    assert verdict(position, 1, act) == ("X-GOLD-3", code)


def test_the_shared_clause_stands_beside() -> None:
    position = table({1: "33m 58m 258p 258s 2346z 1m"}, last="3m", golds="3m")
    (found,) = findings(position, "punged", seat=1, tile="3m", from_=0, with_="33m")
    assert (found.clause, found.code, found.also) == ("X-GOLD-3", "gold_claimed", ("S-GOLD-2",))


def test_the_same_tiles_when_it_is_no_gold() -> None:
    position = table({1: "33m 58m 258p 258s 2346z 1m"}, last="3m", golds="9s")
    assert verdict(position, 1, pung("3m", 0)) is None
    position = table({1: "12m 456789m 123456p 99p"}, last="3m", golds="9s")
    assert verdict(position, 1, won("3m", "discard", 0)) is None
