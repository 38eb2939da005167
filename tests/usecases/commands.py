"""Runs commands as processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping

from tests.databases import Database

COMMAND = [sys.executable, "-c", "from service.cli import main; main()"]


def environment(extra: Mapping[str, str]) -> dict[str, str]:
    """The process's own environment without settings of the service, and ``extra``."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("MINGPAI_")}
    return own | dict(extra)


def run(
    database: Database | Mapping[str, str], *arguments: str, stdin: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """Runs ``mingpai`` to its end over a database, or with other settings."""
    settings = database.environment if isinstance(database, Database) else database
    return subprocess.run(
        [*COMMAND, *arguments],
        env=environment(settings),
        input=stdin,
        capture_output=True,
        timeout=120,
        check=False,
    )


def said(done: subprocess.CompletedProcess[bytes]) -> list[str]:
    """The lines on standard error, but for the warning that the tests' database is not safe against a crash."""
    return [line for line in done.stderr.decode().splitlines() if not line.startswith("warning: unsafe database: ")]
