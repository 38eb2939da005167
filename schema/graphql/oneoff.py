"""Audits of logs that are sent along, and not stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, cast

import strawberry
from strawberry.scalars import JSON

from schema.graphql.context import Info
from schema.graphql.described import mutation, output
from schema.graphql.enums import ErrorCode, Lang, Verdict
from schema.graphql.errors import Problem
from schema.graphql.scalars import BigInt
from schema.graphql.types import Finding, finding_of
from schema.ports.oneoff import LogUnfitError


@output
class LogAudit:
    """What was found in one game of a log; report is the JSON object of mingpai audit, with the hands and, where the
    game could not be read to its end, the error and its place."""

    game: str
    ruleset: str
    ruleset_digest: str
    engine_version: str
    verdict: Verdict
    events: int
    findings: list[Finding]
    scores: list[BigInt]
    report: JSON


@output
class LogAudits:
    """The audits of a log, one a game; stopped says what ended the reading after the last of them, if anything did."""

    audits: list[LogAudit]
    stopped: JSON | None


@output
class LogRefused(Problem):
    """A log that gives no report. line, member, expected and found say what could not be read."""

    line: int | None
    member: str | None
    expected: str | None
    found: str | None


AuditLogResult = Annotated[LogAudits | LogRefused, strawberry.union("AuditLogResult")]


@output
class OneOffMutation:
    """Auditing what is not stored."""

    @mutation
    def audit_log(self, info: Info, log: str, lang: Lang = Lang.EN) -> AuditLogResult:
        """Audits a log (paipu/1, one event a line) without storing anything."""
        try:
            found = info.context.oneoff.audit(log.encode("utf-8", "surrogatepass"), lang.value)
        except LogUnfitError as error:
            return _refused(error)
        audits = [_audit_of(report) for report in found.reports]
        return LogAudits(audits=audits, stopped=cast(JSON | None, found.stopped))


def _audit_of(report: Mapping[str, Any]) -> LogAudit:
    return LogAudit(
        game=report["game"],
        ruleset=report["ruleset"],
        ruleset_digest=report["ruleset_digest"],
        engine_version=report["engine"],
        verdict=Verdict(report["verdict"]),
        events=report["events"],
        findings=[finding_of(found) for found in report["findings"]],
        scores=report["scores"],
        report=cast(JSON, report),
    )


def _refused(error: LogUnfitError) -> LogRefused:
    place = {name: error.details.get(name) for name in ("line", "member", "expected", "found")}
    return LogRefused(code=ErrorCode(error.code), message=str(error), **place)
