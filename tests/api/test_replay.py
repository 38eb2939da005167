"""A hand to be stepped through is what the fields for one step say, step by step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from schema.ports import Role, Viewer
from service.store import Store
from service.usecases.replaying import is_of_seat
from service.web.assets import documents
from tests.api.clients import AUDITOR, Client, app_for
from tests.api.conftest import GAMES, Ask
from tests.api.frames import whole
from tests.usecases.games import Document, id_of

REPLAY = """
query($game: String!, $hand: Int, $seq: Int, $asSeat: Int) {
  replay(game: $game, hand: $hand, seq: $seq, asSeat: $asSeat) {
    __typename
    ... on HandReplay {
      hand firstSeq lastSeq hands { number firstSeq lastSeq } view asSeat frames acts events rulesetDigest engineVersion
      findings { seq seat clause expected recorded }
    }
    ... on Problem { code message }
  }
}
"""
STEP = """
query($game: String!, $seq: Int!, $asSeat: Int) {
  stateAt(game: $game, seq: $seq, asSeat: $asSeat) {
    __typename ... on State { view asSeat table } ... on Problem { code }
  }
  legalActs(game: $game, seq: $seq) {
    ... on LegalActs { seats { seat acts { act tile with kind win from } } }
  }
}
"""
EVENTS = """
query($game: String!, $after: String) { events(game: $game, first: 100, after: $after) {
  ... on EventConnection { edges { node { seq body } } pageInfo { hasNextPage endCursor } } } }
"""
GAME = id_of(GAMES[0])


def player_at(seat: int) -> Viewer:
    return Viewer("person", frozenset({Role.PLAYER}), GAMES[0][0]["seats"][seat]["player"], "key")


#: Of what frames have beside a picture, and of what they keep where a picture leaves it out.
_ADDED = {"view", "wall"}
_OF_SEATS = {"river", "declared_you", "in_doubt"}


def pictured(frame: Mapping[str, Any]) -> dict[str, Any]:
    """A frame as a picture."""
    seats = [
        {name: value for name, value in seat.items() if name != "river" and not (name in _OF_SEATS and value is None)}
        for seat in frame["seats"].values()
    ]
    return {name: value for name, value in frame.items() if name not in _ADDED} | {"seats": seats}


def asked(ask: Ask, **arguments: Any) -> dict[str, Any]:
    found: dict[str, Any] = ask(REPLAY, game=GAME, **arguments)["replay"]
    return found


def stored_events(ask: Ask) -> list[Document]:
    found, after = [], None
    while True:
        page = ask(EVENTS, game=GAME, after=after)["events"]
        found += [edge["node"]["body"] for edge in page["edges"]]
        if not page["pageInfo"]["hasNextPage"]:
            return found
        after = page["pageInfo"]["endCursor"]


@pytest.mark.parametrize("hand", [1, 2])
@pytest.mark.parametrize("viewer", [AUDITOR, player_at(2)], ids=["auditor", "player"])
def test_a_replay_is_its_steps(library: Store, viewer: Viewer, hand: int) -> None:
    ask = Client(app_for(library, viewer)).ask
    found, events = asked(ask, hand=hand), stored_events(ask)
    steps = range(found["firstSeq"], found["lastSeq"] + 1)
    assert [one["seq"] for one in found["events"]] == [*steps]
    assert found["events"] == events[steps[0] : steps[-1] + 1]
    frames, acts = list(whole(found["frames"])), list(whole(found["acts"]))
    assert len(frames) == len(acts) == len(steps)
    for seq in [*steps[::7], steps[-1]]:
        step = ask(STEP, game=GAME, seq=seq)
        state, at = step["stateAt"], seq - steps[0]
        assert pictured(frames[at]) == state["table"]
        assert frames[at]["view"] == state["view"].lower()
        legal = {one["seat"]: one["acts"] for one in step["legalActs"]["seats"] if one["acts"]}
        assert {int(seat): [_upper(one) for one in some] for seat, some in acts[at].items() if some} == legal
    assert found["view"] == state["view"]


def _upper(act: Document) -> Document:
    return {"tile": None, "with": [], "kind": None, "win": None, "from": None, **act, "act": act["act"].upper()}


@pytest.mark.parametrize("viewer", [AUDITOR, player_at(1)], ids=["auditor", "player"])
def test_as_a_seat(library: Store, viewer: Viewer) -> None:
    """Tables and acts as that seat knew them; others' draws never, also after the wall was revealed."""
    ask = Client(app_for(library, viewer)).ask
    found = asked(ask, hand=1, asSeat=1)
    assert (found["view"], found["asSeat"]) == ("SEAT", 1)
    for at, frame in enumerate(whole(found["frames"])):
        state = ask(STEP, game=GAME, seq=found["firstSeq"] + at, asSeat=1)["stateAt"] if at % 9 == 0 else None
        if state is not None:
            assert {**pictured(frame), "at": None} == {**state["table"], "at": None}
        others = [seat for seat in frame["seats"].values() if seat["seat"] != 1]
        assert all(one["drawn"] is None for seat in others for one in seat["river"])
    for event in found["events"]:
        if event["type"] in ("dealt", "drew") and event["seat"] != 1:
            assert set(event.get("tiles", [event.get("tile")])) == {"??"}
        assert event["type"] not in ("passed", "turn_prompted") or event["seat"] == 1
    assert {seat for acts in found["acts"] for seat in acts} == {"1"}


def test_hands_share_the_steps_of_the_game(ask: Ask) -> None:
    first, second = asked(ask), asked(ask, hand=2)
    assert (first["hand"], second["hand"]) == (1, 2)
    assert first["hands"] == second["hands"]
    assert first["firstSeq"] == 0
    assert first["lastSeq"] + 1 == second["firstSeq"]
    assert second["lastSeq"] == len(GAMES[0]) - 1
    assert second["events"][0]["type"] == "hand_started"
    for seq in (first["lastSeq"], second["firstSeq"], second["lastSeq"]):
        assert asked(ask, seq=seq)["hand"] == (1 if seq == first["lastSeq"] else 2)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"hand": 3}, "HAND_NOT_FOUND"),
        ({"hand": 0}, "HAND_NOT_FOUND"),
        ({"seq": len(GAMES[0])}, "SEQ_OUT_OF_RANGE"),
        ({"seq": -1}, "SEQ_OUT_OF_RANGE"),
        ({"hand": 1, "seq": 1}, "BAD_ARGUMENT"),
        ({"asSeat": 4}, "SEAT_OUT_OF_RANGE"),
        ({"asSeat": -1}, "SEAT_OUT_OF_RANGE"),
    ],
)
def test_what_is_not_there(ask: Ask, arguments: dict[str, int], code: str) -> None:
    assert asked(ask, **arguments)["code"] == code


def test_a_game_that_is_not_there(ask: Ask) -> None:
    assert ask(REPLAY, game="nothing")["replay"]["code"] == "GAME_NOT_FOUND"


FAULTY = id_of(GAMES[1])
AUDIT = """
query($game: String!) { audit(game: $game) { ... on Audit { findings { seq seat clause expected recorded } } } }
"""


def test_findings_are_those_of_the_steps(ask: Ask) -> None:
    found = ask(REPLAY, game=FAULTY)["replay"]["findings"]
    assert found == ask(AUDIT, game=FAULTY)["audit"]["findings"] != []
    assert asked(ask, hand=2)["findings"] == []


@pytest.mark.parametrize("seat", range(4))
def test_a_seat_is_not_told_what_others_findings_quote(ask: Ask, seat: int) -> None:
    """That something was found is no secret; the tiles in it may be."""
    for one in ask(REPLAY, game=FAULTY, asSeat=seat)["replay"]["findings"]:
        assert (one["expected"] == one["recorded"] == {}) == (one["seat"] != seat)


@pytest.mark.parametrize(
    ("finding", "is_of_it"),
    [
        ({"seat": 1, "clause": "S-CLAIM-3"}, True),
        ({"seat": 2, "clause": "S-CLAIM-3"}, False),
        ({"seat": None, "clause": "G-SCORE-1"}, False),
        ({"seat": 1, "clause": "S-WALL-3"}, False),
        ({"seat": 1, "clause": "X-GOLD-1", "also": ["S-WALL-3"]}, False),
        ({"seat": 1, "clause": "F-WALL-1", "also": []}, False),
    ],
)
def test_what_only_the_wall_knows_is_no_seats(finding: Document, is_of_it: bool) -> None:
    assert is_of_seat(finding, 1) == is_of_it


def test_pages_get_it_packed(client: Client) -> None:
    """Programs get it as it is: they send the document itself, or an id of their own."""
    identifier, text = next((one, text) for one, text in documents().items() if "query HandReplay" in text)
    variables = {"game": GAME, "hand": 1, "lang": "EN"}
    page = client.request("POST", "/graphql", json={"documentId": identifier, "variables": variables})
    plain = client.request("POST", "/graphql", json={"query": text, "variables": variables})
    assert page.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert page.json() == plain.json()
    assert 4 * int(page.headers["content-length"]) < int(plain.headers["content-length"])
    unpacked = client.request(
        "POST",
        "/graphql",
        json={"documentId": identifier, "variables": variables},
        headers={"accept-encoding": "identity"},
    )
    assert "content-encoding" not in unpacked.headers
    assert unpacked.json() == plain.json()
