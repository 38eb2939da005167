"""G-ORDER-1: events come in the order that the log format gives, each in its phase and in its hand."""

from __future__ import annotations

from typing import Any

import pytest

from replays.events import PresenceChanged
from tests.rules.builders import (
    Game,
    altered,
    audited,
    chosen_wall,
    findings,
    judged,
    renumbered,
    seq_of,
    table,
    without,
)

ORDER = ("G-ORDER-1", "out_of_phase")
HAND = ("G-ORDER-1", "wrong_hand")
WINNER = {0: "111m222m333m444m55m333p"}

EVENTS: dict[str, dict[str, Any]] = {
    "hand_started": {"dealer": 0, "streak": 0, "scores": (0, 0, 0, 0), "hand": 2},
    "break": {"purpose": "break", "dice": (1, 2), "seat": 0},
    "gold_dice": {"purpose": "gold", "dice": (1, 1), "seat": 0},
    "dealt": {"seat": 0, "tiles": "1m"},
    "gold_flipped": {"tiles": "9s", "gold": "9s"},
    "flowers_replaced": {"seat": 0, "flowers": "1f", "drawn": "5m"},
    "seeds_opened": {"client_seeds": ()},
    "drew": {"seat": 0, "tile": "9m", "tail": False},
    "discarded": {"seat": 0, "tile": "1m"},
    "won": {"seat": 0, "win": "heavenly_win"},
    "exhausted": {},
    "settled": {"deltas": (0, 0, 0, 0)},
    "hand_ended": {"scores": (0, 0, 0, 0)},
    "wall_revealed": {},
    "voided": {"reason": "test"},
    "game_ended": {"scores": (0, 0, 0, 0)},
    "presence_changed": {"seat": 0, "state": "left"},
}
TYPES = {"break": "dice_rolled", "gold_dice": "dice_rolled"}


def at(phase: str) -> Game:
    """A game in a phase; the wall's next tile at the tail is a plain one."""
    game = Game()
    if phase == "between":
        return game
    game.emit("hand_started", dealer=0, streak=0, scores=(0, 0, 0, 0))
    if phase == "dealing":
        return game
    game = Game()
    wall = chosen_wall(WINNER)
    if phase == "flowers":
        return game.open(wall, dice=None)
    game.open(wall)
    steps: dict[str, list[str]] = {"turn": [], "over": ["win"], "settled": ["win", "settle"]}
    for step in steps[phase]:
        game.win(0) if step == "win" else game.settle()
    return game


@pytest.mark.parametrize(
    ("phase", "allowed"),
    [
        pytest.param("dealing", {"break", "dealt", "seeds_opened", "voided"}, id="dealing"),
        pytest.param("flowers", {"gold_dice", "gold_flipped", "flowers_replaced", "voided"}, id="flowers"),
        pytest.param("turn", {"discarded", "drew", "won", "exhausted", "voided", "flowers_replaced"}, id="turn"),
        pytest.param("over", {"settled", "voided"}, id="over"),
        pytest.param("settled", {"wall_revealed", "hand_ended", "voided"}, id="settled"),
    ],
)
@pytest.mark.parametrize("event", sorted(EVENTS))
def test_each_event_in_each_phase(phase: str, allowed: set[str], event: str) -> None:
    """``allowed`` may still break another clause, but not this one."""
    game = at(phase)
    members = dict(EVENTS[event])
    if event == "wall_revealed":
        members["wall"] = game.whole
    is_found = ORDER in judged(game.table, TYPES.get(event, event), **members)
    if event == "flowers_replaced" and phase == "turn":
        assert is_found
        return
    assert is_found is (event not in {*allowed, "presence_changed"})


@pytest.mark.parametrize(
    ("event", "is_found"),
    [("hand_started", False), ("game_ended", False), ("presence_changed", False)],
)
def test_between_hands(event: str, is_found: bool) -> None:
    members = dict(EVENTS[event]) | ({"hand": 1} if event == "hand_started" else {})
    if event == "presence_changed":
        members["hand"] = None
    assert bool(judged(at("between").table, event, **members)) is is_found


@pytest.mark.parametrize("reason", ["finished", "abandoned", "voided"])
def test_only_an_abandoned_or_voided_game_ends_within_a_hand(reason: str) -> None:
    found = judged(at("turn").table, "game_ended", scores=(0, 0, 0, 0), reason=reason)
    assert found == [ORDER] * (reason == "finished")


@pytest.mark.parametrize(("hand", "is_right"), [(0, False), (1, True), (2, False)])
def test_an_event_of_another_hand(hand: int, is_right: bool) -> None:
    found = findings(table(last="2m"), "drew", seat=1, tile="9m", tail=False, hand=hand)
    assert [(one.clause, one.code) for one in found] == [HAND] * (not is_right)
    for one in found:
        assert (one.expected, one.recorded) == ({"hand": 1}, {"hand": hand})


@pytest.mark.parametrize(("number", "is_right"), [(1, False), (2, True), (3, False)])
def test_hands_are_numbered_one_by_one(number: int, is_right: bool) -> None:
    game = Game().open(chosen_wall(WINNER)).win(0).close()
    table_ = game.table
    members = {"dealer": table_.dealer, "streak": table_.streak, "scores": table_.scores, "hand": number}
    assert judged(table_, "hand_started", **members) == [HAND] * (not is_right)


def test_the_first_hand_is_number_one() -> None:
    members = {"dealer": 0, "streak": 0, "scores": (0, 0, 0, 0)}
    assert judged(Game().table, "hand_started", hand=1, **members) == []
    assert judged(Game().table, "hand_started", hand=0, **members) == [HAND]


def finished() -> list[Any]:
    game = Game().open(chosen_wall(WINNER)).win(0).close()
    return list(game.open(chosen_wall(WINNER)).win(0).close().end().events)


@pytest.mark.parametrize("kind", ["won", "settled", "hand_ended"])
def test_an_event_left_out_of_a_log(kind: str) -> None:
    """Found at the first event that cannot be right, which is the next one."""
    events = finished()
    seq = seq_of(events, kind)
    assert audited(without(events, seq))[0][:2] == (seq, "G-ORDER-1")


def test_events_exchanged_in_a_log() -> None:
    events = finished()
    seq = seq_of(events, "settled")
    one, two = events[seq - 1], events[seq]
    log = [*events[: seq - 1], two._replace(seq=one.seq, at=one.at), one._replace(seq=two.seq, at=two.at)]
    assert audited([*log, *events[seq + 1 :]])[0] == (seq - 1, *ORDER)


def test_presence_may_change_anywhere() -> None:
    log: list[Any] = []
    for event in finished()[:-1]:
        log += [event, PresenceChanged(0, event.at, event.hand, 2, "auto_on")]
    assert audited(renumbered([*log, finished()[-1]])) == []


def test_a_wrong_hand_number_in_a_log() -> None:
    events = finished()
    seq = seq_of(events, "settled")
    assert audited(altered(events, seq, hand=2)) == [(seq, *HAND)]
