"""Every planted fault is found, as what it is, and nothing else is."""

from __future__ import annotations

import pytest

from replays.audit import CLEAN, VIOLATIONS, audit
from replays.rulebook import Rulebook
from replays.variants import REGISTRY
from service.demo import FAULTS, Fault, faulty_game, planned
from service.simulator.games import book_of

#: What the audit calls each fault: a code, whichever clause of the rule set it falls under.
CODES = {
    "false-self-draw": {"not_complete"},
    "ignored-follow": {"must_follow_honour"},
    "tile-not-held": {"tile_not_held"},
    "swapped-draw": {"not_the_walls_tile"},
    "one-water-more": {"wrong_water"},
    "moved-payment": {"wrong_payment"},
    "other-dealer": {"wrong_dealer"},
}
BOOKS = [book_of(ruleset, {}) for ruleset in REGISTRY]


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_the_fault_and_nothing_else_is_found(book: Rulebook, fault: Fault) -> None:
    events = faulty_game("g", book, fault, 0)
    if events is None:
        assert not book.discard_rules, "every rule set has a place for this fault"
        return
    report = audit(events)
    assert report.verdict == VIOLATIONS
    assert {found.code for found in report.findings} == CODES[fault.name]
    assert len(report.findings) <= 2  # a tile that is swapped is missing at two draws
    assert faulty_game("g", book, fault, 0) == events


def test_every_rule_set_is_shown() -> None:
    plans = list(planned(2))
    assert {plan.ruleset for plan in plans} == set(REGISTRY)
    assert len({plan.game for plan in plans}) == len(plans) == len(REGISTRY) * (2 + len(FAULTS))


@pytest.mark.parametrize("ruleset", REGISTRY)
def test_sound_games_are_sound(ruleset: str) -> None:
    sound = [plan for plan in planned(2) if plan.ruleset == ruleset and plan.fault is None]
    assert [audit(plan.play() or ()).verdict for plan in sound] == [CLEAN, CLEAN]
