"""L-YOU-4: a 雙游 player who passes the win, or discards a second gold without you state, falls back: later wins count
游金 at most, and no level comes back. 三游 is only 三游 on the first draw after it; passing it loses it."""

from __future__ import annotations

import pytest

from replays.table import Table
from tests.rules.builders import offered
from tests.rules.longyan.tables import ONE, TWO, played, thrown

HAND = "123456m 555p 777z 1z"
AROUND = ("1 8m", "2 8m", "3 8m")
AGAIN = ("1 6s", "2 6s", "3 6s")
LEVELS = pytest.mark.parametrize("discards", [ONE, TWO], ids=["double", "triple"])


def raised(discards: tuple[str, ...] = ONE, hand: str = HAND) -> Table:
    """Seat 0 has made 雙游 or 三游 with its last discard."""
    position = thrown({0: hand}, discards)
    assert position.levels[0] == (2 if discards is ONE else 3)
    return position


#: Every way to fall, from a level that ``HAND`` has, and whether the hand is in you state behind it.
FALLS = {
    "the win passed": ((*AROUND, "0 8p"), True),
    "another tile that keeps the state": ((*AROUND, "0 drew 7m", "0 discarded 1m"), True),
    "a tile out of a set": ((*AROUND, "0 drew 8p", "0 discarded 1m"), False),
    "the last gold": ((*AROUND, "0 drew 8p", "0 discarded 1z"), False),
    "a pung and a tile out of a set": (("1 5p", "0 punged 5p", "0 discarded 1m"), False),
    "a pung and the last gold": (("1 5p", "0 punged 5p", "0 discarded 1z"), False),
    "the win passed on a kong's replacement": (("1 5p", "0 konged 5p exposed", "0 drew 8p", "0 discarded 8p"), True),
    "a kong after a draw, and the win passed": (
        (*AROUND, "0 drew 7z", "0 konged 7z concealed", "0 drew 8p", "0 discarded 8p"), True,
    ),
}  # fmt: skip


@LEVELS
@pytest.mark.parametrize(("steps", "is_you"), FALLS.values(), ids=[*FALLS])
def test_every_fall(discards: tuple[str, ...], steps: tuple[str, ...], is_you: bool) -> None:
    position = played(raised(discards), *steps)
    assert position.levels[0] == 0
    if is_you:
        position = played(position, *AGAIN, "0 drew 9s")
        assert offered(position, 0, "win") == ["win you 9s"]


@LEVELS
def test_a_level_is_won_on_the_next_draw(discards: tuple[str, ...]) -> None:
    position = played(raised(discards), *AROUND, "0 drew 8p")
    assert offered(position, 0, "win") == [f"win {'double_you' if discards is ONE else 'triple_you'} 8p"]


def test_a_kong_that_breaks_the_state() -> None:
    position = raised(hand="123456m 123333p 1z")
    assert played(position, *AROUND, "0 drew 5s", "0 konged 3p concealed").levels[0] == 0


def test_a_second_gold_without_you_state() -> None:
    """The gold that was drawn for 雙游 stays, and one out of a run goes: 12m and a single are left."""
    position = played(raised(hand="12m 456789m 123p 1z1z"), *AROUND, "0 drew 8p", "0 discarded 1z")
    assert position.levels[0] == 0
    position = played(position, *AGAIN, "0 drew 3m", "0 discarded 8p")
    assert offered(played(position, "1 2s", "2 2s", "3 2s", "0 drew 9s"), 0, "win") == ["win you 9s"]


# ---- what is lost does not come back -------------------------------------------------------------------


def test_not_by_another_gold() -> None:
    position = played(raised(), *AROUND, "0 8p", *AGAIN, "0 drew 1z", "0 discarded 1z")
    assert position.levels[0] == 0
    position = played(position, "1 2s", "2 2s", "3 2s", "0 drew 9s")
    assert offered(position, 0, "win") == ["win you 9s"]


def test_not_by_a_gold_set_free() -> None:
    position = played(raised(hand="12m 456789m 123p 1z1z"), *AROUND, "0 8p", *AGAIN, "0 drew 3m", "0 discarded 1z")
    assert position.levels[0] == 0


def test_not_by_a_pung() -> None:
    position = played(raised(hand="123456789m 55p 1z1z"), "1 2s", "2 2s", "3 2s", "0 8p", "1 5p", "0 punged 5p")
    position = played(position, "0 discarded 1z")
    assert position.levels[0] == 0
    assert offered(played(position, *AGAIN, "0 drew 9s"), 0, "win") == ["win you 9s"]


def test_not_after_a_while_out_of_you_state() -> None:
    """Out of the state and in it again, before the next gold."""
    position = played(raised(), *AROUND, "0 drew 8p", "0 discarded 6m", *AGAIN, "0 drew 6m", "0 discarded 8p")
    position = played(position, "1 2s", "2 2s", "3 2s", "0 drew 1z", "0 discarded 1z")
    assert position.levels[0] == 0


@pytest.mark.parametrize("discards", [("6p", "1z"), ("1z", "1z"), ("1z", "2z")])
def test_with_two_golds(discards: tuple[str, str]) -> None:
    position = thrown({0: HAND}, discards, options={"mode": "full"}, golds="1z2z")
    assert position.levels[0] == (2 if discards[0] == "6p" else 3)
    position = played(position, *AROUND, "0 8p", *AGAIN, "0 drew 2z", "0 discarded 2z")
    assert position.levels[0] == 0


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_another_is_not_held_to_it(seat: int) -> None:
    """Seat 0 has fallen; the other makes its 雙游 in that go-around."""
    given = {"options": {"mode": "full"}, "golds": "1z2z"}
    position = thrown({0: HAND, seat: "123456789s 123p 2z"}, ONE, junk="5s 5s 5s", **given)
    position = played(position, "1 2s", "2 2s", "3 2s", "0 8p", *[f"{other} 6s" for other in range(1, seat)])
    assert played(position, f"{seat} 2z").levels[seat] == 2


# ---- 三游 on the first draw ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("steps", "level"),
    [
        pytest.param((*AROUND, "0 1z"), 3, id="the-first-draw"),
        pytest.param((*AROUND, "0 drew 3f", "0 laid 3f 1z", "0 discarded 1z"), 3, id="in-place-of-a-flower"),
        pytest.param(("1 5p", "0 punged 5p", "0 discarded 5p", *AROUND, "0 1z"), 3, id="behind-a-pung"),
        pytest.param(("1 5p", "0 konged 5p exposed", "0 drew 1z", "0 discarded 1z"), 3, id="an-exposed-kong's"),
        pytest.param(
            (*AROUND, "0 drew 7z", "0 konged 7z concealed", "0 drew 1z", "0 discarded 1z"), 0, id="a-second-draw"
        ),
        pytest.param((*AROUND, "0 8p", *AGAIN, "0 1z"), 0, id="a-go-around-later"),
    ],
)
def test_triple_you_arises_on_the_first_draw_alone(steps: tuple[str, ...], level: int) -> None:
    assert played(raised(), *steps).levels[0] == level


def test_not_by_a_gold_set_free_on_that_draw() -> None:
    """Unless the option ``triple_by_substitution`` says so; the gold discarded is then the win passed."""
    position = played(raised(hand="12m 456789m 123p 1z1z"), *AROUND, "0 drew 3m", "0 discarded 1z")
    assert position.levels[0] == 0


def test_there_is_no_level_above_it() -> None:
    """A third gold in place of the win of 三游 passes that win."""
    position = thrown({0: HAND}, TWO, options={"mode": "full"}, golds="1z2z")
    assert played(position, *AROUND, "0 2z").levels[0] == 0
