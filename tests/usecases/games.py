"""Logs to take in: simulated games, with what real logs have beside them: names and members of their own."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from schema.paipu import document, encode
from service.simulator.games import simulate_game

Document = dict[str, Any]
NAMES = ("甲", "Zoë 🀄", "<b>丙</b>", "d")


@cache
def _simulated(index: int, hands: int) -> tuple[Document, ...]:
    return tuple(document(event) for event in simulate_game("xiamen", 7, index, hands=hands))


def game(index: int = 0, hands: int = 1) -> list[Document]:
    """A whole sound game of its own, with names at its seats and an ``x_`` member in every tenth event."""
    documents = [dict(one) for one in _simulated(index, hands)]
    seats = [{**seat, "name": name} for seat, name in zip(documents[0]["seats"], NAMES, strict=True)]
    documents[0] = {**documents[0], "seats": seats}
    for one in documents[::10]:
        one["x_trace"] = {"b": [1, "ä"], "a": {"𝒳": None, "ﬀ": True}}
    return documents


def id_of(documents: Iterable[Document]) -> str:
    """The game's id."""
    return str(next(iter(documents))["game"])


def lines(*games: Iterable[Document]) -> bytes:
    """Games as a log."""
    return b"".join(encode(one) for documents in games for one in documents)


def write(path: Path, *games: Iterable[Document]) -> str:
    """Games as a file; its path."""
    path.write_bytes(lines(*games))
    return str(path)


def with_violation(documents: list[Document]) -> tuple[list[Document], int]:
    """The game with one payment that is not what was won, totals following it; and the ``seq`` of that payment."""
    at = next(one["seq"] for one in documents if one["type"] == "settled" and any(one["deltas"]))
    changed = [dict(one) for one in documents]
    moved = _moved(changed[at]["deltas"])
    off = [a - b for a, b in zip(moved, changed[at]["deltas"], strict=True)]
    changed[at]["deltas"] = moved
    for one in changed[at + 1 :]:
        if "scores" in one:
            one["scores"] = [a + b for a, b in zip(one["scores"], off, strict=True)]
    return changed, at


def _moved(deltas: list[int]) -> list[int]:
    """One point taken from one payer in place of another."""
    first, second = [seat for seat, delta in enumerate(deltas) if delta < 0][:2]
    return [delta + (seat == first) - (seat == second) for seat, delta in enumerate(deltas)]
