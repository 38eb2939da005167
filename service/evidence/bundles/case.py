"""What a verification has found so far: each step takes what earlier ones left here, and leaves its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from replays.rulebook import Rulebook
from service.evidence.bundles.form import Bundle
from service.evidence.bundles.shown import Shown
from service.evidence.bundles.steps import needed
from service.evidence.checkpoints import Checkpoint
from service.evidence.notes import Verifier


@dataclass
class Case:
    """One bundle under verification; what is ``None`` was not found."""

    raw: bytes
    verifiers: Sequence[Verifier]
    bundle: Bundle | None = None
    shown: tuple[Shown, ...] | None = None
    book: Rulebook | None = None
    head: bytes | None = None
    root: bytes | None = None
    checkpoint: Checkpoint | None = None
    report: dict[str, Any] | None = None  #: re-derived

    @property
    def form(self) -> Bundle:
        """The bundle; its step is skipped where the form is wrong."""
        return needed(self.bundle, "format")

    @property
    def events(self) -> tuple[Shown, ...]:
        """The events; a step that needs them is skipped where one is wrong."""
        return needed(self.shown, "events")

    @property
    def rules(self) -> Rulebook:
        """The rule book; likewise."""
        return needed(self.book, "ruleset")
