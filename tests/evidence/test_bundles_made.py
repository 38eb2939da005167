"""Making bundles: exactly the contract's members, and nobody is shown what is not theirs to see."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from replays.audit import audit
from replays.rulebook import OptionError
from replays.variants import rulebook
from schema import paipu
from schema.canonical import canonical
from schema.report import report_document
from service.evidence import leaves
from service.evidence.bundles import encode, make
from service.simulator import simulate_game
from service.simulator.scripts import play_scenario
from tests import seeds
from tests.evidence.bundles import EXAMPLES, SECRET, bodies_of, example, leaves_of, sealed, shown, whole
from tests.evidence.vectors import CASES

MEMBERS = ["format", "game", "ruleset", "events", "seal", "salt0", "index", "size", "inclusion", "checkpoint"]
MEMBERS += ["engine", "report"]
HIDING = {"dealt": "tiles", "drew": "tile", "flowers_replaced": "drawn"}
PRIVATE = {"turn_prompted", "passed", "claim_overridden"}


def played(ruleset: str = "longyan", hands: int = 2) -> list[bytes]:
    """A simulated game with passes and prompts on record."""
    return [canonical(paipu.document(event)) for event in simulate_game(ruleset, seeds.SIMULATED, 0, hands=hands)]


def documents(bodies: list[bytes]) -> list[dict[str, Any]]:
    return [json.loads(body) for body in bodies]


def hand_of(bodies: list[bytes], place: int) -> list[dict[str, Any]]:
    """The events of the hand that ``place`` lies in."""
    events = documents(bodies)
    starts = [i for i, event in enumerate(events) if event["type"] == "hand_started"]
    begin = max(i for i in starts if i <= place)
    return events[begin : min([i for i in starts if i > place], default=len(events))]


def revealed(events: list[dict[str, Any]]) -> bool:
    return any(event["type"] == "wall_revealed" for event in events)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_whole_bundle_holds_the_stored_bytes(path: Any) -> None:
    bodies = bodies_of(path)
    bundle = whole(bodies)
    assert list(bundle) == MEMBERS
    assert bundle["format"] == "mingpai-bundle/1"
    assert [base64.b64decode(entry["full"]) for entry in bundle["events"]] == bodies
    assert [entry["salt"] for entry in bundle["events"]] == [
        leaves.event_salt(SECRET, seq).hex() for seq in range(len(bodies))
    ]
    first = json.loads(bodies[0])["ruleset"]
    book = rulebook(first["id"], first["version"], first["options"])
    assert bundle["ruleset"] == {"id": book.id, "version": "1", "options": dict(book.options)}
    events = [paipu.decode(body).event for body in bodies]
    assert bundle["report"] == report_document(audit(events), "en")
    assert bundle["engine"] == bundle["report"]["engine"]


def test_a_bundle_is_the_same_file_twice() -> None:
    bodies = example("xiamen-1-8")
    seal = sealed(bodies)
    assert encode(make(bodies, SECRET, seal, 1)) == encode(make(bodies, SECRET, seal, 1))
    assert json.loads(encode(make(bodies, SECRET, seal, 1))) == make(bodies, SECRET, seal, 1)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.game)
def test_leaves_are_those_of_the_vectors(case: Any) -> None:
    """Whichever half of an event is shown, with the other's digest it gives the contract's leaf."""
    bodies = [canonical(event) for event in case.events]
    for seat in (None, 0):
        bundle = make(bodies, case.secret, None, seat)
        assert all(bundle[name] is None for name in MEMBERS[4:10])
        found = [leaf(entry, case.concealed_kong_shown) for entry in bundle["events"]]
        assert found == case.leaves


def leaf(entry: dict[str, str], kong_shown: bool) -> str:
    if "public" in entry:
        return leaves.leaf_from_rest(base64.b64decode(entry["public"]), bytes.fromhex(entry["rest"])).hex()
    full = base64.b64decode(entry["full"])
    public = canonical(leaves.public_form(json.loads(full), concealed_kong_shown=kong_shown))
    return leaves.leaf(public, bytes.fromhex(entry["salt"]), full).hex()


@pytest.mark.parametrize("ruleset", ["xiamen", "longyan"])
def test_a_seat_sees_its_own_and_what_lies_open(ruleset: str) -> None:
    """At every length of a live game: own events in full; others' tiles only behind a revealed wall, their offers and
    answers never."""
    bodies = played(ruleset)
    for count in range(1, len(bodies) + 1, 41):
        bundle = make(bodies[:count], SECRET, None, 2)
        for place, (entry, event) in enumerate(zip(bundle["events"], documents(bodies[:count]), strict=True)):
            is_own = event.get("seat") == 2
            is_open = not place or revealed(hand_of(bodies[:count], place))
            if event["type"] in PRIVATE:
                assert ("full" in entry) == is_own
            elif HIDING.get(event["type"]) and event[HIDING[event["type"]]]:
                assert ("full" in entry) == (is_own or is_open)
            else:
                assert "full" in entry


@pytest.mark.parametrize("seat", [None, 0, 1])
@pytest.mark.parametrize("name", ["xiamen-2-40", "longyan-3-11", "longyan-2-92"])
def test_no_hidden_tile_is_anywhere_in_a_live_bundle(name: str, seat: int | None) -> None:
    """Whatever is decoded from it: of the hand under way only open forms, and not a word of its report."""
    bodies = list(example(name))
    for count in range(1, len(bodies), 5):
        bundle = make(bodies[:count], SECRET, None, seat)
        last = hand_of(bodies[:count], count - 1) if count > 1 else []
        is_running = bool(last) and not any(event["type"] in ("hand_ended", "game_ended") for event in last)
        if not is_running or revealed(last):
            continue
        start = count - len(last)
        for entry, event in zip(bundle["events"][start:], last, strict=True):
            member = HIDING.get(event["type"])
            if member and event["seat"] != seat:
                assert set(as_list(shown(entry)[member])) <= {"??"}
            assert "wall" not in shown(entry)
        assert bundle["report"]["events"] == start
        assert all(found["seq"] < start for found in bundle["report"]["findings"])
        assert all(hand["hand"] < last[0]["hand"] for hand in bundle["report"]["hands"])


def as_list(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else value


def test_own_members_of_a_server_are_for_the_seat_they_are_about() -> None:
    """``x_`` members: in full for the seat of the event and in a whole bundle; for others not even behind the wall."""
    events = documents(list(example("xiamen-1-31")))
    drew = next(event for event in events if event["type"] == "drew")
    tiles = next(event for event in events if event["type"] == "discarded")
    drew["x_note"], tiles["x_note"] = "secret of the server", "secret of the server"
    bodies = [canonical(event) for event in events]
    seal = sealed(bodies)
    for seat in range(4):
        bundle = make(bodies, SECRET, seal, seat)
        for event in (drew, tiles):
            assert ("full" in bundle["events"][event["seq"]]) == (event["seat"] == seat)
        is_told = seat in (drew["seat"], tiles["seat"])
        assert ("x_note" in json.dumps([shown(entry) for entry in bundle["events"]])) == is_told
    assert all("full" in entry for entry in make(bodies, SECRET, seal, None)["events"])


def test_a_hidden_kong_is_hidden_until_the_wall_lies_open() -> None:
    from tests.faults.logs import SCENARIOS  # a scenario with a concealed kong, by an option that hides it

    name = next(name for name in SCENARIOS if "concealed" in name)
    events = [paipu.document(event) for event in play_scenario(name, SCENARIOS[name], 0)]
    events[0]["ruleset"]["options"]["concealed_kong_shown"] = False
    kong = next(event for event in events if event["type"] == "konged" and event["kind"] == "concealed")
    other = (kong["seat"] + 1) % len(events[0]["seats"])
    bodies = [canonical(event) for event in events]
    live = make(bodies[: kong["seq"] + 1], SECRET, None, other)
    assert shown(live["events"][kong["seq"]])["with"] == ["??"] * 4
    assert "full" in make(bodies[: kong["seq"] + 1], SECRET, None, kong["seat"])["events"][kong["seq"]]
    assert "full" in make(bodies, SECRET, sealed(bodies), other)["events"][kong["seq"]]


def test_what_others_were_offered_is_not_in_a_seats_report() -> None:
    """A wrong pass is found, but what was recorded there is told to its own seat only."""
    bodies = played()
    events = documents(bodies)
    passed = next(event for event in events if event["type"] == "passed")
    passed["options"] = [{"act": "win", "win": "self_draw"}]
    bodies = [canonical(event) for event in events]
    seal = sealed(bodies)
    own, other = passed["seat"], (passed["seat"] + 1) % len(events[0]["seats"])
    told = {seat: at(make(bodies, SECRET, seal, seat)["report"], passed["seq"]) for seat in (None, own, other)}
    assert told[None] == told[own]
    assert told[own]["recorded"]["options"] == passed["options"]
    assert told[other]["recorded"] == {}
    assert told[other]["clause"] == told[own]["clause"] == "S-PASS-1"


def at(report: dict[str, Any], seq: int) -> dict[str, Any]:
    found: dict[str, Any] = next(found for found in report["findings"] if found["seq"] == seq)
    return found


def test_a_hand_started_astray_opens_nothing() -> None:
    """A server cannot have the running hand shown by writing that another one began."""
    events = documents(list(example("xiamen-1-8")))[:40]
    stray = {**events[1], "seq": 40, "hand": 2, "at": events[-1]["at"]}
    bodies = [canonical(event) for event in [*events, stray]]
    for seat in (None, 0):
        bundle = make(bodies, SECRET, None, seat)
        assert bundle["report"]["events"] == 1
        hidden = [event for event in events if event["type"] in ("dealt", "drew") and event["seat"] != seat]
        assert all("public" in bundle["events"][event["seq"]] for event in hidden)


def test_a_wall_that_is_not_whole_opens_nothing() -> None:
    events = documents(list(example("xiamen-1-31")))
    wall = next(event for event in events if event["type"] == "wall_revealed")
    wall["wall"] = wall["wall"][:-1]
    bodies = [canonical(event) for event in events]
    bundle = make(bodies, SECRET, sealed(bodies), 0)
    dealt = [e for e in hand_of(bodies, wall["seq"]) if e["type"] == "dealt" and e["seat"] != 0]
    assert all("public" in bundle["events"][event["seq"]] for event in dealt)


@pytest.mark.parametrize("seat", [-1, 4, 99])
def test_there_is_no_bundle_for_a_seat_that_is_none(seat: int) -> None:
    with pytest.raises(ValueError, match=f"no seat {seat}"):
        make(example("xiamen-1-8"), SECRET, None, seat)


def test_what_is_no_game_makes_no_bundle() -> None:
    bodies = list(example("xiamen-1-8"))
    with pytest.raises(ValueError, match="begins with game_started"):
        make([], SECRET, None, None)
    with pytest.raises(ValueError, match="begins with game_started"):
        make(bodies[1:], SECRET, None, None)
    with pytest.raises(ValueError, match="31 bytes"):
        make(bodies, SECRET[:31], None, None)
    unknown = json.loads(bodies[0])
    unknown["ruleset"]["id"] = "nowhere"
    with pytest.raises((ValueError, OptionError), match="nowhere"):
        make([canonical(unknown)], SECRET, None, None)
    with pytest.raises(ValueError, match="line 2"):
        make([bodies[0], b'{"seq":1}'], SECRET, None, None)


def test_the_leaves_of_the_helper_are_those_of_the_bundle() -> None:
    bodies = list(example("longyan-1-23"))
    bundle = make(bodies, SECRET, None, 0)
    assert [leaf(entry, True) for entry in bundle["events"]] == [found.hex() for found in leaves_of(bodies)]
