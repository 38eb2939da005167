"""Verifying a bundle: every step in its order, whatever the bundle holds."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any, NamedTuple

from service.evidence.bundles import form, proofs, reports, shown, walls
from service.evidence.bundles.case import Case
from service.evidence.bundles.steps import FAILED, OK, STEPS, UNPROVEN, Outcome, Step
from service.evidence.notes import Verifier

#: The steps that must hold before anything is called verified.
ANCHORS = ("seal", "inclusion", "checkpoint")


class Verification(NamedTuple):
    """What became of a bundle.

    ``verified``: no step failed, and seal, inclusion and checkpoint hold under a key that was given. ``unproven`` are
    ``(code, details)`` of what stays open, worded as steps are, with ``log/…`` for what the log itself cannot show.
    ``report`` is the audit's document over what is shown (``None`` where there is none), ``leaves``, ``head`` and
    ``root`` are re-derived (32 bytes each), ``digest`` is the SHA-256 of the bundle's file.
    """

    verified: bool
    steps: tuple[Step, ...]
    unproven: tuple[tuple[str, dict[str, Any]], ...]
    report: dict[str, Any] | None
    game: str | None
    leaves: tuple[bytes, ...]
    head: bytes | None
    root: bytes | None
    digest: bytes

    def step(self, name: str) -> Step:
        """The step of a name."""
        return self.steps[STEPS.index(name)]

    @property
    def reason(self) -> str:
        """The step for which the bundle is not verified: the first that failed, else the first of those that must
        hold and does not; empty where it is verified."""
        failures = [step.name for step in self.steps if step.status == FAILED]
        missing = [name for name in ANCHORS if self.step(name).status != OK]
        return next(iter(failures + missing), "")

    @property
    def is_bundle(self) -> bool:
        """Whether there was a bundle to verify at all."""
        return self.step("format").code not in form.NO_BUNDLE


def verify(raw: bytes, *verifiers: Verifier) -> Verification:
    """Re-derives everything that the bundle in ``raw`` shows (``fairness.md``, "Evidence"); ``verifiers`` are the keys
    whose word on a checkpoint counts. Raises for no input: what is wrong is the failed step's."""
    case = Case(raw, verifiers)
    steps = tuple([_taken(name, case) for name in STEPS])
    return Verification(
        verified=_is_verified(steps),
        steps=steps,
        unproven=_unproven(steps, case.report),
        report=case.report,
        game=None if case.bundle is None else case.bundle.game,
        leaves=() if case.shown is None else tuple(event.leaf for event in case.shown),
        head=case.head,
        root=case.root,
        digest=sha256(raw).digest(),
    )


def _format(case: Case) -> dict[str, Any]:
    case.bundle = form.read(case.raw)
    return {"bytes": len(case.raw)}


def _events(case: Case) -> dict[str, Any]:
    case.shown = shown.shown_events(case.form)
    return {"events": len(case.shown), "full": sum(event.is_full for event in case.shown)}


_CHECKS: dict[str, Callable[[Case], dict[str, Any]]] = {
    "format": _format,
    "events": _events,
    "ruleset": proofs.ruleset,
    "chain": proofs.chain,
    "seal": proofs.seal,
    "inclusion": proofs.inclusion,
    "checkpoint": proofs.checkpoint,
    "shuffle": walls.shuffle,
    "rules": reports.rules,
    "report": reports.report,
}


def _taken(name: str, case: Case) -> Step:
    try:
        return Step(name, OK, OK, _CHECKS[name](case))
    except Outcome as outcome:
        return Step(name, outcome.status, outcome.code, outcome.details)
    except Exception as fault:  # what a step cannot cope with is not proven: no input ends the verification
        return Step(name, FAILED, "broke", {"reason": f"{type(fault).__name__}: {fault}"[:200]})


def _is_verified(steps: tuple[Step, ...]) -> bool:
    is_anchored = all(step.status == OK for step in steps if step.name in ANCHORS)
    return is_anchored and not any(step.status == FAILED for step in steps)


def _unproven(steps: tuple[Step, ...], report: dict[str, Any] | None) -> tuple[tuple[str, dict[str, Any]], ...]:
    """What a missing seal leaves open is said once, by the chain."""
    open_steps = [
        step for step in steps if step.status == UNPROVEN and (step.name == "chain" or step.code != "no_seal")
    ]
    of_steps = [(f"{step.name}/{step.code}", step.details) for step in open_steps]
    of_the_log: list[tuple[str, dict[str, Any]]] = [(f"log/{code}", {}) for code in (report or {}).get("unproven", [])]
    return (*of_steps, *of_the_log)
