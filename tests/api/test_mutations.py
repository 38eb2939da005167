"""Live events through the API: receipts, refusals, conflicts."""

from __future__ import annotations

from typing import Any

import pytest

from schema.paipu import encode
from service.store import Store
from service.usecases.export import export
from service.usecases.sealing import seal_game
from tests.api.clients import SERVER, Client, app_for
from tests.api.conftest import Ask
from tests.usecases.games import game, id_of
from tests.usecases.sealed import unsealed

RESULT = """{ __typename
  ... on Receipt { game seq head time }
  ... on Problem { code message }
  ... on AppendRefused { index member nextSeq storedHead }
  ... on BadArgument { argument }
}"""
OPEN = f"mutation($event: JSON!, $key: String) {{ openGame(event: $event, key: $key) {RESULT} }}"
APPEND = f"""mutation($game: String!, $seq: Int!, $events: [JSON!]!, $key: String) {{
  appendEvents(game: $game, expectedSeq: $seq, events: $events, key: $key) {RESULT} }}"""
DOCUMENTS = game(4)
NAME = id_of(DOCUMENTS)


@pytest.fixture
def ask(store: Store) -> Ask:
    """Over an empty store of the test's own."""
    return Client(app_for(store, SERVER)).ask


def append(ask: Ask, seq: int, events: list[Any], key: str | None = None, name: str = NAME) -> dict[str, Any]:
    found: dict[str, Any] = ask(APPEND, game=name, seq=seq, events=events, key=key)["appendEvents"]
    return found


def test_a_live_game(ask: Ask, store: Store) -> None:
    first = ask(OPEN, event=DOCUMENTS[0], key="k")["openGame"]
    assert (first["__typename"], first["game"], first["seq"]) == ("Receipt", NAME, 0)
    assert ask(OPEN, event=DOCUMENTS[0], key="k")["openGame"] == first
    done = append(ask, 1, DOCUMENTS[1:], "k2")
    assert (done["seq"], done["head"]) == (len(DOCUMENTS) - 1, store.game(NAME).head.hex())
    assert append(ask, 1, DOCUMENTS[1:], "k2") == done
    assert b"".join(export(store, NAME)) == b"".join(map(encode, DOCUMENTS))
    assert ask("query($id: String!) { game(id: $id) { ... on Game { verdict } } }", id=NAME)["game"] == {
        "verdict": "CLEAN"
    }


def test_refusals(ask: Ask) -> None:
    ask(OPEN, event=DOCUMENTS[0])
    at = next(one["seq"] for one in DOCUMENTS if one["type"] == "won")
    impossible = [*DOCUMENTS[1:at], DOCUMENTS[at] | {"win": "no_such_way"}]
    found = append(ask, 1, impossible)
    assert (found["__typename"], found["code"], found["index"]) == ("AppendRefused", "IMPOSSIBLE_EVENT", at - 1)
    found = append(ask, 1, [DOCUMENTS[1] | {"dealer": "0"}])
    assert (found["code"], found["index"], found["member"]) == ("INVALID_EVENT", 0, "dealer")
    found = append(ask, 9, DOCUMENTS[9:12])
    assert (found["code"], found["nextSeq"]) == ("SEQUENCE_CONFLICT", 1)
    assert append(ask, 1, DOCUMENTS[1:3], name="nobody")["code"] == "GAME_NOT_FOUND"
    assert ask(OPEN, event=DOCUMENTS[0])["openGame"]["code"] == "GAME_EXISTS"
    append(ask, 1, DOCUMENTS[1:3], "key")
    assert append(ask, 1, DOCUMENTS[1:4], "key")["code"] == "KEY_CONFLICT"
    append(ask, 3, DOCUMENTS[3:])
    after = append(ask, len(DOCUMENTS), [DOCUMENTS[-1] | {"seq": len(DOCUMENTS)}])
    assert (after["code"], after["nextSeq"]) == ("SEALED", len(DOCUMENTS))


def test_another_servers_game(ask: Ask, store: Store) -> None:
    """That there is one of this id is told, for no other can be opened; how far it has come is not."""
    other = Client(app_for(store, SERVER._replace(principal="server-2"))).ask
    ask(OPEN, event=DOCUMENTS[0], key="k")
    for key in ("k", "other", None):
        found = other(OPEN, event=DOCUMENTS[0], key=key)["openGame"]
        assert (found["code"], found["nextSeq"], found["storedHead"]) == ("GAME_EXISTS", None, None)
    assert append(other, 1, DOCUMENTS[1:2])["code"] == "GAME_NOT_FOUND"
    again = ask(OPEN, event=DOCUMENTS[0], key="other")["openGame"]
    assert (again["code"], again["nextSeq"]) == ("GAME_EXISTS", 1)


def test_more_after_the_end(ask: Ask, store: Store) -> None:
    """An ended game is refused as sealed once it is, and as ended as long as it could not be sealed."""
    unsealed(store, DOCUMENTS, SERVER.principal)
    more = [DOCUMENTS[-1] | {"seq": len(DOCUMENTS)}]
    assert append(ask, len(DOCUMENTS), more)["code"] == "GAME_ENDED"
    seal_game(store, NAME)
    after = append(ask, len(DOCUMENTS), more)
    assert (after["code"], after["storedHead"]) == ("SEALED", store.game(NAME).head.hex())


@pytest.mark.parametrize("events", [[], ["text"], [7], [{}], [[]], [{"seq": 1, "type": "drew"}]])
def test_what_is_no_event(ask: Ask, events: list[Any]) -> None:
    ask(OPEN, event=DOCUMENTS[0])
    assert append(ask, 1, events)["code"] in ("INVALID_EVENT", "BAD_ARGUMENT")


@pytest.mark.parametrize("name", ["a\0b", "\ud800", ""])
def test_ids_that_cannot_be(ask: Ask, name: str) -> None:
    assert append(ask, 1, [DOCUMENTS[1]], name=name)["code"] == "GAME_NOT_FOUND"
    assert ask(OPEN, event={**DOCUMENTS[0], "game": name})["openGame"]["code"] == "INVALID_EVENT"


@pytest.mark.parametrize("key", ["", "k" * 256, "é" * 128, "a\nb", "\0"])
def test_bad_keys(ask: Ask, key: str) -> None:
    assert ask(OPEN, event=DOCUMENTS[0], key=key)["openGame"]["argument"] == "key"
    assert append(ask, 1, DOCUMENTS[1:2], key)["argument"] == "key"


@pytest.mark.parametrize("key", ["k", "k" * 255, "é" * 127 + "k", "🀄" * 63])
def test_good_keys(ask: Ask, key: str) -> None:
    """A key has at most 255 bytes, however many characters those are."""
    first = ask(OPEN, event=DOCUMENTS[0], key=key)["openGame"]
    assert first["__typename"] == "Receipt"
    assert ask(OPEN, event=DOCUMENTS[0], key=key)["openGame"] == first
    done = append(ask, 1, DOCUMENTS[1:2], key[1:] + "2")
    assert done["__typename"] == "Receipt"


def test_too_many_events(ask: Ask) -> None:
    assert append(ask, 1, [{}] * 1001)["argument"] == "events"


@pytest.mark.parametrize("seq", [-5, 0, 2**31 - 1])
def test_an_expected_seq_that_cannot_be(ask: Ask, seq: int) -> None:
    ask(OPEN, event=DOCUMENTS[0])
    assert append(ask, seq, [DOCUMENTS[1] | {"seq": seq}])["code"] in ("INVALID_EVENT", "SEQUENCE_CONFLICT")
