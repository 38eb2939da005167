"""The checks that a contributor runs by hand are part of the test run: style, types, direction of imports."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.tree import ROOT

TOOLS = Path(sys.executable).parent

CHECKS = {
    "lint": [str(TOOLS / "ruff"), "check", "--no-cache", "."],
    "format": [str(TOOLS / "ruff"), "format", "--no-cache", "--check", "--diff", "."],
    "types": [sys.executable, "-m", "mypy"],
    "imports": [str(TOOLS / "lint-imports"), "--no-cache"],
}


@pytest.mark.parametrize("command", CHECKS.values(), ids=CHECKS.keys())
def test_check_passes(command: list[str]) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
