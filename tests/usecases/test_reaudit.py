"""All stored games audited again: every changed verdict is told, nothing of earlier engines is lost, a run that was cut
off goes on."""

from __future__ import annotations

import io
import json
import signal
import subprocess
from typing import Any

import psycopg
import pytest

from replays import ENGINE
from schema.paipu import read
from schema.ports import Role, Viewer
from service.store import Store
from service.usecases.append import Intake
from service.usecases.folds import Folds
from service.usecases.ingest import ingest
from service.usecases.reaudit import reaudit
from tests.api.clients import AUDITOR, SERVER, Client, app_for
from tests.databases import Database
from tests.usecases.commands import COMMAND, environment, run, said
from tests.usecases.games import Document, game, id_of, lines, with_violation

GAMES = (game(0), with_violation(game(1))[0], game(2))
ADMIN = Viewer("admin-1", frozenset({Role.ADMIN}), None, "key-4")

#: The audits that are stored become an earlier engine's; those of some games said something else.
_AGE = """
WITH old AS (DELETE FROM mingpai.audits WHERE engine = %(now)s RETURNING *)
INSERT INTO mingpai.audits (game, engine, upto_seq, verdict, report, audited_at)
SELECT game, '0.9.0', upto_seq, CASE WHEN game = ANY (%(others)s) THEN %(verdict)s ELSE verdict END,
       jsonb_set(jsonb_set(report::jsonb, '{engine}', '"0.9.0"'), '{verdict}',
         to_jsonb(CASE WHEN game = ANY (%(others)s) THEN %(verdict)s ELSE verdict END))::text, audited_at
FROM old
"""


def age(database: Database, verdict: str, *others: str) -> None:
    with psycopg.connect(database.owner_url) as owner:
        owner.execute(_AGE, {"now": ENGINE, "others": list(others), "verdict": verdict})


def filled(store: Store, *games: list[Document]) -> Store:
    list(ingest(store, read(io.BytesIO(lines(*games)), source="log"), "log"))
    return store


def audits(database: Database) -> list[tuple[Any, ...]]:
    with psycopg.connect(database.owner_url) as owner:
        return owner.execute(
            "SELECT game, engine, verdict, upto_seq, report FROM mingpai.audits ORDER BY 1, 2"
        ).fetchall()


def test_nothing_changes_by_itself(database: Database, store: Store) -> None:
    filled(store, *GAMES)
    before = audits(database)
    done = run(database, "reaudit")
    assert (done.returncode, done.stdout) == (0, b"")
    assert said(done) == ["note: 3 games audited, 0 left as they were, 0 verdicts changed"]
    assert audits(database) == before


@pytest.mark.parametrize("jobs", [pytest.param("1", marks=pytest.mark.slow), "2"])
def test_every_changed_verdict_is_told(database: Database, store: Store, jobs: str) -> None:
    filled(store, *GAMES)
    fresh = audits(database)
    sound, broken, other = map(id_of, GAMES)
    age(database, "violations", sound)
    old = audits(database)
    done = run(database, "reaudit", "--jobs", jobs)
    last = len(GAMES[0]) - 1
    assert done.returncode == 1
    words = f"violations (engine 0.9.0, to seq {last}) -> clean (engine {ENGINE}, to seq {last})"
    assert done.stdout.decode() == f"{sound}: {words}\n"
    assert said(done) == ["note: 3 games audited, 0 left as they were, 1 verdicts changed"]
    assert audits(database) == sorted([*old, *fresh]), "the earlier engine's audits stay as they were"
    again = run(database, "reaudit", "--format", "json", "--resume")
    assert again.returncode == 1
    before = {"engine": "0.9.0", "verdict": "violations", "upto_seq": last}
    after = {"engine": ENGINE, "verdict": "clean", "upto_seq": last}
    assert [json.loads(line) for line in again.stdout.splitlines()] == [
        {"game": sound, "before": before, "after": after}
    ]
    assert said(again) == ["note: 0 games audited, 3 left as they were, 1 verdicts changed"]
    assert {broken, other}.isdisjoint(done.stdout.decode().split())


def test_a_verdict_of_the_same_engine_that_does_not_come_again(database: Database, store: Store) -> None:
    filled(store, *GAMES)
    with psycopg.connect(database.owner_url) as owner:
        owner.execute("UPDATE mingpai.audits SET verdict = 'violations' WHERE game = %s", [id_of(GAMES[2])])
    done = run(database, "reaudit")
    assert (done.returncode, done.stdout.decode().split(":")[0]) == (1, id_of(GAMES[2]))
    assert run(database, "reaudit").returncode == 0


def test_a_game_that_goes_on_is_audited_up_to_the_hand_under_way(database: Database, store: Store) -> None:
    going = game(3, hands=3)
    upto = next(one["seq"] for one in going if one.get("hand") == 2 and one["type"] == "dealt")
    intake = Intake(store, Folds(store))
    intake.open_game(going[0], None, "server-1")
    intake.append(id_of(going), 1, None, going[1 : upto + 1])
    (done,) = reaudit(store)
    kept = store.audit(id_of(going), ENGINE)
    assert kept is not None
    assert done.after == (ENGINE, "incomplete", kept.upto_seq)
    assert kept.upto_seq < upto
    assert [hand["hand"] for hand in kept.report["hands"]] == [1]


def test_a_run_that_was_killed_goes_on(database: Database, store: Store) -> None:
    games = [game(index, hands=4) for index in range(24)]
    filled(store, *games)
    changed = sorted(map(id_of, games))[::7]
    age(database, "violations", *changed)
    process = subprocess.Popen(
        [*COMMAND, "reaudit", "--jobs", "1", "--format", "json"],
        env=environment(database.environment),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while process.poll() is None and _done(database) < 5:
        pass
    process.send_signal(signal.SIGKILL)
    process.wait()
    half = _done(database)
    assert 5 <= half < len(games)
    done = run(database, "reaudit", "--resume", "--format", "json")
    assert done.returncode == 1
    assert [json.loads(line)["game"] for line in done.stdout.splitlines()] == changed
    assert said(done)[-1].startswith(f"note: {len(games) - half} games audited, {half} left as they were")
    assert _done(database) == len(games)


def _done(database: Database) -> int:
    return sum(engine == ENGINE for _, engine, *_ in audits(database))


def test_a_game_that_cannot_be_audited_stops_no_other(database: Database, store: Store) -> None:
    filled(store, *GAMES)
    with psycopg.connect(database.admin_url) as admin:
        admin.execute("SET session_replication_role = replica")
        admin.execute("ALTER TABLE mingpai.events DISABLE TRIGGER ALL")
        admin.execute("UPDATE mingpai.events SET body = '{}' WHERE game = %s AND seq = 5", [id_of(GAMES[0])])
    age(database, "clean", id_of(GAMES[1]))
    done = run(database, "reaudit")
    assert done.returncode == 2
    assert done.stdout.decode().startswith(f"{id_of(GAMES[1])}: clean")
    assert any(line.startswith(f"error: game {id_of(GAMES[0])} cannot be audited: ") for line in said(done))
    assert said(done)[-1] == "note: 2 games audited, 0 left as they were, 1 verdicts changed"


def test_no_store(tmp_path: Any) -> None:
    nowhere = {"MINGPAI_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none", "MINGPAI_DATA": str(tmp_path)}
    assert run(nowhere, "reaudit").returncode == 3


# -- Over the API ------------------------------------------------------------------------------------------------------

REQUEST = """
mutation($game: String!) { requestReaudit(game: $game) {
  __typename
  ... on Reaudit {
    audit { engineVersion verdict } previous { engineVersion verdict }
    change { before { verdict } after { verdict } removed { clause } added { clause } }
    removed { clause } added { clause }
  }
  ... on Problem { code }
} }
"""
CHANGES = """
query($game: String!) { game(id: $game) { ... on Game {
  verdict audits { engineVersion verdict } verdictChanges { before { engineVersion } after { engineVersion } }
} } }
"""


@pytest.mark.parametrize("viewer", [AUDITOR, ADMIN])
def test_one_game_at_an_auditors_request(database: Database, store: Store, viewer: Viewer) -> None:
    filled(store, *GAMES)
    name = id_of(GAMES[1])
    clause = store.audit(name).report["findings"][0]["clause"]  # type: ignore[union-attr]
    with psycopg.connect(database.owner_url) as owner:
        owner.execute(
            "UPDATE mingpai.audits SET report = jsonb_set(report::jsonb, '{findings}', '[]')::text WHERE game = %s",
            [name],
        )
    age(database, "clean", name)
    client = Client(app_for(store, viewer))
    assert client.ask(CHANGES, game=name)["game"] == {
        "verdict": "CLEAN",
        "audits": [{"engineVersion": "0.9.0", "verdict": "CLEAN"}],
        "verdictChanges": [],
    }
    done = client.ask(REQUEST, game=name)["requestReaudit"]
    assert done["audit"] == {"engineVersion": ENGINE, "verdict": "VIOLATIONS"}
    assert done["previous"] == {"engineVersion": "0.9.0", "verdict": "CLEAN"}
    change = {"before": {"verdict": "CLEAN"}, "after": {"verdict": "VIOLATIONS"}}
    assert done["change"] == {**change, "removed": [], "added": [{"clause": clause}]}
    assert (done["removed"], done["added"]) == ([], [{"clause": clause}])
    assert client.ask(CHANGES, game=name)["game"] == {
        "verdict": "VIOLATIONS",
        "audits": [
            {"engineVersion": ENGINE, "verdict": "VIOLATIONS"},
            {"engineVersion": "0.9.0", "verdict": "CLEAN"},
        ],
        "verdictChanges": [{"before": {"engineVersion": "0.9.0"}, "after": {"engineVersion": ENGINE}}],
    }


def test_who_may_ask_for_it(store: Store) -> None:
    filled(store, GAMES[0])
    player = Viewer("p", frozenset({Role.PLAYER}), GAMES[0][0]["seats"][0]["player"], "k")
    clerk = Viewer("c", frozenset({Role.CLERK}), None, "k")
    for viewer, code in (
        (Viewer(), "UNAUTHENTICATED"),
        (player, "FORBIDDEN"),
        (clerk, "FORBIDDEN"),
        (SERVER, "FORBIDDEN"),
    ):
        body = Client(app_for(store, viewer)).query(REQUEST, game=id_of(GAMES[0]))
        assert body["errors"][0]["extensions"]["code"] == code
    assert Client(app_for(store, AUDITOR)).ask(REQUEST, game="none")["requestReaudit"]["code"] == "GAME_NOT_FOUND"
