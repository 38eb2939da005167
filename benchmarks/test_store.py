"""Appends beside a plain INSERT, a plain COPY and the application recorder of ``eventsourcing``, all of them durable.

Goals, as ratios in the same run: an append at least half as fast as a plain INSERT one by one, 1.2 times as fast in
batches of 150, bulk ingest 1.5 times as fast, and twice as fast as the recorder throughout.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from benchmarks.store_clients import Target, make_tables, run
from service.embedded import ADMIN, APPLICATION, OWNER, embedded
from service.store import upgrade

pytestmark = pytest.mark.bench

ROUNDS = 5
#: Events of a job by batch and clients: about a second each.
EVENTS = {(1, 1): 3000, (10, 1): 15_000, (150, 1): 45_000, (1, 8): 1000, (10, 8): 4000, (150, 8): 9000}
GOALS = {1: 0.5, 150: 1.2}
BULK = 50_000
BULK_BATCH = 10_000


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    folder: Path = tmp_path_factory.mktemp("store")
    with embedded(folder / "data") as server:
        upgrade(server.url(OWNER))
        found = Target(server.url(ADMIN), server.url(APPLICATION))
        make_tables(found)
        yield found


@pytest.fixture(scope="module")
def pool() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(8, multiprocessing.get_context("spawn")) as workers:
        yield workers


def rate(pool: ProcessPoolExecutor, kind: str, target: Target, count: int, batch: int, clients: int) -> float:
    """Events a second of ``clients`` at once, from the first one's beginning to the last one's end."""
    jobs = [pool.submit(run, kind, target, count, batch) for _ in range(clients)]
    spans = [job.result() for job in jobs]
    return sum(span.events for span in spans) / (max(span.end for span in spans) - min(span.begin for span in spans))


@pytest.mark.parametrize("clients", [1, 8])
@pytest.mark.parametrize("batch", [1, 10, 150])
def test_append(
    target: Target, pool: ProcessPoolExecutor, batch: int, clients: int, report: Callable[[str], None]
) -> None:
    """Rounds of all kinds in turn, the best of each: other people's work on the machine should not count."""
    best = dict.fromkeys(("plain", "appended", "recorded"), 0.0)
    for _ in range(ROUNDS):
        for kind in best:
            best[kind] = max(best[kind], rate(pool, kind, target, EVENTS[batch, clients], batch, clients))
    goal = f" (goal {GOALS[batch]})" if batch in GOALS else ""
    report(
        f"append, batch {batch}, {clients} clients: {best['appended']:,.0f} events/s; plain INSERT "
        f"{best['plain']:,.0f}, ratio {best['appended'] / best['plain']:.2f}{goal}; eventsourcing "
        f"{best['recorded']:,.0f}, ratio {best['appended'] / best['recorded']:.2f} (goal 2)"
    )


def test_bulk_ingest(target: Target, pool: ProcessPoolExecutor, report: Callable[[str], None]) -> None:
    batches = {"plain": 150, "copied": BULK_BATCH, "ingested": BULK_BATCH}
    best = dict.fromkeys(batches, 0.0)
    for _ in range(ROUNDS):
        for kind, batch in batches.items():
            best[kind] = max(best[kind], rate(pool, kind, target, BULK, batch, 1))
    report(
        f"bulk ingest: {best['ingested']:,.0f} events/s; plain INSERT in batches of 150 {best['plain']:,.0f}, ratio "
        f"{best['ingested'] / best['plain']:.2f} (goal 1.5); plain COPY {best['copied']:,.0f}, ratio "
        f"{best['ingested'] / best['copied']:.2f}: that is what chain and checks cost"
    )
