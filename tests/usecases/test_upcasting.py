"""A game in an older version of the format: what is stored stays as it was written, and everything else still works.

The older version is made up: what a discard shows had another name there, and so had the end of the wall that a tile
came from.
"""

from __future__ import annotations

import io
import json
from base64 import b64decode
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from replays import events
from replays.audit import audit
from replays.reducer import apply, start
from replays.view import picture
from schema.canonical import canonical
from schema.paipu import FORMATS, LogError, load, read
from schema.paipu.formats import Format
from schema.paipu.kinds import Member, Shape, choice
from schema.paipu.vocabulary import SHAPES
from service.evidence.bundles import verify
from service.evidence.leaves import stored_form
from service.store import Store
from service.usecases.append import Intake
from service.usecases.audits import audit_stored
from service.usecases.checking import check
from service.usecases.export import export
from service.usecases.folds import Folds
from service.usecases.ingest import Stored, ingest
from service.usecases.proving import prove
from service.usecases.sealing import chain_of
from tests.api.clients import AUDITOR, Client, app_for
from tests.usecases.games import Document, game, id_of
from tests.usecases.sealed import notary_at

OLD = "paipu/0"

#: Names that members had, by type of event: what they are called today, and then.
Names = dict[str, dict[str, str]]
RENAMED: Names = {"discarded": {"tile": "shown"}, "drew": {"from": "end"}}
#: The same for a member that is hidden from others.
HIDDEN_RENAMED: Names = {**RENAMED, "drew": {"from": "end", "tile": "taken"}, "dealt": {"tiles": "given"}}


def old_format(renamed: Names) -> Format:
    """The older version, whose events load into today's."""
    shapes = {tag: _old_shape(tag, shape, renamed.get(tag, {})) for tag, shape in SHAPES.items()}
    return Format(OLD, shapes)


def _old_shape(tag: str, shape: Shape, names: dict[str, str]) -> Shape:
    members = tuple(
        Member(names[member.name], member.kind, member.required, member.attribute, member.take)
        if member.name in names
        else member
        for member in shape.members
    )
    if shape.cls is events.GameStarted:
        members = tuple(one._replace(kind=choice(OLD)) if one.name == "format" else one for one in members)
    return Shape(shape.cls, members, tag, shape.paths)


def old_game(index: int = 0, renamed: Names = RENAMED) -> list[Document]:
    """A simulated game as the older version wrote it."""
    documents = [
        {renamed.get(one["type"], {}).get(name, name): value for name, value in one.items()} for one in game(index)
    ]
    documents[0] = {**documents[0], "format": OLD}
    return documents


def old_lines(documents: Iterable[Document]) -> bytes:
    return b"".join(json.dumps(one, ensure_ascii=False).encode() + b"\n" for one in documents)


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The older version is one that is read, as it would be in a program that has both."""
    monkeypatch.setitem(FORMATS, OLD, old_format(RENAMED))


@pytest.fixture
def documents() -> list[Document]:
    return old_game()


def take_in_old(store: Store, documents: list[Document]) -> str:
    (done,) = ingest(store, read(io.BytesIO(old_lines(documents)), source="log"), "log")
    assert isinstance(done, Stored), done
    assert done.verdict == "clean"
    return id_of(documents)


# -- Reading -----------------------------------------------------------------------------------------------------------


def test_old_documents_become_today_s_events(documents: list[Document]) -> None:
    today = [load(one) for one in game()]
    loaded = [load(one, format=OLD) for one in documents]
    assert isinstance(loaded[0], events.GameStarted)
    assert loaded[0]._replace(format="paipu/1") == today[0]
    assert loaded[1:] == today[1:]
    assert [one.event for one in read(io.BytesIO(old_lines(documents)), source="log")] == loaded


def test_each_version_is_read_by_its_own_names(documents: list[Document]) -> None:
    old, new = (next(one for one in some if one["type"] == "discarded") for some in (documents, game()))
    with pytest.raises(LogError, match="shown"):
        load(old)
    with pytest.raises(LogError, match="tile"):
        load(new, format=OLD)


# -- The store ---------------------------------------------------------------------------------------------------------


def test_the_stored_bytes_are_those_of_the_older_version(store: Store, documents: list[Document]) -> None:
    name = take_in_old(store, documents)
    assert store.bodies(name) == [canonical(stored_form(one)) for one in documents]


def test_audit_and_check(store: Store, documents: list[Document]) -> None:
    name = take_in_old(store, documents)
    report = audit_stored(store, name)
    expected = audit(load(one) for one in game())
    assert (report["verdict"], report["events"]) == ("clean", len(documents))
    assert [hand["state_hash"] for hand in report["hands"]] == [hand.state_hash for hand in expected.hands]
    assert chain_of(store, name).head == store.game(name).head
    assert check(store).faults == []


def test_tables_at_a_step(store: Store, documents: list[Document]) -> None:
    name = take_in_old(store, documents)
    ask = Client(app_for(store, AUDITOR)).ask
    query = """query($game: String!, $seq: Int!) { stateAt(game: $game, seq: $seq) { ... on State { table } }
      legalActs(game: $game, seq: $seq) { __typename } }"""
    folds, table = Folds(store), start(load(game()[0]))  # type: ignore[arg-type]
    for event in map(load, game()[1:]):
        table = apply(table, event)
        assert folds.at(name, event.seq).state_hash() == table.state_hash()
        if event.seq % 40 == 0:
            found = ask(query, game=name, seq=event.seq)
            assert found["stateAt"]["table"] == picture(table)
            assert found["legalActs"]["__typename"] == "LegalActs"


def test_the_api_gives_events_as_they_are_stored(store: Store, documents: list[Document]) -> None:
    name = take_in_old(store, documents)
    query = """query($game: String!) { events(game: $game, first: 100) {
      ... on EventConnection { edges { node { type body } } } } }"""
    found = Client(app_for(store, AUDITOR)).ask(query, game=name)["events"]["edges"]
    assert [edge["node"]["body"] for edge in found] == [stored_form(one) for one in documents[:100]]


def test_live_appends(store: Store, documents: list[Document]) -> None:
    """A game that was begun in the older version goes on in it, also by a service that has restarted."""
    name = id_of(documents)
    Intake(store, Folds(store)).open_game(documents[0])
    for first in range(1, len(documents), 60):
        intake = Intake(store, Folds(store))
        intake.append(name, first, f"k{first}", documents[first : first + 60])
    assert store.bodies(name) == [canonical(stored_form(one)) for one in documents]
    kept = store.audit(name)
    assert kept is not None
    assert kept.verdict == "clean"
    assert store.game(name).sealed_at is not None
    assert check(store).faults == []


def test_a_live_append_of_another_version_is_refused(store: Store, documents: list[Document]) -> None:
    from service.usecases.errors import InvalidDocumentError

    intake = Intake(store, Folds(store))
    intake.open_game(documents[0])
    at = next(one["seq"] for one in documents if one["type"] == "discarded")
    with pytest.raises(InvalidDocumentError) as caught:
        intake.append(id_of(documents), 1, None, game()[1 : at + 1])
    assert caught.value.index is not None
    assert store.game(id_of(documents)).next_seq == 1


def test_both_versions_side_by_side(store: Store, documents: list[Document]) -> None:
    old, new = take_in_old(store, documents), id_of(game(1))
    (done,) = ingest(store, read(io.BytesIO(old_lines(game(1))), source="log"), "log")
    assert isinstance(done, Stored)
    folds = Folds(store)
    assert [folds.format_of(name) for name in (old, new, old)] == [OLD, "paipu/1", OLD]
    assert check(store).faults == []


def test_export_as_it_is_stored(store: Store, documents: list[Document]) -> None:
    """The same events with the same members, so that the log can be taken in again wherever its version is read."""
    name = take_in_old(store, documents)
    exported = b"".join(export(store, name))
    assert [json.loads(line) for line in exported.splitlines()] == documents
    (again,) = ingest(store, read(io.BytesIO(exported), source="log"), "log")
    assert isinstance(again, Stored)
    assert (again.added, again.skipped) == (0, len(documents))


# -- Proofs ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [None, 0, 3])
def test_a_bundle_is_made_and_verified(
    durable_store: Store, tmp_path: Path, documents: list[Document], seat: int | None
) -> None:
    name = take_in_old(durable_store, documents)
    notary = notary_at(durable_store, tmp_path / "keys.json")
    done = prove(durable_store, notary, name, seat)
    found = verify(done.raw, *notary.verifiers)
    assert not [step for step in found.steps if step.status == "failed"]
    assert found.verified
    assert found.report is not None
    assert found.report["verdict"] in ("clean", "incomplete")


def test_what_is_hidden_stays_hidden_by_any_name(
    durable_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The public form of an old event hides the tiles that today's hides; else a bundle of a live game gives them."""
    monkeypatch.setitem(FORMATS, OLD, old_format(HIDDEN_RENAMED))
    documents = old_game(0, HIDDEN_RENAMED)
    intake = Intake(durable_store, Folds(durable_store))
    intake.open_game(documents[0])
    intake.append(id_of(documents), 1, None, documents[1:70])
    done = prove(durable_store, notary_at(durable_store, tmp_path / "keys.json"), id_of(documents), 0)
    shown = [_document(entry) for entry in done.bundle["events"]]
    hidden = [one for one in shown if one["type"] in ("dealt", "drew") and one["seat"] != 0]
    assert len(hidden) > 5
    for one in hidden:
        assert set(one.get("given") or [one["taken"]]) == {"??"}


def _document(entry: dict[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(b64decode(entry.get("full") or entry["public"]))
    return found
