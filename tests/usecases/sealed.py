"""Sealed games, and who signs over them: cheap ones by the thousand, real ones where their bytes matter."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path

import psycopg

from schema.paipu import encode, read
from service.evidence.checkpoints import Checkpoint, signed_checkpoint
from service.store import SignedCheckpoint, Store
from service.store.log import Log
from service.usecases.ingest import Stored, ingest
from service.usecases.notary import Notary, open_ring
from tests.store import games
from tests.store.attacks import unguarded
from tests.usecases.games import Document, id_of, lines

ORIGIN = "log.example/mingpai"


def notary_at(store: Store, path: Path) -> Notary:
    """A notary with the ring in the file ``path``, which is made if it is not there."""
    open_ring(path, ORIGIN)
    return Notary(store, path)


def forgetful(store: Store, path: Path) -> Notary:
    """The same, for another database than the one that the ring last signed for: what was signed is forgotten."""
    notary = notary_at(store, path)
    notary.memory.unlink(missing_ok=True)
    return notary


def seal_cheaply(store: Store, count: int, first: int = 0) -> list[str]:
    """Seals ``count`` games of two events; nothing of them is any game's but that the ledger takes them."""
    names = [f"cheap-{number:05}" for number in range(first, first + count)]
    for name in names:
        store.ingest(games.opening(name), [games.entry(games.start(name)), games.entry(games.end(1))])
        games.seal(store, name)
    return names


def take_in(store: Store, *documents: Iterable[Document]) -> list[str]:
    """Whole real games, stored and, where they have ended, sealed."""
    listed = [list(game) for game in documents]
    if not listed:
        return []
    done = list(ingest(store, read(io.BytesIO(lines(*listed)), source="log"), "log"))
    assert all(isinstance(outcome, Stored) for outcome in done), done
    return [id_of(game) for game in listed]


def unsealed(store: Store, documents: list[Document], owner: str | None = None) -> str:
    """A real game that has ended and is not sealed, as one is whose service stopped in between."""
    from service.usecases.append import Intake
    from service.usecases.folds import Folds

    intake = Intake(store, Folds(store))
    intake.open_game(documents[0], None, owner)
    intake.append(id_of(documents), 1, None, documents[1:-1])
    _end_alone(store, documents)
    return id_of(documents)


def _end_alone(store: Store, documents: list[Document]) -> None:
    from replays.reducer import start
    from schema.paipu import load
    from service.usecases.entries import Sealer

    name, last = id_of(documents), documents[-1]
    secret = store.secret(name)
    assert secret is not None
    entry = Sealer.of(start(load(documents[0])).book, secret).entry(last)  # type: ignore[arg-type]
    store.append(name, last["seq"], None, [entry.body], [entry.public_digest], [entry.salt])


def spoil(admin_url: str, *statements: str) -> None:
    """A superuser's statements behind the triggers' back; each must change something."""
    with unguarded(admin_url) as connection:
        for statement in statements:
            assert connection.execute(statement).rowcount > 0, statement


def opened(kept: SignedCheckpoint | None, notary: Notary) -> Checkpoint:
    """What a signed checkpoint says, by the notary's keys."""
    assert kept is not None
    return signed_checkpoint(kept.note, *notary.verifiers)


def count(database_url: str, table: str) -> int:
    """How many rows a table has."""
    with psycopg.connect(database_url) as connection:
        row = connection.execute(f"SELECT count(*) FROM mingpai.{table}").fetchone()
    assert row is not None
    return int(row[0])


def sizes(store: Store) -> list[int]:
    """The sizes of all kept checkpoints, in their order."""
    return [kept.size for kept in Log(store).checkpoints()]


def encoded(documents: Iterable[Document]) -> bytes:
    """A game as it is exported."""
    return b"".join(map(encode, documents))
