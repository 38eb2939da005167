"""X-WIN-11: at the opening a dealer's 天和 goes before another seat's 三金倒."""

from __future__ import annotations

import pytest

from replays.table import Table
from tests.rules.builders import Game, Records, audited, chosen_wall, judged, offered, table, verdict
from tests.rules.builders import win as won

WHOLE, OTHER = "123456789m 123456p 99p", "147m 258s 147s 2347z 111z"
PASSES = Records(passes=True)


def position(dealers: str, *, passes: bool = True, answered: tuple[int, ...] = ()) -> Table:
    return table({0: dealers, 2: OTHER}, golds="1z", opening=True, records=Records(passes=passes), answered=answered)


@pytest.mark.parametrize(
    ("dealers", "passes", "answered", "expected"),
    [
        (WHOLE, True, (), ("X-WIN-11", "heavenly_win_first")),
        (WHOLE, True, (0,), None),
        (WHOLE, True, (1, 3), ("X-WIN-11", "heavenly_win_first")),
        ("123456789m 123456p 89p", True, (), None),
        # Nobody knows whether the dealer has let it pass where passes are not on record (S-PASS-1).
        (WHOLE, False, (), None),
    ],
)
def test_the_other_seat_waits(
    dealers: str, passes: bool, answered: tuple[int, ...], expected: tuple[str, str] | None
) -> None:
    where = position(dealers, passes=passes, answered=answered)
    assert verdict(where, 2, won(None, "three_golds")) == expected
    assert judged(where, "won", seat=2, win="three_golds") == ([] if expected is None else [expected])
    assert (offered(where, 2) == []) == (expected is not None)


def test_the_dealer_waits_for_nobody() -> None:
    where = position(WHOLE)
    assert offered(where, 0, "win") == ["win heavenly_win"]
    assert judged(where, "won", seat=0, win="heavenly_win") == []


def test_a_log_in_which_the_dealer_passes() -> None:
    game = Game(records=PASSES).open(chosen_wall({0: WHOLE, 2: OTHER}, gold="1z"))
    game.emit("passed", seat=0, options=(won(None, "heavenly_win"),))
    game.win(2).close().end()
    assert audited(game.events) == []
    assert game.audit().hands[0].win == "three_golds"


def test_a_log_in_which_the_dealer_does_not() -> None:
    game = Game(records=PASSES).open(chosen_wall({0: WHOLE, 2: OTHER}, gold="1z"))
    seq = game.seq + 1
    game.emit("won", seat=2, win="three_golds").close().end()
    assert (seq, "X-WIN-11", "heavenly_win_first") in audited(game.events)


def test_the_dealer_wins_first() -> None:
    game = Game(records=PASSES).open(chosen_wall({0: WHOLE, 2: OTHER}, gold="1z")).win(0).close().end()
    assert audited(game.events) == []
    assert game.audit().hands[0].win == "heavenly_win"
