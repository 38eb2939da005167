"""Why not, by hand: for every clause that can forbid an act a position in which it does, and one beside it in which the
same act is free."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from replays.events import Act, Records
from replays.refusals import blocked, refusal
from replays.seen import as_seen
from replays.table import PHASES, Table
from tests.rules.builders import PASS, chow, declare, discard, kong, pung, table, verdict, win, words
from tests.rules.longyan import tables as longyan
from tests.rules.longyan.tables import opening, played
from tests.rules.xiamen.positions import PLAIN

PASSES = Records(passes=True)
REST = "258p 258s 2234z"  # stands beside the tiles of interest and claims none of them
DULL = "147m 258p 369s 2346z"
ORPHANS = "199m 19p 19s 234567z"
YOU = "123456789m 123p 1z"
READY = "12345678m 123p 99p"
DEALER_READY = "12345678p 777z 66z 4z"
KONGS = "5555p 123456789m 9s"


class Case(NamedTuple):
    """A refusal with its clause and code, and a position in which the same act is free, or ``legal`` is,
    for the same seat or an ``other``."""

    position: Table
    seat: int
    act: Act
    clause: str
    code: str
    free: Table
    legal: Act | None = None
    other: int | None = None


def claim(held: str, last: str = "5m", **more: object) -> Table:
    """Seat 0 has discarded, and seat 1 holds what is of interest."""
    return table({1: REST + held}, last=last, **({"golds": "9s"} | more))  # type: ignore[arg-type]


def own(held: str, drawn: str | None = "5m", **more: object) -> Table:
    """The turn of seat 0."""
    return table({0: held}, drawn=drawn, **({"golds": "9s"} | more))  # type: ignore[arg-type]


def on_discard(hand: str = PLAIN, last: str = "9p", **more: object) -> Table:
    """Seat 2 has discarded what seat 3 may wait for."""
    return table({3: hand}, turn=2, last=last, **({"golds": "1z"} | more))  # type: ignore[arg-type]


def robbing(hand: str, **more: object) -> Table:
    """Seat 0 has added 9p to its pung."""
    given = {"golds": "1z", "melds": {0: ["added 9p@1"]}, "last": "9p", "phase": "kong"} | more
    return table({2: hand}, **given)  # type: ignore[arg-type]


def first_discard(hands: dict[int, str]) -> Table:
    """The dealer's first discard lies open."""
    return played(opening(hands), "0 discarded 7z")


WAIT = "123456789m 123456p 9p"
WITH_GOLD = "123456789m 12p 456p 9p 1z"

CASES = {
    # whose turn it is, and what it is for
    "discard out of turn": Case(
        claim("46m"), 1, discard("4m"), "S-TURN-1", "not_to_discard", own("147m 258p 258s 22346z1s"), discard("4m"), 0
    ),
    "kong out of turn": Case(
        claim("5555m", "8m"),
        1,
        kong("5m", "concealed"),
        "S-TURN-1",
        "out_of_turn",
        own("555m 28p 258s 22344z 6m1s4s"),
        kong("5m", "concealed"),
        0,
    ),
    "claim with nothing open": Case(
        own("147m 258p 258s 22346z1s"), 1, pung("5m", 0), "S-TURN-1", "out_of_turn", claim("55m"), pung("5m", 0)
    ),
    "win with nothing to win on": Case(
        own("147m 258p 258s 22346z1s"), 3, win(), "S-TURN-1", "nothing_to_win_on", on_discard(), None
    ),
    "a flower comes first": Case(
        own("147m 258p 258s 22346z1s", "3f"),
        0,
        discard("4m"),
        "S-FLOWER-2",
        "flower_kept",
        own("147m 258p 258s 22346z1s"),
        discard("4m"),
    ),
    "pass without a right": Case(claim("1m"), 1, PASS, "S-PASS-1", "nothing_to_pass", claim("55m"), PASS),
    # claims
    "chow by another than the next seat": Case(
        table({2: REST + "46m"}, last="5m", golds="9s"),
        2,
        chow("5m", "46m", 0),
        "S-CLAIM-1",
        "chow_by_wrong_seat",
        claim("46m"),
        None,
        1,
    ),
    "not the discard": Case(claim("66m"), 1, pung("6m", 0), "S-CLAIM-3", "not_the_last_discard", claim("66m", "6m")),
    "not a run": Case(
        claim("48m"), 1, chow("5m", "48m", 0), "S-CLAIM-3", "not_a_run", claim("46m"), chow("5m", "46m", 0)
    ),
    "not one kind": Case(
        claim("46m"), 1, Act("pung", 4, (3, 5), from_=0), "S-CLAIM-3", "not_one_kind", claim("55m"), pung("5m", 0)
    ),
    "tiles not held": Case(claim("5m"), 1, pung("5m", 0), "S-CLAIM-3", "tiles_not_held", claim("55m")),
    "discard not held": Case(
        own("147m 258p 258s 22346z1s"),
        0,
        discard("9m"),
        "S-CLAIM-3",
        "tile_not_held",
        own("147m 258p 258s 22346z1s"),
        discard("7m"),
    ),
    "no pung to add to": Case(
        own("147m 258p 258s 22346z1s"),
        0,
        kong("5m", "added"),
        "S-CLAIM-3",
        "no_pung_to_add_to",
        own("147m 258p 258s 2234z", melds={0: ["pung 5m@1"]}),
    ),
    "no gold in a chow": Case(
        claim("46m", golds="4m"), 1, chow("5m", "46m", 0), "S-GOLD-2", "gold_in_a_claim", claim("46m")
    ),
    "a gold is claimed by nobody": Case(
        claim("55m", golds="5m"), 1, pung("5m", 0), "X-GOLD-3", "gold_claimed", claim("55m")
    ),
    "no kong after a claim": Case(
        own("5555m 28p 258s 2234z", None, melds={0: ["chow 345s@3"]}, source="claim"),
        0,
        kong("5m", "concealed"),
        "S-CLAIM-2",
        "kong_after_claim",
        own("555m 28p 258s 2234z1s", melds={0: ["chow 345s@3"]}),
    ),
    "no win after a claim": Case(
        own("123456789m 12399p", None, melds={0: ["chow 345s@3"]}, source="claim"),
        0,
        win(),
        "S-CLAIM-2",
        "win_after_claim",
        own("123456789m 1239p", "9p", melds={0: ["chow 345s@3"]}),
    ),
    "no kong without a replacement": Case(
        claim("555m", left=16), 1, kong("5m", "exposed", 0), "X-DRAW-1", "kong_without_replacement", claim("555m")
    ),
    "no chow of a discarded white": Case(
        claim("46m", "5z", golds="5m", options={"white_discard": "white"}),
        1,
        chow("5z", "46m", 0),
        "X-SHAPE-2",
        "discarded_white_is_white",
        claim("46m", "5z", golds="5m"),
    ),
    # wins
    "not the winning tile": Case(
        on_discard(),
        3,
        win("8p", "discard", 2),
        "S-CLAIM-3",
        "not_the_winning_tile",
        on_discard(),
        win("9p", "discard", 2),
    ),
    "no shape": Case(on_discard(last="8p"), 3, win(), "X-SHAPE-1", "not_complete", on_discard(), win()),
    "a gold blocks the win": Case(
        on_discard(WITH_GOLD),
        3,
        win(),
        "X-GOLD-2",
        "gold_blocks_discard_win",
        on_discard(WITH_GOLD, options={"gold_blocks_discard_win": "two_or_more"}),
    ),
    "a gold was discarded": Case(
        on_discard(gold_out=[3]), 3, win(), "X-GOLD-3", "discarded_gold", on_discard(gold_out=[1])
    ),
    "nobody wins on a gold": Case(on_discard(WAIT, golds="9p"), 3, win(), "X-GOLD-3", "win_on_gold", on_discard(WAIT)),
    "another way counts": Case(
        on_discard(), 3, win(None, "self_draw"), "X-WIN-9", "wrong_way_named", on_discard(), win(None, "discard")
    ),
    "no robbing": Case(robbing(WAIT, options={"rob_kong_k": 0}), 2, win(), "X-WIN-2", "no_robbing", robbing(WAIT)),
    "天和 goes first": Case(
        table({0: "123456789m 123456p 99p", 2: "147m 258s 147s 2347z 111z"}, golds="1z", opening=True, records=PASSES),
        2,
        win(None, "three_golds"),
        "X-WIN-11",
        "heavenly_win_first",
        table({0: "123456789m 123456p 89p", 2: "147m 258s 147s 2347z 111z"}, golds="1z", opening=True, records=PASSES),
    ),
    # locks
    "雙游 locks claims": Case(
        claim("55m", levels={0: 2}, lock=[0]), 1, pung("5m", 0), "X-LOCK-1", "locked_by_you", claim("55m")
    ),
    "雙游 locks wins on discards": Case(
        on_discard(levels={0: 2}, lock=[0]), 3, win(), "X-LOCK-1", "locked_by_you", on_discard()
    ),
    "a gold locks pungs": Case(
        longyan.table({1: "55p 147m 369s 34677z"}, last="5p", gold_out=[3]),
        1,
        pung("5p", 0),
        "L-LOCK-1",
        "locked_by_gold",
        longyan.table({1: "55p 147m 369s 34677z"}, last="5p"),
    ),
    "a gold locks plain self-draws": Case(
        longyan.table({1: READY}, turn=1, drawn="9m", gold_out=[3]),
        1,
        win(),
        "L-LOCK-1",
        "locked_by_gold",
        longyan.table({1: READY}, turn=1, drawn="9m"),
    ),
    "三游 locks 游金": Case(
        longyan.table({1: YOU}, turn=1, drawn="8s", gold_out=[3], levels={3: 3}),
        1,
        win(),
        "L-LOCK-2",
        "locked_by_gold",
        longyan.table({1: YOU}, turn=1, drawn="8s", gold_out=[3]),
    ),
    # discards
    "follow the honour": Case(
        own("147m 258p 369s 1z 22z 77z 3z", "5m", thrown="1z"),
        0,
        discard("5m"),
        "X-FOLLOW-1",
        "must_follow_honour",
        own("147m 258p 369s 1z 22z 77z 3z", "5m"),
    ),
    "declared 游 is kept": Case(
        longyan.table({0: YOU}, drawn="5p", declared=[0], options={"you_declared": True}),
        0,
        discard("1m"),
        "L-YOU-1",
        "leaves_you_state",
        longyan.table({0: YOU}, drawn="5p", options={"you_declared": True}),
    ),
    # declarations
    "no you state": Case(
        own("147m 258p 258s 22346z1s"),
        0,
        declare("you"),
        "S-YOU-2",
        "not_in_you_state",
        longyan.table({0: YOU}, drawn="5p"),
    ),
    "no level": Case(
        own("147m 258p 258s 22346z1s"),
        0,
        declare("double_you"),
        "S-YOU-3",
        "wrong_level",
        own("147m 258p 258s 22346z1s", levels={0: 2}),
    ),
    "not ready": Case(
        table({1: "147m 258p 258s 22346z1s"}, last="5m", golds="9s", untouched=[1]),
        1,
        declare("heavenly_ready"),
        "X-WIN-12",
        "not_ready",
        table({1: PLAIN}, last="5m", golds="1z", untouched=[1]),
    ),
    # the second game's own
    "no chow at all": Case(
        longyan.table({1: "46m 258p 369s 23467z"}, last="5m"),
        1,
        chow("5m", "46m", 0),
        "L-CLAIM-1",
        "no_such_claim",
        longyan.table({1: "55m 258p 369s 23467z"}, last="5m"),
        pung("5m", 0),
    ),
    "no win on a discard": Case(
        longyan.table({1: READY}, turn=2, last="9m"),
        1,
        win(),
        "L-CLAIM-1",
        "no_discard_win",
        longyan.table({1: READY}, turn=1, drawn="9m"),
    ),
    "a kong passed before": Case(
        played(
            longyan.table({2: "555p 147m 369s 3467z"}, turn=3, last="5p"),
            "2 punged 5p",
            "2 discarded 1m",
            "3 2p",
            "0 2s",
            "1 2s",
            "2 drew 8p",
        ),
        2,
        kong("5p", "added"),
        "L-CLAIM-2",
        "kong_passed_before",
        played(
            longyan.table({2: "55p 147m 369s 3467z 8m"}, turn=3, last="5p"),
            "2 punged 5p",
            "2 discarded 1m",
            "3 2p",
            "0 2s",
            "1 2s",
            "2 drew 5p",
        ),
    ),
    "no 天胡 after a kong": Case(
        played(opening({0: KONGS}), "0 konged 5p concealed", "0 drew 9s"),
        0,
        win(None, "heavenly_win"),
        "L-OPEN-5",
        "no_heavenly_win_after_kong",
        played(opening({0: KONGS}), "0 konged 5p concealed", "0 drew 9s"),
        win("9s", "self_draw"),
    ),
    "passed with 蓋寶搶金": Case(
        played(opening({1: YOU}, records=PASSES), "1 passed"),
        1,
        win(None, "covered_rob_gold"),
        "L-OPEN-1",
        "right_passed_before",
        opening({1: YOU}, records=PASSES),
    ),
    "搶金 before the dealer's discard": Case(
        opening({1: READY}), 1, win(None, "rob_gold"), "L-OPEN-2", "no_rob_gold", first_discard({1: READY})
    ),
    "搶金 before the dealer's discard, unnamed": Case(
        opening({1: READY}), 1, win(), "L-OPEN-2", "no_rob_gold", first_discard({1: READY}), win(None, "rob_gold")
    ),
    "the dealer's 搶金, and another is ready": Case(
        opening({0: DEALER_READY, 2: READY}), 0, win(), "L-OPEN-3", "no_rob_gold", opening({0: DEALER_READY})
    ),
    "no 蓋寶搶金": Case(
        opening({1: DULL}), 1, win(None, "covered_rob_gold"), "L-OPEN-4", "no_covered_rob_gold", opening({1: YOU})
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=[*CASES])
def test_the_clause_that_forbids(case: Case) -> None:
    found = refusal(case.position, case.seat, case.act)
    assert found is not None
    assert (found.clause, found.code) == (case.clause, case.code)


@pytest.mark.parametrize("case", CASES.values(), ids=[*CASES])
def test_and_beside_it_the_act_is_free(case: Case) -> None:
    seat = case.seat if case.other is None else case.other
    assert refusal(case.free, seat, case.legal or case.act) is None


def test_a_hand_in_doubt_may_do_what_its_tiles_show_and_nothing_is_known_beyond() -> None:
    position = claim("5m", doubt=[1])
    found = refusal(position, 1, pung("5m", 0))
    assert found is not None
    assert (found.clause, found.code) == ("S-CLAIM-3", "tiles_in_doubt")
    assert verdict(position, 1, pung("5m", 0)) is None  # on record it is no finding


@pytest.mark.parametrize("phase", ["between", "dealing", "flowers", "over", "settled", "finished"])
def test_out_of_play_it_is_the_phase(phase: str) -> None:
    position = claim("55m")._replace(phase=PHASES.index(phase))
    found = refusal(position, 1, pung("5m", 0))
    assert found is not None
    assert (found.clause, found.code) == ("G-ORDER-1", "out_of_phase")
    assert blocked(position, 1) == ()


# -- The list ----------------------------------------------------------------------------------------------------


def listed(position: Table, seat: int) -> list[tuple[str, str]]:
    return [(words(act), why.clause) for act, why in blocked(position, seat)]


def test_the_list_has_what_the_tiles_would_make() -> None:
    assert listed(claim("46m55m", levels={0: 2}, lock=[0]), 1) == [
        ("chow 5m 4m6m", "X-LOCK-1"),
        ("pung 5m", "X-LOCK-1"),
    ]
    assert listed(claim("46m55m"), 1) == []
    assert listed(on_discard(WITH_GOLD), 3) == [("win None 9p", "X-GOLD-2")]
    assert listed(on_discard(last="8p"), 3) == []
    assert listed(claim("55m", golds="5m"), 1) == [("pung 5m", "X-GOLD-3")]
    assert listed(opening({1: READY}), 1) == [("win rob_gold", "L-OPEN-2")]


def test_the_list_has_the_discards_that_must_not_be() -> None:
    must = own("147m 258p 369s 1z 22z 77z 3z", "5m", thrown="1z")
    acts = listed(must, 0)
    assert ("discard 5m", "X-FOLLOW-1") in acts
    assert "discard 1z" not in [act for act, _ in acts]
    assert listed(own("147m 258p 369s 1z 22z 77z 3z", "5m"), 0) == []


# -- What a seat sees --------------------------------------------------------------------------------------------


def test_another_s_hidden_hand_is_no_reason() -> None:
    """The rights that hang on it are judged as far as the seat can know; on the whole table they are refused."""
    for name in ("天和 goes first", "the dealer's 搶金, and another is ready"):
        case = CASES[name]
        assert refusal(case.position, case.seat, case.act) is not None
        assert refusal(as_seen(case.position, case.seat), case.seat, case.act) is None


def test_a_flower_that_another_has_drawn_does_not_show() -> None:
    flower, plain = (as_seen(own("147m 258p 258s 22346z1s", drawn), 2) for drawn in ("3f", "5m"))
    for act in (discard("4m"), win(), pung("5m", 0), kong("5m", "concealed"), PASS):
        assert refusal(flower, 2, act) == refusal(plain, 2, act)


def test_a_concealed_kong_that_is_not_shown_counts_nowhere() -> None:
    """With ``fifth_copy`` false a gold may not stand for a kind that is out; which kong another has laid face down does
    not decide that for a seat."""
    options = {"fifth_copy": False, "concealed_kong_shown": False}
    hand = "123456789m 123456p 1z"
    one, two = (
        table({0: hand}, golds="1z", drawn="9p", melds={2: [f"concealed {kind}"]}, options=options)
        for kind in ("9s", "8s")
    )
    assert refusal(as_seen(one, 0), 0, win()) == refusal(as_seen(two, 0), 0, win())
    assert as_seen(one, 0).melds == as_seen(two, 0).melds
    assert as_seen(one, 2).melds == one.melds
