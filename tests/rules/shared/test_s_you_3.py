"""S-YOU-3: who in you state draws, discards a gold and is in you state again waits for 雙游, announced or not; the
drawn tile may also set a gold free (option ``you_by_substitution``, default true); from 雙游 to 三游 in the
same way on the first own draw, the drawn tile a gold (option ``triple_by_substitution``, default false)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.builders import after, declare, judged, table, verdict

#: Sets and a lone gold; with a gold inside a run that 3m sets free; ready without gold.
YOU = "123456789m 111222z 9s"
INNER = "12456789m 111222z 9s9s"
NOT_YOU = "123456789m 111222z 5p"


def level(position: Any, code: str, seat: int = 0) -> int:
    return int(after(position, "discarded", seat=seat, tile=code).levels[seat])


@pytest.mark.parametrize(
    ("hand", "drawn", "code", "expected"),
    [
        pytest.param(YOU, "9s", "9s", 2, id="a-gold-drawn-a-gold-discarded"),
        pytest.param(INNER, "9s", "9s", 2, id="with-a-wild-in-a-set"),
        pytest.param(INNER, "3m", "9s", 2, id="the-drawn-tile-frees-a-gold"),
        pytest.param(INNER, "5p", "9s", 0, id="no-longer-in-you-state"),
        pytest.param(YOU, "5p", "9s", 0, id="the-last-gold"),
        pytest.param(YOU, "9s", "9m", 0, id="no-gold-discarded"),
        pytest.param(YOU, "5p", "5p", 0, id="the-drawn-tile-discarded"),
        pytest.param(NOT_YOU, "9s", "9s", 0, id="not-in-you-state-before"),
        pytest.param("12356789m 111222z 5p 9s", "9s", "9s", 0, id="no-you-state-before"),
    ],
)
def test_double(hand: str, drawn: str, code: str, expected: int) -> None:
    assert level(table({0: hand}, drawn=drawn), code) == expected


def test_you_state_that_only_the_drawn_tile_makes() -> None:
    position = table({0: "12456789m 111222z 5p9s"}, drawn="9s")
    assert level(position, "5p") == 0
    assert level(position, "9s") == 0


@pytest.mark.parametrize("substitution", [True, False])
@pytest.mark.parametrize(("drawn", "is_substitution"), [("9s", False), ("3m", True)])
def test_by_substitution(drawn: str, is_substitution: bool, substitution: bool) -> None:
    position = table({0: INNER}, drawn=drawn, options={"you_by_substitution": substitution})
    assert level(position, "9s") == (2 if substitution or not is_substitution else 0)


@pytest.mark.parametrize("substitution", [True, False])
@pytest.mark.parametrize(("drawn", "is_substitution"), [("9s", False), ("3m", True)])
def test_triple(drawn: str, is_substitution: bool, substitution: bool) -> None:
    position = table({0: INNER}, drawn=drawn, levels={0: 2}, options={"triple_by_substitution": substitution})
    assert level(position, "9s") == (3 if substitution or not is_substitution else 0)


@pytest.mark.parametrize("you_by_substitution", [True, False])
def test_each_step_has_its_own_option(you_by_substitution: bool) -> None:
    options = {"you_by_substitution": you_by_substitution, "triple_by_substitution": not you_by_substitution}
    assert level(table({0: INNER}, drawn="3m", options=options), "9s") == (2 if you_by_substitution else 0)
    assert level(table({0: INNER}, drawn="3m", levels={0: 2}, options=options), "9s") == (
        0 if you_by_substitution else 3
    )


@pytest.mark.parametrize(("stale", "expected"), [([], 3), ([0], 0), ([1], 3)])
def test_triple_on_the_first_own_draw_only(stale: list[int], expected: int) -> None:
    """A kong in between makes another draw of it."""
    assert level(table({0: YOU}, drawn="9s", levels={0: 2}, stale=stale), "9s") == expected


@pytest.mark.parametrize(("is_konged", "expected"), [(False, 3), (True, 0)])
def test_a_kong_in_between_in_play(is_konged: bool, expected: int) -> None:
    position = table({0: YOU}, drawn="9s", golds="9s")
    position = after(position, "discarded", seat=0, tile="9s")
    assert position.levels[0] == 2
    for seat in (1, 2, 3):
        position = after(position, "drew", seat=seat, tile=f"{seat}s", tail=False)
        position = after(position, "discarded", seat=seat, tile=f"{seat}s")
    if is_konged:
        position = after(position, "drew", seat=0, tile="1z", tail=False)
        position = after(position, "konged", seat=0, tile="1z", with_="1111z", kind="concealed")
        assert position.levels[0] == 2
    position = after(position, "drew", seat=0, tile="9s", tail=is_konged)
    assert level(position, "9s") == expected


def test_a_gold_drawn_in_place_of_a_flower() -> None:
    position = table({0: YOU}, drawn="3f")
    position = after(position, "flowers_replaced", seat=0, flowers="3f", drawn="9s")
    assert level(position, "9s") == 2


@pytest.mark.parametrize("source", ["draw", "kong", "claim"])
def test_by_a_draw(source: str) -> None:
    hand = YOU if source != "claim" else YOU + "9s"
    position = table({0: hand}, drawn=None if source == "claim" else "9s", source=source)
    assert level(position, "9s") == (0 if source == "claim" else 2)


@pytest.mark.parametrize(
    ("you_declared", "declared", "expected"), [(False, [], 2), (True, [], 0), (True, [0], 2), (True, [1], 0)]
)
def test_where_it_must_be_declared(you_declared: bool, declared: list[int], expected: int) -> None:
    position = table({0: YOU}, drawn="9s", declared=declared, options={"you_declared": you_declared})
    assert level(position, "9s") == expected


@pytest.mark.parametrize(
    ("hand", "drawn", "levels", "notice", "expected"),
    [
        pytest.param(YOU, "9s", {}, "double_you", [], id="right"),
        pytest.param(YOU, "9s", {}, None, [], id="not-announced"),
        pytest.param(YOU, "9s", {}, "triple_you", [("S-YOU-3", "wrong_level")], id="too-high"),
        pytest.param(YOU, "9s", {0: 2}, "triple_you", [], id="triple"),
        pytest.param(YOU, "9s", {0: 2}, "double_you", [("S-YOU-3", "wrong_level")], id="too-low"),
        pytest.param(NOT_YOU, "9s", {}, "double_you", [("S-YOU-3", "wrong_level")], id="no-upgrade-at-all"),
    ],
)
def test_the_servers_notice(
    hand: str, drawn: str, levels: dict[int, int], notice: str | None, expected: list[tuple[str, str]]
) -> None:
    position = table({0: hand}, drawn=drawn, levels=levels)
    assert judged(position, "discarded", seat=0, tile="9s", level=notice) == expected


def test_a_notice_does_not_make_a_level() -> None:
    position = after(table({0: NOT_YOU}, drawn="9s"), "discarded", seat=0, tile="9s", level="double_you")
    assert position.levels[0] == 0


@pytest.mark.parametrize(
    ("levels", "what", "is_right"),
    [
        ({0: 2}, "double_you", True),
        ({0: 3}, "triple_you", True),
        ({}, "double_you", False),
        ({0: 2}, "triple_you", False),
        ({1: 2}, "double_you", False),
    ],
)
def test_a_declared_level(levels: dict[int, int], what: str, is_right: bool) -> None:
    position = table({0: YOU}, last="9s", levels=levels)
    assert verdict(position, 0, declare(what)) == (None if is_right else ("S-YOU-3", "wrong_level"))
