"""The log of sealed games: places without gaps whoever seals at once, nodes, checkpoints and cosignatures."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from hashlib import sha256
from typing import Any

import psycopg
import pytest

from replays import merkle
from service.evidence.log_tree import Node, consistency_proof, inclusion_proof, root
from service.store import Store, time_text
from service.store.errors import (
    BrokenLogError,
    CheckpointOrderError,
    GameNotEndedError,
    GameSealedError,
    InvalidEventError,
    SealConflictError,
    StoreError,
    StoreUnavailableError,
    UnknownGameError,
)
from service.store.log import Log, Sealed
from tests.databases import Database
from tests.store.games import append, end, open_game, seal, seal_of


def ended(store: Store, game: str = "g", reason: str | None = None) -> str:
    open_game(store, game)
    append(store, game, 1, None, end(1, reason))
    return game


def stored_nodes(database: Database) -> dict[Node, bytes]:
    with psycopg.connect(database.reader_url) as connection:
        rows = connection.execute("SELECT level, index, hash FROM mingpai.log_nodes").fetchall()
    return {Node(level, index): node for level, index, node in rows}


def complete(leaves: list[bytes]) -> dict[Node, bytes]:
    """Every complete subtree above the leaves."""
    level, row = 0, leaves
    found: dict[Node, bytes] = {}
    while len(row) > 1:
        level, row = level + 1, [merkle.node_hash(a, b) for a, b in zip(row[::2], row[1::2], strict=False)]
        found |= {Node(level, index): node for index, node in enumerate(row)}
    return found


def test_an_empty_log(store: Store) -> None:
    log = Log(store)
    assert log.size() == 0
    assert log.leaf("g") is None
    assert list(log.leaves(0, 9)) == []
    assert log.nodes([]) == {}
    assert root(0, log.nodes) == merkle.EMPTY_ROOT
    assert log.checkpoint() is None
    assert list(log.checkpoints()) == []
    assert log.unsealed() == []


def test_forty_games_sealed_by_eight_threads(store: Store, database: Database) -> None:
    """Every one of them by two threads at once: one leaf each, contiguous places, every node right."""
    games = [ended(store, f"g{number:02}") for number in range(40)]
    log = Log(store)
    jobs = [game for pair in zip(games, reversed(games), strict=True) for game in pair]
    with ThreadPoolExecutor(8) as pool:
        told = list(zip(jobs, pool.map(lambda game: seal(store, game), jobs), strict=True))
    places = dict(told)
    assert all(places[game] == sealed for game, sealed in told)
    leaves = list(log.leaves(0, 99))
    assert [leaf.index for leaf in leaves] == list(range(40))
    assert {leaf.game: Sealed(leaf.index, time_text(leaf.sealed_at)) for leaf in leaves} == places
    assert [leaf.leaf for leaf in leaves] == [merkle.leaf_hash(seal_of(store, leaf.game)) for leaf in leaves]
    hashes = [leaf.leaf for leaf in leaves]
    assert stored_nodes(database) == complete(hashes)
    assert log.size() == 40
    for size in range(1, 41):
        assert root(size, log.nodes) == merkle.root(hashes[:size])
    assert inclusion_proof(17, 39, log.nodes) == merkle.inclusion_proof(hashes[:39], 17)
    assert consistency_proof(21, 40, log.nodes) == merkle.consistency_proof(hashes, 21)


def test_times_follow_the_places(store: Store) -> None:
    """As in a chain, whose time is read once its head is locked: no seal is older than the one before it."""
    games = [ended(store, f"g{number}") for number in range(60)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda game: seal(store, game), games))
    times = [leaf.sealed_at for leaf in Log(store).leaves(0, 99)]
    assert times == sorted(times)


def test_nodes_of_every_size(store: Store, database: Database) -> None:
    log, hashes = Log(store), []
    for number in range(18):
        sealed = seal(store, ended(store, f"g{number}"))
        assert sealed.index == number
        leaf = log.leaf(f"g{number}")
        assert leaf is not None
        hashes.append(leaf.leaf)
        assert stored_nodes(database) == complete(hashes)
    wanted = [Node(0, 3), Node(2, 1), Node(4, 0)]
    assert log.nodes(wanted) == {Node(0, 3): hashes[3], **{node: complete(hashes)[node] for node in wanted[1:]}}
    for missing in (Node(4, 1), Node(0, 18), Node(1, 9)):
        assert log.kept_nodes([missing]) == {}
        with pytest.raises(BrokenLogError, match=f"node {missing.index} of level {missing.level}"):
            log.nodes([*wanted, missing])


def test_leaves_by_page(store: Store) -> None:
    for number in range(7):
        seal(store, ended(store, f"g{number}"))
    log = Log(store)
    for start, stop in ((0, 7), (2, 5), (6, 7), (3, 3), (5, 2), (7, 9), (4, 1 << 40)):
        assert [leaf.index for leaf in log.leaves(start, stop)] == list(range(start, min(stop, 7)))


def test_leaves_beyond_a_page(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.store.log._PAGE", 3)
    for number in range(7):
        seal(store, ended(store, f"g{number}"))
    for stop in range(9):
        assert [leaf.index for leaf in Log(store).leaves(0, stop)] == list(range(min(stop, 7)))


def test_the_same_seal_again(store: Store) -> None:
    ended(store)
    first = seal(store, "g")
    seal(store, ended(store, "h"))
    assert seal(store, "g") == first == Sealed(0, first.time)
    leaf = Log(store).leaf("g")
    assert leaf is not None
    assert (time_text(leaf.sealed_at), store.game("g").sealed_at) == (first.time, leaf.sealed_at)
    assert Log(store).size() == 2


@pytest.mark.parametrize("members", [{"root": "0" * 64}, {"reason": "voided"}, {"events": 1}, {"more": 1}])
def test_another_seal_of_a_sealed_game(store: Store, members: dict[str, Any]) -> None:
    ended(store)
    first = seal(store, "g")
    with pytest.raises(GameSealedError) as caught:
        Log(store).seal("g", seal_of(store, "g", **members))
    assert (caught.value.game, caught.value.next_seq, caught.value.head) == ("g", 2, store.game("g").head)
    assert seal(store, "g") == first


@pytest.mark.parametrize(
    "members",
    [
        {"type": "mingpai-seal/2"},
        {"type": None},
        {"events": 1},
        {"events": 3},
        {"events": "2"},
        {"events": 2.5},
        {"head": "0" * 64},
        {"ruleset": "0" * 64},
        {"reason": "voided"},
        {"reason": "bored"},
        {"reason": None},
        {"more": 1},
    ],
)
def test_a_seal_that_says_something_else_than_what_is_stored(store: Store, members: dict[str, Any]) -> None:
    ended(store)
    with pytest.raises(SealConflictError) as caught:
        Log(store).seal("g", seal_of(store, "g", **members))
    assert (caught.value.game, caught.value.next_seq, caught.value.head) == ("g", 2, store.game("g").head)
    assert Log(store).size() == 0
    assert store.game("g").sealed_at is None


@pytest.mark.parametrize("member", ["type", "game", "events", "root", "head", "ruleset", "reason"])
def test_a_seal_with_a_member_missing(store: Store, member: str) -> None:
    ended(store)
    document = json.loads(seal_of(store, "g"))
    del document[member]
    with pytest.raises(SealConflictError):
        Log(store).seal("g", json.dumps(document).encode())
    assert Log(store).size() == 0


@pytest.mark.parametrize("raw", [b"", b"{", b"\xff", b"\0", b"[]x"])
def test_a_seal_that_is_no_json(store: Store, raw: bytes) -> None:
    ended(store)
    with pytest.raises(InvalidEventError):
        Log(store).seal("g", raw)
    assert Log(store).size() == 0


@pytest.mark.parametrize("reason", ["finished", "abandoned", "voided"])
def test_every_way_to_end_is_sealed(store: Store, reason: str) -> None:
    ended(store, reason=reason)
    assert seal(store, "g").index == 0


def test_open_and_unknown_games(store: Store) -> None:
    open_game(store)
    with pytest.raises(GameNotEndedError) as caught:
        seal(store, "g")
    assert (caught.value.game, caught.value.next_seq) == ("g", 1)
    with pytest.raises(UnknownGameError):
        Log(store).seal("nobody", b"{}")
    assert Log(store).size() == 0


def test_unsealed_games_in_the_order_in_which_they_ended(store: Store) -> None:
    for number in range(4):
        open_game(store, f"g{number}")
    for number in (2, 0, 3):
        append(store, f"g{number}", 1, None, end(1))
    log = Log(store)
    assert log.unsealed() == ["g2", "g0", "g3"]
    assert log.unsealed(2) == ["g2", "g0"]
    seal(store, "g0")
    assert log.unsealed() == ["g2", "g3"]


# Checkpoints: bytes that the store keeps and does not read


def with_seals(store: Store, count: int) -> Log:
    for number in range(count):
        seal(store, ended(store, f"g{number}"))
    return Log(store)


def test_checkpoints_only_grow_and_never_beyond_the_log(store: Store) -> None:
    log = with_seals(store, 3)
    with pytest.raises(CheckpointOrderError, match="size 4"):
        log.keep_checkpoint(4, b"four")
    log.keep_checkpoint(0, b"zero")
    log.keep_checkpoint(2, b"two")
    with pytest.raises(CheckpointOrderError, match="size 1"):
        log.keep_checkpoint(1, b"one")
    log.keep_checkpoint(2, b"two, by another key")
    log.keep_checkpoint(3, b"three")
    with pytest.raises(CheckpointOrderError):
        log.keep_checkpoint(2, b"two, late")
    kept = list(log.checkpoints())
    assert [(one.size, one.note) for one in kept] == [
        (0, b"zero"),
        (2, b"two"),
        (2, b"two, by another key"),
        (3, b"three"),
    ]
    assert [one.position for one in kept] == sorted(one.position for one in kept)
    assert list(log.checkpoints(newest_first=True)) == kept[::-1]
    assert log.checkpoint() == kept[-1]
    assert all(isinstance(one.signed_at, datetime) for one in kept)


def test_the_same_checkpoint_again(store: Store) -> None:
    log = with_seals(store, 2)
    log.keep_checkpoint(2, b"two")
    kept = list(log.checkpoints())
    log.keep_checkpoint(2, b"two")
    assert list(log.checkpoints()) == kept


def test_checkpoints_by_page(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    log = with_seals(store, 1)
    for number in range(7):
        log.keep_checkpoint(1, b"%d" % number)
    for size in (1, 3, 7, 8):
        monkeypatch.setattr("service.store.log._PAGE", size)
        notes = [one.note for one in log.checkpoints()]
        assert notes == [b"%d" % number for number in range(7)]
        assert [one.note for one in log.checkpoints(newest_first=True)] == notes[::-1]


def test_checkpoints_of_eight_threads(store: Store) -> None:
    """Whoever is late with a smaller tree is told; what is kept never shrinks."""
    log = with_seals(store, 8)

    def keep(size: int) -> bool:
        try:
            log.keep_checkpoint(size, b"%d" % size)
        except CheckpointOrderError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        kept = [size for size, done in zip(range(1, 9), pool.map(keep, range(1, 9)), strict=True) if done]
    assert 8 in kept
    assert [one.size for one in log.checkpoints()] == kept


# Cosignatures


def test_cosignatures_follow_the_note_in_the_order_in_which_they_came(store: Store) -> None:
    log = with_seals(store, 1)
    log.keep_checkpoint(1, b"text\n\n\xe2\x80\x94 log x\n")
    log.keep_checkpoint(1, b"other\n\n\xe2\x80\x94 log y\n")
    first, second = log.checkpoints()
    assert log.cosigned(first) == first.note
    for line in ("— witness.b c\n", "— witness.a d\n", "— witness.b c\n"):
        log.keep_cosignature(first, line)
    log.keep_cosignature(second, "— witness.a e\n")
    assert log.cosigned(first) == first.note + "— witness.b c\n— witness.a d\n".encode()
    assert log.cosigned(second) == second.note + "— witness.a e\n".encode()


def test_a_cosignature_of_no_checkpoint(store: Store) -> None:
    log = with_seals(store, 1)
    log.keep_checkpoint(1, b"one")
    (kept,) = log.checkpoints()
    nowhere = kept._replace(position=kept.position + 1)
    with pytest.raises(StoreError, match="checkpoint") as caught:
        log.keep_cosignature(nowhere, "line")
    assert not isinstance(caught.value, StoreUnavailableError)
    assert log.cosigned(nowhere) == kept.note


def test_digest_of_the_leaf_is_the_ledgers_own(store: Store) -> None:
    """The caller hands over the seal alone: its hash is not the caller's to say."""
    ended(store)
    spaced = json.dumps(json.loads(seal_of(store, "g")), indent=1).encode()
    Log(store).seal("g", spaced)
    leaf: Any = Log(store).leaf("g")
    assert (leaf.seal, leaf.leaf) == (spaced, sha256(b"\x00" + spaced).digest())
