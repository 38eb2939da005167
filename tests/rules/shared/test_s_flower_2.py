"""S-FLOWER-2: in play a drawn flower is laid out at once and replaced from the tail, again and again if needed,
before any win, kong or discard."""

from __future__ import annotations

from typing import Any

import pytest

from replays.table import AFTER_CONCEALED_KONG
from tests.rules.builders import (
    Game,
    after,
    altered,
    audited,
    chosen_wall,
    findings,
    inserted,
    judged,
    kong,
    offered,
    seq_of,
    table,
    verdict,
    win,
    without,
)

CLAUSE = "S-FLOWER-2"
#: Seat 1 waits for 9p to win and has four 2m to kong: it has drawn a flower.
HAND = "2222m456p456s123p999p"


def drawn(flower: str = "1f", **more: Any) -> Any:
    return table({1: HAND}, turn=1, drawn=flower, **more)


def test_nothing_else_is_offered() -> None:
    assert [offered(drawn(), seat) for seat in range(4)] == [[], [], [], []]


@pytest.mark.parametrize(
    ("seat", "flowers", "replaced", "expected"),
    [
        pytest.param(1, "1f", "5m", [], id="right"),
        pytest.param(1, "1f", "2f", [], id="another-flower-follows"),
        pytest.param(1, "2f", "5m", [(CLAUSE, "wrong_flowers")], id="another-flower"),
        pytest.param(1, "1f", "", [(CLAUSE, "flower_not_replaced")], id="not-replaced"),
        pytest.param(2, "1f", "5m", [("S-TURN-1", "out_of_turn")], id="another-seat"),
    ],
)
def test_the_replacement(seat: int, flowers: str, replaced: str, expected: list[tuple[str, str]]) -> None:
    assert judged(drawn(), "flowers_replaced", seat=seat, flowers=flowers, drawn=replaced) == expected


def test_one_flower_is_replaced_by_one_tile() -> None:
    (found,) = findings(drawn(), "flowers_replaced", seat=1, flowers="1f", drawn="5m6m")
    assert found.clause == CLAUSE


@pytest.mark.parametrize("second", ["discard", "flower"])
def test_repeatedly(second: str) -> None:
    position = after(drawn(), "flowers_replaced", seat=1, flowers="1f", drawn="2f")
    if second == "flower":
        assert judged(position, "flowers_replaced", seat=1, flowers="2f", drawn="5m") == []
        position = after(position, "flowers_replaced", seat=1, flowers="2f", drawn="5m")
        assert "discard 5m" in offered(position, 1)
    else:
        assert judged(position, "discarded", seat=1, tile="9p") == [(CLAUSE, "flower_kept")]


@pytest.mark.parametrize(
    ("kind", "members"),
    [
        pytest.param("discarded", {"seat": 1, "tile": "9p"}, id="discard"),
        pytest.param("drew", {"seat": 1, "tile": "5m", "tail": True}, id="draw-without-laying-out"),
        pytest.param("drew", {"seat": 2, "tile": "5m", "tail": False}, id="next-seat-draws"),
        pytest.param("konged", {"seat": 1, "tile": "2m", "with_": "2222m", "kind": "concealed"}, id="kong"),
        pytest.param("won", {"seat": 1, "tile": "1f", "win": "self_draw"}, id="win"),
    ],
)
def test_replacement_comes_before_anything_else(kind: str, members: dict[str, Any]) -> None:
    assert [found.clause for found in findings(drawn(), kind, **members)] == [CLAUSE]


@pytest.mark.parametrize("act", [kong("2m", "concealed"), win("1f", "self_draw")], ids=["kong", "win"])
def test_why_an_act_must_wait(act: Any) -> None:
    found = verdict(drawn(), 1, act)
    assert found is not None
    assert found[0] == CLAUSE


def test_what_is_expected() -> None:
    (found,) = findings(drawn("7f"), "discarded", seat=1, tile="9p")
    assert (found.code, found.expected) == ("flower_kept", {"seat": 1, "flowers": ["7f"]})


def test_after_the_replacement_everything_is_free() -> None:
    hand = HAND.replace("999p", "99p") + "7s"
    position = table({1: hand}, turn=1, drawn="1f")
    position = after(position, "flowers_replaced", seat=1, flowers="1f", drawn="9p")
    assert "kong 2m concealed" in offered(position, 1)


def test_a_flower_is_never_discarded() -> None:
    position = table({1: HAND}, turn=1, drawn="5m", held={1: "1f"})
    assert judged(position, "discarded", seat=1, tile="1f") == [(CLAUSE, "flower_discarded")]
    assert "discard 1f" not in offered(position, 1)


def test_a_kong_that_draws_a_flower() -> None:
    wall = chosen_wall({0: "2222m456p456s123p89m"}, tail="1f7p5p", draws="5p")
    game = Game().open(wall).kong(0, "2m", "concealed").draw()
    assert [event.type for event in game.events[-3:]] == ["konged", "drew", "flowers_replaced"]
    assert game.table.source == AFTER_CONCEALED_KONG
    assert audited(game.events) == []


def logged() -> Game:
    wall = chosen_wall(draws="1f3p4p", tail="8p7p3p")
    return Game().open(wall).play("1m -")


def test_the_replacement_left_out_of_a_log() -> None:
    log = logged().events
    seq = seq_of(log, "flowers_replaced")
    found = audited(altered(without(log, seq), seq, tile="1m"))
    assert found == [(seq, CLAUSE, "flower_kept")]


def test_a_replacement_of_nothing() -> None:
    log = Game().open(chosen_wall(draws="5p6p")).play("1m -").events
    seq = seq_of(log, "discarded", 1)
    found = audited(inserted(log, seq, "flowers_replaced", seat=1, flowers="1f", drawn="9m"))
    assert found[0][0] == seq
    assert found[0][1] in {CLAUSE, "G-ORDER-1"}
