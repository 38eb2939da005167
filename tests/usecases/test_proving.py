"""Bundles out of the store, checked the way a stranger would: with the log's public key and nothing else."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest

from service.embedded import Server
from service.evidence.bundle_page import page
from service.evidence.bundles import Verification, verify
from service.evidence.leaves import stored_form
from service.evidence.notes import Verifier
from service.evidence.rederiving import EvidenceError
from service.store import Store
from service.store.errors import UnknownGameError
from service.store.log import Log
from service.usecases.append import Intake
from service.usecases.folds import Folds
from service.usecases.notary import BrokenLogError, Notary
from service.usecases.proving import Proven, prove
from tests.databases import Database, cloned
from tests.store.attacks import flipped
from tests.usecases.games import Document, game, id_of, with_violation
from tests.usecases.sealed import forgetful, notary_at, opened, seal_cheaply, spoil, take_in, unsealed


def closed(documents: list[Document]) -> list[Document]:
    """A game whose server never reveals a wall: what nobody saw stays hidden."""
    kept = [one for one in documents if one["type"] != "wall_revealed"]
    places = {one["seq"]: seq for seq, one in enumerate(kept)}
    moved = [{**one, "seq": seq} | ({"on": places[one["on"]]} if "on" in one else {}) for seq, one in enumerate(kept)]
    moved[0]["records"] = {**moved[0]["records"], "wall": False}
    return moved


#: Games of a log, in which the first is the one to be proven.
GAMES = [closed(game(0, hands=2)), game(1), with_violation(game(2))[0]]
NAME = id_of(GAMES[0])


class Sealed(NamedTuple):
    """A database with three sealed games under a checkpoint, only to be read or copied, and the file of its keys."""

    database: Database
    keys: Path

    @property
    def name(self) -> str:
        return urlsplit(self.database.admin_url).path[1:]


@pytest.fixture(scope="module")
def sealed(durable: Server, durable_template: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sealed]:
    keys = tmp_path_factory.mktemp("keys") / "keys.json"
    with cloned(durable, durable_template) as database:
        with Store.connect(database.application_url) as store:
            take_in(store, *GAMES)
            notary_at(store, keys).checkpoint()
        yield Sealed(database, keys)


@pytest.fixture
def library(sealed: Sealed) -> Iterator[Store]:
    with Store.connect(sealed.database.application_url) as store:
        yield store


@pytest.fixture
def librarian(library: Store, sealed: Sealed) -> Notary:
    return forgetful(library, sealed.keys)


@pytest.fixture
def copy(durable: Server, sealed: Sealed) -> Iterator[Database]:
    """A copy of the database, to be spoilt."""
    with cloned(durable, sealed.name) as database:
        yield database


def by_stranger(done: Proven, *verifiers: Verifier) -> Verification:
    """What the bytes are worth to one who has but the keys."""
    assert json.loads(done.raw) == done.bundle
    return verify(done.raw, *verifiers)


def shown(done: Proven) -> list[Document]:
    """The documents of a bundle's events, hidden ones as they are shown."""
    return [json.loads(b64decode(entry.get("full") or entry["public"])) for entry in done.bundle["events"]]


# -- Sealed games ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("index", range(3))
def test_a_whole_bundle_verifies(library: Store, librarian: Notary, index: int) -> None:
    documents = GAMES[index]
    done = prove(library, librarian, id_of(documents))
    found = by_stranger(done, librarian.verifiers[0])
    assert found == done.verification
    assert found.verified
    assert {step.status for step in found.steps} <= {"ok", "unproven"}
    assert shown(done) == [stored_form(one) for one in documents]
    assert found.report is not None
    assert found.report["verdict"] == ("violations" if index == 2 else "clean")
    assert found.head == library.game(id_of(documents)).head


@pytest.mark.parametrize("seat", range(4))
def test_a_seat_s_bundle_verifies_and_holds_nothing_that_it_may_not_see(
    library: Store, librarian: Notary, seat: int
) -> None:
    """The walls of this game stay closed, so each seat sees its own tiles and nobody else's."""
    done = prove(library, librarian, NAME, seat)
    assert by_stranger(done, librarian.verifiers[0]).verified
    hidden = 0
    for one, real in zip(shown(done), GAMES[0], strict=True):
        if real["type"] in ("dealt", "drew") and real["seat"] != seat:
            assert set(one.get("tiles") or [one["tile"]]) == {"??"}
            hidden += 1
        elif real.get("seat") == seat:
            assert one == real
    assert hidden > 30


def test_a_stranger_without_the_key_or_with_another_is_told_so(
    library: Store, librarian: Notary, tmp_path: Path
) -> None:
    done = prove(library, librarian, NAME)
    other = notary_at(library, tmp_path / "other.json").verifiers[0]
    assert not by_stranger(done).verified
    assert not by_stranger(done, other).verified
    assert by_stranger(done, other, librarian.verifiers[0]).verified


def test_the_same_game_gives_the_same_bytes_until_the_log_grows(durable: Server, sealed: Sealed) -> None:
    with cloned(durable, sealed.name) as copy, Store.connect(copy.application_url) as store:
        notary = forgetful(store, sealed.keys)
        first = prove(store, notary, NAME)
        assert prove(store, notary, NAME).raw == first.raw
        seal_cheaply(store, 2)
        second = prove(store, notary, NAME)
        assert (second.bundle["index"], second.bundle["size"]) == (0, 5)
        assert by_stranger(second, notary.verifiers[0]).verified
        assert {**first.bundle, **{name: second.bundle[name] for name in ("size", "inclusion", "checkpoint")}} == (
            second.bundle
        )


def test_proofs_hold_at_every_place_of_a_log(durable_store: Store, tmp_path: Path) -> None:
    """Real games at the edges of subtrees, in logs of several sizes."""
    notary = notary_at(durable_store, tmp_path / "keys.json")
    places = {}
    for number, between in enumerate((0, 1, 4, 0)):
        seal_cheaply(durable_store, between, 10 * number)
        (name,) = take_in(durable_store, game(number))
        places[name] = Log(durable_store).size() - 1
        for known, index in places.items():
            done = prove(durable_store, notary, known)
            assert done.bundle["index"] == index
            assert by_stranger(done, notary.verifiers[0]).verified
    assert list(places.values()) == [0, 2, 7, 8]


def test_a_game_that_ended_is_sealed_by_proving_it(durable_store: Store, tmp_path: Path) -> None:
    notary = notary_at(durable_store, tmp_path / "keys.json")
    name = unsealed(durable_store, GAMES[1])
    assert durable_store.game(name).sealed_at is None
    assert by_stranger(prove(durable_store, notary, name), notary.verifiers[0]).verified
    assert durable_store.game(name).sealed_at is not None
    assert opened(Log(durable_store).checkpoint(), notary).size == 1


def test_a_bundle_after_rotations(durable: Server, sealed: Sealed, tmp_path: Path) -> None:
    """Both keys vouch for the note of the rotation; afterwards only the new one does."""
    keys = tmp_path / "keys.json"
    keys.write_bytes(sealed.keys.read_bytes())
    keys.chmod(0o600)
    with cloned(durable, sealed.name) as copy, Store.connect(copy.application_url) as store:
        notary = forgetful(store, keys)
        notary.rotate()
        old, new = notary.verifiers
        both = prove(store, notary, NAME)
        assert by_stranger(both, old).verified
        assert by_stranger(both, new).verified
        seal_cheaply(store, 1)
        grown = prove(store, notary, NAME)
        assert not by_stranger(grown, old).verified
        assert by_stranger(grown, new).verified


def test_the_page_is_written_in_every_language(library: Store, librarian: Notary) -> None:
    done = prove(library, librarian, NAME)
    pages = {page(done.bundle, done.verification, lang) for lang in ("en", "zh-Hans", "zh-Hant")}
    assert len(pages) == 3
    for one in pages:
        assert NAME in one
        assert "<script" not in one


# -- Games that cannot be proven ---------------------------------------------------------------------------------------


def test_a_live_game(durable_store: Store, tmp_path: Path) -> None:
    """It has no seal, and nothing of the hand under way that is hidden."""
    documents = game(3)
    middle = next(one["seq"] for one in documents if one["type"] == "discarded") + 9
    intake = Intake(durable_store, Folds(durable_store))
    intake.open_game(documents[0])
    intake.append(id_of(documents), 1, None, documents[1:middle])
    seal_cheaply(durable_store, 2)
    notary = notary_at(durable_store, tmp_path / "keys.json")
    for seat in (None, 0, 3):
        done = prove(durable_store, notary, id_of(documents), seat)
        assert [done.bundle[name] for name in ("seal", "salt0", "index", "size", "inclusion", "checkpoint")] == (
            [None] * 6
        )
        assert not by_stranger(done, *notary.verifiers).verified
        assert not [step for step in done.verification.steps if step.status == "failed"]
        for one in shown(done):
            if one["type"] in ("dealt", "drew") and one["seat"] != seat:
                assert set(one.get("tiles") or [one["tile"]]) == {"??"}
    assert durable_store.game(id_of(documents)).status == "open"


def test_no_seal_is_shown_where_nothing_may_be_signed(store: Store, tmp_path: Path) -> None:
    (name,) = take_in(store, GAMES[1])
    notary = notary_at(store, tmp_path / "keys.json")
    done = prove(store, notary, name)
    assert done.bundle["seal"] is done.bundle["checkpoint"] is None
    assert not by_stranger(done, *notary.verifiers).verified
    assert store.game(name).sealed_at is not None


def test_what_there_is_not(library: Store, librarian: Notary) -> None:
    with pytest.raises(UnknownGameError, match="nobody"):
        prove(library, librarian, "nobody")
    for seat in (-1, 4, 9):
        with pytest.raises(ValueError, match=f"seat {seat}"):
            prove(library, librarian, NAME, seat)
    assert by_stranger(prove(library, librarian, NAME, 3), *librarian.verifiers).verified


GAME = f"game = '{NAME}'"
SPOILT = {
    "body": (flipped("events", "body", f"{GAME} AND seq = 5"), 5, "body"),
    "another body": (f"UPDATE mingpai.events SET body = replace(body::text, '22', '23')::bytea WHERE {GAME}", 0, None),
    "salt": (flipped("events", "salt", f"{GAME} AND seq = 6"), 6, "salt"),
    "public digest": (flipped("events", "public_digest", f"{GAME} AND seq = 0"), 0, "public_digest"),
    "head": (flipped("events", "head", f"{GAME} AND seq = 9"), 9, "head"),
    "event gone": (f"DELETE FROM mingpai.events WHERE {GAME} AND seq = 4", 4, "seq"),
    "secret": (flipped("game_secrets", "secret", GAME), 0, "salt"),
    "seal": (flipped("log_leaves", "seal", GAME), None, "seal"),
}


@pytest.mark.parametrize("what", SPOILT)
def test_nothing_is_proven_of_spoilt_bytes(copy: Database, sealed: Sealed, what: str) -> None:
    statement, seq, code = SPOILT[what]
    spoil(copy.admin_url, statement)
    with Store.connect(copy.application_url) as store:
        notary = forgetful(store, sealed.keys)
        with pytest.raises(EvidenceError, match=NAME) as caught:
            prove(store, notary, NAME)
        assert caught.value.game == NAME
        if code is not None:
            assert caught.value.difference[:2] == (seq, code)
        assert by_stranger(prove(store, notary, id_of(GAMES[1])), *notary.verifiers).verified or what == "seal"


def test_a_head_row_that_lies(copy: Database, sealed: Sealed) -> None:
    """A game that goes on in its row has an end in its events."""
    spoil(copy.admin_url, f"UPDATE mingpai.game_heads SET status = 'open', sealed_at = NULL WHERE {GAME}")
    with Store.connect(copy.application_url) as store:
        notary = forgetful(store, sealed.keys)
        assert by_stranger(prove(store, notary, NAME), *notary.verifiers).verified


UNSEALABLE = {
    "head": flipped("game_heads", "head", "true"),
    "status": "UPDATE mingpai.game_heads SET status = 'voided'",
    "open": "UPDATE mingpai.game_heads SET status = 'open'",
    "length": "UPDATE mingpai.game_heads SET next_seq = next_seq + 1",
    "rule set": flipped("games", "ruleset_digest", "true"),
}


@pytest.mark.parametrize("what", UNSEALABLE)
def test_an_ended_game_whose_rows_disagree_is_not_sealed(
    durable_database: Database, durable_store: Store, tmp_path: Path, what: str
) -> None:
    """The refusal says that the stored rows are at fault, not the call."""
    notary, name = notary_at(durable_store, tmp_path / "keys.json"), unsealed(durable_store, GAMES[1])
    spoil(durable_database.admin_url, UNSEALABLE[what])
    with pytest.raises(EvidenceError, match=name):
        prove(durable_store, notary, name)
    assert Log(durable_store).size() == 0


UNFITTING = {
    "sibling": flipped("log_leaves", "leaf", "index = 1"),
    "sibling gone": "DELETE FROM mingpai.log_leaves WHERE index = 1",
    "root": flipped("log_leaves", "leaf", "index = 2"),
    "size": "UPDATE mingpai.log_head SET size = 2",
}


@pytest.mark.parametrize("what", UNFITTING)
def test_a_log_that_does_not_fit_its_checkpoint_proves_nothing(copy: Database, sealed: Sealed, what: str) -> None:
    """Better no bundle than one that its receiver finds false."""
    spoil(copy.admin_url, UNFITTING[what])
    with Store.connect(copy.application_url) as store, pytest.raises((BrokenLogError, EvidenceError)):
        prove(store, forgetful(store, sealed.keys), NAME)
