"""S-WHITE-1: unless white is flipped, each white dragon is the face kind in every set of the hand, also in a run; if
white itself is flipped, whites are golds and there is no stand-in."""

from __future__ import annotations

import pytest

from tests.rules.builders import offered, table

MELDS = {0: ["pung 1z@3", "pung 2z@3", "pung 3z@3", "pung 4z@3"]}


@pytest.mark.parametrize(
    ("golds", "hand", "drawn", "is_win"),
    [
        pytest.param("5m", "4m5z6m 9p", "9p", True, id="middle-of-a-run"),
        pytest.param("5m", "5z6m7m 9p", "9p", True, id="head-of-a-run"),
        pytest.param("5m", "3m4m5z 9p", "9p", True, id="end-of-a-run"),
        pytest.param("5m", "4p5z6p 9p", "9p", False, id="not-in-another-suit"),
        pytest.param("6m", "4m5z6m 9p", "9p", True, id="a-gold-beside-it"),
        pytest.param("4m", "5z5z5z 9p", "9p", True, id="triplet"),
        pytest.param("4m", "5z5z1p 1p", "1p", True, id="pair"),
        pytest.param("4m", "3m5z5p 9p", "9p", False, id="needs-the-run"),
        pytest.param("7z", "5z5z5z 9p", "9p", True, id="triplet-of-an-honour"),
        pytest.param("7z", "6z5z7p 9p", "9p", False, id="no-run-of-honours"),
        pytest.param("5z", "4m5z6m 9p", "9p", True, id="white-as-gold-is-wild"),
        pytest.param("5z", "4p5z6p 9p", "9p", True, id="white-as-gold-in-any-suit"),
        pytest.param("5z", "4p7p9p 5z", "9p", False, id="one-wild-only"),
    ],
)
def test_whites(golds: str, hand: str, drawn: str, is_win: bool) -> None:
    position = table({0: hand}, drawn=drawn, melds=MELDS, golds=golds)
    assert bool(offered(position, 0, "win")) is is_win


@pytest.mark.parametrize(
    ("golds", "drawn", "win"),
    [
        pytest.param("9s", "5z", "win self_draw 5z", id="completes-as-the-face"),
        pytest.param("9s", "9s", "win self_draw 9s", id="the-gold-itself"),
        pytest.param("8s", "5z", None, id="another-face"),
        pytest.param("5z", "5z", "win self_draw 5z", id="as-gold"),
    ],
)
def test_a_drawn_white(golds: str, drawn: str, win: str | None) -> None:
    position = table({0: "7s8s 1p1p" if golds != "8s" else "5s6s 1p1p"}, drawn=drawn, melds=MELDS, golds=golds)
    assert offered(position, 0, "win") == ([win] if win else [])


def test_the_stand_in_is_no_gold() -> None:
    """Whites in hand do not make three golds, nor do they block a win on a discard (X-GOLD-2)."""
    position = table({1: "5z5z5z 1p"}, golds="9s", last="1p", melds={1: MELDS[0]})
    assert offered(position, 1, "win") == ["win discard 1p"]


def test_white_as_gold_blocks_like_any_gold() -> None:
    position = table({1: "4m5z6m 1p"}, golds="5z", last="1p", melds={1: MELDS[0]})
    assert offered(position, 1, "win") == []
