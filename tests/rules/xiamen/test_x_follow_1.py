"""X-FOLLOW-1: 跟打. Whoever is about to discard and holds exactly one tile of an honour kind that anybody has discarded
in this hand must discard such a tile; with several kinds any of them (option ``follow_honour``)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.builders import Game, chosen_wall, findings, judged, offered, table

MUST = [("X-FOLLOW-1", "must_follow_honour")]
REST = "147m 258p 369s"  # nine tiles that are no honours


def after_discards(hand: str, thrown: str, **rest: Any) -> Any:
    given: dict[str, Any] = {"golds": "9s", "drawn": "5m", "thrown": thrown} | rest
    return table({0: hand}, **given)


@pytest.mark.parametrize(
    ("honours", "thrown", "must"),
    [
        ("1z", "1z", ["1z"]),
        ("1z", "", []),
        ("1z", "2z", []),
        ("11z", "1z", []),
        ("111z", "1z", []),
        ("12z", "1z", ["1z"]),
        ("12z", "12z", ["1z", "2z"]),
        ("122z", "12z", ["1z"]),
        ("1z", "1m5p", []),
        ("7z", "7z", ["7z"]),
        ("67z", "67z", ["6z", "7z"]),
        ("4z", "12367z", []),
    ],
)
def test_exactly_one_of_a_discarded_kind(honours: str, thrown: str, must: list[str]) -> None:
    position = after_discards(REST + honours, thrown)
    assert judged(position, "discarded", seat=0, tile="5m") == (MUST if must else [])
    free = dict.fromkeys(offered(position, 0, "discard"))
    if must:
        assert list(free) == [f"discard {code}" for code in must]
        (found,) = findings(position, "discarded", seat=0, tile="5m")
        assert found.expected == {"tiles": must}
        assert found.recorded == {"tile": "5m"}
    else:
        assert "discard 5m" in free
    for code in must:
        assert judged(position, "discarded", seat=0, tile=code) == []


def test_the_drawn_tile_counts() -> None:
    """Drawn as the only one it must go; drawn as the second it frees both."""
    assert judged(after_discards(REST, "3z", drawn="3z"), "discarded", seat=0, tile="1m") == MUST
    assert judged(after_discards(REST, "3z", drawn="3z"), "discarded", seat=0, tile="3z") == []
    assert judged(after_discards(REST + "3z", "3z", drawn="3z"), "discarded", seat=0, tile="1m") == []


def test_another_honour_does_not_do() -> None:
    assert judged(after_discards(REST + "1z 2z", "1z"), "discarded", seat=0, tile="2z") == MUST


@pytest.mark.parametrize(
    ("options", "found"), [({}, MUST), ({"follow_honour": "seen"}, MUST), ({"follow_honour": "off"}, [])]
)
def test_option(options: dict[str, str], found: list[tuple[str, str]]) -> None:
    position = after_discards(REST + "1z", "1z", options=options)
    assert judged(position, "discarded", seat=0, tile="5m") == found
    assert ("discard 5m" in offered(position, 0)) == (not found)


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_by_anybody_the_player_too(seat: int) -> None:
    position = table({0: REST + "1z"}, drawn="5m", golds="9s", discards={seat: "1z"})
    assert judged(position, "discarded", seat=0, tile="5m") == MUST


def test_a_claimed_discard_was_discarded() -> None:
    position = table({0: REST + "1z"}, drawn="5m", golds="9s", melds={2: ["pung 1z@1"]})
    assert judged(position, "discarded", seat=0, tile="5m") == MUST


def test_a_concealed_kong_was_not_discarded() -> None:
    position = table({0: REST}, drawn="5m", golds="9s", melds={2: ["concealed 1z"]})
    assert judged(position, "discarded", seat=0, tile="5m") == []


@pytest.mark.parametrize(("meld", "source"), [("pung 7z@1", "claim"), ("chow 345m@3", "claim")])
def test_after_a_claim_too(meld: str, source: str) -> None:
    position = table({0: "147m 258p 369s 1z 2z"}, melds={0: [meld]}, source=source, golds="9s", thrown="1z")
    assert judged(position, "discarded", seat=0, tile="2z") == MUST
    assert judged(position, "discarded", seat=0, tile="1z") == []


def test_in_this_hand_only() -> None:
    """What the hand before saw does not bind."""
    game = Game({"dead_wall": 40}).open(chosen_wall({0: "1z"}, gold="9s")).discard("1z").play_out().exhaust().close()
    game.open(chosen_wall({0: REST + "1z 2233446z"}, gold="9s")).discard("1m")
    assert game.audit().findings == ()


@pytest.mark.parametrize(("tile", "found"), [("5m", MUST), ("1z", [])])
def test_found_in_a_log(tile: str, found: list[tuple[str, str]]) -> None:
    wall = chosen_wall({0: "1z", 1: REST + "1z 223344z"}, draws="5m", gold="9s")
    game = Game().open(wall).discard("1z").draw().discard(tile)
    assert [(each.clause, each.code) for each in game.audit().findings] == found
