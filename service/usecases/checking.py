"""The whole store derived anew from the stored bytes, and held against a checkpoint that was kept outside.

What a database says of itself proves nothing: whoever can write to it can make it consistent. So every game, the log
and its checkpoints are checked for being consistent, and an old checkpoint for being contained.
"""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import NamedTuple

from replays.merkle import EMPTY_ROOT, leaf_hash
from service.evidence.checkpoints import CheckpointError, parse_checkpoint, signed_checkpoint
from service.evidence.leaves import text_digest
from service.evidence.log_tree import Frontier, Node
from service.evidence.notes import NoteError, Verifier, parse_note
from service.evidence.rederiving import OPEN, Rederived
from service.store import Game, SignedCheckpoint, Store
from service.store.chains import appends, game_ids, stray_cosignatures, stray_events, unknown_games
from service.store.errors import BrokenLogError, UnknownGameError
from service.store.log import Log
from service.usecases.case_checking import check_cases
from service.usecases.notary import require_contained

_CHUNK = 64  #: games that a worker checks before it reports
_LEAVES = 1000  #: leaves whose nodes are asked for at once
_AHEAD = 4  #: chunks a worker that are waiting for it


class Fault(NamedTuple):
    """One thing that is not as it should be. ``where`` is ``game``, ``log``, ``checkpoint`` or ``case`` (then ``game``
    holds the case's id); ``code`` is stable."""

    where: str
    game: str | None
    seq: int | None
    code: str
    message: str

    def __str__(self) -> str:
        place = "" if self.game is None else f" {self.game}"
        place += "" if self.seq is None else f", seq {self.seq}"
        return f"{self.where}{place}: {self.message}"


@dataclass
class Checked:
    """What a check has seen, and the faults it found: of each game the first one."""

    games: int = 0
    events: int = 0
    seals: int = 0
    checkpoints: int = 0
    faults: list[Fault] = field(default_factory=list)


class _GameCheck(NamedTuple):
    events: int
    fault: Fault | None


def check(
    store: Store,
    verifiers: Sequence[Verifier] = (),
    outside: Sequence[bytes] = (),
    *,
    jobs: int = 1,
    watch: Callable[[int], None] = lambda games: None,
) -> Checked:
    """Checks every game and case, the log, the kept checkpoints, and that the log contains the ``outside`` ones.

    ``verifiers`` are the log's keys: without any, no signature can be checked, and an outside checkpoint is a fault.
    ``jobs`` processes share the games; ``watch`` is told how many games have been checked since it was told last.
    """
    done = Checked()
    for result in _game_checks(store, jobs):
        done.games += len(result)
        done.events += sum(one.events for one in result)
        done.faults += [one.fault for one in result if one.fault is not None]
        watch(len(result))
    done.faults += [
        Fault("game", game, seq, "stray", "an event that no chain has") for game, seq in stray_events(store)
    ]
    done.faults += [Fault("case", *fault) for fault in check_cases(store)]
    done.faults += _check_log(store, verifiers, done)
    for raw in outside:
        done.faults += _check_outside(store, raw, verifiers)
    return done


# -- Games -------------------------------------------------------------------------------------------------------------


def _game_checks(store: Store, jobs: int) -> Iterator[list[_GameCheck]]:
    games = game_ids(store)
    chunks = iter(lambda: list(islice(games, _CHUNK)), [])
    if jobs == 1:
        yield from (_check_games(store, chunk) for chunk in chunks)
        return
    context = multiprocessing.get_context("spawn")  # a fork would share this process's connections
    with ProcessPoolExecutor(jobs, context, _connect, (store.url,)) as pool:
        waiting: list[Future[list[_GameCheck]]] = []
        for chunk in chunks:
            waiting.append(pool.submit(_check_chunk, chunk))
            if len(waiting) >= _AHEAD * jobs:
                yield waiting.pop(0).result()
        for result in waiting:
            yield result.result()


_connected: list[Store] = []  # a worker process's own


def _connect(url: str) -> None:
    _connected.append(Store.connect(url, unsafe_allowed=True, pool_size=2))


def _check_chunk(games: list[str]) -> list[_GameCheck]:
    return _check_games(_connected[0], games)


def _check_games(store: Store, games: list[str]) -> list[_GameCheck]:
    return [_check_game(store, game) for game in games]


def _check_game(store: Store, name: str) -> _GameCheck:
    secret = store.secret(name)
    if secret is None:
        return _GameCheck(0, Fault("game", name, None, "secret", "the game's secret is missing"))
    try:
        game = store.game(name)  # before the events: a game that goes on meanwhile is checked up to here
    except UnknownGameError:
        return _GameCheck(0, Fault("game", name, None, "head_row", "the game's head row is missing"))
    chain, times = Rederived(name, secret), []
    for stored in store.events(name, limit=game.next_seq):
        difference = chain.add(stored)
        if difference is not None:
            return _GameCheck(len(chain.leaves), Fault("game", name, *difference))
        times.append(stored.recorded_at)
    wrong = next(_differences(store, game, chain, times), None)
    return _GameCheck(len(chain.leaves), None if wrong is None else Fault("game", name, *wrong))


_Wrong = tuple[int | None, str, str]  # seq, code and words


def _differences(store: Store, game: Game, chain: Rederived, times: Sequence[datetime]) -> Iterator[_Wrong]:
    """What else is kept of a game whose events are sound."""
    if len(chain.leaves) != game.next_seq or chain.head != game.head:
        yield len(chain.leaves), "tail", f"the chain ends here, the game's head row says {game.next_seq} events"
    elif game.status != chain.status:
        yield None, "status", f"the events say {chain.status}, the game's head row {game.status}"
    elif chain.start is not None:
        yield from _row_differences(game, chain)
        yield from _append_differences(store, game, chain, times)
        yield from _seal_differences(store, game, chain)
        yield from _text_differences(store, game.game)


def _row_differences(game: Game, chain: Rederived) -> Iterator[_Wrong]:
    start = chain.start
    assert start is not None  # asked for by the caller
    derived = {
        "ruleset_id": start.ruleset,
        "ruleset_version": start.version,
        "options": dict(start.options),
        "ruleset_digest": bytes.fromhex(chain.book.digest),
        "players": [seat.player for seat in start.seats],
        "started_at": start.at,
    }
    for column, value in derived.items():
        if getattr(game, column) != value:
            yield 0, "game_row", f"the game's row has another {column} than event 0"


def _append_differences(store: Store, game: Game, chain: Rederived, times: Sequence[datetime]) -> Iterator[_Wrong]:
    due = 0
    for row in appends(store, game.game):
        if row.first_seq >= game.next_seq and store.game(game.game).next_seq > row.last_seq:
            break  # the game has gone on since
        if row.first_seq != due or not due <= row.last_seq < game.next_seq:
            yield row.first_seq, "appends", "an append that the chain does not have"
            return
        if row.head != chain.heads[row.last_seq]:
            yield row.last_seq, "appends", "the append that ends here has another head than the chain"
        late = next((seq for seq in range(due, row.last_seq + 1) if times[seq] != row.recorded_at), None)
        if late is not None:
            yield late, "recorded_at", "the event has another time of record than the append that brought it"
        due = row.last_seq + 1
    if due != game.next_seq:
        yield due, "appends", f"no append brings event {due}"


def _seal_differences(store: Store, game: Game, chain: Rederived) -> Iterator[_Wrong]:
    leaf = Log(store).leaf(game.game)
    # Rows are read one after the other, and the game may be sealed in between.
    is_sealed = game.sealed_at is not None if leaf is None else store.game(game.game).sealed_at is not None
    if (leaf is not None) != is_sealed:
        yield None, "seal", "the game's head row and the log disagree on whether it is sealed"
    elif leaf is not None and (chain.status == OPEN or leaf.seal != chain.seal()):
        yield None, "seal", f"the seal (leaf {leaf.index}) is not the one that the stored bytes give"


def _text_differences(store: Store, game: str) -> Iterator[_Wrong]:
    for text in store.texts(game):
        stored = store.event(game, text.seq)
        if stored is None or json.loads(stored.body).get("reason") != text_digest(text.salt, text.text):
            yield text.seq, "text", "the free text is not the one whose digest the event holds"


# -- The log -----------------------------------------------------------------------------------------------------------


def _check_log(store: Store, verifiers: Sequence[Verifier], done: Checked) -> Iterator[Fault]:
    log = Log(store)
    kept = list(log.checkpoints())  # before the log's size: it may grow meanwhile
    done.checkpoints = len(kept)
    try:
        counts = log.counts()
    except BrokenLogError as error:
        yield Fault("log", None, None, "size", str(error))
        return
    roots = {one.size: b"" for one in kept} | {0: EMPTY_ROOT}
    yield from _check_leaves(store, counts.size, roots, done)
    if done.seals != counts.size:
        yield Fault(
            "log", None, None, "size", f"leaf {done.seals} is missing, the log's head says {counts.size} leaves"
        )
    elif counts.leaves != counts.size:
        yield Fault("log", None, None, "size", f"{counts.leaves} leaves are kept, the log's head says {counts.size}")
    if counts.nodes != counts.size - counts.size.bit_count():  # one a right child
        yield Fault("log", None, None, "node", f"{counts.nodes} nodes are kept, {counts.size} leaves have others")
    for one in kept:
        yield from _check_kept(one, log.cosigned(one), roots[one.size], verifiers)
    for position in stray_cosignatures(store):
        yield Fault("checkpoint", None, None, "cosignature", f"a cosignature of number {position}, which is not kept")


def _check_leaves(store: Store, size: int, roots: dict[int, bytes], done: Checked) -> Iterator[Fault]:
    """Every leaf and every node over them; fills in the ``roots`` of the sizes that are wanted."""
    log, tree = Log(store), Frontier()
    leaves = log.leaves(0, size)
    while page := list(islice(leaves, _LEAVES)):
        for game in unknown_games(store, [leaf.game for leaf in page]):
            yield Fault("log", game, None, "game", "a seal of a game that is not stored")
        expected: dict[Node, bytes] = {}
        for leaf in page:
            if leaf.index != done.seals:
                return
            derived = leaf_hash(leaf.seal)
            if leaf.leaf != derived:
                yield Fault("log", leaf.game, None, "leaf", f"leaf {leaf.index} is not the hash of its seal")
            for level, node in tree.add(derived)[1:]:
                expected[Node(level, leaf.index >> level)] = node
            done.seals += 1
            if done.seals in roots:
                roots[done.seals] = tree.root
        yield from _check_nodes(log, expected)


def _check_nodes(log: Log, expected: Mapping[Node, bytes]) -> Iterator[Fault]:
    kept = log.kept_nodes(list(expected))
    for node, derived in expected.items():
        if kept.get(node) != derived:
            yield Fault(
                "log", None, None, "node", f"node {node.index} of level {node.level} is not the hash of its leaves"
            )


def _check_kept(kept: SignedCheckpoint, cosigned: bytes, root: bytes, verifiers: Sequence[Verifier]) -> Iterator[Fault]:
    """A checkpoint in the store: its signatures, those of witnesses too, where there are keys to check them with, and
    its root."""
    try:
        checkpoint = parse_checkpoint(parse_note(kept.note).text)
        if verifiers:
            signed_checkpoint(kept.note, *verifiers)
            signed_checkpoint(cosigned, *verifiers)
        parse_note(cosigned)
    except (NoteError, CheckpointError) as error:
        yield _kept_fault(kept, "signature", str(error))
        return
    if (checkpoint.size, checkpoint.root) != (kept.size, root):
        yield _kept_fault(kept, "root", "the log does not give its root")


def _kept_fault(kept: SignedCheckpoint, code: str, message: str) -> Fault:
    return Fault("checkpoint", None, None, code, f"number {kept.position}, size {kept.size}: {message}")


def _check_outside(store: Store, raw: bytes, verifiers: Sequence[Verifier]) -> Iterator[Fault]:
    """A checkpoint that was kept elsewhere: it is signed, and the log goes on from it."""
    try:
        require_contained(Log(store), signed_checkpoint(raw, *verifiers))
    except (NoteError, CheckpointError) as error:
        yield Fault("checkpoint", None, None, "signature", f"the one given cannot be used: {error}")
    except BrokenLogError as error:
        yield Fault("log", None, None, error.code, str(error))
