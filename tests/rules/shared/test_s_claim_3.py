"""S-CLAIM-3: a claim is legal only with the tiles that make it, in the claimer's hand, at that moment; a claim
that was not, an act out of turn, a discard of a tile not held and a win that is no win are findings."""

from __future__ import annotations

import pytest

from tests.rules.builders import (
    Act,
    Game,
    altered,
    audited,
    chosen_wall,
    chow,
    findings,
    judged,
    kong,
    offered,
    pung,
    seq_of,
    table,
    tile,
    tiles,
    verdict,
    win,
)

NOT_A_RUN = ("S-CLAIM-3", "not_a_run")
NOT_HELD = ("S-CLAIM-3", "tiles_not_held")
ALL = "123456789m 1379p 5z66z"


@pytest.mark.parametrize(
    ("last", "with_", "expected"),
    [
        pytest.param("5m", "34m", None, id="upper-end"),
        pytest.param("5m", "46m", None, id="middle"),
        pytest.param("5m", "67m", None, id="lower-end"),
        pytest.param("5m", "64m", None, id="in-any-order"),
        pytest.param("1m", "23m", None, id="first"),
        pytest.param("9m", "78m", None, id="last"),
        pytest.param("5m", "47m", NOT_A_RUN, id="gap"),
        pytest.param("5m", "37m", NOT_A_RUN, id="too-wide"),
        pytest.param("5m", "44m", NOT_A_RUN, id="pair"),
        pytest.param("5m", "55m", NOT_A_RUN, id="triplet"),
        pytest.param("5m", "4m6p", NOT_A_RUN, id="two-suits"),
        pytest.param("1p", "89m", NOT_A_RUN, id="over-the-edge-of-a-suit"),
        pytest.param("5z", "6z7z", NOT_A_RUN, id="honours"),
        pytest.param("2z", "1z3z", NOT_A_RUN, id="winds"),
        pytest.param("9p", "1p2p", NOT_A_RUN, id="round-the-corner"),
        pytest.param("5m", "4m", NOT_A_RUN, id="one-tile"),
        pytest.param("5m", "3467m", NOT_A_RUN, id="four-tiles"),
        pytest.param("2p", "13p", None, id="held"),
        pytest.param("4p", "23p", NOT_HELD, id="not-held"),
        pytest.param("8p", "79p", None, id="held-too"),
        pytest.param("8s", "67s", NOT_HELD, id="none-held"),
    ],
)
def test_chow(last: str, with_: str, expected: tuple[str, str] | None) -> None:
    position = table({1: ALL}, last=last, golds="9s")
    act = Act("chow", tile(last), tiles(with_), from_=0)
    assert verdict(position, 1, act) == expected
    if expected is None:
        assert f"chow {last} " in " ".join(offered(position, 1)) + " "


@pytest.mark.parametrize(
    ("hand", "with_", "expected"),
    [
        pytest.param("55m", "55m", None, id="two"),
        pytest.param("555m", "55m", None, id="two-of-three"),
        pytest.param("5m", "55m", NOT_HELD, id="one"),
        pytest.param("6m", "55m", NOT_HELD, id="none"),
        pytest.param("55m", "5m", ("S-CLAIM-3", "not_one_kind"), id="one-laid-down"),
        pytest.param("555m", "555m", ("S-CLAIM-3", "not_one_kind"), id="three-laid-down"),
        pytest.param("5m5p", "5m5p", ("S-CLAIM-3", "not_one_kind"), id="mixed"),
        pytest.param("66m", "66m", ("S-CLAIM-3", "not_one_kind"), id="another-kind"),
    ],
)
def test_pung(hand: str, with_: str, expected: tuple[str, str] | None) -> None:
    position = table({2: hand + "147p 147s 1234z"}, last="5m")
    assert verdict(position, 2, Act("pung", tile("5m"), tiles(with_), from_=0)) == expected


@pytest.mark.parametrize(("hand", "expected"), [("555m", None), ("55m", NOT_HELD)])
def test_kong(hand: str, expected: tuple[str, str] | None) -> None:
    position = table({2: hand + "147p 147s 1234z"}, last="5m")
    assert verdict(position, 2, kong("5m", "exposed", 0)) == expected


@pytest.mark.parametrize(
    ("code", "from_", "expected"),
    [
        pytest.param("5m", 0, None, id="the-last-discard"),
        pytest.param("5m", 3, ("S-CLAIM-3", "not_the_last_discard"), id="another-discarder"),
        pytest.param("6p", 0, ("S-CLAIM-3", "not_the_last_discard"), id="an-earlier-discard"),
    ],
)
def test_only_the_last_discard(code: str, from_: int, expected: tuple[str, str] | None) -> None:
    position = table({2: "55m66p147s1234z"}, last="5m", discards={0: "6p"})
    assert verdict(position, 2, pung(code, from_)) == expected


@pytest.mark.parametrize(
    "act", [chow("5m", "46m", 0), pung("5m", 0), kong("5m", "exposed", 0)], ids=["chow", "pung", "kong"]
)
def test_only_while_it_lies_open(act: Act) -> None:
    position = table({1: "46m555m147s1234z"}, turn=1, drawn="9p", discards={0: "5m"})
    assert verdict(position, 1, act) == ("S-TURN-1", "out_of_turn")
    later = table({2: "46m555m147s1234z"}, turn=1, drawn="9p", discards={0: "5m"})
    assert verdict(later, 2, act) == ("S-TURN-1", "out_of_turn")


def test_nobody_claims_from_oneself() -> None:
    assert verdict(table({0: "55m147s1234z"}, last="5m"), 0, pung("5m", 0)) == ("S-TURN-1", "out_of_turn")


def test_the_hand_is_named() -> None:
    (found,) = findings(table({2: "5m147p"}, last="5m"), "punged", seat=2, tile="5m", from_=0, with_="55m")
    assert (found.clause, found.code) == NOT_HELD
    assert found.expected == {"hand": ["5m", "1p", "4p", "7p"]}


@pytest.mark.parametrize(
    ("code", "expected"),
    [("5m", []), ("9p", []), ("6m", [("S-CLAIM-3", "tile_not_held")]), ("1z", [("S-CLAIM-3", "tile_not_held")])],
)
def test_a_discard_is_a_tile_held(code: str, expected: list[tuple[str, str]]) -> None:
    assert judged(table({0: "5m147p147s"}, drawn="9p"), "discarded", seat=0, tile=code) == expected


@pytest.mark.parametrize(
    ("hand", "last", "expected"),
    [
        pytest.param("46p 123456789m 11s 222s", "5p", None, id="complete"),
        pytest.param("46p 123456789m 12s 222s", "5p", ("X-SHAPE-1", "not_complete"), id="no-pair"),
        pytest.param("47p 123456789m 11s 222s", "5p", ("X-SHAPE-1", "not_complete"), id="no-run"),
    ],
)
def test_a_win_is_a_win(hand: str, last: str, expected: tuple[str, str] | None) -> None:
    assert verdict(table({1: hand}, last=last, golds="9s"), 1, win(last, "discard", 0)) == expected


@pytest.mark.parametrize(
    ("code", "from_"),
    [
        pytest.param("6p", 0, id="another-tile"),
        pytest.param("5p", 2, id="another-discarder"),
        pytest.param(None, None, id="no-tile"),
    ],
)
def test_a_win_names_what_it_wins_on(code: str | None, from_: int | None) -> None:
    position = table({1: "46p 123456789m 11s 222s"}, last="5p", golds="9s")
    assert verdict(position, 1, win(code, "discard", from_)) == ("S-CLAIM-3", "not_the_winning_tile")


@pytest.mark.parametrize("held", ["0", "55"])
def test_a_claim_that_lost_was_a_right(held: str) -> None:
    hand = ("55m" if held == "55" else "8m") + "147p147s1234z"
    position = table({2: hand, 3: "46m 123456789p 11s 222s"}, last="5m", golds="9s")
    expected = [] if held == "55" else [("S-CLAIM-3", "claim_without_right")]
    assert judged(position, "claim_overridden", seat=2, claim=pung("5m", 0), by=3) == expected


def test_a_claim_loses_to_a_better_right_only() -> None:
    position = table({2: "55m147p147s1234z", 3: "147p147s1234z"}, last="5m")
    lost = judged(position, "claim_overridden", seat=2, claim=pung("5m", 0), by=3)
    assert lost == [("S-CLAIM-1", "overridden_by_less")]


def test_in_whole_logs() -> None:
    hands = {0: "5p 258m 258s 1234z 77z 369p", 1: "46p 1379m 47s 1234z 666z7z", 2: "55p 258m 36s 147m 89m33z"}
    wall = chosen_wall(hands)
    game = Game().open(wall).play("5p").pung(2).discard("8m")
    assert audited(game.events) == []
    seq = seq_of(game.events, "discarded", -1)
    assert audited(altered(game.events, seq, tile="7z")) == [(seq, "S-CLAIM-3", "tile_not_held")]
    seq = seq_of(game.events, "punged")
    log = altered(game.events[: seq + 1], seq, seat=3)
    assert audited(log) == [(seq, *NOT_HELD)]
