"""Appends: the chain, repeats, every conflict, what the columns hold."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from hashlib import sha256

import pytest

from schema.canonical import canonical
from service.evidence.leaves import event_salt, public_form, stored_form
from service.store import Entry, Opening, Store
from service.store.errors import (
    ContentConflictError,
    GameEndedError,
    GameExistsError,
    GameNotEndedError,
    GameSealedError,
    InvalidEventError,
    KeyConflictError,
    SecretConflictError,
    SequenceConflictError,
    UnknownGameError,
)
from tests.shared import contract
from tests.store.games import append, assert_sound, body, chain, end, entry, open_game, opening, seal, start, whole


def test_chain_of_leaves_and_heads(store: Store) -> None:
    first = open_game(store)
    assert (first.game, first.seq, first.head) == ("g", 0, chain([start("g")])[-1][1])
    last = append(store, "g", 1, "k1", body(1), body(2), body(3))
    assert (last.seq, last.head) == (3, chain([start("g"), body(1), body(2), body(3)])[-1][1])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", last.time)
    assert assert_sound(store, "g") == 4


@pytest.mark.parametrize("number", range(3))
def test_heads_and_leaves_of_the_contract(store: Store, number: int) -> None:
    """The database computes what the contract's vectors say, which were made without it."""
    case = json.loads(contract("evidence-vectors.json").read_text())["cases"][number]
    secret, events = bytes.fromhex(case["game_secret"]), case["events"]
    shown = events[0]["ruleset"]["options"].get("concealed_kong_shown", True)
    entries = [
        Entry(
            canonical(stored_form(event)),
            sha256(canonical(public_form(event, concealed_kong_shown=shown))).digest(),
            event_salt(secret, event["seq"]),
        )
        for event in events
    ]
    game, digest = events[0]["game"], bytes.fromhex(case["ruleset_digest"])
    store.ingest(Opening(game, digest, secret), entries)
    assert [event.leaf.hex() for event in store.events(game)] == case["leaves"]
    assert [event.head.hex() for event in store.events(game)] == case["heads"]


def test_stored_bytes_are_the_given_bytes(store: Store) -> None:
    """Key order, number forms and escapes that PostgreSQL's own JSON types would change or refuse."""
    odd = (
        rb'{"type":"drew","x_b":1e2,"seq":1,"at":"2026-03-01T12:00:05.125Z","hand":7,'
        rb'"x_a":"\u0000\u0000\\u0000\\\u0000"}'
    )
    open_game(store)
    append(store, "g", 1, None, odd)
    stored = store.event("g", 1)
    assert stored is not None
    assert stored.body == odd
    with store.driver() as driver:
        read = driver.execute("SELECT event ->> 'type', event -> 'hand' FROM mingpai.event_documents WHERE seq = 1")
        assert read.fetchone() == ("drew", 7)


def test_game_row_is_read_off_its_first_event(store: Store) -> None:
    store.open(opening("g", ["甲", None, "<b>", "丁"]), entry(start("g")))
    game = store.game("g")
    assert (game.ruleset_id, game.ruleset_version, game.options) == ("xiamen", "1", {"passes": True})
    assert (game.players, game.status) == (["p0", "p1", "p2", "p3"], "open")
    assert game.started_at == "2026-03-01T12:00:00.000Z"
    assert game.ruleset_digest == sha256(b"rules").digest()
    assert store.names("g") == {0: "甲", 2: "<b>", 3: "丁"}
    assert b"\xe7\x94\xb2" not in store.bodies("g")[0]


def test_same_key_and_content_returns_the_first_result(store: Store) -> None:
    first = open_game(store)
    assert open_game(store) == first
    done = append(store, "g", 1, "k", body(1), body(2))
    append(store, "g", 3, "later", body(3))
    assert append(store, "g", 1, "k", body(1), body(2)) == done
    assert assert_sound(store, "g") == 4


def test_repeat_of_the_last_append_after_the_end(store: Store) -> None:
    open_game(store)
    done = append(store, "g", 1, "k", end(1))
    seal(store, "g")
    assert append(store, "g", 1, "k", end(1)) == done


def test_keys_belong_to_a_game(store: Store) -> None:
    open_game(store, "a")
    open_game(store, "b")
    assert append(store, "a", 1, "k", body(1)).game == "a"
    assert append(store, "b", 1, "k", body(1, tile="9s")).game == "b"


@pytest.mark.parametrize("key", ["", "k" * 256])
def test_key_that_is_none(store: Store, key: str) -> None:
    open_game(store)
    with pytest.raises(InvalidEventError):
        append(store, "g", 1, key, body(1))


def test_same_key_with_other_content(store: Store) -> None:
    open_game(store)
    done = append(store, "g", 1, "k", body(1))
    with pytest.raises(KeyConflictError) as caught:
        append(store, "g", 1, "k", body(1, tile="9s"))
    assert (caught.value.seq, caught.value.next_seq, caught.value.head) == (1, 2, done.head)


def test_same_bytes_cut_in_another_way_are_other_content(store: Store) -> None:
    open_game(store)
    append(store, "g", 1, "k", body(1), body(2))
    with pytest.raises(KeyConflictError):
        append(store, "g", 1, "k", body(1) + body(2))


@pytest.mark.parametrize("expected", [0, 1, 3, 2_000_000_000])
def test_wrong_place(store: Store, expected: int) -> None:
    open_game(store)
    done = append(store, "g", 1, None, body(1))
    with pytest.raises(SequenceConflictError) as caught:
        append(store, "g", expected, None, body(expected))
    assert (caught.value.game, caught.value.next_seq, caught.value.head) == ("g", 2, done.head)


def test_partial_overlap(store: Store) -> None:
    open_game(store)
    append(store, "g", 1, "k", body(1), body(2))
    with pytest.raises(SequenceConflictError) as caught:
        append(store, "g", 2, "other", body(2), body(3))
    assert caught.value.next_seq == 3
    assert assert_sound(store, "g") == 3


@pytest.mark.parametrize(("reason", "status"), [(None, "finished"), ("abandoned", "abandoned"), ("voided", "voided")])
def test_nothing_follows_the_end(store: Store, reason: str | None, status: str) -> None:
    open_game(store)
    append(store, "g", 1, None, body(1), end(2, reason))
    assert store.game("g").status == status
    with pytest.raises(GameEndedError) as caught:
        append(store, "g", 3, None, body(3))
    assert type(caught.value) is GameEndedError


def test_nothing_follows_the_seal(store: Store) -> None:
    open_game(store)
    with pytest.raises(GameNotEndedError):
        seal(store, "g")
    append(store, "g", 1, None, end(1))
    sealed = seal(store, "g")
    assert seal(store, "g") == sealed
    with pytest.raises(GameSealedError):
        append(store, "g", 2, None, body(2))


def test_game_that_exists(store: Store) -> None:
    first = open_game(store)
    for key in (None, "other"):
        with pytest.raises(GameExistsError) as caught:
            store.open(opening("g"), entry(start("g")), key=key)
        assert (caught.value.next_seq, caught.value.head) == (1, first.head)
    with pytest.raises(KeyConflictError):
        store.open(opening("g"), entry(start("g", first_dealer=1)), key="open")


def test_unknown_game(store: Store) -> None:
    with pytest.raises(UnknownGameError):
        append(store, "g", 0, None, body(0))
    with pytest.raises(UnknownGameError):
        store.game("g")
    assert store.secret("g") is None
    assert list(store.events("g")) == []


@pytest.mark.parametrize(
    "bad",
    [
        b"",
        b"{",
        b"\xff\xfe",
        body(1)[:-1] + rb',"x_a":"\ud800"}',
        body(2),
        body(1, seq="1"),
        body(1, seq=None),
        end(1, "bored"),
        body(1, type=None, at=None)[:-1],
    ],
)
def test_bytes_that_are_no_event_of_this_place(store: Store, bad: bytes) -> None:
    open_game(store)
    with pytest.raises(InvalidEventError):
        append(store, "g", 1, None, bad)
    assert assert_sound(store, "g") == 1


def test_place_of_the_bad_event_is_named(store: Store) -> None:
    open_game(store)
    with pytest.raises(InvalidEventError) as caught:
        append(store, "g", 1, None, body(1), body(7))
    assert caught.value.seq == 2
    with pytest.raises(InvalidEventError) as caught:
        append(store, "g", 1, None, body(1), end(2), body(3))
    assert caught.value.seq == 3
    assert assert_sound(store, "g") == 1


@pytest.mark.parametrize(
    "first",
    [
        body(0),
        start("other"),
        start("g", seq=1),
        start("g", seats=[{"player": "p", "name": "甲"}]),
        start("g", ruleset={}),
    ],
)
def test_first_event_that_cannot_be(store: Store, first: bytes) -> None:
    with pytest.raises(InvalidEventError):
        store.open(opening("g"), entry(first))
    with pytest.raises(UnknownGameError):
        store.game("g")


def test_digests_and_salts_of_the_wrong_size(store: Store) -> None:
    open_game(store)
    for publics, salts in (([b"x"], [b"s" * 16]), ([b"p" * 32], [b"s"]), ([], []), ([b"p" * 32] * 2, [b"s" * 16])):
        with pytest.raises(InvalidEventError):
            store.append("g", 1, None, [body(1)], publics, salts)
    with pytest.raises(InvalidEventError):
        store.append("g", 1, None, [], [], [])
    assert assert_sound(store, "g") == 1


def test_ingest_is_repeatable_and_goes_on_where_it_stopped(store: Store) -> None:
    events = whole("g", 250)
    done = store.ingest(opening("g", ["甲"]), events[:120], batch=50)
    assert (done.seq, done.added, done.skipped) == (119, 120, 0)
    done = store.ingest(opening("g"), events, batch=70)
    assert (done.seq, done.added, done.skipped) == (249, 130, 120)
    again = store.ingest(opening("g"), events)
    assert (again.head, again.time, again.added, again.skipped) == (done.head, done.time, 0, 250)
    assert assert_sound(store, "g") == 250
    assert store.names("g") == {0: "甲"}


def test_ingest_broken_off_by_its_source(store: Store) -> None:
    """Whole batches stay, and the next ingest takes it up from there."""
    events = whole("g", 100)

    def source() -> Iterator[Entry]:
        yield from events[:55]
        raise OSError("the file is gone")

    with pytest.raises(OSError, match="the file is gone"):
        store.ingest(opening("g"), source(), batch=20)
    assert assert_sound(store, "g") == 40
    assert store.ingest(opening("g"), events, batch=20).added == 60
    assert assert_sound(store, "g") == 100


def test_ingest_names_the_first_event_that_differs(store: Store) -> None:
    store.ingest(opening("g"), whole("g", 30))
    changed = whole("g", 40)
    changed[17] = entry(body(17, tile="9s"))
    changed[19] = entry(body(19, tile="9s"))
    with pytest.raises(ContentConflictError) as caught:
        store.ingest(opening("g"), changed)
    assert (caught.value.seq, caught.value.next_seq) == (17, 30)
    assert assert_sound(store, "g") == 30


def test_ingest_needs_the_secret_of_the_game(store: Store) -> None:
    store.ingest(opening("g"), whole("g", 10))
    other = Opening("g", sha256(b"rules").digest(), bytes(32))
    assert store.ingest(other, whole("g", 10)).added == 0
    with pytest.raises(SecretConflictError):
        store.ingest(other, whole("g", 11))
    assert store.secret("g") == opening("g").secret


def test_ingest_of_an_ended_game(store: Store) -> None:
    events = [*whole("g", 10), entry(end(10))]
    store.ingest(opening("g"), events)
    seal(store, "g")
    assert store.ingest(opening("g"), events).skipped == 11
    with pytest.raises(GameSealedError):
        store.ingest(opening("g"), [*events, entry(body(11))])
    with pytest.raises(ValueError, match="without events"):
        store.ingest(opening("h"), [])


def test_events_by_page(store: Store) -> None:
    store.ingest(opening("g"), whole("g", 5003))
    assert [event.seq for event in store.events("g", 4990)] == list(range(4991, 5003))
    assert [event.seq for event in store.events("g", 10, 3)] == [11, 12, 13]
    assert len(list(store.events("g"))) == 5003
    assert len(list(store.events("g", limit=5001))) == 5001
    assert [event.body for event in store.events("g")] == store.bodies("g")
    assert store.event("g", 5003) is None
    assert store.event("g", -1) is None
