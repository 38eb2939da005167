"""Eight writers and thirty-two readers on one server: no error, no lost event, every chain whole."""

from __future__ import annotations

import asyncio

import pytest

from schema.ports import Role
from service.store import Store
from service.usecases.checking import check
from tests.access.keys import bearer, key_for
from tests.api.test_server import serving
from tests.databases import Database
from tests.ops.load import Tally, load
from tests.usecases.games import game

SEED = 20261130
WRITERS, READERS = 8, 32


def run(database: Database, store: Store, seconds: float) -> Tally:
    print(f"seed {SEED}")
    server, auditor = bearer(key_for(store, Role.SERVER)), bearer(key_for(store, Role.AUDITOR))
    readers = [server if number % 2 else auditor for number in range(READERS)]
    with serving(database) as (_, base):
        work = load(
            base, server, readers, [game(index) for index in range(6)], writers=WRITERS, seconds=seconds, seed=SEED
        )
        return asyncio.run(work)


def assert_nothing_is_lost(store: Store, tally: Tally) -> None:
    assert tally.errors == []
    assert tally.reads > 0
    assert len(tally.receipts) >= WRITERS
    for name, receipts in tally.receipts.items():
        kept = {event.seq: event.head.hex() for event in store.events(name)}
        assert [kept.get(seq) for seq, _ in receipts] == [head for _, head in receipts]
        assert sorted(kept) == list(range(receipts[-1][0] + 1))
    assert check(store).faults == []


def test_a_short_load(database: Database, store: Store) -> None:
    assert_nothing_is_lost(store, run(database, store, 6))


@pytest.mark.slow
def test_a_minute_of_load(durable_database: Database, durable_store: Store) -> None:
    tally = run(durable_database, durable_store, 60)
    appends = sum(map(len, tally.receipts.values()))
    print(f"{appends} appends, {tally.reads} reads, {len(tally.receipts)} games, {len(tally.errors)} errors")
    assert_nothing_is_lost(durable_store, tally)
