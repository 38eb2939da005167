"""The guide to the API is followed from its first block to its last, on a real server, as a reader would do it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from graphql import FieldNode, InlineFragmentNode, OperationDefinitionNode, OperationType, parse

from schema.graphql import schema
from schema.graphql.enums import ErrorCode
from schema.graphql.limits import Code
from schema.ports import Role
from tests.access.keys import bearer
from tests.api.test_server import serving
from tests.databases import Database
from tests.live.subscribers import Link
from tests.usecases.commands import environment

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs"
GUIDE = (FOLDER / "api.md").read_text(encoding="utf-8")
#: Where the guide says that the service is.
BASE = "http://127.0.0.1:8000"
#: The pages that say what every field of the API is for.
PAGES = ("api.md", "access.md", "bulk.md", "disputes.md", "subscriptions.md")
#: Events of the game that is voided: enough for its hand to be under way.
BEGUN = 20


class Block(NamedTuple):
    """A fenced block, and the line at which it stands."""

    line: int
    kind: str
    text: str


def blocks() -> list[Block]:
    """The guide's blocks in their order."""
    found = re.finditer(r"^```(\w+)\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)
    return [Block(GUIDE.count("\n", 0, match.start()) + 1, match[1], match[2]) for match in found]


BLOCKS = blocks()


def operation_of(text: str) -> OperationDefinitionNode:
    (operation,) = parse(text).definitions
    assert isinstance(operation, OperationDefinitionNode)
    return operation


def fields_of(operation: OperationDefinitionNode) -> list[FieldNode]:
    return [one for one in operation.selection_set.selections if isinstance(one, FieldNode)]


class Reader:
    """Somebody who follows the guide in ``folder``, and remembers what the answers said."""

    def __init__(self, base: str, folder: Path, variables: Mapping[str, str]) -> None:
        self.base = base
        self.folder = folder
        self.environment = dict(variables)
        self.known: dict[str, Any] = {}

    def do(self, block: Block) -> Any:
        """Does what a block says; its answer, where that is JSON."""
        return {"sh": self.run, "python": self.program, "graphql": self.ask}[block.kind](block.text)

    def run(self, script: str) -> Any:
        """A script for the shell; what it exports stays."""
        after = self.folder / "environment"
        script = f"set -euo pipefail\n{script.replace(BASE, self.base)}\nenv -0 > {after}\n"
        done = self._ended(["bash", "-c", script])
        self.environment = dict(line.split("=", 1) for line in after.read_text().split("\0") if line)
        try:
            return json.loads(done)
        except ValueError:
            return done

    def program(self, text: str) -> Any:
        """A program in Python."""
        return self._ended([sys.executable, "-c", text]).strip()

    def ask(self, text: str) -> Any:
        """A GraphQL document, sent with the key of its first line and variables out of earlier answers."""
        key = self.environment[f"{text.split()[1].upper()}_KEY"]
        operation = operation_of(text)
        variables = {
            one.variable.name.value: self.known.get(one.variable.name.value)
            for one in operation.variable_definitions or ()
        }
        if operation.operation is OperationType.SUBSCRIPTION:
            return self.follow(text, key, variables)
        body = {"query": text, "variables": variables}
        answer = httpx.post(f"{self.base}/graphql", json=body, headers=bearer(key), trust_env=False).json()
        assert "errors" not in answer, answer["errors"]
        for field in fields_of(operation):
            self._check(field, answer["data"][field.name.value])
        self.known |= dict(leaves(answer["data"]))
        return {"data": answer["data"]}

    def follow(self, text: str, key: str, variables: dict[str, Any]) -> Any:
        """A subscription that comes to its end by itself; its first message."""
        (field,) = fields_of(operation_of(text))
        messages = []
        with Link.opened(self.base, key) as link:
            name = link.subscribe(text, **variables)
            while (message := link.next(name))["type"] == "next":
                messages.append(message["payload"])
                self._check(field, message["payload"]["data"][field.name.value])
            assert message["type"] == "complete"
        return messages[0]

    @staticmethod
    def _check(field: FieldNode, value: Mapping[str, Any]) -> None:
        """The field's result is what was asked for: something, and no problem."""
        assert value, f"{field.name.value} gives nothing that the document asks for"
        kinds = [
            one.type_condition.name.value
            for one in (field.selection_set.selections if field.selection_set else ())
            if isinstance(one, InlineFragmentNode) and one.type_condition is not None
        ]
        assert not kinds or "Problem" in kinds, f"{field.name.value} is asked for without its problems"
        assert not ({"code", "message"} <= set(value)), f"{field.name.value}: {value}"

    def _ended(self, command: list[str]) -> str:
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        return done.stdout


def leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """The names and values in an answer."""
    if isinstance(value, dict):
        for member, below in value.items():
            yield from leaves(below, member)
    elif isinstance(value, list):
        for below in value:
            yield from leaves(below, name)
    else:
        yield name, value


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the reader works: a clone's examples are at hand, and any HTTP error ends a script."""
    (tmp_path / "docs").symlink_to(FOLDER)
    (tmp_path / ".curlrc").write_text('fail-with-body\nnoproxy = "*"\n')
    return tmp_path


def log(folder: Path, number: int) -> list[dict[str, Any]]:
    """One of the games that the guide has simulated."""
    path = sorted((folder / "played").iterdir())[number]
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def prepare(reader: Reader, name: str | None) -> None:
    """What the prose around an operation says of its variables."""
    if name == "Open":
        reader.known["event"], *reader.known["events"] = log(reader.folder, 0)
    if name == "Void":
        started, *events = log(reader.folder, 1)
        for document, variables in (
            ("mutation($event: JSON!) { openGame(event: $event) { __typename } }", {"event": started}),
            (
                "mutation($game: String!, $events: [JSON!]!) "
                "{ appendEvents(game: $game, expectedSeq: 1, events: $events) { __typename } }",
                {"game": started["game"], "events": events[: BEGUN - 1]},
            ),
        ):
            body = {"query": document, "variables": variables}
            headers = bearer(reader.environment["SERVER_KEY"])
            answer = httpx.post(f"{reader.base}/graphql", json=body, headers=headers, trust_env=False).json()
            (result,) = answer["data"].values()
            assert result == {"__typename": "Receipt"}
        reader.known |= {"game": started["game"], "seq": BEGUN, "at": events[BEGUN - 1]["at"]}
    if name == "Seal":
        reader.known["game"] = log(reader.folder, 0)[0]["game"]


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl, as the guide does")
def test_the_guide_works_from_its_first_block_to_its_last(durable_database: Database, folder: Path) -> None:
    settings = environment(durable_database.environment)
    programs = f"{Path(sys.executable).parent}{os.pathsep}{settings['PATH']}"
    extra = {"PATH": programs, "HOME": str(folder), "PYTHONPATH": str(ROOT), "CURL_HOME": str(folder)}
    every_second = {"MINGPAI_CHECKPOINT_SECONDS": "1"}
    with serving(durable_database, environment_too=every_second) as (_, base):
        reader, answer = Reader(base, folder, settings | extra), None
        for block in BLOCKS:
            try:
                if block.kind == "json":
                    assert answer == json.loads(block.text)
                    continue
                if block.kind == "graphql":
                    name = operation_of(block.text).name
                    prepare(reader, None if name is None else name.value)
                answer = reader.do(block)
                if block.kind == "graphql" and operation_of(block.text).name is not None and "key:" in block.text:
                    assert reader.do(block) == answer  # a call that comes again
            except AssertionError as error:
                raise AssertionError(f"docs/api.md, line {block.line}: {error}") from error
            if block.kind == "python":
                assert answer == "True"
    sizes = [(folder / name).stat().st_size for name in ("games.paipu.jsonl", "bundle.json", "bundle.html")]
    assert min(sizes) > 10_000


def test_every_block_is_something_to_do_or_an_answer() -> None:
    kinds = [block.kind for block in BLOCKS]
    assert set(kinds) == {"sh", "graphql", "python", "json"}
    assert GUIDE.count("```") == 2 * len(BLOCKS)
    answers = [place for place, kind in enumerate(kinds) if kind == "json"]
    assert answers
    assert all(kinds[place - 1] in ("sh", "graphql") for place in answers)


@pytest.mark.parametrize("root", ["query", "mutation", "subscription"])
def test_every_field_is_in_the_guide_or_in_what_it_links_to(root: str) -> None:
    pages = "".join((FOLDER / page).read_text(encoding="utf-8") for page in PAGES)
    graph = schema._schema
    kind = {"query": graph.query_type, "mutation": graph.mutation_type, "subscription": graph.subscription_type}[root]
    assert kind is not None
    assert [name for name in kind.fields if not re.search(rf"\b{name}\b", pages)] == []


def test_every_code_in_its_tables_is_one() -> None:
    rows = re.findall(r"^\| ((?:`[A-Z_]+`(?:, )?)+) \|", GUIDE, re.MULTILINE)
    named = {code for row in rows for code in re.findall(r"[A-Z_]+", row)}
    assert len(named) > 15
    assert named <= {code.value.upper() for code in ErrorCode} | {code.value for code in Code}


def test_every_role_is_in_its_table() -> None:
    assert set(re.findall(r"^\| `([a-z]+)` \|", GUIDE, re.MULTILINE)) == {role.value for role in Role}


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(([^)]+)\)", GUIDE))))
def test_every_link_leads_somewhere(link: str) -> None:
    path, _, anchor = link.partition("#")
    page = FOLDER / path if path else FOLDER / "api.md"
    assert page.exists()
    if anchor:
        titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
        assert anchor in {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}
