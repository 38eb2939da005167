"""Trusted documents: only what the operator has put up is executed, and nothing is put up that cannot be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from schema.graphql.operations import Operations
from service.api import create_app
from service.api.documents import DocumentsError, digest, load_documents
from service.api.graphql import Policy
from service.api.limits import RequestLimits, limits_of
from service.client.calls import DOCUMENTS
from service.settings import SettingError, Settings
from service.store import Store
from tests.api.clients import AUDITOR, Client
from tests.databases import Database
from tests.usecases.commands import run, said

GAMES = "query Games($n: Int!) { games(first: $n) { ... on GameConnection { edges { node { game } } } } }\n"
NAME = "{ __typename }"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "games.graphql").write_text(GAMES)
    (tmp_path / "name.gql").write_text(NAME)
    (tmp_path / "notes.txt").write_text("not a document")
    return tmp_path


def trusting(library: Store, path: Path) -> Client:
    operations = Operations()
    policy = Policy(operations, load_documents(path, operations))
    return Client(create_app(library, authenticate=lambda connection: AUDITOR, limits=RequestLimits(policy)))


def send(client: Client, **body: Any) -> tuple[int, dict[str, Any]]:
    answer = client.request("POST", "/graphql", json=body)
    return answer.status_code, answer.json()


def code(body: dict[str, Any]) -> str:
    assert "data" not in body
    return str(body["errors"][0]["extensions"]["code"])


@pytest.mark.parametrize("prefix", ["", "sha256:"])
def test_a_known_document(library: Store, folder: Path, prefix: str) -> None:
    status, body = send(trusting(library, folder), documentId=prefix + digest(GAMES), variables={"n": 2})
    assert status == 200
    assert len(body["data"]["games"]["edges"]) == 2
    assert body["extensions"]["cost"]["requested"] == 5


def test_no_other_text_is_executed_even_that_of_a_known_document(library: Store, folder: Path) -> None:
    client = trusting(library, folder)
    for body in ({"query": NAME}, {"query": "{ games(first: 1) { __typename } }"}, {"query": "mutation { x }"}):
        status, answer = send(client, **body)
        assert (status, code(answer)) == (400, "DOCUMENT_REQUIRED")


def test_nothing_that_a_client_sends_is_taken_up(library: Store, folder: Path) -> None:
    """Neither by Apollo's automatic persisted queries, nor by sending a text with its right id."""
    client, new = trusting(library, folder), "{ a: __typename }"
    persisted = {"persistedQuery": {"version": 1, "sha256Hash": digest(new)}}
    assert code(send(client, query=new, extensions=persisted)[1]) == "DOCUMENT_REQUIRED"
    assert code(send(client, query=new, documentId=digest(new))[1]) == "DOCUMENT_UNKNOWN"
    assert code(send(client, documentId=digest(new))[1]) == "DOCUMENT_UNKNOWN"


@pytest.mark.parametrize("identifier", ["", "x", "0" * 64, "sha256:", "../name.gql"])
def test_unknown_ids(library: Store, folder: Path, identifier: str) -> None:
    status, body = send(trusting(library, folder), documentId=identifier)
    assert (status, code(body)) == (400, "DOCUMENT_UNKNOWN")


def test_without_trusted_documents_there_are_no_ids(client: Client) -> None:
    assert code(send(client, documentId=digest(NAME))[1]) == "DOCUMENT_UNKNOWN"


def test_a_manifest(library: Store, tmp_path: Path) -> None:
    path = tmp_path / "documents.json"
    path.write_text(json.dumps({digest(NAME): NAME, f"sha256:{digest(GAMES)}": GAMES}))
    assert send(trusting(library, path), documentId=digest(NAME))[1]["data"] == {"__typename": "Query"}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "no JSON"),
        ("[]", "one object"),
        ('{"a": 1}', "one object"),
        (json.dumps({"0" * 64: NAME}), "not the SHA-256"),
        (json.dumps({digest("{ nothing }"): "{ nothing }"}), "Cannot query field"),
        (json.dumps({digest("{"): "{"}), "Syntax Error"),
        (json.dumps({digest("{" + "a " * 9999 + "}"): "{" + "a " * 9999 + "}"}), "tokens"),
        ("{}", "no documents"),
        (b"\xff", "UTF-8"),
    ],
)
def test_documents_that_cannot_be_put_up(tmp_path: Path, content: str | bytes, words: str) -> None:
    path = tmp_path / "documents.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(DocumentsError, match=words) as caught:
        load_documents(path, Operations())
    assert "documents.json" in str(caught.value)


def test_a_bad_file_in_a_folder_is_named(folder: Path) -> None:
    (folder / "web" / "bad.graphql").write_text("{ nothing }")
    with pytest.raises(DocumentsError, match=r"bad\.graphql: Cannot query field"):
        load_documents(folder, Operations())


def test_the_setting(folder: Path) -> None:
    found = limits_of(Settings.from_environment({"MINGPAI_DOCUMENTS": str(folder), "HOME": str(folder)}))
    assert found.policy.documents == {digest(GAMES): GAMES, digest(NAME): NAME}
    with pytest.raises(SettingError, match="MINGPAI_DOCUMENTS"):
        Settings.from_environment({"MINGPAI_DOCUMENTS": str(folder / "none"), "HOME": str(folder)})


def test_serve_does_not_start_with_documents_that_cannot_be_used(database: Database, folder: Path) -> None:
    (folder / "bad.graphql").write_text("{ nothing }")
    done = run({**database.environment, "MINGPAI_DOCUMENTS": str(folder)}, "serve", "--port", "0")
    assert done.returncode == 2
    (line,) = said(done)
    assert "MINGPAI_DOCUMENTS" in line
    assert "bad.graphql" in line


@pytest.mark.parametrize("identifier", DOCUMENTS)
@pytest.mark.parametrize("is_trusting", [True, False])
def test_the_clients_own_documents_are_always_known(
    library: Store, folder: Path, client: Client, identifier: str, is_trusting: bool
) -> None:
    """Game servers' ``MingpaiClient`` works wherever only trusted documents do."""
    variables = {"event": {}, "game": "g", "seq": 1, "events": [{}]}
    asked = trusting(library, folder) if is_trusting else client
    status, body = send(asked, documentId=identifier, variables=variables)
    assert (status, body["errors"][0]["extensions"]["code"]) == (200, "FORBIDDEN")  # an auditor is no game server
