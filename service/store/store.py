"""The store: games and their chained events in PostgreSQL, written only by the functions of the migrations.

It knows no rules: bodies, digests and salts come from the caller. Every method may be called from any thread.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import islice
from select import POLLIN, poll
from typing import Any, Self

import psycopg
from sqlalchemy import ARRAY, Column, Engine, Text, any_, cast, create_engine, delete, event, select, tuple_
from sqlalchemy.exc import DisconnectionError

from schema.ports import Window
from service.store import audits
from service.store.deadlines import given_back, taken
from service.store.errors import UnknownGameError, translated
from service.store.keyset import in_order, keyset
from service.store.reach import Reach
from service.store.records import (
    Appended,
    Audit,
    Entry,
    EventText,
    Finding,
    Game,
    Health,
    Ingested,
    Opening,
    Sender,
    StoredEvent,
    time_text,
)
from service.store.schema import check_fit, connect, health
from service.store.tables import event_texts, game_heads, game_secrets, games, seat_names

_APPEND = "SELECT * FROM mingpai.append_events(%s, %s::integer, %s::text, %b, %b, %b)"
_APPEND_ONE = _APPEND.replace("%b", "ARRAY[%b]")  # a third of the client's work
_APPEND_TEXTS = _APPEND[:-1] + ", %s::integer[], %b, %b)"
_OPEN = "SELECT * FROM mingpai.open_game(%s, %s::text, %b, %b, %s::text[], %b, %b, %b)"
_STAGE = "COPY mingpai.staged_events (seq, body, public_digest, salt) FROM STDIN (FORMAT binary)"
_STAGED_TYPES = ("int4", "bytea", "bytea", "bytea")
_INGEST = "SELECT * FROM mingpai.ingest_events(%s, %b, %b, %s::text[], %s::integer[], %b::bytea[], %b::bytea[])"
_INGEST_OWNED = _INGEST.replace("ingest_events(", "ingest_owned(%s::text, ")
_EVENT_COLUMNS = f"{', '.join(StoredEvent._fields)} FROM mingpai.events"
_EVENTS = f"SELECT {_EVENT_COLUMNS} WHERE game = %s"
_PAGE = 5000  #: events fetched at once
#: A process that stops in the middle of a transaction keeps a game locked for so long, and not for ever. And compiling
#: a statement would cost more than running it, for each of them reads little.
_SESSION = "SET idle_in_transaction_session_timeout = '1min'; SET jit = off"
_COLUMNS: list[Column[Any]] = [(games if name in games.c else game_heads).c[name] for name in Game._fields]
_GAME = select(*_COLUMNS).join_from(games, game_heads)


class Store:
    """A pool of connections to one database. Made by ``Store.connect``; ends with ``close`` or as a context."""

    def __init__(self, engine: Engine, url: str, unsafe: tuple[str, ...]) -> None:
        self._engine = engine
        #: The address, for other processes of this program; it holds a password.
        self.url = url
        #: What may make this database lose acknowledged events: nothing is signed unless it is empty.
        self.unsafe = unsafe

    @classmethod
    def connect(cls, url: str, *, unsafe_allowed: bool = False, pool_size: int = 10) -> Store:
        """The store at ``url`` (``postgresql://``, as the application's role), checked to be fit.

        Raises ``UnreachableError``, ``SchemaOutdatedError``, ``SchemaNewerError``, ``UnsafeRoleError`` or, unless
        ``unsafe_allowed``, ``UnsafeDatabaseError``.
        """
        with connect(url) as connection:
            found = check_fit(connection, unsafe_allowed=unsafe_allowed)
        engine = create_engine(
            "postgresql+psycopg://",
            creator=lambda: _session(url),
            isolation_level="AUTOCOMMIT",
            pool_size=pool_size,
            max_overflow=0,
        )
        event.listen(engine, "checkout", _refuse_broken)
        event.listen(engine, "checkout", taken)
        event.listen(engine, "checkin", given_back)
        return cls(engine, url, found.unsafe)

    def close(self) -> None:
        """Ends the connections that are not in use."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def driver(self) -> Iterator[psycopg.Connection[tuple[Any, ...]]]:
        """A pooled connection without SQLAlchemy in between, for the hot paths."""
        with translated():
            pooled = self._engine.raw_connection()
            try:
                driver = pooled.driver_connection
                assert isinstance(driver, psycopg.Connection)
                yield driver
            finally:
                pooled.close()

    def call(self, statement: str, arguments: Sequence[object]) -> tuple[Any, ...]:
        """The one row of a statement that gives one, such as a call of the ledger's functions."""
        with self.driver() as driver:
            row = driver.execute(statement, arguments, binary=True).fetchone()
        assert row is not None  # the functions return one row or raise
        return row

    # Writing

    def open(self, opening: Opening, entry: Entry, key: str | None = None) -> Appended:
        """Starts a game with its event 0, all or nothing.

        The same ``key`` with the same body again returns the first result. Raises ``GameExistsError``,
        ``KeyConflictError``, ``InvalidEventError``.
        """
        details = (opening.ruleset_digest, opening.secret, list(opening.names))
        return _appended(self.call(_OPEN, (opening.game, key, *details, *entry)))

    def append(
        self,
        game: str,
        expected_seq: int,
        key: str | None,
        bodies: Sequence[bytes],
        publics: Sequence[bytes],
        salts: Sequence[bytes],
        texts: Sequence[EventText] = (),
    ) -> Appended:
        """Appends events, the first of them at ``expected_seq``, all or none; durable when this returns.

        ``publics`` are SHA-256 digests of the public forms, ``salts`` 16 bytes each; ``texts`` are those whose
        digests stand in the events. The same ``key`` with the same bodies again returns the first result. Raises
        ``SequenceConflictError``, ``KeyConflictError``, ``GameEndedError``, ``GameSealedError``, ``UnknownGameError``,
        ``InvalidEventError``.
        """
        if len(bodies) == len(publics) == len(salts) == 1 and not texts:
            return _appended(self.call(_APPEND_ONE, (game, expected_seq, key, bodies[0], publics[0], salts[0])))
        arguments = (game, expected_seq, key, list(bodies), list(publics), list(salts))
        if texts:
            return _appended(self.call(_APPEND_TEXTS, (*arguments, *_columns(texts))))
        return _appended(self.call(_APPEND, arguments))

    def ingest(
        self,
        opening: Opening,
        entries: Iterable[Entry],
        texts: Sequence[EventText] = (),
        *,
        batch: int = 5000,
        sender: Sender | None = None,
    ) -> Ingested:
        """Stores a whole game from event 0 on, ``batch`` events a transaction; stored ones are compared and skipped.

        So an ingest that broke off is resumed by doing it again. For a game that exists ``opening.secret`` must be
        its own (``secret``). Raises ``ContentConflictError`` at the first event that differs, ``SecretConflictError``,
        ``GameEndedError``, ``GameSealedError``, ``InvalidEventError``; batches before that one stay stored. A game
        that is not the ``sender``'s is a ``GameExistsError``; without one every game may be added to.
        """
        rest, first, skipped = iter(entries), 0, 0
        row: tuple[Any, ...] | None = None
        while part := list(islice(rest, batch)):
            row = self._ingest(opening, first, part, texts, sender)
            first += len(part)
            skipped += row[4]
        if row is None:
            raise ValueError("a game without events")
        return Ingested(*_appended(row[:4]), added=first - skipped, skipped=skipped)

    def _ingest(
        self,
        opening: Opening,
        first: int,
        part: Sequence[Entry],
        texts: Sequence[EventText],
        sender: Sender | None,
    ) -> tuple[Any, ...]:
        """Stages ``part`` by COPY and has the ledger move it, in a transaction that never waits for its source."""
        arguments = (opening.game, opening.ruleset_digest, opening.secret, list(opening.names), *_columns(texts))
        call, values = (_INGEST, arguments) if sender is None else (_INGEST_OWNED, (*sender, *arguments))
        with self.driver() as driver:
            driver.isolation_level = psycopg.IsolationLevel.READ_COMMITTED  # each statement sees the others' commits
            with driver.transaction(), driver.cursor() as cursor:
                with cursor.copy(_STAGE) as copy:
                    copy.set_types(_STAGED_TYPES)
                    for seq, entry in enumerate(part, first):
                        copy.write_row((seq, *entry))
                row = cursor.execute(call, values, binary=True).fetchone()
        assert row is not None  # the function returns one row or raises
        return row

    def erase_name(self, game: str, seat: int) -> bool:
        """Forgets a seat's name; ``False`` if there was none. The events never held it."""
        statement = delete(seat_names).where(seat_names.c.game == game, seat_names.c.seat == seat)
        with translated(), self._engine.connect() as connection:
            return connection.execute(statement).rowcount > 0

    def erase_names(self, player: str) -> int:
        """Forgets every name that a player has gone by; returns how many seats had one."""
        is_theirs = games.c.players[seat_names.c.seat + 1] == player
        statement = delete(seat_names).where(
            seat_names.c.game == games.c.game, games.c.players.contains([player]), is_theirs
        )
        with translated(), self._engine.connect() as connection:
            return connection.execute(statement).rowcount

    def erase_text(self, game: str, seq: int) -> bool:
        """Forgets an event's free text and its salt; ``False`` if there was none. The event holds their digest only."""
        statement = delete(event_texts).where(event_texts.c.game == game, event_texts.c.seq == seq)
        with translated(), self._engine.connect() as connection:
            return connection.execute(statement).rowcount > 0

    # Reading events

    def events(self, game: str, after: int = -1, limit: int | None = None) -> Iterator[StoredEvent]:
        """The events behind ``seq`` ``after`` in order, fetched page by page without holding a transaction open."""
        left = limit
        while left is None or left > 0:
            size = _PAGE if left is None else min(_PAGE, left)
            page = self._page(game, after, size)
            yield from page
            if len(page) < size:
                return
            after, left = page[-1].seq, None if left is None else left - size

    def _page(self, game: str, after: int, size: int) -> list[StoredEvent]:
        statement = f"{_EVENTS} AND seq > %s ORDER BY seq LIMIT %s"
        with self.driver() as driver:
            rows = driver.execute(statement, (game, after, size), binary=True).fetchall()
        return [StoredEvent._make(row) for row in rows]

    def window(self, game: str, window: Window[tuple[int]]) -> Sequence[StoredEvent]:
        """The events of one page in order, by the place ``(seq,)``."""
        page = keyset(window, ["seq"])
        statement = " AND ".join(["SELECT " + _EVENT_COLUMNS + " WHERE game = %(game)s", *page.conditions]) + page.tail
        with self.driver() as driver:
            rows = driver.execute(statement, {"game": game, **page.values}, binary=True).fetchall()
        return in_order(window, [StoredEvent._make(row) for row in rows])

    def event(self, game: str, seq: int) -> StoredEvent | None:
        """One event, ``None`` if there is none at this ``seq``."""
        found = next(self.events(game, seq - 1, 1), None)
        return found if found is not None and found.seq == seq else None

    def bodies(self, game: str) -> list[bytes]:
        """The canonical bytes of every event of a game, in order: all that an audit needs."""
        statement = "SELECT body FROM mingpai.events WHERE game = %s ORDER BY seq"
        with self.driver() as driver:
            return [body for (body,) in driver.execute(statement, (game,), binary=True).fetchall()]

    # Reading games

    def game(self, game: str) -> Game:
        """A game and how it stands; ``UnknownGameError`` if there is none."""
        with translated(), self._engine.connect() as connection:
            row = connection.execute(_GAME.where(games.c.game == game)).first()
        if row is None:
            raise UnknownGameError(f"no game {game}")
        return Game._make(row)

    def games(
        self,
        after: tuple[datetime, str] | None = None,
        limit: int = 100,
        *,
        newest_first: bool = False,
        player: str | None = None,
        status: str | None = None,
    ) -> list[Game]:
        """A page of games by time of opening, behind the ``cursor`` of an earlier one."""
        place = tuple_(games.c.opened_at, games.c.game)
        statement = _GAME.limit(limit)
        if player is not None:
            statement = statement.where(games.c.players.contains([player]))
        if status is not None:
            statement = statement.where(game_heads.c.status == status)
        if after is not None:
            statement = statement.where(place < tuple_(*after) if newest_first else place > tuple_(*after))
        order = [games.c.opened_at, games.c.game]
        statement = statement.order_by(*[column.desc() if newest_first else column for column in order])
        with translated(), self._engine.connect() as connection:
            return [Game._make(row) for row in connection.execute(statement)]

    def secret(self, game: str) -> bytes | None:
        """The game's secret K (32 bytes), ``None`` if there is no such game."""
        statement = select(game_secrets.c.secret).where(game_secrets.c.game == game)
        with translated(), self._engine.connect() as connection:
            found: bytes | None = connection.execute(statement).scalar()
        return found

    def names(self, game: str) -> dict[int, str]:
        """The names of a game's seats, those that were given and not erased."""
        return self.names_of([game]).get(game, {})

    def names_of(self, wanted: Sequence[str]) -> dict[str, dict[int, str]]:
        """The names of the seats of games, in one statement."""
        statement = select(seat_names).where(seat_names.c.game == any_(cast(list(wanted), ARRAY(Text))))
        found: dict[str, dict[int, str]] = {}
        with translated(), self._engine.connect() as connection:
            for row in connection.execute(statement.order_by(seat_names.c.game, seat_names.c.seat)):
                found.setdefault(row.game, {})[row.seat] = row.name
        return found

    def texts(self, game: str) -> list[EventText]:
        """The free texts of a game's events, those that were not erased."""
        columns = [event_texts.c[name] for name in EventText._fields]
        statement = select(*columns).where(event_texts.c.game == game).order_by(event_texts.c.seq)
        with translated(), self._engine.connect() as connection:
            return [EventText(*row) for row in connection.execute(statement)]

    # Audits

    def save_audit(self, report: Mapping[str, Any], upto_seq: int) -> bool:
        """Keeps an audit with its hands and findings in place of the same engine's earlier one.

        ``report`` is the JSON object of ``mingpai audit``, ``upto_seq`` the last event it saw. ``False``, and nothing
        changed, if a stored audit of that engine saw more. Raises ``UnknownGameError``.
        """
        with translated(), self._engine.connect() as connection:
            writing = connection.execution_options(isolation_level="READ COMMITTED")
            with writing.begin():
                return audits.save(writing, report, upto_seq)

    def audit(self, game: str, engine: str | None = None) -> Audit | None:
        """The audit of a game by ``engine``, or the newest by any."""
        with translated(), self._engine.connect() as connection:
            return audits.load(connection, game, engine)

    def audits_of(self, wanted: Sequence[str]) -> list[Audit]:
        """The newest audit by any engine of each of the games that have one, in one statement."""
        with self.driver() as driver:
            return audits.newest(driver, wanted)

    def findings_of(
        self, within: Reach, window: Window[tuple[str, int]], **equal: str | None
    ) -> Sequence[tuple[Finding, dict[str, Any]]]:
        """A page of the findings of newest audits in games within reach, by the place ``(game, ordinal)``: each as a
        row and as the document of a report. ``equal`` names columns and their values, ``None`` for any."""
        with self.driver() as driver:
            return audits.page(driver, within, window, equal)

    def findings(
        self,
        engine: str,
        *,
        game: str | None = None,
        clause: str | None = None,
        severity: str | None = None,
        after: tuple[str, int] | None = None,
        limit: int = 100,
    ) -> Sequence[Finding]:
        """A page of the engine's findings by game and place, behind the ``cursor`` of an earlier one."""
        equal = {"game": game, "clause": clause, "severity": severity}
        with translated(), self._engine.connect() as connection:
            return audits.find(connection, engine, equal, after, limit)

    def moment(self) -> datetime:
        """The database's clock, which receipts go by."""
        found: datetime = self.call("SELECT clock_timestamp()", ())[0]
        return found

    def health(self) -> Health:
        """How the database stands now: version, revision, and what makes it unsafe."""
        with self.driver() as driver:
            return health(driver)


def _session(url: str) -> psycopg.Connection[tuple[object, ...]]:
    session = connect(url)
    session.execute(_SESSION)
    return session


def _refuse_broken(driver: psycopg.Connection[Any], *_: object) -> None:
    """Lets the pool take another connection in place of one that the server has ended: there is something to read on
    it, which an idle one never has. Asking the server each time would cost a round trip an append."""
    if driver.closed:
        raise DisconnectionError
    ready = poll()  # not select, which knows the first 1024 files of a process only
    ready.register(driver.fileno(), POLLIN)
    if ready.poll(0):
        raise DisconnectionError


def _columns(texts: Sequence[EventText]) -> tuple[list[int], list[bytes], list[bytes]]:
    return [one.seq for one in texts], [one.salt for one in texts], [one.text for one in texts]


def _appended(row: tuple[Any, ...]) -> Appended:
    game, seq, head, moment = row
    return Appended(game, seq, head, time_text(moment))
