"""Many writers on one game: one of them wins each place, and the chain never forks."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

from service.store import Store
from service.store.errors import ContentConflictError, GameExistsError, SequenceConflictError
from tests.databases import Database
from tests.store.games import append, assert_sound, body, entry, open_game, opening, start, whole

_EACH = 25


def write(store: Store, writer: str) -> int:
    """Appends ``_EACH`` times wherever the game goes on; returns how often somebody else was quicker."""
    lost, place = 0, 1
    for number in range(_EACH):
        for attempt in count():
            try:
                last = append(store, "g", place, f"{writer}-{number}", body(place, x_w=writer), body(place + 1))
            except SequenceConflictError as conflict:
                lost, place = lost + 1, conflict.next_seq
                assert attempt < 10_000
            else:
                place = last.seq + 1
                break
    return lost


def test_eight_threads(store: Store) -> None:
    open_game(store)
    with ThreadPoolExecutor(8) as pool:
        lost = sum(pool.map(lambda writer: write(store, f"t{writer}"), range(8)))
    assert lost > 0, "the writers never met: the test shows nothing"
    assert assert_sound(store, "g") == 1 + 8 * _EACH * 2


def test_processes(store: Store, database: Database) -> None:
    open_game(store)
    command = [sys.executable, "-m", "tests.store.test_writers", database.application_url]
    root = Path(__file__).parents[2]
    writers = [subprocess.Popen([*command, f"p{number}"], cwd=root) for number in range(4)]
    assert [writer.wait(60) for writer in writers] == [0] * 4
    assert assert_sound(store, "g") == 1 + 4 * _EACH * 2


def test_one_opens(store: Store) -> None:
    def attempt(number: int) -> bool:
        try:
            store.open(opening("g"), entry(start("g", x_n=number)), key=str(number))
        except GameExistsError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(attempt, range(8))) == 1
    assert assert_sound(store, "g") == 1


def test_one_stores_and_the_others_repeat(store: Store) -> None:
    """The same append from everybody at once: all of them get the same answer."""
    open_game(store)
    with ThreadPoolExecutor(8) as pool:
        answers = set(pool.map(lambda _: append(store, "g", 1, "same", body(1), body(2)), range(8)))
    assert len(answers) == 1
    assert assert_sound(store, "g") == 3


def test_one_ingests_and_the_others_skip(store: Store) -> None:
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda _: store.ingest(opening("g"), whole("g", 300), batch=40), range(4)))
    assert sum(result.added for result in done) == 300
    assert {result.head for result in done} == {store.game("g").head}
    assert assert_sound(store, "g") == 300


def test_one_of_two_contents_is_ingested_whole(store: Store) -> None:
    """Ingests of one game that differ in its last event: one content wins, the others are told where they differ."""

    def attempt(number: int) -> int:
        events = [*whole("g", 199), entry(body(199, x_n=number % 2))]
        try:
            return store.ingest(opening("g"), events, batch=20).added
        except ContentConflictError as conflict:
            return -(conflict.seq or 0)

    with ThreadPoolExecutor(6) as pool:
        added = list(pool.map(attempt, range(6)))
    assert added.count(-199) == 3
    assert len({number % 2 for number, found in enumerate(added) if found == -199}) == 1
    assert assert_sound(store, "g") == 200


def test_games_ingested_at_once_keep_apart(store: Store) -> None:
    """Every session moves what it staged itself, although all of them stage into one table."""
    games = {f"g{number}": [*whole(f"g{number}", 150), entry(body(150, x_n=number))] for number in range(8)}
    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda game: store.ingest(opening(game), games[game], batch=30), games))
    assert [result.added for result in done] == [151] * 8
    for game, events in games.items():
        assert store.bodies(game) == [one.body for one in events]
        assert assert_sound(store, game) == 151


if __name__ == "__main__":
    with Store.connect(sys.argv[1], unsafe_allowed=True) as connected:
        write(connected, sys.argv[2])
