"""S-TURN-1: a turn is a draw from the head, or from the tail after a kong, and then a win, a kong or a discard;
the dealer begins with the extra tile and does not draw."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.builders import (
    Game,
    after,
    audited,
    chosen_wall,
    findings,
    inserted,
    judged,
    offered,
    seq_of,
    table,
    without,
)

NOT_TO_DRAW = ("S-TURN-1", "not_to_draw")
NOT_TO_DISCARD = ("S-TURN-1", "not_to_discard")


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("seat", range(4))
def test_the_next_seat_draws(turn: int, seat: int) -> None:
    expected = [] if seat == (turn + 1) % 4 else [NOT_TO_DRAW]
    assert judged(table(turn=turn, last="2m"), "drew", seat=seat, tile="5m", tail=False) == expected


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("seat", range(4))
def test_who_konged_draws(turn: int, seat: int) -> None:
    position = table(turn=turn, last="2m", phase="kong")
    expected = [] if seat == turn else [NOT_TO_DRAW]
    assert judged(position, "drew", seat=seat, tile="5m", tail=True) == expected


@pytest.mark.parametrize("source", ["deal", "draw", "kong", "claim"])
@pytest.mark.parametrize("seat", range(4))
def test_nobody_draws_in_a_turn(source: str, seat: int) -> None:
    """Not the dealer, who has the extra tile; not twice; not after a chow or pung."""
    position = table(turn=2, drawn=None if source in {"deal", "claim"} else "5m", source=source)
    assert judged(position, "drew", seat=seat, tile="6m", tail=False) == [NOT_TO_DRAW]


@pytest.mark.parametrize("seat", range(4))
def test_who_is_on_turn_discards(seat: int) -> None:
    position = table({2: "2m"}, turn=2, drawn="5m")
    expected = [] if seat == 2 else [NOT_TO_DISCARD]
    assert judged(position, "discarded", seat=seat, tile="2m" if seat == 2 else "1m") == expected


@pytest.mark.parametrize("phase", ["claims", "kong"])
@pytest.mark.parametrize("seat", range(4))
def test_nobody_discards_before_the_draw(phase: str, seat: int) -> None:
    assert judged(table(turn=2, last="2m", phase=phase), "discarded", seat=seat, tile="1m") == [NOT_TO_DISCARD]


def test_what_is_expected() -> None:
    (found,) = findings(table(turn=1, last="2m"), "drew", seat=3, tile="5m", tail=False)
    assert found.expected == {"seat": 2, "act": "draw"}
    (found,) = findings(table(turn=1, drawn="2m"), "discarded", seat=3, tile="1m")
    assert found.expected == {"seat": 1, "act": "decide"}


@pytest.mark.parametrize(
    ("kind", "members"),
    [
        pytest.param("konged", {"tile": "1z", "with_": "1111z", "kind": "concealed"}, id="concealed-kong"),
        pytest.param("won", {"tile": "2m", "win": "self_draw"}, id="self-draw"),
        pytest.param("won", {"win": "heavenly_win"}, id="opening-win"),
    ],
)
def test_acts_of_ones_own_turn(kind: str, members: dict[str, Any]) -> None:
    position = table({3: "1111z 123456789m 555p"}, turn=2, drawn="2m")
    assert [found.clause for found in findings(position, kind, seat=3, **members)] == ["S-TURN-1"]


def test_a_claim_moves_the_turn() -> None:
    position = table({3: "22m 1p"}, turn=0, last="2m")
    position = after(position, "punged", seat=3, tile="2m", from_=0, with_="22m")
    assert judged(position, "discarded", seat=3, tile="1p") == []
    assert judged(position, "discarded", seat=1, tile="1m") == [NOT_TO_DISCARD]
    position = after(position, "discarded", seat=3, tile="1p")
    assert judged(position, "drew", seat=0, tile="5m", tail=False) == []
    assert judged(position, "drew", seat=1, tile="5m", tail=False) == [NOT_TO_DRAW]


def test_what_a_turn_offers() -> None:
    hand = "1111z 123456789m 99p 5p"
    position = table({0: hand}, drawn="9p", golds="5s")
    assert [act.split()[0] for act in offered(position, 0)] == ["discard"] * 12 + ["kong"]
    assert [offered(position, seat) for seat in (1, 2, 3)] == [[], [], []]
    assert offered(table({0: "111222333z 12345m 5p".replace("12345m", "123m44m 9p9p")}, drawn="9p"), 0) != []


def logged() -> Game:
    return Game().open(chosen_wall(draws="5m6m7m8m")).play("1m - - - -")


@pytest.mark.parametrize("nth", range(4))
def test_a_draw_left_out_of_a_log(nth: int) -> None:
    game = logged()
    seq = seq_of(game.events, "drew", nth)
    assert audited(without(game.events, seq))[0] == (seq, *NOT_TO_DISCARD)


def test_a_draw_doubled_in_a_log() -> None:
    game = logged()
    seq = seq_of(game.events, "drew")
    log = inserted(game.events, seq + 1, "drew", seat=1, tile="9p", tail=False)
    assert audited(log)[0] == (seq + 1, *NOT_TO_DRAW)


def test_a_draw_by_the_wrong_seat_in_a_log() -> None:
    game = logged()
    seq = seq_of(game.events, "drew", -1)
    log = [event._replace(seat=(event.seat + 2) % 4) if event.seq == seq else event for event in game.events]
    assert audited(log)[0] == (seq, *NOT_TO_DRAW)


def test_a_turn_skipped_in_a_log() -> None:
    game = logged()
    seq = seq_of(game.events, "drew", 1)
    assert audited(without(game.events, seq, seq + 1))[0] == (seq, *NOT_TO_DRAW)


def test_the_dealer_draws_in_the_first_turn() -> None:
    game = logged()
    seq = seq_of(game.events, "discarded")
    log = inserted(game.events, seq, "drew", seat=0, tile="9p", tail=False)
    assert audited(log)[0] == (seq, *NOT_TO_DRAW)
