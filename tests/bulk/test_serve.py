"""All of it with ``mingpai serve``: real keys, a real worker, real evidence."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
import zstandard

from service.evidence.bundles import verify
from tests.api.test_server import serving
from tests.bulk.logs import copies
from tests.databases import Database
from tests.usecases.commands import run
from tests.usecases.games import game, lines


def key(database: Database, *arguments: str) -> dict[str, str]:
    """The headers of a request with a new key."""
    done = run(database, "keys", "create", *arguments)
    assert done.returncode == 0, done.stderr
    return {"authorization": f"Bearer {done.stdout.decode().strip()}"}


def ask(base: str, headers: dict[str, str], query: str) -> dict[str, Any]:
    answer = httpx.post(f"{base}/graphql", json={"query": query}, headers=headers, trust_env=False, timeout=30)
    (found,) = answer.json()["data"].values()
    return dict(found)


def test_games_come_in_and_go_out(durable_database: Database, tmp_path: Path) -> None:
    """A server sends its games; staff export them, at once and as a job; a player gets a bundle and gives a link on."""
    database = durable_database
    server = key(database, "--role", "server", "--name", "tables")
    auditor = key(database, "--role", "auditor", "--name", "Ada")
    player = key(database, "--role", "player", "--name", "P", "--player", "player-03")
    log = lines(game(0), *copies(3))
    with serving(database, environment_too={"MINGPAI_EXPORTS": str(tmp_path)}) as (process, base):
        with httpx.Client(base_url=base, trust_env=False, timeout=30) as http:
            sent = http.post("/ingest", content=zstandard.compress(log), headers=server | {"content-encoding": "zstd"})
            assert [json.loads(line)["added"] for line in sent.content.splitlines()] == [180, 103, 103, 103]
            assert http.get("/export", headers=auditor).content == log
            assert http.get("/export", headers=player).status_code == 403
            assert http.get("/export").content == b""
            assert http.get("/export", headers={"authorization": "Bearer nobody"}).status_code == 401

            job = ask(base, auditor, "mutation { startExport { ... on ExportJob { job } } }")["job"]
            done = _done(base, auditor, job)
            packed = http.get(done["path"], headers=auditor).content
            assert [path.name for path in tmp_path.iterdir()] == [f"{job}.paipu.jsonl.zst"]
            with zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True) as reader:
                assert reader.read() == log
            assert http.get(done["path"], headers=server).status_code == 404

            own = http.get("/games/xiamen-7-0/bundle", headers=player)
            link = ask(base, player, _LINK)["path"]
            assert http.get(link).content == own.content
            vkey = http.get("/checkpoint").text.splitlines()[0]
            assert vkey in own.json()["checkpoint"]
            assert verify(own.content).step("inclusion").status == "ok"

            (report,) = http.post("/audit", content=lines(game(1))).text.splitlines()
            assert json.loads(report)["verdict"] == "clean"
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=30)
    assert process.returncode == 0
    assert link.rsplit("/", 1)[1] not in errors
    assert "Traceback" not in errors


_LINK = 'mutation { createBundleLink(game: "xiamen-7-0", expiresIn: 3600) { ... on BundleLink { path } } }'


def _done(base: str, headers: dict[str, str], job: str) -> dict[str, Any]:
    for _ in range(600):
        found = ask(base, headers, f'{{ job(id: "{job}") {{ ... on ExportJob {{ state path error }} }} }}')
        if found["state"] == "DONE":
            return found
        assert found["state"] in ("WAITING", "RUNNING"), found
        time.sleep(0.05)
    pytest.fail("the export is not done")
