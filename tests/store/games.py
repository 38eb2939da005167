"""Small games to store: canonical bytes, digests and salts, and the chain computed once more without the database."""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

from service.store import Appended, Entry, Opening, Store
from service.store.log import Log, Sealed

SECRET = bytes(range(32))


def body(place: int, **members: Any) -> bytes:
    """A ``discarded`` event at ``place``, or whatever ``members`` make of it."""
    event = {"seq": place, "type": "discarded", "at": "2026-03-01T12:00:05.125Z", "hand": 1, "seat": 2, "tile": "3m"}
    return json.dumps(event | members, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def start(name: str, **members: Any) -> bytes:
    """Event 0 of a game."""
    event = {
        "seq": 0,
        "type": "game_started",
        "at": "2026-03-01T12:00:00.000Z",
        "format": "paipu/1",
        "game": name,
        "ruleset": {"id": "xiamen", "version": "1", "options": {"passes": True}},
        "seats": [{"player": f"p{seat}"} for seat in range(4)],
        "first_dealer": 0,
        "records": {"passes": False, "wall": False, "prompts": False},
    }
    return json.dumps(event | members, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def end(seq: int, reason: str | None = None) -> bytes:
    """The last event of a game."""
    event: dict[str, Any] = {"seq": seq, "type": "game_ended", "at": "2026-03-01T13:00:00.000Z", "scores": [0, 0, 0, 0]}
    if reason is not None:
        event["reason"] = reason
    return json.dumps(event, sort_keys=True, separators=(",", ":")).encode()


def entry(content: bytes) -> Entry:
    """An event with a digest and a salt that are only its own."""
    return Entry(content, sha256(b"public" + content).digest(), sha256(b"salt" + content).digest()[:16])


def opening(game: str, names: Iterable[str | None] = ()) -> Opening:
    return Opening(game, sha256(b"rules").digest(), SECRET, list(names))


def open_game(store: Store, game: str = "g") -> Appended:
    return store.open(opening(game), entry(start(game)), key="open")


def whole(game: str, count: int) -> list[Entry]:
    """A game of ``count`` events that has not ended."""
    return [entry(start(game)), *(entry(body(seq)) for seq in range(1, count))]


def append(store: Store, game: str, seq: int, key: str | None, *bodies: bytes) -> Appended:
    bodies_, publics, salts = zip(*map(entry, bodies), strict=True)
    return store.append(game, seq, key, bodies_, publics, salts)


def seal_of(store: Store, game: str, **members: Any) -> bytes:
    """A seal that says what is stored of an ended game; its root is nobody's business here."""
    stored = store.game(game)
    document = {
        "type": "mingpai-seal/1",
        "game": sha256(game.encode()).hexdigest(),
        "events": stored.next_seq,
        "root": sha256(stored.head).hexdigest(),
        "head": stored.head.hex(),
        "ruleset": stored.ruleset_digest.hex(),
        "reason": stored.status,
    }
    return json.dumps(document | members, sort_keys=True, separators=(",", ":")).encode()


def seal(store: Store, game: str) -> Sealed:
    return Log(store).seal(game, seal_of(store, game))


def chain(bodies: Iterable[bytes]) -> list[tuple[bytes, bytes]]:
    """Leaf and head of every event, as the contract defines them (``fairness.md``, "Evidence")."""
    head, done = bytes(32), []
    for content in bodies:
        _, public, salt = entry(content)
        leaf = sha256(b"\x00" + public + sha256(salt + content).digest()).digest()
        head = sha256(b"\x02" + head + leaf).digest()
        done.append((leaf, head))
    return done


def assert_sound(store: Store, game: str) -> int:
    """The stored chain is one line without gap or fork, and its head row is its end; returns the number of events."""
    stored = list(store.events(game))
    assert [event.seq for event in stored] == list(range(len(stored)))
    assert [json.loads(event.body)["seq"] for event in stored] == list(range(len(stored)))
    assert [(event.leaf, event.head) for event in stored] == chain(event.body for event in stored)
    head = store.game(game)
    assert (head.next_seq, head.head) == (len(stored), stored[-1].head)
    return len(stored)
