"""Many writers on one game: one of them wins each place, and the chain never forks."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from service.store import Appended, Store
from service.store.errors import ContentConflictError, GameExistsError, SequenceConflictError
from tests.databases import Database
from tests.store.games import append, assert_sound, body, entry, open_game, opening, start, whole

_EACH = 25
_WRITERS = 8


def try_to_append(store: Store, place: int, call: str) -> Appended | None:
    """Two events at that place; ``None`` where somebody else was quicker."""
    try:
        return append(store, "g", place, call, body(place, x_call=call), body(place + 1))
    except SequenceConflictError:
        return None


def write(store: Store, writer: str, told: Callable[[Appended], object]) -> int:
    """Appends ``_EACH`` times wherever the game goes on, and asks for some of it again, as somebody does who got no
    answer; ``told`` gets every answer. Returns how often somebody else was quicker."""
    lost, place = 0, 1
    for number in range(_EACH):
        call = f"{writer}-{number}"
        while (done := try_to_append(store, place, call)) is None:
            lost, place = lost + 1, store.game("g").next_seq
        told(done)
        if number % 3 == 0:
            assert try_to_append(store, place, call) == done
        place = done.seq + 1
    return lost


def assert_all_once(store: Store, writers: Iterable[str], told: Sequence[Appended]) -> None:
    """One line of events in which every call of every writer stands once, and every answer is true."""
    calls = [f"{writer}-{number}" for writer in writers for number in range(_EACH)]
    assert assert_sound(store, "g") == 1 + 2 * len(calls)
    events = list(store.events("g"))
    assert sorted(json.loads(event.body)["x_call"] for event in events[1::2]) == sorted(calls)
    answers = {event.seq: Appended("g", event.seq, event.head, event.time) for event in events}
    assert sorted(told) == [answers[seq] for seq in range(2, len(events), 2)]


def test_eight_threads(store: Store) -> None:
    open_game(store)
    told: list[Appended] = []
    names = [f"t{number}" for number in range(_WRITERS)]
    with ThreadPoolExecutor(_WRITERS) as pool:
        lost = sum(pool.map(lambda writer: write(store, writer, told.append), names))
    assert lost > 0, "the writers never met: the test shows nothing"
    assert_all_once(store, names, told)


def test_eight_processes(store: Store, database: Database) -> None:
    """They start to write together, and what they were told stands on their output."""
    open_game(store)
    command = [sys.executable, "-m", "tests.store.test_writers", database.application_url]
    root = Path(__file__).parents[2]
    names = [f"p{number}" for number in range(_WRITERS)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "cwd": root}
    writers = [subprocess.Popen([*command, name], **pipes) for name in names]  # type: ignore[call-overload]
    for writer in writers:
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        writer.stdin.write("go\n")
        writer.stdin.flush()
    outputs = [writer.communicate()[0].splitlines() for writer in writers]
    assert [writer.returncode for writer in writers] == [0] * _WRITERS
    assert sum(int(lines[-1]) for lines in outputs) > 0, "the writers never met: the test shows nothing"
    assert_all_once(store, names, [_read(line) for lines in outputs for line in lines[:-1]])


def _read(line: str) -> Appended:
    game, seq, head, moment = line.split()
    return Appended(game, int(seq), bytes.fromhex(head), moment)


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


def main(url: str, writer: str) -> None:
    """Writes once it is told to; prints every answer, and at last how often somebody else was quicker."""
    with Store.connect(url, unsafe_allowed=True) as store:
        print("ready", flush=True)
        sys.stdin.readline()
        print(write(store, writer, lambda done: print(done.game, done.seq, done.head.hex(), done.time)))


if __name__ == "__main__":
    main(*sys.argv[1:])
