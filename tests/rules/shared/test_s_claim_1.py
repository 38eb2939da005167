"""S-CLAIM-1: on a discard a win goes before kong and pung, these before a chow, which only the next seat may make;
of several winners only the nearest after the discarder wins."""

from __future__ import annotations

from typing import Any

import pytest

from replays.referee import offers
from tests.rules.builders import (
    Game,
    Records,
    after,
    audited,
    chosen_wall,
    chow,
    findings,
    judged,
    offered,
    table,
    verdict,
)

BETTER = ("S-CLAIM-1", "better_right")
PASSES = Records(passes=True)

#: Hands that can win on 5p, kong it, pung it, chow it.
WINS = "46p 123m 456m 789m 11s 222s"
KONGS = "555p 1379m 147s 1234z"
PUNGS = "55p 13799m 147s 1234z"
CHOWS = "46p 13799m 147s 1234z"


def claims(hands: dict[int, str], discarder: int = 0, records: Records = PASSES, **more: Any) -> Any:
    return table(hands, turn=discarder, last="5p", records=records, golds="9s", **more)


def event(act: str, seat: int, discarder: int = 0) -> tuple[str, dict[str, Any]]:
    """The event of a claim on 5p."""
    members = {"seat": seat, "tile": "5p", "from_": discarder}
    return {
        "win": ("won", members | {"win": "discard"}),
        "kong": ("konged", members | {"with_": "555p", "kind": "exposed"}),
        "pung": ("punged", members | {"with_": "55p"}),
        "chow": ("chowed", members | {"with_": "46p"}),
    }[act]


@pytest.mark.parametrize("discarder", range(4))
@pytest.mark.parametrize("step", [1, 2, 3])
def test_only_the_next_seat_chows(discarder: int, step: int) -> None:
    seat = (discarder + step) % 4
    position = claims({seat: CHOWS}, discarder)
    assert bool(offered(position, seat)) is (step == 1)
    found = verdict(position, seat, chow("5p", "4p6p", discarder))
    assert found == (None if step == 1 else ("S-CLAIM-1", "chow_by_wrong_seat"))
    expected = [] if step == 1 else [("S-CLAIM-1", "chow_by_wrong_seat")]
    kind, members = event("chow", seat, discarder)
    assert judged(position, kind, **members) == expected


@pytest.mark.parametrize("records", [PASSES, Records()], ids=["passes-on-record", "no-passes"])
@pytest.mark.parametrize(
    ("hands", "act", "seat", "is_overtaken"),
    [
        pytest.param({1: CHOWS}, "chow", 1, False, id="chow-alone"),
        pytest.param({1: CHOWS, 2: PUNGS}, "chow", 1, True, id="chow-over-a-pung"),
        pytest.param({1: CHOWS, 3: KONGS}, "chow", 1, True, id="chow-over-a-kong"),
        pytest.param({1: CHOWS, 3: WINS}, "chow", 1, True, id="chow-over-a-win"),
        pytest.param({1: CHOWS, 2: PUNGS}, "pung", 2, False, id="pung-over-a-chow"),
        pytest.param({2: PUNGS, 3: WINS}, "pung", 2, True, id="pung-over-a-farther-win"),
        pytest.param({1: WINS, 2: PUNGS}, "pung", 2, True, id="pung-over-a-nearer-win"),
        pytest.param({1: CHOWS, 2: KONGS}, "kong", 2, False, id="kong-over-a-chow"),
        pytest.param({2: KONGS, 1: WINS}, "kong", 2, True, id="kong-over-a-win"),
        pytest.param({1: CHOWS, 2: PUNGS, 3: WINS}, "win", 3, False, id="win-over-all"),
        pytest.param({1: WINS, 3: WINS}, "win", 1, False, id="the-nearest-winner"),
        pytest.param({1: WINS, 3: WINS}, "win", 3, True, id="the-farther-winner"),
        pytest.param({2: WINS, 3: WINS}, "win", 3, True, id="the-farther-of-two-far"),
    ],
)
def test_better_rights(hands: dict[int, str], act: str, seat: int, is_overtaken: bool, records: Records) -> None:
    kind, members = event(act, seat)
    expected = [BETTER] if is_overtaken and records.passes else []
    assert judged(claims(hands, records=records), kind, **members) == expected


@pytest.mark.parametrize("discarder", range(4))
def test_nearest_is_counted_from_the_discarder(discarder: int) -> None:
    near, far = (discarder + 1) % 4, (discarder + 3) % 4
    position = claims({near: WINS, far: WINS}, discarder)
    for seat, expected in ((near, []), (far, [BETTER])):
        kind, members = event("win", seat, discarder)
        assert judged(position, kind, **members) == expected


@pytest.mark.parametrize("step", ["passed", "claim_overridden"])
def test_a_right_passed_is_gone(step: str) -> None:
    position = claims({1: WINS, 3: WINS})
    options = tuple(_acts(position, 1))
    if step == "passed":
        position = after(position, "passed", seat=1, options=options)
        kind, members = event("win", 3)
        assert judged(position, kind, **members) == []
    else:
        members = {"seat": 3, "claim": _acts(position, 3)[0], "by": 1}
        assert judged(position, "claim_overridden", **members) == []
        kind, won = event("win", 1)
        assert judged(after(position, "claim_overridden", **members), kind, **won) == []


def _acts(position: Any, seat: int) -> list[Any]:
    return [act for act in offers(position)[seat] if act.act != "pass"]


def test_the_better_right_is_named() -> None:
    kind, members = event("chow", 1)
    (found,) = findings(claims({1: CHOWS, 2: PUNGS}), kind, **members)
    assert found.expected == {
        "seat": 2,
        "acts": [{"act": "pung", "tile": "5p", "with": ["5p", "5p"], "from": 0}],
    }


def test_ones_own_better_right_may_be_given_up() -> None:
    both = "55p 46p 123m 456m 789m 222s"
    position = claims({1: both})
    assert [act.split()[0] for act in offered(position, 1)] == ["chow", "pass", "pung", "win"]
    for act in ("chow", "pung", "win"):
        kind, members = event(act, 1)
        assert judged(position, kind, **members) == []


def test_in_a_whole_log() -> None:
    hands = {0: "5p 258m 258s 1234z 77z 369p", 1: "46p 1379m 47s 1234z 666z7z", 2: "55p 258m 36s 147m 89m33z"}
    log = Game(records=PASSES).open(chosen_wall(hands)).emit("discarded", seat=0, tile="5p")
    assert audited(log.events) == []
    log.emit("chowed", seat=1, tile="5p", from_=0, with_="46p")
    assert audited(log.events) == [(log.seq, *BETTER)]
