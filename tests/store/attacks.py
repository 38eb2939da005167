"""What a superuser who switches the triggers off can do to a sealed game: nothing in the database stops these attacks,
so they must be found afterwards.

``ATTACKS`` carries each of them out, leaving every guard as it was. All but those in ``NEEDS_KEYS`` and
``NEEDS_A_COPY`` show in the database itself. They expect a sealed game of real events, not the last one of the log,
whose leaf has a neighbour, and, where they are aimed at those, a kept checkpoint with a cosignature: ``sealed_log``
makes all of that.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from io import BytesIO
from typing import Any

import psycopg

from replays.merkle import leaf_hash
from schema.canonical import canonical
from schema.paipu import read
from service.evidence.checkpoints import Checkpoint
from service.evidence.leaves import next_head, public_form
from service.evidence.log_tree import Frontier, root
from service.evidence.notes import COSIGNATURE, Signature, Signer, Verifier, note_bytes, sign_note
from service.evidence.rederiving import rederived
from service.store import Store, StoredEvent
from service.store.log import Log
from service.usecases.ingest import Stored, ingest
from service.usecases.sealing import seal_game
from tests.usecases.games import game as simulated
from tests.usecases.games import id_of, lines

Connection = psycopg.Connection[tuple[Any, ...]]

#: The tables whose rows prove something; each has triggers that refuse changes.
EVIDENCE = (
    "events",
    "appends",
    "games",
    "game_heads",
    "game_secrets",
    "log_leaves",
    "log_nodes",
    "log_head",
    "checkpoints",
    "cosignatures",
)


#: Who signed what ``sealed_log`` leaves: the log, and a witness of it.
LOG, WITNESS = Signer("log.example", bytes(32)), Signer("witness.example", bytes([1] * 32))


def sealed_log(store: Store, count: int = 5) -> list[str]:
    """Fills an empty store with ``count`` real games that are sealed in this order, a checkpoint of their log and its
    cosignature; their ids. The one in the middle has everything that ``ATTACKS`` are aimed at."""
    games = [simulated(index) for index in range(count)]
    outcomes = list(ingest(store, read(BytesIO(lines(*games)), source="log"), "log"))
    assert all(isinstance(outcome, Stored) for outcome in outcomes)
    names = [id_of(documents) for documents in games]
    for name in names:
        seal_game(store, name)
    log = Log(store)
    note = sign_note(Checkpoint(LOG.name, log.size(), root(log.size(), log.nodes)).text, LOG)
    log.keep_checkpoint(log.size(), note_bytes(note))
    kept = log.checkpoint()
    assert kept is not None
    log.keep_cosignature(kept, cosignature(note.text))
    return names


def cosignature(text: str, moment: int = 1_700_000_000) -> str:
    """The line of ``WITNESS`` under a checkpoint's text, of a time in seconds."""
    signed = WITNESS.sign(f"cosignature/v1\ntime {moment}\n{text}".encode())
    key = Verifier(WITNESS.name, WITNESS.verifier.public, COSIGNATURE)
    return Signature(key.name, key.key_id, moment.to_bytes(8, "big") + signed).line


_TRIGGERS = """
SELECT tgrelid::regclass::text, quote_ident(tgname), tgenabled = 'A' FROM pg_trigger
WHERE NOT tgisinternal AND tgrelid = ANY (%s::regclass[])
"""


@contextmanager
def unguarded(admin_url: str) -> Iterator[Connection]:
    """A superuser's transaction in which no trigger fires and no foreign key is checked. At its end everything is
    switched on again, so that the catalogue shows nothing."""
    with psycopg.connect(admin_url) as connection:
        connection.execute("SET session_replication_role = replica")
        triggers = connection.execute(_TRIGGERS, ([f"mingpai.{table}" for table in EVIDENCE],)).fetchall()
        for table in EVIDENCE:
            connection.execute(f"ALTER TABLE mingpai.{table} DISABLE TRIGGER USER")
        yield connection
        for table, trigger, is_always in triggers:
            connection.execute(f"ALTER TABLE {table} ENABLE {'ALWAYS' if is_always else ''} TRIGGER {trigger}")


def flipped(table: str, column: str, row: str) -> str:
    """The statement that flips one bit in the middle of a column of bytes."""
    middle = f"octet_length({column}) / 2"
    value = f"set_byte({column}, {middle}, get_byte({column}, {middle}) # 1)"
    return f"UPDATE mingpai.{table} SET {column} = {value} WHERE {row}"


_GAME = "game = %(game)s"
_EVENT = f"{_GAME} AND seq = 7"
_INDEX = f"(SELECT index FROM mingpai.log_leaves WHERE {_GAME})"
_NODE = f"level = 1 AND index = {_INDEX} >> 1"
_NEWEST = "position = (SELECT max(position) FROM mingpai.checkpoints)"


_NOTE = "convert_from(note, 'UTF8')"


def _respelt(text: str) -> str:
    """A text whose last characters are other letters and digits: base64 of other bytes."""
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    return f"left({text}, -20) || translate(right({text}, 20), '{letters}', '{letters[1:]}a')"


def _set(table: str, assignment: str, row: str = _GAME) -> str:
    return f"UPDATE mingpai.{table} SET {assignment} WHERE {row}"


#: Attacks that are a statement or two: rows changed without what follows from them.
_STATEMENTS: dict[str, tuple[str, ...]] = {
    "body bit": (flipped("events", "body", _EVENT),),
    "body spaced": (_set("events", "body = replace(convert_from(body, 'UTF8'), ':', ': ')::bytea", _EVENT),),
    "public digest bit": (flipped("events", "public_digest", _EVENT),),
    "salt bit": (flipped("events", "salt", _EVENT),),
    "head bit": (flipped("events", "head", _EVENT),),
    "time of record": (_set("events", "recorded_at = recorded_at - interval '1 hour'", _EVENT),),
    "event gone": (f"DELETE FROM mingpai.events WHERE {_EVENT}",),
    "events reordered": (
        _set("events", "seq = -1", _EVENT),
        _set("events", "seq = 7", f"{_GAME} AND seq = 8"),
        _set("events", "seq = 8", f"{_GAME} AND seq = -1"),
    ),
    "event behind the end": (
        f"INSERT INTO mingpai.events SELECT game, seq + 1, recorded_at, body, public_digest, salt, head "
        f"FROM mingpai.events WHERE {_GAME} ORDER BY seq DESC LIMIT 1",
    ),
    "append too many": (
        "INSERT INTO mingpai.appends (recorded_at, first_seq, last_seq, game, key, head) "
        f"SELECT recorded_at, last_seq + 1, last_seq + 1, game, 'forged', head FROM mingpai.appends WHERE {_GAME}",
    ),
    "game without events": (
        "INSERT INTO mingpai.games SELECT 'nobody', ruleset_id, ruleset_version, options, ruleset_digest, players, "
        f"started_at, opened_at FROM mingpai.games WHERE {_GAME}",
    ),
    "whole game gone but for its leaf": (
        f"DELETE FROM mingpai.events WHERE {_GAME}",
        f"DELETE FROM mingpai.appends WHERE {_GAME}",
        f"DELETE FROM mingpai.game_secrets WHERE {_GAME}",
        f"DELETE FROM mingpai.game_heads WHERE {_GAME}",
        f"DELETE FROM mingpai.games WHERE {_GAME}",
    ),
    "append gone": (f"DELETE FROM mingpai.appends WHERE {_GAME}",),
    "append shortened": (_set("appends", "last_seq = last_seq - 1"),),
    "append's head bit": (flipped("appends", "head", _GAME),),
    "rule set digest bit": (flipped("games", "ruleset_digest", _GAME),),
    "rule set of the game": (_set("games", "ruleset_id = 'other'"),),
    "options of the game": (_set("games", """options = options || '{"fifth_copy": true}'"""),),
    "players of the game": (_set("games", "players[1] = 'somebody'"),),
    "start of the game": (_set("games", "started_at = '1999-12-31T23:59:59.999Z'"),),
    "head row's head": (flipped("game_heads", "head", _GAME),),
    "head row's length": (_set("game_heads", "next_seq = next_seq + 1"),),
    "head row's reason": (_set("game_heads", "status = 'voided'"),),
    "head row open again": (_set("game_heads", "status = 'open', closed_at = NULL, sealed_at = NULL"),),
    "head row unsealed": (_set("game_heads", "sealed_at = NULL"),),
    "secret bit": (flipped("game_secrets", "secret", _GAME),),
    "secret gone": (f"DELETE FROM mingpai.game_secrets WHERE {_GAME}",),
    "seal bit": (flipped("log_leaves", "seal", _GAME),),
    "leaf bit": (flipped("log_leaves", "leaf", _GAME),),
    "leaf of another game": (
        f"INSERT INTO mingpai.games SELECT 'nobody', ruleset_id, ruleset_version, options, ruleset_digest, players, "
        f"started_at, opened_at FROM mingpai.games WHERE {_GAME}",
        _set("log_leaves", "game = 'nobody'"),
    ),
    "leaf too many": (
        "INSERT INTO mingpai.log_leaves SELECT h.size, 'nobody', l.seal, l.leaf, l.sealed_at "
        f"FROM mingpai.log_leaves l, mingpai.log_head h WHERE l.{_GAME}",
    ),
    "leaf gone": (f"DELETE FROM mingpai.log_leaves WHERE {_GAME}",),
    "node bit": (flipped("log_nodes", "hash", _NODE),),
    "node gone": (f"DELETE FROM mingpai.log_nodes WHERE {_NODE}",),
    "node too many": (
        "INSERT INTO mingpai.log_nodes SELECT 1, max(index) + 1, sha256(''::bytea) FROM mingpai.log_nodes "
        "WHERE level = 1",
    ),
    "log size too large": (_set("log_head", "size = size + 1", "true"),),
    "log size too small": (_set("log_head", "size = size - 1", "true"),),
    "log size gone": ("DELETE FROM mingpai.log_head",),
    "checkpoint's root": (
        _set(
            "checkpoints",
            rf"note = convert_to(regexp_replace({_NOTE}, '^([^\n]*\n\d+\n)[^\n]*', '\1{'A' * 43}='), 'UTF8')",
            _NEWEST,
        ),
    ),
    "checkpoint's signature": (_set("checkpoints", f"note = convert_to({_respelt(_NOTE)}, 'UTF8')", _NEWEST),),
    "checkpoint's size": (_set("checkpoints", "size = size - 1", _NEWEST),),
    "checkpoint too many": (
        "INSERT INTO mingpai.checkpoints (size, note, signed_at) "
        f"SELECT size, note || 'forged'::bytea, signed_at FROM mingpai.checkpoints WHERE {_NEWEST}",
    ),
    "cosignature changed": (_set("cosignatures", f"line = {_respelt('line')}", "true"),),
    "cosignature too many": (
        "INSERT INTO mingpai.cosignatures SELECT checkpoint, 'forged', received_at FROM mingpai.cosignatures LIMIT 1",
    ),
}


def _run(statements: tuple[str, ...], connection: Connection, game: str) -> None:
    for statement in statements:
        done = connection.execute(statement, {"game": game})
        assert done.rowcount > 0, f"nothing to attack: {statement}"


def exchange_leaves(connection: Connection, game: str) -> None:
    """The game's leaf and its neighbour's change places; nodes stay."""
    (index,) = _row(connection, f"SELECT index FROM mingpai.log_leaves WHERE {_GAME}", game=game)
    (size,) = _row(connection, "SELECT size FROM mingpai.log_head")
    for old, new in ((index, size), (index ^ 1, index), (size, index ^ 1)):
        done = connection.execute("UPDATE mingpai.log_leaves SET index = %s WHERE index = %s", (new, old))
        assert done.rowcount == 1


def cut_tail(connection: Connection, game: str) -> None:
    """The last three events go, and the rows of the game say that it is going on."""
    (length,) = _row(connection, f"SELECT next_seq FROM mingpai.game_heads WHERE {_GAME}", game=game)
    _cut(connection, game, length - 3)


def rehash(connection: Connection, game: str) -> None:
    """The first discard is changed, and all rows of the game made to fit it; its seal stays."""
    (secret,) = _row(connection, f"SELECT secret FROM mingpai.game_secrets WHERE {_GAME}", game=game)
    stored = _events(connection, game)
    chain = rederived(game, secret, stored)
    shown = bool(chain.book.options["concealed_kong_shown"])
    at = next(event.seq for event in stored if json.loads(event.body)["type"] == "discarded")
    head = stored[at - 1].head
    for event in stored[at:]:
        document = json.loads(event.body)
        if event.seq == at:
            document["tile"] = "2m" if document["tile"] == "1m" else "1m"
        public = sha256(canonical(public_form(document, concealed_kong_shown=shown))).digest()
        changed = event._replace(body=canonical(document), public_digest=public)
        head = next_head(head, changed.leaf)
        connection.execute(
            "UPDATE mingpai.events SET body = %s, public_digest = %s, head = %s WHERE game = %s AND seq = %s",
            (changed.body, public, head, game, event.seq),
        )
    for table, end in (("appends a", "a.last_seq"), ("game_heads a", "a.next_seq - 1")):
        connection.execute(
            f"UPDATE mingpai.{table} SET head = e.head FROM mingpai.events e "
            f"WHERE e.game = %s AND a.game = e.game AND e.seq = {end}",
            (game,),
        )


def rewrite(connection: Connection, game: str) -> None:
    """The same, and all that follows from it: the seal, its leaf, and every node above."""
    rehash(connection, game)
    (secret,) = _row(connection, f"SELECT secret FROM mingpai.game_secrets WHERE {_GAME}", game=game)
    seal = rederived(game, secret, _events(connection, game)).seal()
    arguments = (seal, leaf_hash(seal), game)
    connection.execute("UPDATE mingpai.log_leaves SET seal = %s, leaf = %s WHERE game = %s", arguments)
    tree = Frontier()
    leaves = connection.execute("SELECT index, leaf FROM mingpai.log_leaves ORDER BY index").fetchall()
    for index, leaf in leaves:
        for level, node in tree.add(leaf)[1:]:
            place = (node, level, index >> level)
            connection.execute("UPDATE mingpai.log_nodes SET hash = %s WHERE level = %s AND index = %s", place)


def rewrite_unsigned(connection: Connection, game: str) -> None:
    """The same, and what was signed over the log before is gone."""
    rewrite(connection, game)
    _forget_checkpoints(connection, 0)


def cut_log(connection: Connection, game: str) -> int:
    """The game's seal and all later ones go, as if those games had never been sealed; how many seals are left."""
    (size,) = _row(connection, f"SELECT index FROM mingpai.log_leaves WHERE {_GAME}", game=game)
    for statement in (
        "UPDATE mingpai.game_heads SET sealed_at = NULL "
        "WHERE game IN (SELECT game FROM mingpai.log_leaves WHERE index >= %(size)s)",
        "DELETE FROM mingpai.log_leaves WHERE index >= %(size)s",
        "DELETE FROM mingpai.log_nodes WHERE (index + 1) << level > %(size)s",
        "UPDATE mingpai.log_head SET size = %(size)s",
    ):
        connection.execute(statement, {"size": size})
    return int(size)


def restore(connection: Connection, game: str) -> None:
    """As before the game ended: no later seals, none of the later checkpoints, half of its events."""
    _forget_checkpoints(connection, cut_log(connection, game))
    (length,) = _row(connection, f"SELECT next_seq FROM mingpai.game_heads WHERE {_GAME}", game=game)
    _cut(connection, game, length // 2)


def _cut(connection: Connection, game: str, length: int) -> None:
    """Leaves a game its first ``length`` events, and an open one it is."""
    (head,) = _row(
        connection, f"SELECT head FROM mingpai.events WHERE {_GAME} AND seq = %(n)s", game=game, n=length - 1
    )
    arguments = {"game": game, "length": length, "head": head}
    for statement in (
        f"DELETE FROM mingpai.events WHERE {_GAME} AND seq >= %(length)s",
        f"DELETE FROM mingpai.appends WHERE {_GAME} AND first_seq >= %(length)s",
        "UPDATE mingpai.appends SET last_seq = %(length)s - 1, head = %(head)s "
        f"WHERE {_GAME} AND last_seq >= %(length)s",
        f"UPDATE mingpai.game_heads SET next_seq = %(length)s, head = %(head)s, status = 'open', closed_at = NULL, "
        f"sealed_at = NULL, updated_at = (SELECT max(recorded_at) FROM mingpai.events WHERE {_GAME}) WHERE {_GAME}",
    ):
        connection.execute(statement, arguments)


def _forget_checkpoints(connection: Connection, size: int) -> None:
    """Removes the checkpoints of trees larger than ``size``, with what witnesses said of them."""
    larger = "SELECT position FROM mingpai.checkpoints WHERE size > %(size)s"
    connection.execute(f"DELETE FROM mingpai.cosignatures WHERE checkpoint IN ({larger})", {"size": size})
    connection.execute(f"DELETE FROM mingpai.checkpoints WHERE position IN ({larger})", {"size": size})


def _row(connection: Connection, statement: str, **arguments: object) -> tuple[Any, ...]:
    row = connection.execute(statement, arguments).fetchone()
    assert row is not None
    return row


def _events(connection: Connection, game: str) -> list[StoredEvent]:
    columns = ", ".join(StoredEvent._fields)
    rows = connection.execute(f"SELECT {columns} FROM mingpai.events WHERE game = %s ORDER BY seq", (game,))
    return [StoredEvent._make(row) for row in rows.fetchall()]


def _carry_out(attack: Callable[[Connection, str], object], admin_url: str, game: str) -> None:
    with unguarded(admin_url) as connection:
        attack(connection, game)


_ATTACKS: dict[str, Callable[[Connection, str], object]] = {
    **{name: partial(_run, statements) for name, statements in _STATEMENTS.items()},
    "leaves exchanged": exchange_leaves,
    "tail cut": cut_tail,
    "game rehashed": rehash,
    "log rewritten": rewrite,
    "log rewritten, checkpoints gone": rewrite_unsigned,
    "log cut": cut_log,
    "older state": restore,
}

#: By name, called with a superuser's address of the database and the game's id.
ATTACKS: dict[str, Callable[[str, str], None]] = {
    name: partial(_carry_out, attack) for name, attack in _ATTACKS.items()
}

#: Attacks that only show to somebody who has the keys of the log or of the witness.
NEEDS_KEYS = frozenset({"checkpoint's signature", "cosignature changed"})
#: Attacks that leave a store without any fault in itself: only a checkpoint kept outside shows them.
NEEDS_A_COPY = frozenset({"log rewritten, checkpoints gone", "older state"})

#: What leaves every row as it was, and the guards down.
WEAKENINGS: dict[str, str] = {
    "trigger disabled": "ALTER TABLE mingpai.events DISABLE TRIGGER row_stays",
    "trigger that replication passes by": "ALTER TABLE mingpai.events ENABLE TRIGGER row_stays",
    "trigger dropped": "DROP TRIGGER rows_stay ON mingpai.log_leaves",
    "trigger without effect": (
        "CREATE OR REPLACE FUNCTION mingpai.refuse_change() RETURNS trigger LANGUAGE plpgsql "
        "AS $$ BEGIN RETURN coalesce(NEW, OLD); END $$"
    ),
    "right to insert": "GRANT INSERT ON mingpai.events TO mingpai_application",
    "right to everything": "GRANT mingpai_ledger TO mingpai_application",
    "ledger that can log in": "ALTER ROLE mingpai_ledger LOGIN",
    "key dropped": "ALTER TABLE mingpai.events DROP CONSTRAINT events_pkey",
}
