"""Live appends: read, tried on the table, stored all or none."""

from __future__ import annotations

import json
from typing import Any

import pytest

from schema.canonical import canonical
from service.evidence.leaves import event_salt, leaf, next_head, public_form, stored_form
from service.store import Store
from service.store.errors import (
    GameEndedError,
    GameExistsError,
    KeyConflictError,
    SequenceConflictError,
    UnknownGameError,
)
from service.usecases.append import Intake
from service.usecases.errors import ImpossibleEventError, InvalidDocumentError
from service.usecases.folds import Folds
from tests.usecases.games import NAMES, game, id_of, with_violation


@pytest.fixture
def intake(store: Store) -> Intake:
    return Intake(store, Folds(store))


def test_a_whole_game_in_batches(store: Store, intake: Intake) -> None:
    documents = game()
    name = id_of(documents)
    done = intake.open_game(documents[0])
    assert (done.game, done.seq) == (name, 0)
    for start in range(1, len(documents), 17):
        done = intake.append(name, start, f"k{start}", documents[start : start + 17])
    stored = list(store.events(name))
    assert [json.loads(event.body) for event in stored] == [stored_form(one) for one in documents]
    assert (done.seq, done.head) == (len(documents) - 1, stored[-1].head)
    assert store.names(name) == dict(enumerate(NAMES))
    audited = store.audit(name)
    assert audited is not None
    assert (audited.verdict, audited.upto_seq) == ("clean", len(documents) - 1)


def test_evidence_is_that_of_the_contract(store: Store, intake: Intake) -> None:
    documents = game()
    name = id_of(documents)
    intake.open_game(documents[0])
    intake.append(name, 1, None, documents[1:])
    secret, head = store.secret(name), bytes(32)
    assert secret is not None
    for one, stored in zip(documents, store.events(name), strict=True):
        full = canonical(stored_form(one))
        expected = leaf(canonical(public_form(one, concealed_kong_shown=True)), event_salt(secret, stored.seq), full)
        head = next_head(head, expected)
        assert (stored.body, stored.leaf, stored.head) == (full, expected, head)


def test_every_game_has_its_own_secret(store: Store, intake: Intake) -> None:
    for index in (0, 1):
        intake.open_game(game(index)[0])
    assert store.secret(id_of(game(0))) != store.secret(id_of(game(1)))


BAD: list[tuple[dict[str, Any], str]] = [
    ({"tile": "9x"}, "tile"),
    ({"tile": None}, "tile"),
    ({"colour": "red"}, "colour"),
    ({"type": "shuffled"}, "type"),
    ({"at": "yesterday"}, "at"),
    ({"seq": 1.0}, "seq"),
]


@pytest.mark.parametrize(("change", "member"), BAD)
def test_a_bad_document_is_named_and_nothing_stored(
    store: Store, intake: Intake, change: dict[str, Any], member: str
) -> None:
    documents = game()
    intake.open_game(documents[0])
    at = next(one["seq"] for one in documents if one["type"] == "discarded")
    changed = [*documents[1:at], documents[at] | change]
    with pytest.raises(InvalidDocumentError) as caught:
        intake.append(id_of(documents), 1, None, changed)
    assert (caught.value.index, caught.value.member) == (at - 1, member)
    assert store.game(id_of(documents)).next_seq == 1


@pytest.mark.parametrize("bad", [[], None, "text", 7, {}])
def test_what_is_no_document(intake: Intake, bad: Any) -> None:
    with pytest.raises(InvalidDocumentError):
        intake.open_game(bad)
    intake.open_game(game()[0])
    with pytest.raises(InvalidDocumentError):
        intake.append(id_of(game()), 1, None, [bad])
    with pytest.raises(InvalidDocumentError):
        intake.append(id_of(game()), 1, None, [])


def test_an_impossible_event_is_refused_with_its_reason(store: Store, intake: Intake) -> None:
    documents = game()
    intake.open_game(documents[0])
    at = next(one["seq"] for one in documents if one["type"] == "won")
    changed = [*documents[1:at], documents[at] | {"win": "no_such_way"}]
    with pytest.raises(ImpossibleEventError, match="no_such_way") as caught:
        intake.append(id_of(documents), 1, None, changed)
    assert (caught.value.index, caught.value.seq) == (at - 1, at)
    assert store.game(id_of(documents)).next_seq == 1
    assert intake.append(id_of(documents), 1, None, documents[1:]).seq == len(documents) - 1


def test_a_game_that_cannot_begin(store: Store, intake: Intake) -> None:
    first = game()[0]
    with pytest.raises(ImpossibleEventError):
        intake.open_game({**first, "ruleset": {"id": "nowhere", "version": "1", "options": {}}})
    with pytest.raises(InvalidDocumentError):
        intake.open_game(game()[1])
    assert store.games() == []


def test_a_broken_rule_is_stored_and_found(store: Store, intake: Intake) -> None:
    documents, at = with_violation(game())
    intake.open_game(documents[0])
    intake.append(id_of(documents), 1, None, documents[1:])
    audited = store.audit(id_of(documents))
    assert audited is not None
    assert [finding["seq"] for finding in audited.report["findings"]] == [at]


def test_the_same_key_gives_the_first_receipt(store: Store, intake: Intake) -> None:
    documents = game()
    name = id_of(documents)
    first = intake.open_game(documents[0], "open")
    assert intake.open_game(documents[0], "open") == first
    done = intake.append(name, 1, "a", documents[1:9])
    intake.append(name, 9, "b", documents[9:])
    assert intake.append(name, 1, "a", documents[1:9]) == done
    with pytest.raises(KeyConflictError):
        intake.append(name, 1, "a", documents[1:8])
    assert store.game(name).next_seq == len(documents)


def test_conflicts(intake: Intake) -> None:
    documents = game()
    name = id_of(documents)
    with pytest.raises(UnknownGameError):
        intake.append(name, 1, None, documents[1:3])
    intake.open_game(documents[0])
    with pytest.raises(GameExistsError):
        intake.open_game(documents[0])
    intake.append(name, 1, None, documents[1:9])
    with pytest.raises(SequenceConflictError) as caught:
        intake.append(name, 1, None, documents[1:9])
    assert caught.value.next_seq == 9
    with pytest.raises(SequenceConflictError):
        intake.append(name, 12, None, documents[12:])
    with pytest.raises(InvalidDocumentError, match="seq: expected 9, found 8"):
        intake.append(name, 9, None, documents[8:])
    intake.append(name, 9, None, documents[9:])
    with pytest.raises(GameEndedError):
        intake.append(name, len(documents), None, [documents[-1] | {"seq": len(documents)}])
