"""Auditing a stored game anew."""

from __future__ import annotations

from typing import Annotated

import strawberry

from schema.graphql.context import Info
from schema.graphql.described import mutation, output
from schema.graphql.errors import GameNotFound, game_not_found
from schema.graphql.types import Audit, Finding, VerdictChange, audit_of, change_of, findings_only_in
from schema.ports import GameUnknownError


@output
class Reaudit:
    """An audit made anew, and the newest one that was stored before it, null where there was none. change is null where
    both say the same verdict; removed and added are the findings that only the earlier or only the new one has."""

    audit: Audit
    previous: Audit | None
    change: VerdictChange | None
    removed: list[Finding]
    added: list[Finding]


ReauditResult = Annotated[Reaudit | GameNotFound, strawberry.union("ReauditResult")]


@output
class ReauditMutation:
    """Auditing stored games anew."""

    @mutation
    def request_reaudit(self, info: Info, game: str) -> ReauditResult:
        """Audits a game by this engine as it is stored. Audits of other engines stay; for auditors and admins."""
        try:
            done = info.context.reaudits.audit(game)
        except GameUnknownError:
            return game_not_found(game)
        before, after = done.previous, done.audit
        return Reaudit(
            audit=audit_of(after),
            previous=None if before is None else audit_of(before),
            change=None if before is None else change_of(before, after),
            removed=[] if before is None else findings_only_in(before, after),
            added=[] if before is None else findings_only_in(after, before),
        )
