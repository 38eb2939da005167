"""``POST /audit`` and ``auditLog``: the reports of ``mingpai audit``, and nothing stored."""

from __future__ import annotations

import gzip
import json
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
import zstandard

from schema.ports import PUBLIC
from schema.ports.oneoff import LogUnfitError
from service.api import create_app
from service.store import Store
from service.usecases.oneoff import PUBLIC as PUBLIC_BOUNDS
from service.usecases.oneoff import Bounds, OneOffAudits
from tests.api.clients import Client
from tests.bulk.logs import copies
from tests.bulk.serving import serving
from tests.bulk.viewers import VIEWERS, by_header, sent_by
from tests.databases import Database
from tests.usecases.commands import run
from tests.usecases.games import game, lines, with_violation

Post = Callable[..., httpx.Response]


@pytest.fixture
def client(store: Store) -> Client:
    return Client(create_app(store, authenticate=by_header))


@pytest.fixture
def post(client: Client) -> Post:
    """``POST /audit`` of a log as a viewer."""

    def send(log: bytes, viewer: str = "player", lang: str | None = None, **headers: str) -> httpx.Response:
        query = {} if lang is None else {"lang": lang}
        return client.request("POST", "/audit", params=query, content=log, headers=sent_by(viewer) | headers)

    return send


def printed(log: bytes, tmp_path: Path, lang: str = "en") -> list[dict[str, Any]]:
    """What the command prints of it."""
    done = run({}, "audit", "-", "--format", "json", "--lang", lang, stdin=log)
    return [json.loads(line) for line in done.stdout.splitlines()]


def reports(answer: httpx.Response) -> list[dict[str, Any]]:
    assert answer.status_code == 200, answer.text
    return [json.loads(line) for line in answer.content.splitlines()]


@pytest.mark.parametrize("lang", ["en", "zh-Hans", "zh-Hant"])
def test_the_same_as_the_command(post: Post, tmp_path: Path, lang: str) -> None:
    log = lines(game(0), with_violation(game(1))[0], game(2)[:50])
    found = reports(post(log, lang=lang))
    assert found == printed(log, tmp_path, lang)
    assert [one["verdict"] for one in found] == ["clean", "violations", "incomplete"]


@pytest.mark.parametrize(("packing", "pack"), [("gzip", gzip.compress), ("zstd", zstandard.compress)])
def test_packed(post: Post, packing: str, pack: Callable[[bytes], bytes]) -> None:
    log = lines(game(0))
    assert reports(post(pack(log), **{"content-encoding": packing})) == reports(post(log))
    assert reports(post(pack(log))) == reports(post(log))
    assert post(log, **{"content-encoding": "br"}).status_code == 415


def test_nothing_is_stored(post: Post, client: Client, database: Database) -> None:
    before = _contents(database)
    reports(post(lines(with_violation(game(1))[0])))
    assert post(b"{}\n").status_code == 422
    asked = {"what": "replay", "hand": "1"}
    assert client.request("POST", "/audit", params=asked, content=lines(game(0))).status_code == 200
    _audit_log(client, lines(game(0)).decode())
    assert _contents(database) == before


def _contents(database: Database) -> dict[str, tuple[Any, ...]]:
    """Every table's number of rows and a digest over them."""
    with psycopg.connect(database.admin_url) as admin:
        tables = admin.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'mingpai'").fetchall()
        statement = "SELECT count(*), md5(string_agg(t::text, '|' ORDER BY t::text)) FROM mingpai.{} t"
        return {name: admin.execute(statement.format(name)).fetchone() or () for (name,) in tables}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("log", "place"),
    [
        (b"", {"line": 1, "member": None}),
        (b"{}\n", {"line": 1, "member": "type"}),
        (b"\xff\xfe\n", {"line": 1, "member": None}),
        (lines(game(0)[1:]), {"line": 1, "member": "type"}),
        (gzip.compress(lines(game(0)), mtime=0)[:100], {"line": 1, "member": None}),
    ],
    ids=["nothing", "no-event", "no-text", "no-start", "cut"],
)
def test_a_log_without_a_report_is_refused_with_its_place(post: Post, log: bytes, place: dict[str, Any]) -> None:
    answer = post(log)
    (error,) = answer.json()["errors"]
    assert (answer.status_code, error["extensions"]["code"]) == (422, "LOG_UNREADABLE")
    assert {name: error["extensions"][name] for name in place} == place
    assert f"line {place['line']}" in error["message"]


def test_what_could_be_read_before_a_bad_line_is_reported(post: Post, tmp_path: Path) -> None:
    documents = game(0)
    inside = lines(documents[:30]) + b'{"seq": 30}\n'
    (report,) = reports(post(inside))
    assert (report["events"], report["error"]["line"], report["error"]["member"]) == (30, 31, "type")
    (same,) = printed(inside, tmp_path)
    same["error"]["source"] = "log"  # there it is standard input
    assert report == same
    report, stopped = reports(post(lines(documents) + b"nonsense\n"))
    assert (report["verdict"], stopped["error"]["line"]) == ("clean", len(documents) + 1)


def test_languages(post: Post) -> None:
    answer = post(lines(game(0)), lang="fr")
    assert (answer.status_code, answer.json()["errors"][0]["extensions"]["argument"]) == (400, "lang")


def test_the_public_sends_less(post: Post) -> None:
    log = lines(game(0))
    padded = log + b" " * (PUBLIC_BOUNDS.size + 1 - len(log))
    assert reports(post(padded[:-1], "public"))[0]["verdict"] == "clean"
    answer = post(padded, "public")
    assert (answer.status_code, answer.json()["errors"][0]["extensions"]["code"]) == (413, "LOG_TOO_LARGE")
    assert reports(post(padded, "player"))[0]["verdict"] == "clean"


def test_too_large_is_told_before_it_has_all_come(client: Client) -> None:
    """Announced or not: a body without end is not read to it."""

    async def endless() -> Any:
        while True:
            yield b" " * 65536

    for content in (endless(), b" " * (PUBLIC_BOUNDS.size + 1)):
        assert client.request("POST", "/audit", content=content).status_code == 413


def test_an_audit_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    """The packed log of very many games is small, and its process is gone afterwards."""
    log = zstandard.compress(b"".join(lines(one) for one in copies(20)) * 400)
    audits = OneOffAudits(keyed=Bounds(size=16 * 1024**2, seconds=3, at_once=1))
    with pytest.raises(LogUnfitError, match="longer than 3 seconds of") as caught:
        audits.audit(VIEWERS["player"], log, "en")
    assert caught.value.code == "time_limit"
    assert _children() == []
    assert audits.audit(VIEWERS["player"], lines(game(0)), "en").reports  # the place is free again


def _children() -> list[str]:
    found = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    pids = [pid for file in found for pid in file.read_text().split()]
    commands = [Path(f"/proc/{pid}/cmdline").read_bytes() for pid in pids if Path(f"/proc/{pid}").exists()]
    return [command.decode() for command in commands if b"oneoff_process" in command]


def test_a_report_that_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.usecases.oneoff._OUTPUT", 100)
    with pytest.raises(LogUnfitError) as caught:
        OneOffAudits().audit(PUBLIC, lines(game(0)), "en")
    assert caught.value.code == "log_too_large"


def test_settings_of_the_service_do_not_reach_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """It knows no database and no key, whatever a log may make of it."""
    seen: list[Any] = []
    monkeypatch.setenv("MINGPAI_DATABASE_URL", "postgresql://secret")
    original = __import__("subprocess").run
    monkeypatch.setattr("subprocess.run", lambda *a, **k: seen.append(k["env"]) or original(*a, **k))
    OneOffAudits().audit(PUBLIC, lines(game(0)), "en")
    assert [set(environment) for environment in seen] == [{"PATH", "PYTHONPATH"}]


def test_others_are_served_meanwhile(database: Database, store: Store) -> None:
    """Audits are processes: while as many as may be are under way, others are told so, and all else goes on."""
    log = zstandard.compress(b"".join(lines(one) for one in copies(20)) * 5)
    with serving(database) as (_, base):
        found: list[int] = []

        def audit(viewer: str) -> None:
            headers = sent_by(viewer)
            answer = httpx.post(f"{base}/audit", content=log, headers=headers, trust_env=False, timeout=120)
            found.append(answer.status_code)

        threads = [threading.Thread(target=audit, args=("player",)) for _ in range(4)]
        for thread in threads:
            thread.start()
        served = 0
        while any(thread.is_alive() for thread in threads):
            answer = httpx.post(f"{base}/graphql", json={"query": "{ __typename }"}, trust_env=False, timeout=30)
            assert answer.status_code == 200
            served += 1
        for thread in threads:
            thread.join()
    assert sorted(found) == [200, 200, 503, 503]
    assert served > 5


def test_the_public_does_not_take_the_place_of_others() -> None:
    bounds = Bounds(size=10**6, seconds=30, at_once=1)
    audits = OneOffAudits(bounds, bounds)
    log = lines(game(0))
    with audits._public[1]:
        assert audits.audit(VIEWERS["player"], log, "en").reports
        with pytest.raises(LogUnfitError) as caught:
            audits.audit(PUBLIC, log, "en")
    assert caught.value.code == "busy"


# -- GraphQL -----------------------------------------------------------------------------------------------------------

_AUDIT_LOG = """mutation($log: String!, $lang: Lang! = EN) { auditLog(log: $log, lang: $lang) {
  ... on LogAudits { audits { game verdict events engineVersion rulesetDigest scores report
                              findings { seq clause message } } stopped }
  ... on LogRefused { code message line member expected found } } }"""


def _audit_log(client: Client, log: str, viewer: str = "public", **variables: str) -> dict[str, Any]:
    content = json.dumps({"query": _AUDIT_LOG, "variables": {"log": log, **variables}})
    headers = sent_by(viewer) | {"content-type": "application/json"}
    body = client.request("POST", "/graphql", content=content, headers=headers).json()
    assert "errors" not in body, body["errors"]
    found: dict[str, Any] = body["data"]["auditLog"]
    return found


def test_through_graphql(client: Client, tmp_path: Path) -> None:
    documents, at = with_violation(game(1))
    log = lines(documents)
    found = _audit_log(client, log.decode(), lang="ZH_HANT")
    (audit,) = found["audits"]
    assert [audit["report"]] == printed(log, tmp_path, "zh-Hant")
    assert (audit["verdict"], audit["findings"][0]["seq"], found["stopped"]) == ("VIOLATIONS", at, None)


def test_refusals_through_graphql(client: Client) -> None:
    refused = _audit_log(client, '{"seq": 0, "type": "nothing"}')
    assert (refused["code"], refused["line"], refused["member"]) == ("LOG_UNREADABLE", 1, "type")
    assert _audit_log(client, "\ud800")["code"] == "LOG_UNREADABLE"
    assert _audit_log(client, " " * (PUBLIC_BOUNDS.size + 1))["code"] == "LOG_TOO_LARGE"
