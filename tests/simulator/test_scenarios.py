"""Scenarios: each runs through, audits clean, and shows what it says."""

from __future__ import annotations

import pytest

from replays import events as ev
from replays.audit import audit
from replays.events import Act
from replays.reducer import apply
from replays.referee import offers, rights, why_not
from replays.shuffle import Stream
from replays.tiles import codes, parse
from replays.variants import REGISTRY, rulebook
from service.simulator import SCENARIOS, Scenario, ScriptError, count_wins, scenario
from service.simulator.scripts import Scene, parse_line, play_scenario
from service.simulator.walls import Deal, Flip, compose, tiles
from tests.simulator.played import of, played, refused, steps

SEEDS = (1, 2, 3)
VOIDED = {"voided", "hand-voided"}


# -- All of them -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario_is_clean_and_shows_its_win(name: str, seed: int) -> None:
    report = audit(scenario(name, seed))
    assert report.verdict == "clean"
    assert report.findings == ()
    assert report.hands[-1].win == SCENARIOS[name].win
    cancelled = sum(hand.win == "voided" for hand in report.hands)
    assert cancelled == (name in VOIDED)
    assert report.hands_proven == len(report.hands) - cancelled
    assert report.fairness_level == (0 if cancelled else 1)


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario_names_clauses_that_there_are(name: str) -> None:
    planned = SCENARIOS[name]
    book = rulebook(planned.ruleset, REGISTRY[planned.ruleset].version, planned.options)
    own = [clause for clause in planned.clauses if not clause.startswith("S-")]
    assert planned.shows
    assert planned.clauses
    assert set(own) <= set(book.clauses)


def test_every_way_to_win_has_a_scenario() -> None:
    shown = {(planned.ruleset, planned.win) for planned in SCENARIOS.values()}
    for ruleset in sorted({planned.ruleset for planned in SCENARIOS.values()}):
        ways = rulebook(ruleset, REGISTRY[ruleset].version, {}).wins
        assert [way for way in ways if (ruleset, way) not in shown] == []


def test_every_act_has_a_scenario() -> None:
    acts = count_wins(event for name in SCENARIOS for event in played(name)).acts
    kinds = "chow pung exposed added concealed gold double_you triple_you robbed pass overridden declare flower"
    assert {kind for kind in kinds.split() if not acts[kind]} == set()


WINNING_CLAUSES = {
    "discard": "X-WIN-1",
    "self-draw": "X-WIN-2",
    "kong-replacement": "X-WIN-2",
    "robbed-kong": "X-WIN-2",
    "you": "X-WIN-3",
    "double-you": "X-WIN-4",
    "triple-you": "X-WIN-5",
    "three-golds": "X-WIN-6",
    "three-golds-dealer": "X-WIN-6",
    "three-golds-later": "X-WIN-6",
    "heavenly-ready": "X-WIN-7",
    "heavenly-win": "X-WIN-8",
}


@pytest.mark.parametrize(("name", "clause"), WINNING_CLAUSES.items())
def test_the_win_is_by_its_clause(name: str, clause: str) -> None:
    assert audit(played(name)).hands[-1].clause == clause


# -- Ways to win -------------------------------------------------------------------------------------------------------


def test_three_golds_pay_four_times_at_the_opening_and_the_bonus_but_three_times_later() -> None:
    opening, later = (audit(played(name)).hands[-1] for name in ("three-golds", "three-golds-later"))
    assert (opening.factor, later.factor) == (4, 3)
    assert max(opening.deltas) == 3 * ((8 + opening.water) * 4 + 10)


def test_kong_replacement_comes_from_the_tail() -> None:
    (_, drawn) = [step for step in of("kong-replacement", ev.Drew) if step[1].tail][-1]
    (_, won) = of("kong-replacement", ev.Won)[-1]
    assert (won.tile, won.seat) == (drawn.tile, drawn.seat)


def test_robbed_kong_goes_to_the_nearer_and_does_not_count() -> None:
    ((table, won),) = of("robbed-kong", ev.Won)
    assert (won.seat, won.from_, table.turn) == (2, 1, 1)
    ((_, lost),) = of("robbed-kong", ev.ClaimOverridden)
    assert (lost.seat, lost.claim.act, lost.by) == (3, "win", 2)
    assert [meld.kind for meld in apply(table, won).melds[1]] == ["pung"]


def test_kong_is_not_robbed_where_the_option_says_so() -> None:
    ((table, kong),) = of("kong-not-robbed", ev.Konged)
    after = apply(table, kong)
    assert refused(after, 2, Act("win", kong.tile, from_=1)) == ("X-WIN-2", "no_robbing")


def test_upgrades_are_announced() -> None:
    assert [event.level for _, event in of("triple-you", ev.Discarded) if event.level] == ["double_you", "triple_you"]


def test_substitution_sets_a_gold_free() -> None:
    ((table, event),) = [step for step in of("double-you-by-substitution", ev.Discarded) if step[1].level]
    assert codes([table.drawn, event.tile]) == ["3p", "9p"]


def test_level_given_up_does_not_come_back() -> None:
    ((table, won),) = of("level-given-up", ev.Won)
    assert (won.win, table.levels[1], table.fallen >> 1 & 1) == ("you", 0, 1)


# -- Locks -------------------------------------------------------------------------------------------------------------


def test_lock_offers_nobody_what_would_be_a_claim_or_a_win() -> None:
    (table, event) = next(step for step in of("lock", ev.Discarded) if step[1].seat == 2)
    after = apply(table, event)
    five = parse("5s")
    assert refused(after, 3, Act("pung", five, (five, five), from_=2)) == ("X-LOCK-1", "locked_by_you")
    assert refused(after, 0, Act("win", five, from_=2)) == ("X-LOCK-1", "locked_by_you")
    assert [rights(after, seat) for seat in (0, 1, 3)] == [[], [], []]
    unlocked = after._replace(lock=0)
    assert "pung" in {act.act for act in rights(unlocked, 3)}
    assert "win" in {act.act for act in rights(unlocked, 0)}


def test_lock_forbids_the_others_a_kong() -> None:
    eight = parse("8s")
    table = next(table for table, event in steps("lock") if table.lock and table.turn == 3 and table.drawn == eight)
    kong = Act("kong", eight, (eight,) * 4, "concealed")
    assert refused(table, 3, kong) == ("X-LOCK-1", "locked_by_you")
    assert why_not(table._replace(lock=0), 3, kong) is None


def test_lock_leaves_claims_free_by_the_option() -> None:
    ((table, _),) = of("lock-claims-allowed", ev.Punged)
    assert table.lock == 0b10
    assert [act.act for act in rights(table, 0)] == []


def test_own_kong_keeps_the_level() -> None:
    ((table, kong),) = of("lock-own-kong", ev.Konged)
    assert (table.levels[1], apply(table, kong).levels[1]) == (2, 2)


def test_own_added_kong_is_not_robbed() -> None:
    ((table, kong),) = of("lock-own-kong-not-robbed", ev.Konged)
    after = apply(table, kong)
    assert after.robbable
    assert refused(after, 2, Act("win", kong.tile, from_=1)) == ("X-LOCK-1", "locked_by_you")
    assert [act.act for act in rights(after._replace(lock=0), 2)] == ["win"]


def test_the_wall_ends_while_the_lock_is_on() -> None:
    ((table, _),) = of("lock-until-the-end", ev.Exhausted)
    assert (table.lock, table.left, table.levels[1]) == (0b10, 16, 2)


def test_gold_discarder_may_not_win_on_a_discard_but_another_may() -> None:
    ((table, won),) = of("gold-discarder", ev.Won)
    assert refused(table, 1, Act("win", won.tile, from_=0)) == ("X-GOLD-3", "discarded_gold")
    assert won.seat == 3


def test_gold_in_hand_blocks_a_win_on_a_discard() -> None:
    (table, event) = of("gold-blocks", ev.Discarded)[0]
    assert refused(apply(table, event), 1, Act("win", event.tile, from_=0)) == ("X-GOLD-2", "gold_blocks_discard_win")


# -- The opening -------------------------------------------------------------------------------------------------------


def test_three_golds_wait_for_the_dealer() -> None:
    ((table, won),) = of("heavenly-win-first", ev.Won)
    assert won.seat == 0
    assert refused(table, 2, Act("win", win="three_golds")) == ("X-WIN-11", "heavenly_win_first")


def test_dealer_declines_on_record_before_three_golds() -> None:
    opening = [event for _, event in steps("heavenly-win-declined") if event.type in ("passed", "won")]
    assert [(event.type, event.seat) for event in opening] == [("passed", 0), ("won", 2)]
    assert [act.win for act in opening[0].options] == ["heavenly_win"]


def test_kong_ends_the_opening() -> None:
    ((table, kong),) = of("opening-ended-by-kong", ev.Konged)
    assert (table.opening, apply(table, kong).opening) == (True, False)
    assert [act.win for act in rights(table, 2)] == ["three_golds"]
    assert rights(apply(table, kong), 2) == []


def test_flowers_go_in_rounds() -> None:
    laid = [(event.seat, codes(event.flowers)) for _, event in of("flowers-in-rounds", ev.FlowersReplaced)]
    assert laid == [(0, ["1f", "2f"]), (1, ["3f"]), (3, ["5f"]), (0, ["4f"]), (1, ["6f"]), (0, ["7f"])]


@pytest.mark.parametrize(("name", "throws", "flipped"), [
    ("gold-flower-rethrow", 3, ["3f", "8f", "9p"]),
    ("gold-flower-next", 1, ["3f", "9p"]),
])  # fmt: skip
def test_flipped_flower_is_no_gold(name: str, throws: int, flipped: list[str]) -> None:
    ((table, event),) = of(name, ev.GoldFlipped)
    assert codes(event.tiles) == flipped
    assert sum(throw.purpose == "gold" for throw in table.throws) == throws


def test_white_as_gold_has_no_stand_in() -> None:
    table = [table for table, _ in steps("white-is-gold")][-1]
    assert codes(table.golds) == ["5z"]
    assert table.layout.faces == tuple(range(34))


# -- Claims ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "chow"), [
    ("chow-with-stand-in", ("4p", ["6p", "5z"])),
    ("stand-in-chowed", ("5z", ["4p", "6p"])),
])  # fmt: skip
def test_stand_in_in_a_chow(name: str, chow: tuple[str, list[str]]) -> None:
    event = of(name, ev.Chowed)[0][1]
    assert (codes([event.tile])[0], codes(event.with_)) == chow


def test_stand_in_that_is_white_is_not_chowed() -> None:
    ((table, _),) = of("whites-punged", ev.Punged)
    chow = Act("chow", parse("5z"), (parse("4p"), parse("6p")), from_=0)
    assert refused(table, 1, chow) == ("X-SHAPE-2", "discarded_white_is_white")


@pytest.mark.parametrize(("name", "lost"), [
    ("claim-priority", [(1, "chow", 3), (2, "pung", 3)]),
    ("pung-before-chow", [(1, "chow", 2)]),
    ("nearest-winner", [(3, "win", 1)]),
])  # fmt: skip
def test_better_rights_go_first(name: str, lost: list[tuple[int, str, int]]) -> None:
    events = [event for _, event in of(name, ev.ClaimOverridden)]
    assert [(event.seat, event.claim.act, event.by) for event in events] == lost


def test_the_honour_must_follow() -> None:
    (table, _) = next(step for step in of("follow", ev.Discarded) if step[1].seat == 1)
    assert [act.tile for act in offers(table)[1]] == [parse("1z")]
    assert refused(table, 1, Act("discard", table.drawn)) == ("X-FOLLOW-1", "must_follow_honour")


def test_heavenly_ready_need_not_follow() -> None:
    (table, event) = next(step for step in of("follow-exempt", ev.Discarded) if step[1].seat == 1)
    assert event.tile == table.drawn
    assert {act.tile for act in offers(table)[1] if act.act == "discard"} == {parse("1z"), table.drawn}


# -- Ends --------------------------------------------------------------------------------------------------------------


def test_dead_wall_is_reached_by_a_discard() -> None:
    ((table, _),) = of("exhausted", ev.Exhausted)
    assert (table.left, table.last >= 0) == (16, True)


def test_last_flower_is_laid_out_and_not_replaced() -> None:
    (_, laid) = of("last-tile-flower", ev.FlowersReplaced)[-1]
    assert (codes(laid.flowers), laid.drawn) == (["1f"], ())
    assert next(event.seq for _, event in of("last-tile-flower", ev.Exhausted)) == laid.seq + 1


def test_last_discard_is_punged_and_not_konged() -> None:
    (table, pung) = of("last-discard-punged", ev.Punged)[-1]
    assert table.left == 16
    kong = Act("kong", pung.tile, (pung.tile,) * 3, "exposed", from_=2)
    assert refused(table, 0, kong) == ("X-DRAW-1", "kong_without_replacement")


def test_last_discard_is_won_on() -> None:
    ((table, won),) = of("last-discard-won", ev.Won)
    assert (table.left, won.from_) == (16, 2)


@pytest.mark.parametrize(("name", "second"), [("dealer-stays", (0, 1)), ("dealer-changes", (1, 0)), ("voided", (0, 0))])
def test_next_dealer_and_streak(name: str, second: tuple[int, int]) -> None:
    hand = audit(played(name)).hands[1]
    assert (hand.dealer, hand.streak) == second


def test_voided_hand_pays_nothing() -> None:
    assert audit(played("voided")).hands[0].deltas == (0, 0, 0, 0)


# -- Chosen walls and scripts ------------------------------------------------------------------------------------------


def test_chosen_wall_is_whole_whatever_fills_it() -> None:
    book = rulebook("xiamen", "1", {})
    deal = Deal((Flip("1f", (1, 2)), Flip("9p", (6, 6))), ("", "99p"), "? 1m ?", tail="2m", late="3s")
    walls = [compose(book, deal, 2, 4, Stream(bytes(16), f"{i}", b"")) for i in range(20)]
    assert all(sorted(wall) == sorted(book.wall) for wall in walls)
    assert {wall[66] for wall in walls} == {parse("1m")}
    assert len(set(walls)) == 20


@pytest.mark.parametrize(("deal", "message"), [
    (Deal((Flip("9p"),), ("99999p",)), "more copies"),
    (Deal((Flip("9p"),), ("", "123456789m 123456789p")), "18 tiles for a hand of 16"),
    (Deal((Flip("9p"),), ("1x",)), "no tiles"),
])  # fmt: skip
def test_impossible_wall_is_refused(deal: Deal, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        compose(rulebook("xiamen", "1", {}), deal, 0, 4, Stream(bytes(16), "wall", b""))


def test_script_that_does_not_run_through_is_an_error() -> None:
    planned = Scenario("xiamen", "", (), (Scene(Deal((Flip("9p"),), ("11m",)), "0 win triple_you"),))
    with pytest.raises(ScriptError, match="impossible"):
        play_scenario("impossible", planned, 1)


def test_unknown_scenario() -> None:
    with pytest.raises(KeyError):
        scenario("nothing", 1)


def test_script_lines() -> None:
    line = parse_line("2 chow 4p 6p5z")
    assert (line.seat, line.act, line.tile, line.with_) == (2, "chow", parse("4p"), tuple(tiles("6p5z")))
    assert parse_line("1 kong added 5p")[1:] == ("kong", parse("5p"), (), "added")
    assert parse_line("0 win").is_meant(0, Act("win", parse("1m"), win="you"))
