"""S-VIEW-1: a seat sees its own hand and draws, all melds, discards, flowers, dice, the gold and the numbers of
other tiles; never other hands, the wall or another's drawn tile. A concealed kong shows its kind to all (option
``concealed_kong_shown``, default true); 雙游 and 三游 are announced, single 游 is not. When the hand is over,
all is open."""

from __future__ import annotations

import json
from typing import Any

import pytest

from replays.tiles import HIDDEN
from replays.view import picture
from tests.rules.builders import Game, after, chosen_wall, table

YOU = "123456789m 111222z 9s"


def seen(position: Any, viewer: int | None, seat: int) -> dict[str, Any]:
    found: dict[str, Any] = picture(position, viewer)["seats"][seat]
    return found


@pytest.mark.parametrize("viewer", [0, 1, 2, 3, None])
@pytest.mark.parametrize("seat", range(4))
def test_hands(viewer: int | None, seat: int) -> None:
    position = table({0: YOU, 1: "123p"}, turn=1, drawn="4p")
    one = seen(position, viewer, seat)
    own = viewer in (None, seat)
    assert (HIDDEN in one["concealed"]) is not own
    assert len(one["concealed"]) == one["count"] == len(position.concealed(seat))


@pytest.mark.parametrize(("viewer", "drawn"), [(0, HIDDEN), (1, "4p"), (2, HIDDEN), (None, "4p")])
def test_a_drawn_tile(viewer: int | None, drawn: str) -> None:
    assert seen(table({1: "123p"}, turn=1, drawn="4p"), viewer, 1)["drawn"] == drawn


@pytest.mark.parametrize("viewer", [0, 1, 2, 3])
def test_a_drawn_flower_is_a_drawn_tile_to_others(viewer: int) -> None:
    flower = picture(table(turn=1, drawn="4f"), viewer)
    plain = picture(table(turn=1, drawn="4p"), viewer)
    assert (flower["phase"] == plain["phase"]) is (viewer != 1)
    assert (flower["seats"][1]["drawn"] == plain["seats"][1]["drawn"]) is (viewer != 1)


@pytest.mark.parametrize("viewer", [0, 1, 2, 3])
def test_what_all_see(viewer: int) -> None:
    position = table(
        {0: YOU}, last="5p", melds={1: ["pung 7p@0", "chow 345s@0"]}, flowers={2: "15f"}, discards={3: "6m"},
        dice=(3, 4), left=50, golds="9s",
    )  # fmt: skip
    whole = picture(position, viewer)
    assert [meld["tiles"] for meld in whole["seats"][1]["melds"]] == [["7p"] * 3, ["3s", "4s", "5s"]]
    assert whole["seats"][2]["flowers"] == ["1f", "5f"]
    assert whole["seats"][3]["discards"] == ["6m"]
    assert whole["open"] == {"seat": 0, "act": "discard", "tile": "5p"}
    assert (whole["golds"], whole["left"]) == (["9s"], 50)
    assert whole["dice"] == [{"purpose": "gold", "dice": [3, 4]}]


@pytest.mark.parametrize("shown", [True, False])
@pytest.mark.parametrize("viewer", [0, 1, None])
def test_a_concealed_kong(shown: bool, viewer: int | None) -> None:
    position = table(turn=1, drawn="5p", melds={1: ["concealed 6p"]}, options={"concealed_kong_shown": shown})
    is_seen = shown or viewer in (1, None)
    assert seen(position, viewer, 1)["melds"][0]["tiles"] == (["6p"] if is_seen else [HIDDEN]) * 4


@pytest.mark.parametrize("kind", ["exposed", "added"])
def test_other_kongs_always_show(kind: str) -> None:
    position = table(turn=1, drawn="5p", melds={1: [f"{kind} 6p@0"]}, options={"concealed_kong_shown": False})
    assert seen(position, 0, 1)["melds"][0]["tiles"] == ["6p"] * 4


@pytest.mark.parametrize(("level", "shown"), [(2, "double_you"), (3, "triple_you"), (0, None)])
def test_levels_are_announced(level: int, shown: str | None) -> None:
    assert seen(table({1: YOU}, last="5p", levels={1: level}), 0, 1)["level"] == shown


@pytest.mark.parametrize("declared", [[], [1]])
def test_single_you_is_not(declared: list[int]) -> None:
    plain = picture(table({1: YOU}, last="5p"), 0)
    assert picture(table({1: YOU}, last="5p", declared=declared), 0) == plain


@pytest.mark.parametrize("viewer", [0, 2, 3])
def test_nothing_hangs_on_what_is_hidden(viewer: int) -> None:
    """Two tables that differ only in another's tiles look the same."""
    dull = "147m147p147s1234z6z7z8m"
    hands = ({0: dull, 1: other, 2: dull, 3: dull} for other in (YOU, dull))
    one, two = (json.dumps(picture(table(hand, last="5p", left=40), viewer)) for hand in hands)
    assert one == two


@pytest.mark.parametrize("viewer", [0, 1, 2, 3])
def test_all_hands_are_open_when_the_hand_is_over(viewer: int) -> None:
    position = table({1: YOU}, turn=1, drawn="5p", melds={2: ["concealed 6p"]}, options={"concealed_kong_shown": False})
    before = picture(position, viewer)
    assert HIDDEN in json.dumps(before)
    position = after(position, "won", seat=1, win="you", tile="5p")
    assert HIDDEN not in json.dumps(picture(position, viewer))


def test_the_wall_is_never_in_it() -> None:
    game = Game().open(chosen_wall()).play("1m")
    assert "wall" not in picture(game.table, 0)
    assert "wall" not in picture(game.table)


def test_there_is_no_fifth_seat() -> None:
    with pytest.raises(IndexError):
        picture(table(last="5p"), 4)
