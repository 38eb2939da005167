"""Findings as they come: of one game as far as the follower may know of them, and of all games for the staff."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from schema.ports import Role
from service.live.worker import Worker, audited_live
from service.store import Store
from tests.access.keys import bearer, key_for, principal_for
from tests.databases import Database
from tests.live.live_games import LiveGame, hand_ends
from tests.live.subscribers import FINDINGS, FINDINGS_OF, Link, events_in, streamed
from tests.usecases.games import game, with_violation
from tests.usecases.sealed import take_in


@pytest.fixture
def audited(store: Store) -> Iterator[None]:
    """Games are audited as they grow."""
    with audited_live(store):
        yield


def test_the_owner_knows_at_once_and_others_after_the_hand(base: str, store: Store, audited: None) -> None:
    documents, at = with_violation(game(0, hands=2))
    owner = principal_for(store)
    playing = LiveGame(store, documents, owner)
    player = documents[0]["seats"][0]["player"]
    keys = (
        key_for(store, Role.SERVER, principal=owner),
        key_for(store, Role.AUDITOR),
        key_for(store, Role.PLAYER, player=player),
    )
    with Link.opened(base, keys[0]) as own, Link.opened(base, keys[1]) as staff, Link.opened(base, keys[2]) as seat:
        names = [link.subscribe(FINDINGS_OF, game=playing.id) for link in (own, staff, seat)]
        playing.append(at + 1 - playing.events)
        found = own.data(names[0])
        assert (found["finding"]["seq"], found["uptoSeq"]) == (at, at)
        ended = next(seq for seq in hand_ends(documents) if seq >= at)
        playing.append(ended + 1 - playing.events)
        for link, name in ((staff, names[1]), (seat, names[2])):
            later = link.data(name)
            assert later["finding"] == found["finding"]
            assert later["uptoSeq"] >= ended
        playing.rest()
        for link, name in zip((own, staff, seat), names, strict=True):
            assert link.next(name)["type"] == "complete"


def test_who_comes_late_is_told_what_was_found(base: str, store: Store) -> None:
    documents, at = with_violation(game(0))
    take_in(store, documents)
    with streamed(base, bearer(key_for(store, Role.AUDITOR)), FINDINGS_OF, game=documents[0]["game"]) as answer:
        (_, body), end = events_in(answer)
        assert body is not None
        assert body["data"]["gameFindings"]["finding"]["seq"] == at
        assert end == ("complete", None)


def test_no_game_no_findings(base: str, store: Store) -> None:
    playing = LiveGame(store, game(0))
    with Link.opened(base, key_for(store, Role.PLAYER, player="nobody")) as link:
        for name in (playing.id, "none"):
            subscription = link.subscribe(FINDINGS_OF, game=name)
            assert link.data(subscription)["code"] == "GAME_NOT_FOUND"
            assert link.next(subscription)["type"] == "complete"


def test_new_findings_of_all_games(base: str, store: Store, audited: None) -> None:
    """From the moment of the subscription, each once; behind a cursor what came since."""
    key = key_for(store, Role.AUDITOR)
    first, second, third = (with_violation(game(index)) for index in range(3))
    take_in(store, first[0])
    with Link.opened(base, key) as link:
        name = link.subscribe(FINDINGS)
        link.say({"type": "ping"})
        assert link.hear() == {"type": "pong"}
        playing = LiveGame(store, second[0])
        playing.append(20)
        playing.rest()
        found = link.data(name)
        assert (found["game"], found["finding"]["seq"]) == (playing.id, second[1])
        assert found["finding"]["message"]
    take_in(store, third[0])
    with Link.opened(base, key) as link:
        name = link.subscribe(FINDINGS, after=found["cursor"])
        later = link.data(name)
        assert (later["game"], later["finding"]["seq"]) == (third[0][0]["game"], third[1])
        other = link.subscribe(FINDINGS, after=found["cursor"], clause="X-PAY-1")
        assert link.data(other)["code"] == "BAD_CURSOR"  # it is that of another subscription


def test_findings_by_clause_and_severity(base: str, store: Store) -> None:
    key = key_for(store, Role.CLERK)
    documents, at = with_violation(game(0))
    with Link.opened(base, key) as link:
        none = [link.subscribe(FINDINGS, clause=clause) for clause in ("S-NONE-1", "\ud800", "\0")]
        none.append(link.subscribe(FINDINGS, severity="WARNING"))
        name = link.subscribe(FINDINGS, severity="VIOLATION")
        link.say({"type": "ping"})
        assert link.hear() == {"type": "pong"}
        take_in(store, documents)
        found = link.data(name)
        assert found["finding"]["seq"] == at
        assert not [message for message in link._kept if message["id"] in none]


@pytest.mark.parametrize("role", [Role.SERVER, Role.PLAYER])
def test_findings_of_all_games_are_the_staffs(base: str, store: Store, role: Role) -> None:
    player = "player-1" if role is Role.PLAYER else None
    with Link.opened(base, key_for(store, role, player=player)) as link:
        message = link.next(link.subscribe(FINDINGS))
        assert message["payload"]["errors"][0]["extensions"]["code"] == "FORBIDDEN"


def test_what_was_read_is_on_record(base: str, store: Store, database: Database) -> None:
    documents, at = with_violation(game(0))
    key = key_for(store, Role.AUDITOR)
    with Link.opened(base, key) as link:
        name = link.subscribe(FINDINGS)
        link.say({"type": "ping"})
        assert link.hear() == {"type": "pong"}
        take_in(store, documents)
        link.data(name)
    statement = "SELECT key, first_seq, last_seq FROM mingpai.hidden_reads WHERE game = %s AND what = 'findings'"
    with psycopg.connect(database.admin_url) as admin:
        assert admin.execute(statement, (documents[0]["game"],)).fetchall() == [(key.split("_")[1], at, at)]


def test_an_audit_that_is_made_again_is_no_news(store: Store, database: Database) -> None:
    """And what was found is never changed or dropped."""
    documents, at = with_violation(game(0, hands=2))
    playing = LiveGame(store, documents)
    worker = Worker(store)
    while playing.append(60) < len(documents):
        while worker.step():
            pass
    from service.usecases.audits import audit_stored

    for _ in range(3):
        audit_stored(store, playing.id)
    with psycopg.connect(database.application_url) as connection:
        assert connection.execute("SELECT seq FROM mingpai.found_findings").fetchall() == [(at,)]
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("DELETE FROM mingpai.found_findings")
    with psycopg.connect(database.admin_url) as admin, pytest.raises(psycopg.Error, match="refused"):
        admin.execute("DELETE FROM mingpai.found_findings")
