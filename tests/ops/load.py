"""Load on a real server: writers that append live games, readers that ask for what is there."""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

from tests.api.test_mutations import APPEND, OPEN
from tests.usecases.games import Document, id_of

_PAUSE = 0.02  #: seconds between two calls of one writer: some forty tables' speed
#: What readers ask, in turn.
QUERIES = (
    "query($game: String!, $seq: Int!) { stateAt(game: $game, seq: $seq) { __typename ... on State { table view } } }",
    "query($game: String!) { events(game: $game, first: 100) { __typename ... on EventConnection { edges { node { seq "
    "type body } } } } }",
    "{ games(first: 50) { __typename ... on GameConnection { edges { node { game status verdict seats { player } } } } "
    "} }",
    "query($game: String!, $seq: Int!) { legalActs(game: $game, seq: $seq) { __typename } }",
    "query($game: String!) { audit(game: $game) { __typename ... on Audit { verdict hands { win deltas } } } }",
    "{ findings(first: 20) { __typename } }",
)


@dataclass
class Tally:
    """What came of a run: receipts by game, how many answers there were, and everything that was none."""

    receipts: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    reads: int = 0
    errors: list[str] = field(default_factory=list)


async def load(
    base: str,
    writer: Mapping[str, str],
    readers: Sequence[Mapping[str, str]],
    games: Sequence[Document | list[Document]],
    *,
    writers: int,
    seconds: float,
    seed: int,
) -> Tally:
    """Runs ``writers`` at once with the headers ``writer``, and one reader for each of ``readers``."""
    tally, deadline = Tally(), time.monotonic() + seconds
    source = itertools.count()
    known: list[tuple[str, int]] = []
    async with asyncio.TaskGroup() as group:
        for _ in range(writers):
            group.create_task(_write(base, writer, games, source, known, tally, deadline))
        for number, headers in enumerate(readers):
            group.create_task(_read(base, headers, known, tally, deadline, random.Random(seed + number)))
    return tally


async def _write(
    base: str,
    headers: Mapping[str, str],
    games: Sequence[Any],
    source: itertools.count[int],
    known: list[tuple[str, int]],
    tally: Tally,
    deadline: float,
) -> None:
    """Plays games to their end under ids of their own, some events a call, until time is up."""
    async with httpx.AsyncClient(base_url=base, headers=headers, trust_env=False, timeout=60) as http:
        while time.monotonic() < deadline:
            number = next(source)
            documents = games[number % len(games)]
            name = f"load-{number}-{id_of(documents)}"
            first = {**documents[0], "game": name}
            first.pop("commitment", None)
            await _sent(http, tally, name, {"query": OPEN, "variables": {"event": first, "key": "0"}})
            for seq in range(1, len(documents), 5):
                if time.monotonic() > deadline:
                    return
                variables = {"game": name, "seq": seq, "events": documents[seq : seq + 5], "key": str(seq)}
                await _sent(http, tally, name, {"query": APPEND, "variables": variables})
                known.append((name, seq))
                await asyncio.sleep(_PAUSE)


async def _sent(http: httpx.AsyncClient, tally: Tally, name: str, call: dict[str, Any]) -> None:
    result = await _asked(http, tally, call)
    if result is None:
        return
    if result["__typename"] != "Receipt":
        tally.errors.append(f"{name}: {result}")
        return
    tally.receipts.setdefault(name, []).append((result["seq"], result["head"]))


async def _read(
    base: str,
    headers: Mapping[str, str],
    known: list[tuple[str, int]],
    tally: Tally,
    deadline: float,
    chance: random.Random,
) -> None:
    async with httpx.AsyncClient(base_url=base, headers=headers, trust_env=False, timeout=60) as http:
        while time.monotonic() < deadline:
            await asyncio.sleep(0.05)
            if not known:
                continue
            game, seq = chance.choice(known)
            variables = {"game": game, "seq": chance.randrange(seq)}
            if await _asked(http, tally, {"query": chance.choice(QUERIES), "variables": variables}) is not None:
                tally.reads += 1


async def _asked(http: httpx.AsyncClient, tally: Tally, call: dict[str, Any]) -> Any:
    """The one field of the answer; what is no answer goes among the errors."""
    try:
        answer = await http.post("/graphql", json=call)
        body = answer.json()
    except (httpx.HTTPError, ValueError) as error:
        tally.errors.append(repr(error))
        return None
    if answer.status_code != 200 or "errors" in body:
        tally.errors.append(f"{answer.status_code} {answer.text[:300]}")
        return None
    (result,) = body["data"].values()
    return result
