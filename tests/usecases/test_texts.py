"""Free text and names: apart from what is chained, given back on export, and forgotten for good once erased."""

from __future__ import annotations

import json
import os
import subprocess
from base64 import b64decode
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql

from replays.reducer import start
from schema.paipu import load
from service.embedded import Server
from service.evidence.leaves import text_digest
from service.postgres import find_binaries
from service.settings import Settings
from service.store import EventText, Store
from service.store.errors import InvalidEventError, KeyConflictError
from service.usecases.append import Intake
from service.usecases.audits import audit_stored
from service.usecases.checking import check
from service.usecases.entries import Sealer
from service.usecases.export import export
from service.usecases.folds import Folds
from service.usecases.ingest import Refused, Stored
from service.usecases.proving import prove
from service.usecases.sealing import chain_of
from tests.api.clients import AUDITOR, Client, app_for
from tests.databases import Database
from tests.usecases.games import Document, game, id_of, lines
from tests.usecases.sealed import encoded, notary_at, take_in
from tests.usecases.test_ingest import take_in as outcomes_of

#: What somebody wrote, with a name in it, and characters that JSON and SQL have words of their own for.
REASON = 'Frau Mustermann hat die Karten "gezinkt" 王小明 \\ 🀄'
TEXTS = [REASON, "x", "é" * 256, "sha256:", "sha256:" + "0" * 63, "SHA256:" + "0" * 64, "sha256:" + "F" * 64, "null"]


SEQ = 40  #: where the text is


def with_voided(reason: str = REASON, index: int = 0) -> list[Document]:
    """A game whose hand was cut off and voided, which ended the game."""
    documents = game(index)
    head = documents[:40]
    at, started = documents[39]["at"], documents[1]
    voided = {"seq": 40, "type": "voided", "at": at, "hand": 1, "reason": reason}
    ended = {"seq": 41, "type": "game_ended", "at": at, "scores": started["scores"], "reason": "voided"}
    return [*head, voided, ended]


@pytest.fixture
def intake(store: Store) -> Intake:
    return Intake(store, Folds(store))


def append_all(intake: Intake, documents: list[Document], key: str | None = "all") -> Any:
    intake.open_game(documents[0], "open")
    return intake.append(id_of(documents), 1, key, documents[1:])


# -- Apart from the event ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reason", TEXTS)
@pytest.mark.parametrize("way", ["append", "ingest"])
def test_the_event_holds_a_digest_and_export_the_text(store: Store, intake: Intake, reason: str, way: str) -> None:
    documents = with_voided(reason)
    if way == "append":
        append_all(intake, documents)
    else:
        take_in(store, documents)
    (kept,) = store.texts(id_of(documents))
    stored = store.event(id_of(documents), SEQ)
    assert stored is not None
    assert (kept.seq, kept.text, len(kept.salt)) == (SEQ, reason.encode(), 16)
    assert json.loads(stored.body)["reason"] == "sha256:" + sha256(kept.salt + reason.encode()).hexdigest()
    assert b"".join(export(store, id_of(documents))) == encoded(documents)
    assert check(store).faults == []


def test_a_text_that_is_a_digest_is_taken_as_it_is(store: Store) -> None:
    """So that a log that was exported after an erasure can be taken in elsewhere."""
    documents = with_voided("sha256:" + "ab" * 32)
    take_in(store, documents)
    assert store.texts(id_of(documents)) == []
    assert b"".join(export(store, id_of(documents))) == encoded(documents)
    assert check(store).faults == []


def test_two_stores_hold_the_same_log_by_different_digests(store: Store, durable_store: Store) -> None:
    """Nobody who has seen one of them can tell a text by the other, nor guess it from a list of likely ones."""
    documents = with_voided()
    digests = set()
    for one in (store, durable_store):
        take_in(one, documents)
        stored = one.event(id_of(documents), SEQ)
        assert stored is not None
        digests.add(json.loads(stored.body)["reason"])
    assert len(digests) == 2
    assert text_digest(bytes(16), REASON.encode()) not in digests


def test_the_text_is_in_no_bundle(durable_store: Store, tmp_path: Path) -> None:
    documents = with_voided()
    take_in(durable_store, documents)
    notary = notary_at(durable_store, tmp_path / "keys.json")
    for seat in (None, 0):
        done = prove(durable_store, notary, id_of(documents), seat)
        assert done.verification.verified
        assert not [part for part in ("Mustermann", "王小明", "甲", "Zoë") if part.encode() in decoded(done.bundle)]


def decoded(bundle: dict[str, Any]) -> bytes:
    """A bundle with the bytes that stand in it as base64."""
    forms = [b64decode(entry.get("full") or entry["public"]) for entry in bundle["events"]]
    return json.dumps(bundle, ensure_ascii=False).encode() + b"".join(forms)


def test_the_api_shows_the_digest(store: Store) -> None:
    documents = with_voided()
    take_in(store, documents)
    query = """query($game: String!) { events(game: $game, first: 100) {
      ... on EventConnection { edges { node { body } } } } }"""
    found = Client(app_for(store, AUDITOR)).ask(query, game=id_of(documents))["events"]["edges"]
    assert found[SEQ]["node"]["body"]["reason"].startswith("sha256:")
    assert "Mustermann" not in json.dumps(found, ensure_ascii=False)


# -- The same call again -----------------------------------------------------------------------------------------------


def test_a_repeated_append_gives_the_first_result(store: Store, intake: Intake) -> None:
    documents = with_voided()
    first = append_all(intake, documents)
    for again in (intake, Intake(store, Folds(store))):
        assert append_all(again, documents) == first
    other = [*documents[:SEQ], {**documents[SEQ], "reason": "another"}, *documents[SEQ + 1 :]]
    with pytest.raises(KeyConflictError):
        append_all(intake, other)
    assert len(store.texts(id_of(documents))) == 1


def test_a_repeated_append_after_the_erasure_gives_the_first_result(store: Store, intake: Intake) -> None:
    documents = with_voided()
    first = append_all(intake, documents)
    store.erase_text(id_of(documents), SEQ)
    assert append_all(intake, documents) == first
    assert store.texts(id_of(documents)) == []


@pytest.mark.parametrize("attempt", range(5))
def test_the_same_append_at_once_is_stored_once(store: Store, attempt: int) -> None:
    documents = with_voided(index=attempt)
    Intake(store, Folds(store)).open_game(documents[0])

    def append(_: int) -> object:
        return Intake(store, Folds(store)).append(id_of(documents), 1, "k", documents[1:])

    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(append, range(4)))
    assert len(set(done)) == 1
    assert len(store.texts(id_of(documents))) == 1
    assert check(store).faults == []


@pytest.mark.parametrize("attempt", range(3))
def test_the_same_log_at_once_is_stored_once(store: Store, attempt: int) -> None:
    documents = with_voided(index=attempt)
    with ThreadPoolExecutor(4) as pool:
        done = [one for some in pool.map(lambda _: outcomes_of(store, lines(documents)), range(4)) for one in some]
    assert all(isinstance(outcome, Stored) for outcome in done), done
    assert sum(outcome.added for outcome in done if isinstance(outcome, Stored)) == len(documents)
    assert check(store).faults == []


def test_a_log_that_is_taken_in_again_is_skipped(store: Store) -> None:
    """Before an erasure, after it, and as it was exported at either time; another text is another content."""
    documents = with_voided()
    name, before = id_of(documents), lines(documents)
    outcomes_of(store, before)
    other = lines([{**one, "reason": "another"} if one["seq"] == SEQ else one for one in documents])
    (refused,) = outcomes_of(store, other)
    assert isinstance(refused, Refused)
    assert f"from seq {SEQ} on" in refused.reason
    store.erase_text(name, SEQ)
    for log in (before, b"".join(export(store, name))):
        (again,) = outcomes_of(store, log)
        assert isinstance(again, Stored)
        assert (again.added, again.skipped) == (0, len(documents))
        assert store.texts(name) == []


def test_the_ledger_takes_no_text_that_the_event_does_not_hold(store: Store, intake: Intake) -> None:
    documents = with_voided()
    intake.open_game(documents[0])
    name, secret = id_of(documents), store.secret(id_of(documents))
    assert secret is not None
    sealer = Sealer.of(start(load(documents[0])).book, secret)  # type: ignore[arg-type]
    rest = [{**one, "reason": text_digest(bytes(16), b"text")} if one["seq"] == SEQ else one for one in documents[1:]]
    bodies, publics, salts = zip(*map(sealer.entry, rest), strict=True)
    for wrong in (
        EventText(SEQ, bytes(16), b"other"),
        EventText(SEQ, bytes([1] * 16), b"text"),
        EventText(SEQ - 1, bytes(16), b"text"),
        EventText(SEQ + 9, bytes(16), b"text"),
    ):
        with pytest.raises(InvalidEventError, match="text"):
            store.append(name, 1, None, bodies, publics, salts, [wrong])
    assert store.game(name).next_seq == 1
    store.append(name, 1, None, bodies, publics, salts, [EventText(SEQ, bytes(16), b"text")])
    assert next(iter(store.texts(name))).text == b"text"


# -- Erasure -----------------------------------------------------------------------------------------------------------


def test_after_the_erasure_chain_seal_and_proof_hold(durable_store: Store, tmp_path: Path) -> None:
    documents = with_voided()
    (name,) = take_in(durable_store, documents)
    notary = notary_at(durable_store, tmp_path / "keys.json")
    before = prove(durable_store, notary, name).raw
    assert durable_store.erase_text(name, SEQ)
    assert not durable_store.erase_text(name, SEQ)
    assert durable_store.erase_name(name, 0)
    assert prove(durable_store, notary, name).raw == before
    assert chain_of(durable_store, name).head == durable_store.game(name).head
    assert check(durable_store, notary.verifiers).faults == []
    assert audit_stored(durable_store, name)["verdict"] == "clean"
    exported = [json.loads(line) for line in export(durable_store, name)]
    assert exported[SEQ]["reason"].startswith("sha256:")
    assert [seat.get("name") for seat in exported[0]["seats"]] == [None, "Zoë 🀄", "<b>丙</b>", "d"]


def columns(url: str, needle: str) -> list[str]:
    """Every column of every table of the database that holds a text in some row, in whatever form it is kept."""
    found = []
    forms = {needle, json.dumps(needle)[1:-1], needle.encode().hex(), json.dumps(needle)[1:-1].encode().hex()}
    with psycopg.connect(url) as admin:
        tables = admin.execute(
            "SELECT table_schema, table_name, column_name FROM information_schema.columns"
            " JOIN information_schema.tables USING (table_schema, table_name) WHERE table_type = 'BASE TABLE'"
            " AND table_schema NOT IN ('pg_catalog', 'information_schema')"
        ).fetchall()
        for schema, table, column in tables:
            query = sql.SQL("SELECT count(*) FROM {}.{} WHERE strpos({}::text, %s) > 0").format(
                *map(sql.Identifier, (schema, table, column))
            )
            for form in forms:
                row = admin.execute(query, [form]).fetchone()
                if row is not None and row[0]:
                    found.append(f"{table}.{column}")
    return sorted(set(found))


def dump(server: Server, database: Database) -> bytes:
    """What ``pg_dump`` writes of a database."""
    binaries = find_binaries(Settings.from_environment().postgres_bin)
    command = [str(binaries / "pg_dump"), "--dbname", database.admin_url]
    return subprocess.run(command, capture_output=True, check=True, env={"PATH": os.environ["PATH"]}).stdout


def appended_live(store: Store, documents: list[Document]) -> None:
    append_all(Intake(store, Folds(store)), documents)


@pytest.mark.parametrize("way", [take_in, appended_live])
def test_what_was_erased_is_nowhere_in_the_database(
    postgres: Server, database: Database, store: Store, way: Callable[[Store, list[Document]], object]
) -> None:
    """Nor was it ever anywhere but in the one row: not in a report, a key, or a finding."""
    documents = with_voided()
    name = id_of(documents)
    way(store, documents)
    audit_stored(store, name)
    for needle, place in (("Mustermann", "event_texts.text"), ("Zoë", "seat_names.name")):
        assert columns(database.admin_url, needle) == [place]
    store.erase_text(name, SEQ)
    for seat in range(4):
        store.erase_name(name, seat)
    list(export(store, name))
    audit_stored(store, name)
    take_in(store, documents)
    written = dump(postgres, database)
    assert name.encode() in written
    for needle in ("Mustermann", "gezinkt", "Zoë", "<b>丙</b>"):
        assert columns(database.admin_url, needle) == []
        for form in (needle.encode(), needle.encode().hex().encode(), json.dumps(needle)[1:-1].encode()):
            assert form not in written


def test_names_never_come_back(store: Store, intake: Intake) -> None:
    """Neither by the same opening again, nor by the original log."""
    documents = with_voided()
    append_all(intake, documents)
    for seat in range(4):
        assert store.erase_name(id_of(documents), seat)
        assert not store.erase_name(id_of(documents), seat)
    append_all(intake, documents)
    take_in(store, documents)
    assert store.names(id_of(documents)) == {}
    renamed = [{**documents[0], "seats": [{**seat, "name": "new"} for seat in documents[0]["seats"]]}, *documents[1:]]
    take_in(store, renamed)
    assert store.names(id_of(documents)) == {}


def test_a_text_that_was_changed_is_found_by_the_check(store: Store, database: Database) -> None:
    documents = with_voided()
    take_in(store, documents)
    with psycopg.connect(database.admin_url) as admin:
        admin.execute("UPDATE mingpai.event_texts SET text = 'another'")
    (fault,) = check(store).faults
    assert (fault.where, fault.game, fault.seq, fault.code) == ("game", id_of(documents), SEQ, "text")
