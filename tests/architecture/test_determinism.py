"""The same log gives the same report on every supported Python and under every hash seed.

The engine needs nothing but itself, so a bare interpreter can run it: this process reads the sample logs, writes the
events down as Python expressions (their ``repr``), and each interpreter audits them and prints what it found.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.architecture.tree import ROOT, VARIANTS

SUPPORTED = ("3.11", "3.12", "3.13")
SEEDS = ("0", "1", "random")
SAMPLES = sorted((ROOT / "tests/data").rglob("*.paipu.jsonl"))

#: Audits the events of each file named on the command line and prints the whole report.
SCRIPT = """
import sys
from pathlib import Path
from replays import events
from replays.audit import audit
for name in sys.argv[1:]:
    print(repr(audit(eval(Path(name).read_text(encoding="utf-8"), vars(events).copy()))))
"""


@cache
def interpreter(version: str) -> str | None:
    """The command of a Python of this version, or None where there is none."""
    if version == "{}.{}".format(*sys.version_info):
        return sys.executable
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = [shutil.which(f"python{version}"), *map(str, sorted(pyenv.glob(f"{version}.*/bin/python")))]
    return next((command for command in found if command and _is_version(command, version)), None)


def _is_version(command: str, version: str) -> bool:
    question = [command, "-c", "import sys; print('{}.{}'.format(*sys.version_info))"]
    asked = subprocess.run(question, capture_output=True, text=True, check=False)
    return asked.stdout.strip() == version


def reports(command: str, seed: str, logs: list[Path]) -> str:
    """What an interpreter says of the logs, under one hash seed and without any library."""
    environment = {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed, "PYTHONDONTWRITEBYTECODE": "1"}
    environment |= {"PYTHONIOENCODING": "utf-8", "PATH": os.environ.get("PATH", "")}
    call = [command, "-S", "-c", SCRIPT, *map(str, logs)]
    done = subprocess.run(call, env=environment, capture_output=True, encoding="utf-8", timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The registered rule sets' sample logs as Python expressions, one file a log."""
    from replays.variants import REGISTRY
    from schema import paipu

    folder = tmp_path_factory.mktemp("logs")
    registered = tuple(f"{name}-" for name in VARIANTS if name in REGISTRY)
    written = []
    for sample in SAMPLES:
        if sample.name.startswith(registered):
            written.append(folder / f"{sample.name}.txt")
            written[-1].write_text(repr(list(paipu.events(sample))), encoding="utf-8")
    assert written
    return written


@pytest.fixture(scope="module")
def expected(logs: list[Path]) -> str:
    return reports(sys.executable, "0", logs)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("version", SUPPORTED)
def test_same_reports(version: str, seed: str, logs: list[Path], expected: str) -> None:
    command = interpreter(version)
    if command is None:
        pytest.skip(f"no Python {version} on this machine")
    assert expected.count("\n") == len(logs)
    assert reports(command, seed, logs) == expected
