"""``verifyBundle`` in the browser: every receiver's bundle of every game holds."""

from __future__ import annotations

import json
from typing import Any

import pytest

from schema.canonical import canonical
from service.evidence import leaves
from service.evidence.bundles import make
from tests.evidence.vectors import CASES
from tests.web.browser import Browser
from tests.web.bundles import (
    EXAMPLES,
    LIVE,
    SOUND,
    STEPS,
    VKEY,
    example,
    game,
    in_log,
    seats,
    simulated,
    statuses,
    step,
    the,
)


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_receivers_bundle_of_an_example_game_is_verified(browser: Browser, name: str) -> None:
    played = example(name)
    for seat in (None, *range(seats(played))):
        found = browser.verify(json.dumps(played.bundle(seat)), VKEY)
        assert statuses(found) == SOUND, f"seat {seat}"
        assert found["verified"] is True
        assert tuple(step["name"] for step in found["steps"]) == STEPS
        # The examples note the opened secrets in hand_started: nothing shows that they came after the commitment.
        assert [hand["level"] for hand in step(found, "shuffle")["details"]["hands"]] == [1, 1]


@pytest.mark.parametrize("ruleset", ["xiamen", "longyan"])
def test_a_game_with_everything_is_verified_for_every_receiver(browser: Browser, ruleset: str) -> None:
    played = simulated(ruleset)
    for seat in (None, *range(seats(played))):
        bundle = played.bundle(seat)
        found = browser.verify(json.dumps(bundle), VKEY)
        assert (statuses(found), found["verified"]) == (SOUND, True), f"seat {seat}"
        for hand in step(found, "shuffle")["details"]["hands"]:
            assert hand["level"] == 2
            compared = hand["compared"]
            assert compared["game_root"] is compared["commitment"] is compared["wall_root"] is True
            assert compared["client_seeds"] == list(range(seats(played)))
            assert compared["wall"] == 144
            assert compared["dice"] >= 2
            assert compared["tiles"]["shown"] > 60
        public = [seq for seq, event in enumerate(bundle["events"]) if "public" in event]
        hidden = [one["details"]["seqs"] for one in found["unproven"] if one["code"] == "events/public_only"]
        assert hidden == ([] if seat is None else [public])


def test_a_bundle_read_as_bytes_is_the_same(browser: Browser) -> None:
    text = json.dumps(example(EXAMPLES[0]).bundle(), ensure_ascii=False)
    script = """async ({text, keys}) => {
      const {verifyBundle} = await import("/verify/verify.js");
      const bytes = new TextEncoder().encode(text);
      const broken = Uint8Array.from([...bytes, 0xff]);
      const found = [];
      for (const source of [bytes, bytes.buffer, broken]) found.push(await verifyBundle(source, keys));
      return found;
    }"""
    *same, broken = browser.run(script, {"text": text, "keys": [VKEY]})
    assert same == [browser.verify(text, VKEY)] * 2
    assert step(broken, "format")["details"]["reason"] == "not_utf8"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.game)
def test_the_bundles_of_the_evidence_vectors_hold_as_far_as_their_games_go(browser: Browser, case: Any) -> None:
    bodies = [canonical(leaves.stored_form(event)) for event in case.events]
    found = browser.verify(json.dumps(make(bodies, case.secret, in_log(case.seal.encode()), None)), VKEY)
    assert statuses(found) == {**SOUND, "shuffle": "unproven"}  # they stop before the wall is revealed
    assert found["verified"] is True
    assert step(found, "chain")["details"] == {"head": case.heads[-1], "root": case.root}
    assert step(found, "seal")["details"]["reason"] == json.loads(case.seal)["reason"]


def test_a_live_game_is_consistent_but_never_verified(browser: Browser) -> None:
    played = simulated("xiamen")
    for events in (1, 2, 5, 40, len(played.bodies) - 1):
        for seat in (None, 0, 3):
            found = browser.verify(json.dumps(played.bundle(seat, events)), VKEY)
            is_over = events == len(played.bodies) - 1
            assert statuses(found) == {**LIVE, "shuffle": "ok" if is_over else "unproven"}, (events, seat)
            assert found["verified"] is False
            assert step(found, "chain")["code"] == "no_seal"


#: Rule sets in which flips are counted differently (S-GOLD-1, X-GOLD-1, L-GOLD-1, L-GOLD-2), each with a game in which
#: a flipped tile could not be gold.
FLIPS: dict[str, tuple[int, dict[str, Any]]] = {
    "xiamen, thrown again": (0, {"ruleset": "xiamen"}),
    "xiamen, the next tile": (0, {"ruleset": "xiamen", "gold_flower": "next"}),
    "longyan, by stacks": (3, {"ruleset": "longyan"}),
    "longyan, by tiles": (7, {"ruleset": "longyan", "gold_count": "tile"}),
    "longyan, two golds": (3, {"ruleset": "longyan", "mode": "full"}),
    "longyan, two golds, the next tile": (3, {"ruleset": "longyan", "mode": "full", "gold_flower": "next"}),
}


@pytest.mark.parametrize(("index", "options"), FLIPS.values(), ids=FLIPS)
def test_flips_lie_where_the_rule_set_counts_them(browser: Browser, index: int, options: dict[str, Any]) -> None:
    played = simulated(**options, hands=3, index=index)
    events = [json.loads(body) for body in played.bodies]
    assert max(len(event["tiles"]) for event in events if event["type"] == "gold_flipped") > 1
    found = browser.verify(json.dumps(played.bundle()), VKEY)
    assert (statuses(found), found["verified"]) == (SOUND, True)


def test_a_flip_without_dice_lies_where_its_index_says(browser: Browser) -> None:
    events = [json.loads(body) for body in example("longyan-3-42").bodies]
    throw = the(events, "dice_rolled", purpose="gold")
    events.remove(throw)
    flip = the(events, "gold_flipped", hand=1)
    assert len(flip["tiles"]) == 1
    for index, status in ((2 * sum(throw["dice"]), "ok"), (1, "failed"), (None, "ok")):
        # Without any place it is the copy nearest to the tail: here the same one.
        flip |= {"index": index}
        numbered = [{m: v for m, v in (e | {"seq": seq}).items() if v is not None} for seq, e in enumerate(events)]
        found = browser.verify(json.dumps(game(numbered).bundle()), VKEY)
        assert statuses(found)["shuffle"] == status, index


def test_hidden_tiles_take_their_place_in_the_wall_and_leave_the_hand_unproven(browser: Browser) -> None:
    """A draw with an ``x_`` member is never shown to other seats; what comes after it is still compared."""
    events = [json.loads(body) for body in example("longyan-3-42").bodies]
    drew = next(event for event in events if event["type"] == "drew")
    drew["x_note"] = 1
    found = browser.verify(json.dumps(game(events).bundle((drew["seat"] + 1) % 3)), VKEY)
    assert statuses(found) == {**SOUND, "shuffle": "unproven"}
    first, second = step(found, "shuffle")["details"]["hands"]
    assert (first["status"], first["reason"], first["compared"]["tiles"]["hidden"]) == ("unproven", "hidden_tiles", 1)
    assert (second["status"], second["compared"]["tiles"]["hidden"]) == ("ok", 0)
