"""Sealing ended games: the seal is the contract's, and a game that is not as its bytes say is never sealed."""

from __future__ import annotations

import hmac
import logging
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

import pytest

from replays import merkle
from replays.events import GameStarted
from replays.reducer import start
from schema.canonical import canonical
from schema.paipu import load
from service.evidence.log_tree import root
from service.evidence.rederiving import EvidenceError
from service.store import Store
from service.store.errors import GameNotEndedError, GameSealedError, SealConflictError, UnknownGameError
from service.store.log import Log
from service.usecases.entries import Sealer, opening
from service.usecases.sealing import chain_of, seal_ended, seal_game, seal_quietly
from tests.databases import Database
from tests.evidence.vectors import CASES, Case
from tests.store import games as plain
from tests.store.attacks import flipped, unguarded
from tests.usecases.games import Document, game, id_of

SECRET = bytes(range(32))
ROW = "game = %(game)s AND seq = 5"


def keep(store: Store, documents: list[Document], secret: bytes = SECRET) -> str:
    """Stores a game past everything that would seal it at once; its id."""
    event = load(documents[0])
    assert isinstance(event, GameStarted)
    book = start(event).book
    sealer = Sealer(secret, bool(book.options["concealed_kong_shown"]))
    store.ingest(opening(documents[0], book, secret), map(sealer.entry, documents))
    return id_of(documents)


def ended(case: Case, reason: str) -> list[Document]:
    """A game of the vectors, which stop within a hand, with an end."""
    scores = case.events[0].get("scores") or [0] * len(case.events[0]["seats"])
    end = {"seq": len(case.events), "type": "game_ended", "at": case.events[-1]["at"], "scores": scores}
    return [*case.events, end | {"reason": reason}]


def spoil(database: Database, name: str, *statements: str) -> None:
    with unguarded(database.admin_url) as connection:
        for statement in statements:
            assert connection.execute(statement, {"game": name}).rowcount > 0


@pytest.mark.parametrize("reason", ["finished", "abandoned", "voided"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.game)
def test_seal_of_the_contract(store: Store, case: Case, reason: str) -> None:
    """Put together here out of ``fairness.md`` and the vectors' leaves, heads, salts and digests."""
    name = keep(store, ended(case, reason), case.secret)
    stored = list(store.events(name))
    assert [event.leaf.hex() for event in stored[:-1]] == case.leaves
    assert [event.head.hex() for event in stored[:-1]] == case.heads
    salt0 = hmac.digest(case.secret, b"mingpai-game/1\x00", "sha256")[:16]
    assert salt0.hex() == case.salt0
    seal = {
        "type": "mingpai-seal/1",
        "game": sha256(salt0 + name.encode()).hexdigest(),
        "events": len(stored),
        "root": merkle.root([event.leaf for event in stored]).hex(),
        "head": store.game(name).head.hex(),
        "ruleset": case.ruleset_digest,
        "reason": reason,
    }
    assert seal_game(store, name).index == 0
    leaf = Log(store).leaf(name)
    assert leaf is not None
    assert leaf.seal == canonical(seal)
    assert leaf.leaf == sha256(b"\x00" + leaf.seal).digest()
    assert store.game(name).sealed_at == leaf.sealed_at


def test_again_is_the_same(store: Store) -> None:
    name = keep(store, game(0))
    first = seal_game(store, name)
    keep(store, game(1))
    seal_ended(store)
    assert seal_game(store, name) == first
    assert seal_quietly(store, name)
    assert Log(store).size() == 2


def test_open_and_unknown_games(store: Store) -> None:
    name = keep(store, game(0)[:-1])
    with pytest.raises(GameNotEndedError) as caught:
        seal_game(store, name)
    assert (caught.value.game, caught.value.head) == (name, store.game(name).head)
    with pytest.raises(UnknownGameError):
        seal_game(store, "nobody")
    assert seal_ended(store) == 0
    assert Log(store).size() == 0


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        (flipped("events", "body", ROW), "body"),
        (flipped("events", "public_digest", ROW), "public_digest"),
        (flipped("events", "salt", ROW), "salt"),
        (flipped("events", "head", ROW), "head"),
        (f"DELETE FROM mingpai.events WHERE {ROW}", "seq"),
        (flipped("game_secrets", "secret", "game = %(game)s"), "salt"),
    ],
)
def test_a_spoilt_game_is_not_sealed(
    store: Store, database: Database, caplog: pytest.LogCaptureFixture, statement: str, code: str
) -> None:
    games = [keep(store, game(index)) for index in range(3)]
    spoil(database, games[1], statement)
    with pytest.raises(EvidenceError) as caught:
        seal_game(store, games[1])
    assert (caught.value.game, caught.value.difference.code) == (games[1], code)
    assert caught.value.difference.seq == (0 if "secret" in statement else 5)
    assert Log(store).size() == 0
    with caplog.at_level(logging.ERROR, "mingpai.evidence"):
        assert seal_ended(store) == 2
        assert not seal_quietly(store, games[1])
    assert [games[1] in record.message for record in caplog.records] == [True, True]
    assert Log(store).leaf(games[1]) is None
    assert store.game(games[1]).sealed_at is None
    assert Log(store).unsealed() == [games[1]]


@pytest.mark.parametrize(
    ("statement", "error"),
    [
        ("UPDATE mingpai.game_heads SET next_seq = next_seq + 1 WHERE game = %(game)s", SealConflictError),
        (flipped("game_heads", "head", "game = %(game)s"), SealConflictError),
        (flipped("games", "ruleset_digest", "game = %(game)s"), SealConflictError),
        ("UPDATE mingpai.game_heads SET status = 'voided' WHERE game = %(game)s", SealConflictError),
        ("UPDATE mingpai.game_heads SET status = 'open' WHERE game = %(game)s", GameNotEndedError),
        ("DELETE FROM mingpai.events WHERE game = %(game)s AND seq > 20", SealConflictError),
    ],
)
def test_rows_that_say_something_else_than_the_events(
    store: Store, database: Database, statement: str, error: type[Exception]
) -> None:
    """The events are sound by themselves: here it is the ledger that refuses a seal of them."""
    name = keep(store, game(0))
    spoil(database, name, statement)
    with pytest.raises(error):
        seal_game(store, name)
    assert Log(store).size() == 0


def test_one_game_that_its_rows_contradict_does_not_stop_the_others(store: Store, database: Database) -> None:
    """What ``seal_ended`` says of a game that cannot be sealed holds where it is the ledger that refuses it, too."""
    games = [keep(store, game(index)) for index in range(3)]
    spoil(database, games[1], flipped("game_heads", "head", "game = %(game)s"))
    assert seal_ended(store) == 2
    assert [Log(store).leaf(name) is not None for name in games] == [True, False, True]


def test_a_game_that_only_seems_unsealed(store: Store, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its head row was spoilt, its leaf is there: it is not sealed over and over."""
    games = [keep(store, game(index)) for index in range(2)]
    sealed = seal_game(store, games[0])
    spoil(database, games[0], "UPDATE mingpai.game_heads SET sealed_at = NULL WHERE game = %(game)s")
    asked, unsealed = [], Log.unsealed

    def counted(log: Log, limit: int = 1000) -> list[str]:
        asked.append(limit)
        assert len(asked) < 10, "the same game again and again"
        return unsealed(log, limit)

    monkeypatch.setattr(Log, "unsealed", counted)
    seal_ended(store)
    assert seal_game(store, games[0]) == sealed
    assert Log(store).leaf(games[1]) is not None


def test_games_whose_bytes_are_no_events_are_not_sealed(store: Store) -> None:
    """The ledger takes any bytes that say their place: what they mean is checked here."""
    plain.open_game(store)
    plain.append(store, "g", 1, None, plain.end(1))
    with pytest.raises(EvidenceError):
        seal_game(store, "g")


def test_seals_at_once(store: Store) -> None:
    """Everybody seals everything: every game is one leaf, and all are told the same place."""
    games = [keep(store, game(index)) for index in range(6)]
    orders = [games[turn:] + games[:turn] for turn in range(6)]
    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(lambda order: {name: seal_game(store, name) for name in order}, orders))
    assert all(one == told[0] for one in told)
    log = Log(store)
    leaves = list(log.leaves(0, 99))
    assert [leaf.index for leaf in leaves] == list(range(6))
    assert sorted(leaf.game for leaf in leaves) == sorted(games)
    assert root(6, log.nodes) == merkle.root([merkle.leaf_hash(leaf.seal) for leaf in leaves])
    assert [chain_of(store, leaf.game).seal() for leaf in leaves] == [leaf.seal for leaf in leaves]
    with pytest.raises(GameSealedError):
        plain.append(store, games[0], store.game(games[0]).next_seq, None, plain.body(store.game(games[0]).next_seq))
