"""Attacks on what is stored: who is stopped by what, and what gets through, so that a check has to find it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple
from urllib.parse import urlsplit

import psycopg
import pytest

from replays import merkle
from service.embedded import Server
from service.evidence.checkpoints import Checkpoint, signed_checkpoint
from service.evidence.log_tree import root
from service.store import Store
from service.store.errors import AppendOnlyError, translate
from service.store.log import Log
from service.usecases.notary import RewrittenError, RolledBackError, require_contained
from service.usecases.sealing import chain_of
from tests.databases import Database, cloned
from tests.store import attacks
from tests.store.attacks import ATTACKS, EVIDENCE, LOG, NEEDS_A_COPY, NEEDS_KEYS, WEAKENINGS, Connection

ROLES = ("application", "reader", "ledger", "owner", "superuser")

#: What the ledger owns and nobody changes, what the owner owns, and the two tables whose rows move on.
LEDGERS = ("events", "appends", "log_leaves", "log_nodes", "checkpoints", "cosignatures")
OWNERS = ("games", "game_secrets")
MOVING = ("game_heads", "log_head")

#: A change of every row.
UPDATES = {
    "events": "SET body = 'forged'",
    "appends": "SET key = 'forged'",
    "games": "SET started_at = 'forged'",
    "game_heads": "SET head = 'forged'",
    "game_secrets": "SET secret = sha256('forged')",
    "log_leaves": "SET seal = 'forged'",
    "log_nodes": "SET hash = sha256('forged')",
    "log_head": "SET size = 0",
    "checkpoints": "SET note = sha256(note)",
    "cosignatures": "SET line = 'forged'",
}

#: A row more. That of ``events`` goes on from the head of an earlier event: a fork.
ROWS = {
    "events": "SELECT game, 9000, recorded_at, body, public_digest, salt, mingpai.next_head(head, sha256('forged')) "
    "FROM mingpai.events WHERE seq = 3",
    "appends": "(recorded_at, first_seq, last_seq, game, head) VALUES (now(), 1, 1, 'g', 'forged')",
    "games": "VALUES ('forged', '', '', '{}', sha256(''), '{}', '', now())",
    "game_heads": "(game, next_seq, head, updated_at) VALUES ('forged', 1, 'forged', now())",
    "game_secrets": "VALUES ('forged', sha256(''))",
    "log_leaves": "VALUES (5, 'forged', 'forged', sha256('forged'), now())",
    "log_nodes": "VALUES (9, 9, sha256('forged'))",
    "log_head": "VALUES (false, 9)",
    "checkpoints": "(size, note, signed_at) VALUES (9, 'forged', now())",
    "cosignatures": "SELECT position, 'forged', now() FROM mingpai.checkpoints",
}

_EMPTIED = (
    "CREATE OR REPLACE FUNCTION mingpai.refuse_change() RETURNS trigger LANGUAGE plpgsql "
    "AS 'BEGIN RETURN coalesce(NEW, OLD); END'"
)
_DISABLED = "ALTER TABLE mingpai.{table} DISABLE TRIGGER USER"
_GRANTED = "GRANT ALL ON mingpai.{table} TO CURRENT_ROLE"
_UPDATE = "UPDATE mingpai.{table} {update}"

#: Each attack by its statements, and by kind of table what stops the five roles: (R)ights, (T)riggers, (C)onstraints
#: or nothing (-).
STATEMENTS: dict[str, tuple[str, ...]] = {
    "update": (_UPDATE,),
    "delete": ("DELETE FROM mingpai.{table}",),
    "truncate": ("TRUNCATE mingpai.{table} CASCADE",),
    "replication role": ("SET session_replication_role = replica", _UPDATE),
    "triggers disabled": (_DISABLED, _UPDATE),
    "rights granted": (_GRANTED, _UPDATE),
    "rights granted, triggers disabled": (_GRANTED, _DISABLED, _UPDATE),
    "trigger's function emptied": (_EMPTIED, _UPDATE),
    "row forged": ("INSERT INTO mingpai.{table} {row}",),
}
STOPPED = {
    "update": ("RRRRT", "RRRTT", "RR---"),
    "delete": ("RRRRT", "RRRTT", "RRRRT"),
    "truncate": ("RRRRT", "RRRTT", "RRRRT"),
    "replication role": ("RRRRT", "RRRRT", "RRRR-"),
    "triggers disabled": ("RRRR-", "RRR--", "RR---"),
    "rights granted": ("RRTTT", "RRRTT", "RR---"),
    "rights granted, triggers disabled": ("RR---", "RRR--", "RR---"),
    "trigger's function emptied": ("RRRR-", "RRR--", "RRR--"),
    "row forged": ("RR---", "RR---", "RRCCC"),
}
#: A truncation of games reaches the tables that refer to it, which are the ledger's; and a game has one secret, a leaf
#: a game.
EXCEPTIONS = {
    ("truncate", "games"): "RRRRT",
    ("row forged", "game_secrets"): "RRCCC",
    ("row forged", "log_leaves"): "RRCCC",
}


class Sealed(NamedTuple):
    """A database with a log of five sealed games, to look at or to copy; the games, and what a reader outside kept."""

    database: Database
    games: list[str]
    checkpoint: Checkpoint

    @property
    def game(self) -> str:
        """The one that is attacked."""
        return self.games[2]

    @property
    def name(self) -> str:
        return urlsplit(self.database.admin_url).path[1:]


@pytest.fixture(scope="module")
def sealed(postgres: Server, migrated_template: str) -> Iterator[Sealed]:
    with cloned(postgres, migrated_template) as database:
        with Store.connect(database.application_url, unsafe_allowed=True) as store:
            games = attacks.sealed_log(store)
            kept = Log(store).checkpoint()
        assert kept is not None
        yield Sealed(database, games, signed_checkpoint(kept.note, LOG.verifier))


@pytest.fixture
def attacked(postgres: Server, sealed: Sealed) -> Iterator[Database]:
    """A copy of the sealed database, to be spoilt."""
    with cloned(postgres, sealed.name) as database:
        yield database


def session(database: Database, role: str) -> Connection:
    """A connection as ``role``; nobody can log in as the ledger, but its member, the owner, may become it."""
    urls = {
        "application": database.application_url,
        "reader": database.reader_url,
        "ledger": database.owner_url,
        "owner": database.owner_url,
        "superuser": database.admin_url,
    }
    connection = psycopg.connect(urls[role])
    if role == "ledger":
        connection.execute("SET ROLE mingpai_ledger")
    return connection


def outcome(database: Database, role: str, attack: Callable[[Connection], object]) -> str:
    """What stops an attack, which is taken back: R, T or C, or - for nothing."""
    with session(database, role) as connection:
        try:
            attack(connection)
        except psycopg.Error as error:
            return _kind(error)
        finally:
            connection.rollback()
    return "-"


def _kind(error: psycopg.Error) -> str:
    if isinstance(translate(error), AppendOnlyError):
        return "T"
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        return "R"
    assert isinstance(error, psycopg.IntegrityError), error
    return "C"


def outcomes(database: Database, attack: Callable[[Connection], object]) -> str:
    return "".join(outcome(database, role, attack) for role in ROLES)


def rows(database: Database) -> dict[str, str]:
    """A digest of every table that proves something."""
    with psycopg.connect(database.admin_url) as connection:
        return rows_in(connection)


def rows_in(connection: Connection) -> dict[str, str]:
    return {table: _digest(connection, f"mingpai.{table}") for table in EVIDENCE}


#: What the catalogue says of the guards.
GUARDS = {
    "triggers": "SELECT tgrelid, tgname, tgenabled, tgfoid FROM pg_trigger WHERE NOT tgisinternal",
    "foreign keys": "SELECT tgrelid, tgconstraint, tgenabled FROM pg_trigger WHERE tgisinternal",
    "functions": "SELECT proname, prosrc, proowner, proacl FROM pg_proc WHERE pronamespace = 'mingpai'::regnamespace",
    "tables": "SELECT relname, relowner, relacl FROM pg_class WHERE relnamespace = 'mingpai'::regnamespace",
    "constraints": "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint",
    "roles": "SELECT rolname, rolcanlogin FROM pg_roles",
    "members": "SELECT roleid, member FROM pg_auth_members",
}


def guards(database: Database) -> dict[str, str]:
    """A digest of each of ``GUARDS``."""
    with psycopg.connect(database.admin_url) as connection:
        return guards_in(connection)


def guards_in(connection: Connection) -> dict[str, str]:
    return {name: _digest(connection, f"({query})") for name, query in GUARDS.items()}


def _digest(connection: Connection, source: str) -> str:
    query = f"SELECT md5(coalesce(string_agg(t::text, '/' ORDER BY t::text), '')) FROM {source} t"
    row = connection.execute(query).fetchone()
    assert row is not None
    return str(row[0])


@pytest.mark.parametrize("table", EVIDENCE)
@pytest.mark.parametrize("attack", STATEMENTS)
def test_who_is_stopped_by_what(sealed: Sealed, attack: str, table: str) -> None:
    before = rows(sealed.database)
    kind = [table in tables for tables in (LEDGERS, OWNERS, MOVING)].index(True)
    statements = [one.format(table=table, update=UPDATES[table], row=ROWS[table]) for one in STATEMENTS[attack]]

    def carried_out(connection: Connection) -> None:
        for statement in statements:
            connection.execute(statement)

    expected = EXCEPTIONS.get((attack, table)) or STOPPED[attack][kind]
    assert outcomes(sealed.database, carried_out) == expected
    assert rows(sealed.database) == before


@pytest.mark.parametrize("attack", [attacks.cut_tail, attacks.rehash, attacks.rewrite, attacks.cut_log])
def test_nobody_rewrites_past_the_triggers(sealed: Sealed, attack: Callable[[Connection, str], object]) -> None:
    """A tail cut, a game computed anew, the log with it, and a shorter log: no role gets beyond its first statement."""
    assert outcomes(sealed.database, lambda connection: attack(connection, sealed.game)) == "RRRRT"


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_gets_through_leaves_the_guards_as_they_were(sealed: Sealed, attacked: Database, attack: str) -> None:
    before = guards(attacked)
    ATTACKS[attack](attacked.admin_url, sealed.game)
    assert rows(attacked) != rows(sealed.database)
    assert guards(attacked) == before


@pytest.mark.parametrize("weakening", WEAKENINGS)
def test_a_weakening_changes_the_guards_alone(sealed: Sealed, weakening: str) -> None:
    with psycopg.connect(sealed.database.admin_url) as connection:
        before = rows_in(connection), guards_in(connection)
        connection.execute(WEAKENINGS[weakening])
        after = rows_in(connection), guards_in(connection)
        connection.rollback()
    assert after[0] == before[0]
    assert after[1] != before[1]


@pytest.mark.parametrize("attack", sorted(NEEDS_A_COPY))
def test_only_a_checkpoint_outside_shows_it(sealed: Sealed, attacked: Database, attack: str) -> None:
    """Everything that is left fits together: games, seals, nodes; and no checkpoint in the store says otherwise."""
    ATTACKS[attack](attacked.admin_url, sealed.game)
    with Store.connect(attacked.application_url, unsafe_allowed=True) as store:
        log = Log(store)
        assert log.checkpoint() is None
        leaves = list(log.leaves(0, 99))
        assert len(leaves) == log.size()
        assert [leaf.seal for leaf in leaves] == [chain_of(store, leaf.game).seal() for leaf in leaves]
        assert root(len(leaves), log.nodes) == merkle.root([merkle.leaf_hash(leaf.seal) for leaf in leaves])
        for game in sealed.games:
            assert chain_of(store, game).head == store.game(game).head
        with pytest.raises((RewrittenError, RolledBackError)):
            require_contained(log, sealed.checkpoint)


def test_the_untouched_log_contains_its_checkpoint(sealed: Sealed) -> None:
    with Store.connect(sealed.database.application_url, unsafe_allowed=True) as store:
        require_contained(Log(store), sealed.checkpoint)
    assert set(ATTACKS) >= NEEDS_KEYS | NEEDS_A_COPY
