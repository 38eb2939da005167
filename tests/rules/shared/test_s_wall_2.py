"""S-WALL-2: at every event the tiles are exactly the rule set's, each kind at most four times, each flower once;
broken conservation is found even where no wall was recorded."""

from __future__ import annotations

import pytest

from tests.rules.builders import Game, altered, audited, chosen_wall, findings, judged, seq_of, table

FIFTH = ("S-WALL-2", "too_many_copies")


@pytest.mark.parametrize(
    ("discards", "melds", "flowers", "tile", "expected"),
    [
        pytest.param("333p", [], "", "3p", [], id="fourth-copy"),
        pytest.param("3333p", [], "", "3p", [FIFTH], id="fifth-copy"),
        pytest.param("3p", ["pung 3p@3"], "", "3p", [FIFTH], id="melds-count"),
        pytest.param("", ["pung 3p@3"], "", "3p", [], id="a-pung-and-the-fourth"),
        pytest.param("", ["exposed 3p@3"], "", "3p", [FIFTH], id="a-kong-and-a-fifth"),
        pytest.param("", [], "2f", "1f", [], id="another-flower"),
        pytest.param("", [], "1f", "1f", [FIFTH], id="the-same-flower"),
    ],
)
def test_a_draw(discards: str, melds: list[str], flowers: str, tile: str, expected: list[tuple[str, str]]) -> None:
    position = table({2: "9m"}, last="2m", discards={0: discards}, melds={2: melds}, flowers={3: flowers})
    assert judged(position, "drew", seat=1, tile=tile, tail=False) == expected


@pytest.mark.parametrize(("gold", "expected"), [("888s", []), ("8888s", [FIFTH])])
def test_the_flipped_tile_counts(gold: str, expected: list[tuple[str, str]]) -> None:
    position = table(golds="8s", last="2m", discards={3: gold[1:-1] + "s" if gold[1:-1] else ""})
    assert judged(position, "drew", seat=1, tile="8s", tail=False) == expected


def test_what_is_expected() -> None:
    (found,) = findings(table(last="2m", discards={0: "1111p"}), "drew", seat=1, tile="1p", tail=False)
    assert found.expected == {"copies": 4, "tile": "1p"}
    (found,) = findings(table(last="2m", flowers={0: "5f"}), "drew", seat=1, tile="5f", tail=False)
    assert found.expected == {"copies": 1, "tile": "5f"}


def opened() -> Game:
    hands = {0: "1111m", 1: "222m", 2: "2m333m"}
    return Game().open(chosen_wall(hands, draws="3m", tail="5m", gold="9s"))


@pytest.mark.parametrize(
    ("nth", "tiles", "is_found"),
    [
        pytest.param(1, "222m3p5p7p1s4s7s9p9p9p1z2z3z4z", False, id="as-dealt-or-not-too-many"),
        pytest.param(1, "1m22m3p5p7p1s4s7s9p9p9p1z2z3z4z", True, id="fifth-1m-at-the-next-seat"),
    ],
)
def test_a_deal(nth: int, tiles: str, is_found: bool) -> None:
    events = opened().events[:4]
    log = altered(events, seq_of(events, "dealt", nth), tiles=tiles)
    assert (FIFTH in [found[1:] for found in audited(log)]) is is_found


def test_five_in_one_deal_are_found_at_that_deal() -> None:
    events = opened().events[:3]
    log = altered(events, 2, tiles="11111m" + "2p4p6p8p" + "2s4s6s8s" + "1z2z3z4z")
    assert audited(log) == [(2, *FIFTH)]


def test_a_flip_of_a_fifth_copy() -> None:
    wall = chosen_wall({0: "1111m"}, gold="9s")
    game = Game().open(wall)
    seq = seq_of(game.events, "gold_flipped")
    assert audited(altered(game.events, seq, tiles="1m", gold="1m")) == [(seq, *FIFTH)]


def test_a_replacement_by_a_flower_that_is_out() -> None:
    game = Game().open(chosen_wall({0: "1f", 1: "2f"}, tail="5m6m"))
    seq = seq_of(game.events, "flowers_replaced", 1)
    found = audited(altered(game.events, seq, drawn="1f"))
    assert (seq, *FIFTH) in found


def test_no_wall_is_needed() -> None:
    wall = chosen_wall({0: "1111m"}, draws="5p")
    game = Game().open(wall).play("1m").draw()
    assert audited(altered(game.events, game.seq, tile="1m")) == [(game.seq, *FIFTH)]


@pytest.mark.parametrize("change", ["short", "long", "another"])
def test_a_revealed_wall_that_is_not_the_whole_set(change: str) -> None:
    game = Game().open(chosen_wall()).play_out().exhaust().settle()
    wall = {
        "short": game.whole[:-1],
        "long": (*game.whole, game.whole[-1]),
        "another": (*game.whole[:-1], game.whole[0] if game.whole[-1] != game.whole[0] else game.whole[1]),
    }[change]
    seq = game.reveal(wall=wall).end_hand().seq - 1
    assert (seq, "S-WALL-2", "not_the_whole_wall") in audited(game.events)


def test_the_whole_wall_in_any_order_is_the_whole_set() -> None:
    game = Game().open(chosen_wall()).play_out().exhaust().close()
    assert audited(game.events) == []
