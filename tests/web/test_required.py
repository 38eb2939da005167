"""Where there is no browser its tests are skipped, or fail if they must not be."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.architecture.tree import ROOT


@pytest.mark.parametrize(("required", "outcome"), [("", "1 skipped"), ("0", "1 skipped"), ("1", "1 error")])
def test_without_chromium(required: str, outcome: str) -> None:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-n",
        "0",
        "-q",
        "tests/web/test_vectors.py",
        "-k",
        "test_shuffle_vectors",
    ]
    environment = {**os.environ, "PATH": "", "MINGPAI_REQUIRE_BROWSER": required}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert outcome in done.stdout
    assert "no chromium on this machine" in done.stdout
