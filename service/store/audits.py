"""Audits in the store: the report as it was written, and its hands and findings as rows to ask by."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import psycopg
from sqlalchemy import Connection, delete, insert, select, tuple_
from sqlalchemy.dialects.postgresql import insert as upsert

from schema.ports import Window
from service.store.keyset import in_order, keyset
from service.store.reach import Reach
from service.store.records import Audit, Finding
from service.store.tables import audit_hands, audits, findings

_HAND_MEMBERS = ("hand", "dealer", "streak", "winner", "win", "deltas", "state_hash")
_DOCUMENT = ("seq", "hand", "seat", "clause", "code", "severity", "expected", "recorded", "also")
_FINDING_MEMBERS = ("seq", "hand", "seat", "clause", "code", "severity", "expected", "recorded")


def save(connection: Connection, report: Mapping[str, Any], upto_seq: int) -> bool:
    """Replaces the engine's audit of the game unless that one saw more events; ``False`` if it did.

    ``report`` is the JSON object of ``mingpai audit``. The rows of hands and findings are read off it.
    """
    key = {"game": report["game"], "engine": report["engine"]}
    text = json.dumps(report, ensure_ascii=False, separators=(",", ":"))
    statement = upsert(audits).values(**key, upto_seq=upto_seq, verdict=report["verdict"], report=text)
    new = statement.excluded
    replaced = statement.on_conflict_do_update(
        index_elements=["game", "engine"],
        set_={"upto_seq": new.upto_seq, "verdict": new.verdict, "report": new.report, "audited_at": new.audited_at},
        where=audits.c.upto_seq <= new.upto_seq,
    ).returning(audits.c.game)
    if connection.execute(replaced).first() is None:
        return False
    for table, rows in ((audit_hands, _hands(report)), (findings, _findings(report))):
        connection.execute(delete(table).where(table.c.game == key["game"], table.c.engine == key["engine"]))
        complete = [{**key, **row} for row in rows]
        if complete:
            connection.execute(insert(table), complete)
    return True


def _hands(report: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for hand in report.get("hands", ()):
        yield {member: hand.get(member) for member in _HAND_MEMBERS} | {"items": hand.get("items") or []}


def _findings(report: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for ordinal, finding in enumerate(report.get("findings", ())):
        row = {member: finding.get(member) for member in _FINDING_MEMBERS}
        yield row | {"ordinal": ordinal, "also": list(finding.get("also", ()))}


def load(connection: Connection, game: str, engine: str | None) -> Audit | None:
    """The audit of ``engine``, or the newest one of any engine."""
    statement = select(audits).where(audits.c.game == game).order_by(audits.c.audited_at.desc()).limit(1)
    if engine is not None:
        statement = statement.where(audits.c.engine == engine)
    row = connection.execute(statement).first()
    if row is None:
        return None
    return Audit(row.game, row.engine, row.upto_seq, row.verdict, json.loads(row.report), row.audited_at)


_NEWEST = """
SELECT DISTINCT ON (game) game, engine, upto_seq, verdict, report, audited_at FROM mingpai.audits
WHERE game = ANY (%s) ORDER BY game, audited_at DESC
"""


def newest(driver: psycopg.Connection[Any], games: Sequence[str]) -> list[Audit]:
    """The newest audit of each of the games that have one."""
    rows = driver.execute(_NEWEST, (list(games),)).fetchall()
    return [Audit(game, engine, seq, verdict, json.loads(text), at) for game, engine, seq, verdict, text, at in rows]


def page(
    driver: psycopg.Connection[Any],
    within: Reach,
    window: Window[tuple[str, int]],
    equal: Mapping[str, str | None],
) -> Sequence[tuple[Finding, dict[str, Any]]]:
    """One page of the findings of newest audits in games within reach, by game and place."""
    values: dict[str, Any] = {name: value for name, value in equal.items() if value is not None}
    parts = keyset(window, ["f.game", "f.ordinal"])
    conditions = [f"f.{name} = %({name})s" for name in values]
    conditions += [within.condition(values), *parts.conditions]
    columns = ", ".join(f"f.{name}" for name in Finding._fields)
    statement = f"SELECT {columns} FROM mingpai.findings f JOIN mingpai.games g USING (game)"
    statement += " JOIN mingpai.search_games s ON s.game = f.game AND s.engine = f.engine"
    statement += f" WHERE {' AND '.join(conditions)}{parts.tail}"
    rows = [Finding._make(row) for row in driver.execute(statement, values | parts.values).fetchall()]
    return in_order(window, [(row, {member: getattr(row, member) for member in _DOCUMENT}) for row in rows])


def find(
    connection: Connection,
    engine: str,
    equal: Mapping[str, str | None],
    after: tuple[str, int] | None,
    limit: int,
) -> Sequence[Finding]:
    """Findings of ``engine`` whose columns ``equal`` the given values (``None``: any), by game and place."""
    columns = [findings.c[name] for name in Finding._fields]
    statement = select(*columns).where(findings.c.engine == engine)
    for name, value in equal.items():
        if value is not None:
            statement = statement.where(findings.c[name] == value)
    if after is not None:
        statement = statement.where(tuple_(findings.c.game, findings.c.ordinal) > tuple_(*after))
    rows = connection.execute(statement.order_by(findings.c.game, findings.c.ordinal).limit(limit))
    return [Finding(*row) for row in rows]
