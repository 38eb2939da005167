"""``POST /audit?what=``: a log that is not stored is stepped through as a stored game is."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware

from schema.paipu import document, read, split_names
from service.api import create_app
from service.api.authentication import Authentication
from service.api.oneoff import oneoff_routes
from service.embedded import Server
from service.simulator.games import simulate_game
from service.store import Sender, Store
from service.usecases.ingest import ingest
from service.usecases.oneoff import PUBLIC as PUBLIC_BOUNDS
from service.usecases.oneoff import Bounds, OneOffAudits
from service.usecases.oneoff_answers import ANSWERS, Question, answer, heads
from service.usecases.oneoff_replay import played
from service.web.assets import documents as texts
from tests.api.clients import UNHURRIED, Client
from tests.bulk.viewers import by_header, sent_by
from tests.databases import cloned
from tests.usecases.games import Document, game, id_of, lines, with_violation

XIAMEN = game(0, hands=2)
LONGYAN: list[Document] = [document(event) for event in simulate_game("longyan", 7, 2, hands=2)]
WRONG, WRONG_AT = with_violation(game(1))
STORED = {"xiamen": XIAMEN, "longyan": LONGYAN, "wrong": WRONG}


@pytest.fixture(scope="module")
def client(postgres: Server, migrated_template: str) -> Iterator[Client]:
    """The application over a store with the games in it, which are a server's own: it sees all of them."""
    with (
        cloned(postgres, migrated_template) as made,
        Store.connect(made.application_url, unsafe_allowed=True) as store,
    ):
        log = read(io.BytesIO(lines(*STORED.values())), source="log")
        list(ingest(store, log, "log", sender=Sender("server-1")))
        yield Client(create_app(store, authenticate=by_header, limits=UNHURRIED))


def ask(client: Client, name: str, **variables: Any) -> dict[str, Any]:
    """What a page's document gives for a stored game."""
    (text,) = [text for text in texts().values() if f"query {name}(" in text]
    sent = {"query": text, "variables": variables}
    answered = client.request("POST", "/graphql", json=sent, headers=sent_by("server-1")).json()
    assert "errors" not in answered, answered
    found: dict[str, Any] = answered["data"]
    return found


def post(client: Client, log: bytes, viewer: str = "player", **query: Any) -> httpx.Response:
    return client.request("POST", "/audit", params=query, content=log, headers=sent_by(viewer))


def told(log: bytes, what: str, lang: str = "en", **asked: Any) -> dict[str, Any]:
    """The same without the process around it."""
    found = answer(io.BytesIO(log), Question(what, **asked), lang)
    assert "answer" in found, found
    result: dict[str, Any] = found["answer"]
    return result


def picked(value: Any, shape: Any) -> Any:
    """Of a value the members that ``shape`` has too: GraphQL gives those that were asked for."""
    if isinstance(shape, dict) and isinstance(value, dict):
        return {name: picked(value[name], shape[name]) for name in shape if name != "__typename"}
    if isinstance(shape, list) and isinstance(value, list) and len(shape) == len(value):
        return [picked(one, other) for one, other in zip(value, shape, strict=True)]
    return value


def bare(value: Any) -> Any:
    """What GraphQL gave, without its types' names."""
    return picked(value, value)


# -- The same as of stored games ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", STORED)
@pytest.mark.parametrize("seat", [None, 0, 3])
def test_hands(client: Client, name: str, seat: int | None) -> None:
    documents = STORED[name]
    numbers = [one["hand"] for one in documents if one["type"] == "hand_started"]
    for hand in numbers:
        asked = {"game": id_of(documents), "hand": hand, "asSeat": seat, "lang": "EN"}
        stored = bare(ask(client, "HandReplay", **asked)["replay"])
        del stored["findings"]  # who has sent the log has had them with its report
        found = told(lines(documents), "replay", hand=hand, seat=seat)
        if hand == numbers[0] and seat is None:  # names are not stored with their events; a log holds them
            assert found["events"][0] == documents[0]
            found["events"][0] = split_names(found["events"][0])[0]
        assert picked(found, stored) == stored
        assert (found["view"], found["asSeat"]) == ("ALL" if seat is None else "SEAT", seat)


def test_a_hand_by_a_step_in_it(client: Client) -> None:
    start = next(one["seq"] for one in XIAMEN if one["type"] == "hand_started" and one["hand"] == 2)
    first, second = (told(lines(XIAMEN), "replay", seq=seq) for seq in (start - 1, start))
    assert (first["hand"], first["firstSeq"], first["lastSeq"]) == (1, 0, start - 1)
    assert (second["hand"], second["firstSeq"], second["lastSeq"]) == (2, start, len(XIAMEN) - 1)
    assert [one["number"] for one in second["hands"]] == [1, 2]


@pytest.mark.parametrize(("name", "lang"), [("xiamen", "en"), ("longyan", "zh-Hans"), ("wrong", "zh-Hant")])
def test_every_step_of_a_hand(client: Client, name: str, lang: str) -> None:
    """Of the seats in turn, and at the end of the one that has won."""
    documents = STORED[name]
    log = played(io.BytesIO(lines(documents)), Question("step"))
    end = next(at for at, one in enumerate(documents) if one["type"] == "hand_ended")
    winner = next((one["seat"] for one in documents[:end] if one["type"] == "won"), 0)
    seen = set()
    for seq in range(end + 1):
        seat = winner if seq > end - 5 else seq % 4
        asked = {"game": id_of(documents), "seq": seq, "seat": seat, "lang": lang.replace("-", "_").upper()}
        stored = ask(client, "StepInsight", **asked)
        expected = {
            "blocked": bare(stored["blockedActs"]["acts"]),
            "waits": stored["waits"]["waits"],
            "readings": bare(stored["readings"]),
        }
        found = ANSWERS["step"](log, Question("step", seq=seq, seat=seat), lang)
        assert picked(found, expected) == expected, seq
        seen |= {name for name in ("blocked", "waits") if expected[name]}
        seen |= {"readings"} if expected["readings"]["total"] else set()
    assert seen >= {"waits", "readings"}


@pytest.mark.parametrize("name", STORED)
def test_payments_of_every_hand(client: Client, name: str) -> None:
    documents = STORED[name]
    for hand in {one["hand"] for one in documents if one["type"] == "hand_ended"}:
        stored = bare(ask(client, "HandWaterfall", game=id_of(documents), hand=hand, lang="ZH_HANT")["scoreWaterfall"])
        assert picked(told(lines(documents), "waterfall", "zh-Hant", hand=hand), stored) == stored


def test_heads(client: Client) -> None:
    """A report says what the audit of a stored game says; beside it is what a page shows of a game."""
    log = lines(WRONG, XIAMEN[:-1])
    answered = post(client, log, what="heads", lang="zh-Hans")
    assert answered.headers["content-type"] == "application/x-ndjson"
    wrong, cut = map(json.loads, answered.content.splitlines())
    stored = ask(client, "GameHead", game=id_of(WRONG), lang="ZH_HANS")["game"]
    assert [wrong["started_at"], wrong["options"]] == [stored["startedAt"], stored["ruleset"]["options"]]
    assert wrong["seats"] == stored["seats"]
    assert [one["title"] for one in wrong["findings"]] == [one["title"] for one in stored["audit"]["findings"]]
    replay = ask(client, "HandReplay", game=id_of(WRONG), seq=WRONG_AT, lang="ZH_HANS")["replay"]
    assert [one["message"] for one in wrong["findings"]] == [one["message"] for one in replay["findings"]]
    assert [one["step"] for one in wrong["findings"]] == [WRONG_AT]
    assert (wrong["status"].upper(), cut["status"]) == (stored["status"], "open")


# -- Logs that are not as they should be -------------------------------------------------------------------------------


def test_what_is_before_a_bad_line_is_stepped_through(client: Client) -> None:
    documents = XIAMEN[:30]
    whole = told(lines(documents), "replay", hand=1)
    assert whole["lastSeq"] == 29
    assert post(client, gzip.compress(lines(documents) + b"{}\n"), what="replay", hand=1).json() == whole
    assert told(lines(documents) + b'{"seq":30,"ty', "replay") == whole


def test_what_is_before_an_event_that_cannot_be_applied_is_stepped_through() -> None:
    at = next(at for at, one in enumerate(XIAMEN) if one["type"] == "settled")
    documents = [*XIAMEN[:at], {**XIAMEN[at], "deltas": [1, -1], "items": []}, *XIAMEN[at + 1 :]]
    assert told(lines(documents), "replay")["lastSeq"] == at - 1


def test_a_step_is_a_place_whatever_its_number() -> None:
    """Events that a server has numbered anew are still stepped through one by one, and a finding leads to its own."""
    documents = [{**one, "seq": one["seq"] + 1000 * (one["seq"] >= 50)} for one in XIAMEN]
    found = told(lines(documents), "replay", seq=52)
    assert [found["events"][at]["seq"] for at in (49, 50, 51)] == [49, 1050, 1051]
    (report,) = [report for _, report in heads(io.BytesIO(lines(documents)), "en") if report is not None]
    assert [(one["seq"], one["step"]) for one in report["findings"]] == [(1050, 50)]


def test_games_by_id_and_by_place() -> None:
    of = partial(told, lines(XIAMEN, LONGYAN, XIAMEN[:40]), "replay", hand=1)
    assert of() == of(place=0) == of(game=id_of(XIAMEN))
    assert of(place=1) == of(game=id_of(LONGYAN))
    assert (of(place=2)["game"], of(place=2)["lastSeq"]) == (id_of(XIAMEN), 39)


# -- Refusals ----------------------------------------------------------------------------------------------------------


_LAST = len(XIAMEN) - 1


@pytest.mark.parametrize(
    ("question", "code", "details"),
    [
        (Question("replay", game="none \0"), "game_not_found", {"game": "none \0"}),
        (Question("replay", place=1), "game_not_found", {"game": None}),
        (Question("replay", hand=9), "hand_not_found", {"number": 9}),
        (Question("replay", seq=9999), "seq_out_of_range", {"seq": 9999, "last_seq": _LAST}),
        (Question("replay", hand=1, seat=4), "seat_out_of_range", {"seat": 4, "seats": 4}),
        (Question("step", seq=9999, seat=0), "seq_out_of_range", {"seq": 9999, "last_seq": _LAST}),
        (Question("step", seat=0), "seq_out_of_range", {"seq": None, "last_seq": _LAST}),
        (Question("step", seq=9), "seat_out_of_range", {"seat": None, "seats": 4}),
        (Question("waterfall", hand=3), "hand_not_found", {"number": 3}),
        (Question("waterfall"), "hand_not_found", {"number": None}),
    ],
    ids=str,
)
def test_what_the_log_does_not_have(question: Question, code: str, details: dict[str, Any]) -> None:
    refused = answer(io.BytesIO(lines(XIAMEN)), question, "en")["refused"]
    assert refused["code"] == code
    assert {"game": id_of(XIAMEN)} | details == refused["details"]


def test_it_is_refused_over_http(client: Client) -> None:
    answered = post(client, lines(XIAMEN), what="replay", seq=9999)
    (error,) = answered.json()["errors"]
    assert (answered.status_code, error["extensions"]["code"]) == (404, "SEQ_OUT_OF_RANGE")
    assert (error["extensions"]["last_seq"], error["message"]) == (
        _LAST,
        f"Game {id_of(XIAMEN)} has the steps 0 to {_LAST}, not 9999.",
    )


@pytest.mark.parametrize(
    ("query", "argument"),
    [
        ({"what": "all"}, "what"),
        ({"what": "replay", "hand": 1, "seq": 1}, "seq"),
        *[({"what": "step", name: "-1"}, name) for name in ("place", "hand", "seq", "seat")],
    ],
)
def test_what_cannot_be_asked(client: Client, query: dict[str, Any], argument: str) -> None:
    answered = post(client, lines(XIAMEN), **query)
    assert (answered.status_code, answered.json()["errors"][0]["extensions"]["argument"]) == (400, argument)


def test_a_game_that_cannot_begin() -> None:
    log = lines([{**XIAMEN[0], "scores": [0, 0]}])
    refused = answer(io.BytesIO(log), Question("replay"), "en")["refused"]
    assert refused["code"] == "log_unreadable"
    assert "cannot begin" in refused["message"]
    (report,) = [report for _, report in heads(io.BytesIO(log), "en") if report is not None]
    assert (report["verdict"], report["events"]) == ("unreadable", 0)


def test_a_log_that_cannot_be_read_as_far_as_the_game(client: Client) -> None:
    answered = post(client, lines(XIAMEN[:5]) + b"{}\n" + lines(LONGYAN), what="replay", place=1)
    (error,) = answered.json()["errors"]
    assert (answered.status_code, error["extensions"]["code"], error["extensions"]["line"]) == (
        422,
        "LOG_UNREADABLE",
        6,
    )


def test_a_log_that_is_too_large(client: Client) -> None:
    answered = post(client, b" " * (PUBLIC_BOUNDS.size + 1), "public", what="replay")
    assert (answered.status_code, answered.json()["errors"][0]["extensions"]["code"]) == (413, "LOG_TOO_LARGE")


def test_an_answer_that_is_too_long(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.usecases.oneoff._OUTPUT", 1000)
    answered = post(client, lines(XIAMEN), what="replay")
    assert (answered.status_code, answered.json()["errors"][0]["extensions"]["code"]) == (413, "LOG_TOO_LARGE")


def test_a_question_waits_for_its_place() -> None:
    """Whoever steps through a log is not turned away by the answer before; a log to be audited is, at once."""
    audits = OneOffAudits()
    client = Client(Starlette(routes=oneoff_routes(audits), middleware=[Middleware(Authentication, by_header)]))
    place = audits._public[1]
    place.acquire()
    assert post(client, lines(XIAMEN), "public").status_code == 503
    timer = threading.Timer(0.3, place.release)
    timer.start()
    assert post(client, lines(XIAMEN), "public", what="replay").status_code == 200
    timer.join()


def test_bounds_are_told(client: Client) -> None:
    for viewer, bounds in (("public", PUBLIC_BOUNDS), ("player", Bounds(16 * 1024**2, 60, 2))):
        assert client.request("GET", "/audit", headers=sent_by(viewer)).json() == bounds._asdict()


# -- The process -------------------------------------------------------------------------------------------------------


def test_bytes_do_not_hang_on_the_order_of_sets() -> None:
    log = lines(XIAMEN)
    for what in ("replay", "step"):
        question = f'{{"what": "{what}", "hand": 1, "seq": 60, "seat": 1}}'
        command = [sys.executable, "-m", "service.usecases.oneoff_process", "zh-Hant", "60", str(2**30), str(2**25)]
        first, second = (
            subprocess.run(
                [*command, question],
                input=log,
                capture_output=True,
                check=True,
                env={**os.environ, "PYTHONHASHSEED": seed},
            ).stdout
            for seed in ("1", "2")
        )
        assert first == second
        assert first.startswith(b'{"answer"')


def test_it_starts_without_graphql_and_database() -> None:
    code = "import sys, service.usecases.oneoff_answers; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout.split()
    assert not {"graphql", "strawberry", "psycopg", "sqlalchemy", "starlette"} & set(loaded)
