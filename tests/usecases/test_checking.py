"""The check of the whole store: sound ones pass, and every attack is found with its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest

from service.embedded import Server
from service.evidence.checkpoints import Checkpoint
from service.evidence.log_tree import root
from service.evidence.notes import COSIGNATURE, Signer, Verifier, note_bytes, sign_note
from service.store import Store
from service.store.log import Log
from service.usecases.append import Intake
from service.usecases.checking import Checked, Fault, check
from service.usecases.folds import Folds
from service.usecases.sealing import seal_game
from tests.databases import Database, cloned
from tests.store.attacks import ATTACKS, LOG, NEEDS_A_COPY, NEEDS_KEYS, WITNESS, sealed_log
from tests.usecases.games import game, id_of
from tests.usecases.sealed import spoil, take_in, unsealed

#: The keys of everybody who signed: the log's, and its witness's.
KEYS = (LOG.verifier, Verifier(WITNESS.name, WITNESS.verifier.public, COSIGNATURE))


class Sealed(NamedTuple):
    """A database with five sealed games, only to be read or copied, and the checkpoint that somebody kept."""

    database: Database
    games: list[str]
    checkpoint: bytes

    @property
    def game(self) -> str:
        """The one that is attacked."""
        return self.games[2]


@pytest.fixture(scope="module")
def sealed(postgres: Server, migrated_template: str) -> Iterator[Sealed]:
    with cloned(postgres, migrated_template) as database:
        with Store.connect(database.application_url, unsafe_allowed=True) as store:
            games = sealed_log(store)
            kept = Log(store).checkpoint()
        assert kept is not None
        yield Sealed(database, games, kept.note)


@pytest.fixture
def copy(postgres: Server, sealed: Sealed) -> Iterator[Database]:
    """A copy of the database, to be spoilt."""
    with cloned(postgres, urlsplit(sealed.database.admin_url).path[1:]) as database:
        yield database


def checked(database: Database, *outside: bytes, keys: tuple[Verifier, ...] = KEYS, jobs: int = 1) -> Checked:
    with Store.connect(database.application_url, unsafe_allowed=True) as store:
        return check(store, keys, outside, jobs=jobs)


# -- Sound stores ------------------------------------------------------------------------------------------------------


def test_an_empty_store_is_sound(database: Database) -> None:
    assert checked(database) == Checked()


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_sound_store_and_what_was_counted(sealed: Sealed, jobs: int) -> None:
    told: list[int] = []
    with Store.connect(sealed.database.application_url, unsafe_allowed=True) as store:
        found = check(store, KEYS, [sealed.checkpoint], jobs=jobs, watch=told.append)
    events = sum(len(game(index)) for index in range(5))
    assert found == Checked(games=5, events=events, seals=5, checkpoints=1)
    assert sum(told) == 5


def test_without_keys_signatures_are_nobody_s_business(sealed: Sealed) -> None:
    assert checked(sealed.database, keys=()).faults == []


def test_games_in_every_state_are_sound(store: Store) -> None:
    """Live ones, ended ones without a seal, abandoned ones, with erased names."""
    take_in(store, game(0), game(1)[:40])
    intake = Intake(store, Folds(store))
    intake.open_game(game(2)[0])
    documents = game(3)
    unsealed(store, documents)
    cut = [*game(4)[:60], {**game(4)[-1], "seq": 60, "reason": "abandoned"}]
    take_in(store, cut)
    store.erase_name(id_of(game(0)), 1)
    found = check(store)
    assert (found.games, found.seals, found.faults) == (5, 2, [])
    seal_game(store, id_of(documents))
    assert check(store).seals == 3


# -- Attacks -----------------------------------------------------------------------------------------------------------


class Found(NamedTuple):
    """What a check is to say first of the places that an attack touched: ``code`` where it is settled."""

    where: str
    seq: int | None = None
    code: str | None = None
    game: str | None = "attacked"


def of_game(seq: int | None, code: str) -> Found:
    return Found("game", seq, code)


LAST = len(game(2)) - 1
ROOT = Found("checkpoint", None, "root", None)
NODE = Found("log", None, "node", None)
#: What is found, and where. ``nobody`` is a game that the attack makes up.
FOUND: dict[str, Found] = {
    "body bit": of_game(7, "body"),
    "body spaced": of_game(7, "body"),
    "public digest bit": of_game(7, "public_digest"),
    "salt bit": of_game(7, "salt"),
    "head bit": of_game(7, "head"),
    "time of record": Found("game", 7),
    "event gone": of_game(7, "seq"),
    "events reordered": of_game(7, "body"),
    "event behind the end": of_game(LAST + 1, "stray"),
    "append too many": Found("game", LAST + 1),
    "game without events": Found("game", None, None, "nobody"),
    "whole game gone but for its leaf": Found("log"),
    "append gone": of_game(0, "appends"),
    "append shortened": of_game(LAST - 1, "appends"),
    "append's head bit": of_game(LAST, "appends"),
    "rule set digest bit": of_game(0, "game_row"),
    "rule set of the game": of_game(0, "game_row"),
    "options of the game": of_game(0, "game_row"),
    "players of the game": of_game(0, "game_row"),
    "start of the game": of_game(0, "game_row"),
    "head row's head": of_game(LAST + 1, "tail"),
    "head row's length": of_game(LAST + 1, "tail"),
    "head row's reason": of_game(None, "status"),
    "head row open again": of_game(None, "status"),
    "head row unsealed": of_game(None, "seal"),
    "secret bit": of_game(0, "salt"),
    "secret gone": of_game(None, "secret"),
    "seal bit": of_game(None, "seal"),
    "leaf bit": Found("log", None, "leaf"),
    "leaf of another game": of_game(None, "seal"),
    "leaf too many": Found("log", None, None, None),
    "leaf gone": of_game(None, "seal"),
    "node bit": NODE,
    "node gone": NODE,
    "node too many": NODE,
    "log size too large": Found("log", None, "size", None),
    "log size too small": ROOT,
    "log size gone": Found("log", None, "size", None),
    "checkpoint's root": Found("checkpoint", None, "signature", None),
    "checkpoint's signature": Found("checkpoint", None, "signature", None),
    "checkpoint's size": ROOT,
    "checkpoint too many": Found("checkpoint", None, "signature", None),
    "cosignature changed": Found("checkpoint", None, None, None),
    "cosignature too many": Found("checkpoint", None, None, None),
    "leaves exchanged": NODE,
    "tail cut": of_game(None, "seal"),
    "game rehashed": of_game(None, "seal"),
    "log rewritten": ROOT,
    "log rewritten, checkpoints gone": Found("log", None, "rewritten", None),
    "log cut": ROOT,
    "older state": Found("log", None, "rolled_back", None),
}


def names(fault: Fault, found: Found, attacked: str) -> bool:
    """Whether a fault is the one that is looked for."""
    game = attacked if found.game == "attacked" else found.game
    if (fault.where, fault.seq) != (found.where, found.seq):
        return False
    return (fault.game == game or (found.game is None and fault.game in (None, "nobody"))) and (
        found.code in (None, fault.code)
    )


def test_every_attack_has_its_row() -> None:
    assert set(FOUND) == set(ATTACKS)


@pytest.mark.parametrize("attack", ATTACKS)
def test_every_attack_is_found_and_its_place_is_named(sealed: Sealed, copy: Database, attack: str) -> None:
    """With the keys and a copy of the checkpoint, and most of them without; no other game is accused."""
    ATTACKS[attack](copy.admin_url, sealed.game)
    faults = checked(copy, sealed.checkpoint).faults
    assert any(names(fault, FOUND[attack], sealed.game) for fault in faults), faults
    assert {fault.game for fault in faults} <= {None, sealed.game, "nobody"}
    for fault in faults:
        assert fault.message
        assert fault.game is None or fault.game in str(fault)
        assert fault.seq is None or f"seq {fault.seq}" in str(fault)
    if attack not in NEEDS_KEYS | NEEDS_A_COPY:
        assert checked(copy, keys=()).faults != []


@pytest.mark.parametrize("attack", sorted(NEEDS_A_COPY))
def test_only_a_checkpoint_from_outside_shows_these(sealed: Sealed, copy: Database, attack: str) -> None:
    ATTACKS[attack](copy.admin_url, sealed.game)
    assert checked(copy).faults == []
    (fault,) = checked(copy, sealed.checkpoint).faults
    assert fault.code == FOUND[attack].code


def test_workers_find_the_same_as_one(sealed: Sealed, copy: Database) -> None:
    for attack in ("body bit", "leaf bit", "secret gone", "node bit"):
        ATTACKS[attack](copy.admin_url, sealed.game)
    alone, together = (checked(copy, sealed.checkpoint, jobs=jobs) for jobs in (1, 2))
    assert alone == together
    assert len(alone.faults) > 2


def test_a_game_whose_head_row_is_gone(sealed: Sealed, copy: Database) -> None:
    spoil(copy.admin_url, f"DELETE FROM mingpai.game_heads WHERE game = '{sealed.game}'")
    faults = checked(copy).faults
    assert sealed.game in {fault.game for fault in faults}
    assert {fault.game for fault in faults} <= {None, sealed.game}


def test_events_of_no_game(sealed: Sealed, copy: Database) -> None:
    spoil(
        copy.admin_url,
        "INSERT INTO mingpai.events SELECT 'nobody', seq, recorded_at, body, public_digest, salt, head "
        f"FROM mingpai.events WHERE game = '{sealed.game}' AND seq < 3",
    )
    (fault,) = checked(copy).faults
    assert (fault.where, fault.game, fault.seq) == ("game", "nobody", 0)


def test_several_faults_are_all_told(sealed: Sealed, copy: Database) -> None:
    """Of each game its first, and those of the log."""
    for name in sealed.games[:2]:
        for attack in ("body bit", "head bit"):
            ATTACKS[attack](copy.admin_url, name)
    ATTACKS["leaf bit"](copy.admin_url, sealed.games[3])
    found = {(fault.where, fault.game, fault.seq, fault.code) for fault in checked(copy).faults}
    expected = {("game", name, 7, "body") for name in sealed.games[:2]}
    assert found == expected | {("log", sealed.games[3], None, "leaf")}


# -- Checkpoints from outside ------------------------------------------------------------------------------------------


def test_every_older_checkpoint_is_contained(store: Store) -> None:
    take_in(store, game(0))
    kept = []
    for index in range(1, 6):
        log = Log(store)
        text = Checkpoint(LOG.name, log.size(), root(log.size(), log.nodes)).text
        kept.append(note_bytes(sign_note(text, LOG)))
        take_in(store, game(index))
    assert check(store, KEYS, kept).faults == []
    other = note_bytes(sign_note(Checkpoint(LOG.name, 3, bytes(32)).text, LOG))
    ahead = note_bytes(sign_note(Checkpoint(LOG.name, 7, bytes(32)).text, LOG))
    faults = check(store, KEYS, [*kept, other, ahead]).faults
    assert [fault.code for fault in faults] == ["rewritten", "rolled_back"]
    assert "6 seals" in faults[1].message
    assert "over 7" in faults[1].message


@pytest.mark.parametrize("spoilt", [b"", b"text\n", b"\xff"])
def test_a_file_that_is_no_checkpoint(sealed: Sealed, spoilt: bytes) -> None:
    (fault,) = checked(sealed.database, spoilt).faults
    assert (fault.where, fault.code) == ("checkpoint", "signature")


def test_a_checkpoint_that_nobody_known_has_signed(sealed: Sealed) -> None:
    """One of another key or another log, and any where no key is known, shows nothing: that is said."""
    other = (Signer.generate(LOG.name).verifier,)
    for keys in ((), (KEYS[1],)):
        faults = checked(sealed.database, sealed.checkpoint, keys=keys).faults
        assert [fault.code for fault in faults if "given" in fault.message] == ["signature"]
    codes = {fault.code for fault in checked(sealed.database, sealed.checkpoint, keys=other).faults}
    assert codes == {"signature"}
