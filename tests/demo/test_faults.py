"""Every planted fault is found, as what it is, and nothing else is."""

from __future__ import annotations

import pytest

from replays.audit import CLEAN, VIOLATIONS, audit
from replays.events import GameStarted
from replays.rulebook import Rulebook
from replays.variants import REGISTRY
from service.demo import FAULTS, Fault, faulty_game, planned, rooms_of
from service.simulator.games import book_of

#: What the audit may call each fault: a code, whichever clause of the rule set it falls under.
CODES = {
    "false-self-draw": ("not_complete",),
    "ignored-follow": ("must_follow_honour",),
    "barred-claim": ("locked_by_you", "locked_by_gold"),
    "tile-not-held": ("tile_not_held",),
    "swapped-draw": ("not_the_walls_tile",),
    "one-unit-more": ("wrong_water", "wrong_payment"),
    "moved-payment": ("wrong_payment",),
    "other-dealer": ("wrong_dealer",),
}
#: Faults that hang on clauses of a rule set's own: each has a place in one rule set at least.
OWN = ("ignored-follow", "barred-claim")
BOOKS = [book_of(ruleset, {}) for ruleset in REGISTRY]


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_the_fault_and_nothing_else_is_found(book: Rulebook, fault: Fault) -> None:
    events = faulty_game("g", book, fault, 0)
    if events is None:
        assert fault.name in OWN, "every rule set has a place for this fault"
        return
    report = audit(events)
    assert report.verdict == VIOLATIONS
    (code,) = {found.code for found in report.findings}
    assert code in CODES[fault.name]
    assert len(report.findings) <= 2  # a tile that is swapped is missing at two draws
    assert faulty_game("g", book, fault, 0) == events


@pytest.mark.parametrize("name", OWN)
def test_a_rule_sets_own_fault_is_shown_somewhere(name: str) -> None:
    (fault,) = (fault for fault in FAULTS if fault.name == name)
    assert any(faulty_game("g", book, fault, 0) for book in BOOKS)


def test_every_rule_set_is_shown() -> None:
    plans = list(planned(2))
    assert {plan.ruleset for plan in plans} == set(REGISTRY)
    assert len({plan.game for plan in plans}) == len(plans) == len(REGISTRY) * (2 + len(FAULTS))


@pytest.mark.parametrize("ruleset", REGISTRY)
def test_sound_games_are_sound_in_every_room(ruleset: str) -> None:
    rooms = rooms_of(ruleset)
    sound = [list(plan.play() or ()) for plan in planned(len(rooms)) if plan.ruleset == ruleset and plan.fault is None]
    assert [audit(events).verdict for events in sound] == [CLEAN] * len(rooms)
    firsts = [events[0] for events in sound]
    assert len({(repr(first.options), len(first.seats)) for first in firsts if isinstance(first, GameStarted)}) == len(
        rooms
    )
