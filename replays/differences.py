"""What was recorded beside what follows from the rules, member by member."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from replays.finding import Finding

#: What findings on numbers and tiles that must follow are called. Acts that a rule forbids are not among them.
DERIVED = frozenset(
    "wrong_hand wrong_dealer wrong_streak scores_do_not_follow "
    "wrong_way_named wrong_item wrong_water wrong_payment does_not_balance paid_for_a_voided_hand paid_without_winner "
    "wrong_deal wrong_deal_order not_the_walls_tiles not_the_walls_tile not_the_whole_wall "
    "wrong_gold wrong_flip throws_do_not_answer not_the_seeds_wall wrong_wall_root not_the_seeds_dice".split()
)


class Difference(NamedTuple):
    """One member of an event that differs from what follows: ``member`` as in ``deltas[2]``, empty where the event as a
    whole does. ``recorded`` and ``derived`` are JSON values."""

    seq: int
    seat: int | None
    member: str
    recorded: Any
    derived: Any
    clause: str
    code: str


def differences(findings: Iterable[Finding]) -> tuple[Difference, ...]:
    """The differences that ``findings`` speak of; none exactly where none of them is of such a kind (``DERIVED``)."""
    return tuple([one for found in findings if found.code in DERIVED for one in _of(found)])


def _of(found: Finding) -> Iterator[Difference]:
    rows = [*_members(found.recorded, found.expected)] or [("", found.recorded, found.expected)]
    for member, recorded, derived in rows:
        yield Difference(found.seq, found.seat, member, recorded, derived, found.clause, found.code)


def _members(recorded: Mapping[str, Any], expected: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    for name in recorded:
        if name in expected and recorded[name] != expected[name]:
            yield from _places(name, recorded[name], expected[name])


def _places(name: str, recorded: Any, expected: Any) -> Iterator[tuple[str, Any, Any]]:
    """One row a place, where both are lists of one length."""
    if not isinstance(recorded, list) or not isinstance(expected, list) or len(recorded) != len(expected):
        yield name, recorded, expected
        return
    for place, (known, wanted) in enumerate(zip(recorded, expected, strict=True)):
        if known != wanted:
            yield f"{name}[{place}]", known, wanted
