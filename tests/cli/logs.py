"""Logs for the commands: the contract's examples, whole, cut, and with planted faults."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from service.cli import app
from tests.shared import contract

EXAMPLES = contract("examples")
CLEAN = EXAMPLES / "xiamen-1-8.paipu.jsonl"  #: 194 events, two hands
SHORT = EXAMPLES / "xiamen-3-13.paipu.jsonl"  #: 83 events, two hands
EVENTS, SHORT_EVENTS = 194, 83


def mingpai(*arguments: str | Path, input: bytes | None = None) -> Result:
    """Runs the command in this process."""
    return CliRunner().invoke(app, [str(argument) for argument in arguments], input=input)


def documents(path: Path = CLEAN) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def written(path: Path, log: list[dict[str, Any]], end: str = "") -> Path:
    """``path`` with the log in it, and ``end`` after its last line."""
    text = "".join(json.dumps(document, ensure_ascii=False) + "\n" for document in log)
    path.write_text(text + end, encoding="utf-8")
    return path


def changed(path: Path, seq: int, log: Path = CLEAN, **members: Any) -> Path:
    """The example with other members in one event."""
    events = documents(log)
    events[seq].update(members)
    return written(path, events)


def wrong_payment(folder: Path) -> Path:
    """The example whose first hand pays the winner three too much, one from each."""
    events = documents()
    place = next(i for i, event in enumerate(events) if event["type"] == "settled")
    return changed(folder / "paid.paipu.jsonl", place, deltas=[-41, -41, -41, 123])


def inapplicable(path: Path, seq: int, end: str = "") -> Path:
    """The example with a settlement of two seats, which cannot be applied to a table of four, in place of an event."""
    events = documents()
    events[seq] = {**{name: events[seq][name] for name in ("seq", "at", "hand")}, "type": "settled", "deltas": [0, 0]}
    return written(path, events, end)


def json_lines(text: str) -> list[dict[str, Any]]:
    """Standard output of ``--format json``: nothing but objects, one a line."""
    return [json.loads(line) for line in text.splitlines()]
