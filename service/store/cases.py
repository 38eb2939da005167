"""Cases in the store: their chained events, texts and evidence, the table of how they stand, and their feed.

Events are appended by one function of the ledger, which checks four eyes and the evidence by itself. How a case stands
is kept beside it in the same transaction, so that it is never behind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from datetime import datetime
from typing import Any, NamedTuple

import psycopg

from schema.ports import Window
from schema.ports.cases import CaseFilter
from service.store.chains import walked
from service.store.errors import StoreError
from service.store.keyset import in_order, keyset
from service.store.records import Entry
from service.store.store import Store

_PAGE = 1000


class CaseRefusedError(StoreError):
    """The ledger refuses an append to a case."""


class CaseUnknownError(CaseRefusedError):
    """No case of this id, or no game for a new one."""


class CaseSequenceError(CaseRefusedError):
    """The case goes on at another place than expected."""


class CaseKeyError(CaseRefusedError):
    """The principal has used this idempotency key before."""


class SamePersonError(CaseRefusedError):
    """Who decides on a proposal is who made it."""


class EvidenceChangedError(CaseRefusedError):
    """The game or its audit stands otherwise than in the evidence that a proposal rests on."""


class InvalidCaseEventError(CaseRefusedError):
    """Bytes that are no event of this case at this place."""


_REFUSALS: Mapping[str, type[CaseRefusedError]] = {
    "MC001": CaseSequenceError,
    "MC002": CaseKeyError,
    "MC004": SamePersonError,
    "MC005": EvidenceChangedError,
    "MC006": CaseUnknownError,
    "MC007": InvalidCaseEventError,
}


class CaseEvent(NamedTuple):
    """An event of a case as stored: ``body`` is canonical JSON, ``public_digest`` the SHA-256 of what the case's player
    may know of it, ``head`` the chain's after it."""

    case_id: str
    seq: int
    recorded_at: datetime
    body: bytes
    public_digest: bytes
    salt: bytes
    head: bytes


class CaseText(NamedTuple):
    """Free text of the event ``seq``, which holds only SHA-256(``salt`` ‖ ``text``): 16 bytes, UTF-8."""

    seq: int
    salt: bytes
    text: bytes


class Evidence(NamedTuple):
    """A frozen file, ``bundle`` or ``report``."""

    kind: str
    content: bytes


class CaseState(NamedTuple):
    """How a case stands after ``events`` events: a row of ``case_states``."""

    case_id: str
    game: str
    events: int
    state: str
    round: int
    hand: int | None
    step: int | None
    clause: str | None
    player: str | None
    opened_by: str
    opened_at: datetime
    assignee: str | None
    due: datetime
    appeal_until: datetime | None
    outcome: str | None


class NewEvents(NamedTuple):
    """What one act adds to a case, the first event of it at ``expected_seq``."""

    case_id: str
    expected_seq: int
    principal: str
    key: str | None
    entries: Sequence[Entry]
    texts: Sequence[CaseText] = ()
    evidence: Sequence[Evidence] = ()


class CaseAppend(NamedTuple):
    """One append: its place in the feed, and which events of which case it brought. ``player`` is whose case it is."""

    position: int
    case_id: str
    game: str
    player: str | None
    first_seq: int
    last_seq: int
    recorded_at: datetime


class FrozenAudit(NamedTuple):
    """The newest audit of a game: ``report`` is the JSON text as it was written."""

    engine: str
    verdict: str
    report: str


class CaseReach(NamedTuple):
    """Who asks for cases: ``principal``; ``own`` is the player whose cases are the viewer's own, and all that there are
    to it unless ``is_staff``. To its own player a case that waits for approval is in review, whoever has it."""

    principal: str
    own: str | None
    is_staff: bool


# -- Writing -----------------------------------------------------------------------------------------------------------

_APPEND = """
SELECT * FROM mingpai.append_case(%s, %s::integer, %s, %s::text, %b::bytea[], %b::bytea[], %b::bytea[],
                                  %s::integer[], %b::bytea[], %b::bytea[], %s::text[], %b::bytea[])
"""
_COLUMNS = CaseState._fields
_PUT = (
    f"INSERT INTO mingpai.case_states ({', '.join(_COLUMNS)}) VALUES ({', '.join(['%s'] * len(_COLUMNS))}) "
    f"ON CONFLICT (case_id) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in _COLUMNS[1:])}"
)


def append(store: Store, new: NewEvents, state: CaseState) -> None:
    """Appends events, and puts down how the case stands after them: all or nothing, durable when this returns.

    Raises ``CaseSequenceError``, ``CaseKeyError``, ``SamePersonError``, ``EvidenceChangedError``,
    ``CaseUnknownError``, ``InvalidCaseEventError``.
    """
    bodies, publics, salts = ([entry[part] for entry in new.entries] for part in range(3))
    texts = ([one.seq for one in new.texts], [one.salt for one in new.texts], [one.text for one in new.texts])
    files = ([one.kind for one in new.evidence], [one.content for one in new.evidence])
    place = (new.case_id, new.expected_seq, new.principal, new.key)
    with store.driver() as driver, _refusals(), _transaction(driver):
        driver.execute(_APPEND, (*place, bodies, publics, salts, *texts, *files))
        driver.execute(_PUT, state)


def rebuild(store: Store, states: Iterable[CaseState]) -> int:
    """Makes the table of how cases stand anew, while nothing is appended; returns how many cases it has.

    ``states`` is read when the table is locked.
    """
    count = 0
    with store.driver() as driver, _transaction(driver):
        driver.execute("LOCK TABLE mingpai.case_states IN SHARE ROW EXCLUSIVE MODE")
        driver.execute("DELETE FROM mingpai.case_states")
        for state in states:
            driver.execute(_PUT, state)
            count += 1
    return count


def erase_texts(store: Store, case_id: str, seq: int | None = None) -> int:
    """Forgets the text of an event, or all texts of a case, with their salts; returns how many there were."""
    statement = "DELETE FROM mingpai.case_texts WHERE case_id = %s AND (seq = %s OR %s::integer IS NULL)"
    with store.driver() as driver:
        return driver.execute(statement, (case_id, seq, seq)).rowcount


@contextmanager
def _transaction(driver: psycopg.Connection[Any]) -> Iterator[None]:
    driver.isolation_level = psycopg.IsolationLevel.READ_COMMITTED  # each statement sees the others' commits
    with driver.transaction():
        yield


@contextmanager
def _refusals() -> Iterator[None]:
    try:
        yield
    except psycopg.Error as error:
        meant = _REFUSALS.get(error.sqlstate or "")
        if meant is None:
            raise
        raise meant(error.diag.message_primary) from error


# -- Reading -----------------------------------------------------------------------------------------------------------

_EVENTS = f"SELECT {', '.join(CaseEvent._fields)} FROM mingpai.case_events"
_STATES = f"""
SELECT {", ".join("s." + name for name in _COLUMNS)},
       s.due < clock_timestamp() AND s.state IN ('open', 'in_review', 'pending_approval', 'appealed')
FROM mingpai.case_states s
"""
_LATE = "(s.due < clock_timestamp() AND s.state IN ('open', 'in_review', 'pending_approval', 'appealed'))"
_IS_OWN = "((s.player = %(own)s::text) IS TRUE)"
_CONDITIONS = {
    "game": "s.game = %(game)s",
    "player": "s.player = %(player)s",
    "state": f"CASE WHEN s.state = 'pending_approval' AND {_IS_OWN} THEN 'in_review' ELSE s.state END = %(state)s",
    "assignee": f"s.assignee = %(assignee)s AND NOT {_IS_OWN}",
    "opened_by": f"s.opened_by = %(opened_by)s AND (s.opened_by = %(principal)s OR NOT {_IS_OWN})",
    "is_overdue": f"{_LATE} = %(is_overdue)s",
}
_AUDIT = """
SELECT engine, verdict, report FROM mingpai.audits WHERE game = %s ORDER BY audited_at DESC LIMIT 1
"""
_PERSON = "SELECT player FROM mingpai.principals WHERE principal = %s AND kind = 'person' AND disabled_at IS NULL"
_KEY = "SELECT case_id, first_seq FROM mingpai.case_appends WHERE principal = %s AND key = %s"
_CHANGES = """
SELECT a.position, a.case_id, h.game, s.player, a.first_seq, a.last_seq, a.recorded_at
FROM mingpai.case_appends a JOIN mingpai.case_heads h USING (case_id) JOIN mingpai.case_states s USING (case_id)
WHERE a.position > %s AND a.position <= %s ORDER BY a.position LIMIT %s
"""


def states(
    store: Store, wanted: CaseFilter, window: Window[tuple[datetime, str]], reach: CaseReach
) -> Sequence[tuple[CaseState, bool]]:
    """Cases, the newest first, by the place ``(opened_at, case_id)``, each with whether it is overdue."""
    given = {one.name: getattr(wanted, one.name) for one in fields(wanted)}
    equal = {name: value for name, value in given.items() if value is not None}
    page = keyset(window, ["s.opened_at", "s.case_id"], newest_first=True)
    conditions = ["true" if reach.is_staff else _IS_OWN, *(_CONDITIONS[name] for name in equal), *page.conditions]
    values = {**reach._asdict(), **equal, **page.values}
    with store.driver() as driver:
        rows = driver.execute(_STATES + f"WHERE {' AND '.join(conditions)}" + page.tail, values).fetchall()
    return in_order(window, [(CaseState._make(row[:-1]), row[-1]) for row in rows])


def state_of(store: Store, case_id: str) -> tuple[CaseState, bool] | None:
    """How a case stands by the table, and whether it is overdue."""
    with store.driver() as driver:
        row = driver.execute(_STATES + "WHERE s.case_id = %s", (case_id,)).fetchone()
    return None if row is None else (CaseState._make(row[:-1]), row[-1])


def events_of(store: Store, cases: Sequence[str]) -> dict[str, list[CaseEvent]]:
    """All events of cases in order, in one statement."""
    found: dict[str, list[CaseEvent]] = {}
    with store.driver() as driver:
        rows = driver.execute(f"{_EVENTS} WHERE case_id = ANY (%s) ORDER BY case_id, seq", (list(cases),), binary=True)
        for row in rows.fetchall():
            found.setdefault(row[0], []).append(CaseEvent._make(row))
    return found


def texts_of(store: Store, cases: Sequence[str]) -> dict[str, dict[int, CaseText]]:
    """The texts of cases that are still kept, by ``seq``, in one statement."""
    statement = "SELECT case_id, seq, salt, text FROM mingpai.case_texts WHERE case_id = ANY (%s) ORDER BY case_id, seq"
    found: dict[str, dict[int, CaseText]] = {}
    with store.driver() as driver:
        for case_id, *row in driver.execute(statement, (list(cases),), binary=True).fetchall():
            text = CaseText._make(row)
            found.setdefault(case_id, {})[text.seq] = text
    return found


def evidence_of(store: Store, digests: Sequence[bytes]) -> dict[bytes, Evidence]:
    """Frozen files by their digests, those that are there."""
    statement = "SELECT digest, kind, content FROM mingpai.case_evidence WHERE digest = ANY (%s)"
    with store.driver() as driver:
        rows = driver.execute(statement, (list(digests),), binary=True).fetchall()
    return {digest: Evidence(kind, content) for digest, kind, content in rows}


def appended_under(store: Store, principal: str, key: str) -> tuple[str, int] | None:
    """Case and first event of what a principal appended under a key."""
    with store.driver() as driver:
        row = driver.execute(_KEY, (principal, key)).fetchone()
    return None if row is None else (row[0], row[1])


def newest_audit(store: Store, game: str) -> FrozenAudit | None:
    """The newest audit of a game by any engine."""
    with store.driver() as driver:
        row = driver.execute(_AUDIT, (game,)).fetchone()
    return None if row is None else FrozenAudit._make(row)


def player_of(store: Store, principal: str) -> tuple[bool, str | None]:
    """Whether there is such a person, and the player whom that one is."""
    with store.driver() as driver:
        row = driver.execute(_PERSON, (principal,)).fetchone()
    return (False, None) if row is None else (True, row[0])


def changes(store: Store, after: int, limit: int = 1000) -> list[CaseAppend]:
    """Appends to cases behind the position ``after`` in the order in which they were stored; none that commits late is
    skipped, for a page never goes beyond the mark. ``ReplicaError`` on a replica."""
    with store.driver() as driver:
        (mark,) = driver.execute("SELECT mingpai.case_mark()").fetchone() or (0,)
        # In a statement of its own, which sees what was committed before the mark was read.
        rows = driver.execute(_CHANGES, (after, mark, limit)).fetchall()
    return [CaseAppend._make(row) for row in rows]


def last_position(store: Store) -> int:
    """The newest position that a reader of ``changes`` may start behind."""
    found: int = store.call("SELECT mingpai.case_mark()", ())[0]
    return found


# -- Checking ----------------------------------------------------------------------------------------------------------

_HEADS = f"""
SELECT h.case_id, h.game, h.next_seq, h.head, h.updated_at, g.players
FROM mingpai.case_heads h JOIN mingpai.games g USING (game) WHERE h.case_id > %s ORDER BY h.case_id LIMIT {_PAGE}
"""
_APPENDS = """
SELECT first_seq, last_seq, principal, head, recorded_at FROM mingpai.case_appends WHERE case_id = %s ORDER BY first_seq
"""
_STRAYS = """
SELECT e.case_id, min(e.seq) FROM mingpai.case_events e LEFT JOIN mingpai.case_heads h USING (case_id)
WHERE h.case_id IS NULL OR e.seq NOT BETWEEN 0 AND h.next_seq - 1 GROUP BY e.case_id
UNION ALL
SELECT a.case_id, min(a.first_seq) FROM mingpai.case_appends a LEFT JOIN mingpai.case_heads h USING (case_id)
WHERE h.case_id IS NULL GROUP BY a.case_id
ORDER BY 1, 2
"""
_DIGESTS = """
SELECT named.digest, c.content IS NOT NULL, coalesce(sha256(c.content) = c.digest, false)
FROM unnest(%s::bytea[]) AS named(digest) LEFT JOIN mingpai.case_evidence c USING (digest)
"""


class CaseHead(NamedTuple):
    """A case's head row, and who sat in its game."""

    case_id: str
    game: str
    next_seq: int
    head: bytes
    updated_at: datetime
    players: Sequence[str]


class CaseAppendRow(NamedTuple):
    """An append of one case as a check reads it."""

    first_seq: int
    last_seq: int
    principal: str
    head: bytes
    recorded_at: datetime


def heads(store: Store) -> Iterator[CaseHead]:
    """The head rows of all cases in a fixed order."""
    return map(CaseHead._make, walked(store, _HEADS, _PAGE))


def appends_of(store: Store, case_id: str) -> list[CaseAppendRow]:
    """A case's appends in the order of its chain."""
    with store.driver() as driver:
        return [CaseAppendRow._make(row) for row in driver.execute(_APPENDS, (case_id,)).fetchall()]


def stray_events(store: Store) -> list[tuple[str, int]]:
    """Cases with events or appends that no chain has, and the first of them."""
    with store.driver() as driver:
        return [(case_id, seq) for case_id, seq in driver.execute(_STRAYS).fetchall()]


def unsound_evidence(store: Store, digests: Sequence[bytes]) -> list[tuple[bytes, bool]]:
    """Those of the digests whose file is missing, or has other bytes; with whether it is there."""
    with store.driver() as driver:
        rows = driver.execute(_DIGESTS, (list(digests),), binary=True).fetchall()
    return [(digest, is_there) for digest, is_there, is_sound in rows if not is_sound]
