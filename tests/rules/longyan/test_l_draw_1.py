"""L-DRAW-1: the wall is drawn out; a draw that finds no tile ends the hand without a winner (option ``dead_wall``: so
many tiles stay). Kongs and 分餅 settle."""

from __future__ import annotations

from typing import Any

import pytest

from replays.referee import why_not
from tests.rules.builders import Game, after, audited, findings, judged, kong, offered, seq_of
from tests.rules.longyan.positions import FULL, PLAIN, opened, repaid, table

WALLS: list[tuple[dict[str, Any], int]] = [
    ({}, 0),
    ({"dead_wall": 0}, 0),
    ({"dead_wall": 1}, 1),
    ({"dead_wall": 16}, 16),
    ({"dead_wall": 40}, 40),
]


@pytest.mark.parametrize(("options", "kept"), WALLS)
def test_the_last_draw(options: dict[str, Any], kept: int) -> None:
    last = table(turn=1, last="3m", left=kept + 1, options=options, discards={0: "2z"})
    assert judged(last, "drew", seat=2, tile="5s", tail=False) == []
    none = table(turn=1, last="3m", left=kept, options=options, discards={0: "2z"})
    found = judged(none, "drew", seat=2, tile="5s", tail=False)
    assert [clause for clause, _ in found] == ["L-DRAW-1"]


@pytest.mark.parametrize(("options", "kept"), WALLS)
def test_the_end(options: dict[str, Any], kept: int) -> None:
    assert judged(table(turn=1, last="3m", left=kept, options=options), "exhausted") == []
    (found,) = findings(table(turn=1, last="3m", left=kept + 1, options=options), "exhausted")
    assert (found.clause, found.code) == ("L-DRAW-1", "ended_too_early")
    assert found.expected == {"left": kept + 1, "until": kept}


def test_not_before_the_last_discard() -> None:
    """Whoever drew the last tile wins or discards first."""
    assert judged(table(turn=1, drawn="5s", left=0), "exhausted") == [("L-DRAW-1", "ended_too_early")]
    position = table({1: PLAIN}, turn=1, drawn="3s", left=0)
    assert offered(position, 1, "win") == ["win self_draw 3s"]


def test_from_either_end() -> None:
    konged: dict[str, Any] = {"melds": {1: ["concealed 7z"]}, "turn": 1, "phase": "kong", "last": "7z"}
    assert judged(table(left=1, **konged), "drew", seat=1, tile="5s", tail=True) == []
    found = judged(table(left=0, **konged), "drew", seat=1, tile="5s", tail=True)
    assert [clause for clause, _ in found] == ["L-DRAW-1"]


# -- The last discard --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("left", "is_free"), [(1, True), (0, False)])
def test_a_kong_needs_a_tile(left: int, is_free: bool) -> None:
    hand = "555m 147p 258s 2467z"
    positions = [
        (table({2: hand}, turn=1, last="5m", left=left, discards={0: "1z"}), 2, kong("5m", "exposed", 1)),
        (table({2: hand}, turn=2, drawn="5m", left=left), 2, kong("5m", "concealed")),
        (table({2: hand[4:]}, turn=2, melds={2: ["pung 5m@1"]}, drawn="5m", left=left), 2, kong("5m", "added")),
    ]
    for position, seat, act in positions:
        found = why_not(position, seat, act)
        if is_free:
            assert found is None
        else:
            assert found is not None
            assert found.code == "kong_without_replacement"
            assert {"L-DRAW-1", "S-CLAIM-2"} & {found.clause, *found.also}


@pytest.mark.parametrize("left", [1, 0])
def test_a_pung_does_not(left: int) -> None:
    position = table({2: "55m 147p 258s 24677z"}, turn=1, last="5m", left=left, discards={0: "1z"})
    assert offered(position, 2) == ["pass", "pung 5m"]


def test_a_flower_as_the_last_tile() -> None:
    """It is laid out, and nothing comes for it."""
    position = table(turn=1, drawn="1f", left=0)
    assert judged(position, "flowers_replaced", seat=1, flowers="1f", drawn="") == []
    dry = after(position, "flowers_replaced", seat=1, flowers="1f", drawn="")
    assert judged(dry, "exhausted") == []
    one_left = table(turn=1, drawn="1f", left=1)
    assert judged(one_left, "flowers_replaced", seat=1, flowers="1f", drawn="") == [
        ("S-FLOWER-2", "flower_not_replaced")
    ]


# -- What is settled ---------------------------------------------------------------------------------------------------


def test_nobody_pays_for_a_win() -> None:
    position = after(table(turn=1, last="3m", left=0), "exhausted")
    assert judged(position, "settled", deltas=(0, 0, 0, 0)) == []
    (found,) = judged(position, "settled", deltas=(-4, 8, -2, -2))
    assert found[0] in ("L-DRAW-1", "L-PAY-1")


def test_kongs_settle() -> None:
    position = after(table(turn=1, last="3m", left=0, melds={2: ["concealed 7z"]}), "exhausted")
    assert judged(position, "settled", deltas=(-4, -2, 8, -2)) == []
    assert judged(position, "settled", deltas=(0, 0, 0, 0)) == [("L-KONG-3", "wrong_payment")]


def test_there_is_a_result_without_a_way() -> None:
    game = played({"flower_kong": "off"})
    (result,) = game.audit().hands
    assert (result.winner, result.win, result.factor, result.deltas) == (None, None, 0, (0, 0, 0, 0))


# -- Whole hands -------------------------------------------------------------------------------------------------------


def played(options: dict[str, Any], players: int = 4) -> Game:
    return opened(options=options, players=players).play_out().exhaust().close().end()


@pytest.mark.parametrize(("options", "kept"), WALLS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_hand_to_its_end(options: dict[str, Any], kept: int, players: int) -> None:
    game = played(options, players)
    assert audited(game.events) == []
    assert (game.table.left, len(game.wall)) == (kept, kept)


@pytest.mark.parametrize("options", [FULL, {"dots": False}, {"dots": False, **FULL}, {"gold_count": "tile"}])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_in_every_mode(options: dict[str, Any], players: int) -> None:
    game = played(options, players)
    assert audited(game.events) == []
    assert game.table.left == 0
    assert len(game.whole) == (108 if options.get("dots") is False else 144)


def test_a_win_that_is_paid_without_a_winner_is_found() -> None:
    game = played({"flower_kong": "off"})
    (found,) = repaid(game, (-4, 8, -2, -2))
    assert found[0] == seq_of(game.events, "settled")
