"""What a verification says: steps in a fixed order, each with its outcome."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

OK, FAILED, UNPROVEN, SKIPPED = "ok", "failed", "unproven", "skipped"

#: Every step, in the order in which they are taken.
STEPS = ("format", "events", "ruleset", "chain", "seal", "inclusion", "checkpoint", "shuffle", "rules", "report")

_T = TypeVar("_T")


class Step(NamedTuple):
    """One step and its outcome. ``code`` says in which way it came out so and never changes its meaning; ``details``
    (JSON values) name the place. The words are ``schema.catalogue.step_message``."""

    name: str
    status: str
    code: str
    details: dict[str, Any]


class Outcome(Exception):  # noqa: N818 - three of four outcomes are no errors
    """Ends a step before it is ok."""

    def __init__(self, status: str, code: str, **details: Any) -> None:
        super().__init__(status, code, details)
        self.status = status
        self.code = code
        self.details = details


def failed(code: str, **details: Any) -> Outcome:
    """What the bundle shows contradicts itself, the rules of proof, or the key."""
    return Outcome(FAILED, code, **details)


def unproven(code: str, **details: Any) -> Outcome:
    """What the bundle shows cannot say."""
    return Outcome(UNPROVEN, code, **details)


@contextmanager
def left_to(step: str) -> Iterator[None]:
    """What fails within is that ``step``'s to say: this one is skipped."""
    try:
        yield
    except Outcome:
        raise Outcome(SKIPPED, "needs", step=step) from None


def needed(value: _T | None, step: str) -> _T:
    """What an earlier ``step`` was to find; without it this one is skipped."""
    if value is None:
        raise Outcome(SKIPPED, "needs", step=step)
    return value
