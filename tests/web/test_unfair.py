"""The step ``shuffle`` in the browser: sound evidence of hands that were not fair, or of which little is known."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest

from tests.web.browser import Browser
from tests.web.bundles import (
    SOUND,
    VKEY,
    example,
    flip_hex,
    game,
    simulated,
    statuses,
    step,
    the,
)

#: Games that are sound evidence of an unfair or damaged hand: what the log's seeds, walls and tiles say.
UNFAIR: list[tuple[str, str, Callable[[list[dict[str, Any]]], object], str, str]] = []


def wants(clause: str, code: str, game: str = "longyan-1-23") -> Callable[[Any], Any]:
    def note_it(change: Callable[[list[dict[str, Any]]], object]) -> Callable[[list[dict[str, Any]]], object]:
        UNFAIR.append((change.__name__, game, change, clause, code))
        return change

    return note_it


@wants("F-COMMIT-1", "does_not_open")
def other_commitment(events: list[dict[str, Any]]) -> None:
    started = the(events, "hand_started")["commitment"]
    started["commitment"] = flip_hex(started["commitment"])


@wants("F-COMMIT-1", "does_not_open")
def other_server_seed(events: list[dict[str, Any]]) -> None:
    revealed = the(events, "wall_revealed")
    revealed["server_seed"] = flip_hex(revealed["server_seed"])


@wants("F-COMMIT-1", "not_opened")
def no_server_seed(events: list[dict[str, Any]]) -> None:
    del the(events, "wall_revealed")["server_seed"]


@wants("F-COMMIT-1", "unknown_scheme")
def unknown_scheme(events: list[dict[str, Any]]) -> None:
    the(events, "hand_started")["commitment"]["scheme"] = "constructor"


@wants("F-GUESS-1", "guessable")
def guessable_seed(events: list[dict[str, Any]]) -> None:
    the(events, "wall_revealed")["server_seed"] = "00" * 15


@wants("F-SEED-1", "seed_does_not_open")
def other_client_seed(events: list[dict[str, Any]]) -> None:
    seed = the(events, "hand_started")["client_seeds"][1]
    seed["seed"] = flip_hex(seed["seed"])


@wants("F-SEED-1", "seed_size")
def short_client_seed(events: list[dict[str, Any]]) -> None:
    seed = the(events, "hand_started")["client_seeds"][1]
    seed["seed"] = seed["seed"][2:]


@wants("F-SEED-1", "equal_commitments")
def copied_client_commitment(events: list[dict[str, Any]]) -> None:
    one, other = the(events, "hand_started")["client_seeds"][:2]
    one["commitment"] = other["commitment"]


@wants("F-SEED-1", "dealt_before_opening")
def unopened_client_seed(events: list[dict[str, Any]]) -> None:
    del the(events, "hand_started")["client_seeds"][0]["seed"]


@wants("F-SEED-1", "other_seats_opened", "simulated")
def one_opening_less(events: list[dict[str, Any]]) -> None:
    the(events, "seeds_opened")["client_seeds"].pop()


@wants("F-COMMIT-1", "not_in_root", "simulated")
def other_proof(events: list[dict[str, Any]]) -> None:
    proof = the(events, "hand_started")["commitment"]["proof"]
    proof[0] = flip_hex(proof[0])


@wants("F-COMMIT-1", "not_in_root", "simulated")
def no_proof(events: list[dict[str, Any]]) -> None:
    del the(events, "hand_started", hand=2)["commitment"]["proof"]


@wants("F-WALL-1", "wrong_wall_root", "simulated")
def other_wall_root(events: list[dict[str, Any]]) -> None:
    started = the(events, "hand_started")
    started["wall_root"] = flip_hex(started["wall_root"])


@wants("F-WALL-1", "not_the_seeds_wall")
def other_wall(events: list[dict[str, Any]]) -> None:
    wall = the(events, "wall_revealed", hand=2)["wall"]
    place = next(i for i, tile in enumerate(wall) if tile != wall[-1])
    wall[place], wall[-1] = wall[-1], wall[place]


@wants("F-WALL-1", "not_the_seeds_wall")
def longer_wall(events: list[dict[str, Any]]) -> None:
    the(events, "wall_revealed")["wall"].append("1m")


@wants("F-DICE-1", "not_the_seeds_dice")
def other_dice(events: list[dict[str, Any]]) -> None:
    rolled = the(events, "dice_rolled", purpose="gold")
    rolled["dice"] = [rolled["dice"][0] % 6 + 1, rolled["dice"][1]]


@wants("S-WALL-3", "not_the_walls_tile")
def other_draw(events: list[dict[str, Any]]) -> None:
    drew = the(events, "drew")
    drew["tile"] = "1z" if drew["tile"] != "1z" else "2z"


@wants("S-WALL-3", "not_the_walls_tile")
def deal_in_another_order(events: list[dict[str, Any]]) -> None:
    tiles = the(events, "dealt")["tiles"]
    place = next(i for i, tile in enumerate(tiles) if tile != tiles[-1])
    tiles[place], tiles[-1] = tiles[-1], tiles[place]


@wants("S-DEAL-1", "not_the_walls_tiles")
def one_tile_dealt_less(events: list[dict[str, Any]]) -> None:
    the(events, "dealt", seat=the(events, "hand_started")["dealer"])["tiles"].pop()


@wants("S-WALL-3", "not_the_walls_tile")
def other_gold(events: list[dict[str, Any]]) -> None:
    flipped = the(events, "gold_flipped")
    flipped["tiles"] = [*flipped["tiles"][:-1], "1z" if flipped["gold"] != "1z" else "2z"]


@wants("S-WALL-2", "not_the_whole_wall")
def wall_without_commitment_and_a_tile_too_many(events: list[dict[str, Any]]) -> None:
    del the(events, "hand_started")["commitment"]
    wall = the(events, "wall_revealed")["wall"]
    wall[-1] = next(tile for tile in wall if tile != wall[-1])


@pytest.mark.parametrize(("source", "change", "clause", "code"), [u[1:] for u in UNFAIR], ids=[u[0] for u in UNFAIR])
def test_an_unfair_hand_is_found_in_sound_evidence(
    browser: Browser, source: str, change: Callable[[list[dict[str, Any]]], object], clause: str, code: str
) -> None:
    played = simulated("longyan") if source == "simulated" else example(source)
    events = [json.loads(body) for body in played.bodies]
    change(events)
    found = browser.verify(json.dumps(game(events).bundle()), VKEY)
    assert statuses(found) == {**SOUND, "shuffle": "failed"}
    assert found["verified"] is False
    failed = [hand for hand in step(found, "shuffle")["details"]["hands"] if hand["status"] == "failed"]
    assert [(hand["clause"], hand["code"]) for hand in failed] == [(clause, code)]


def test_a_wall_hash_opens_with_its_salt(browser: Browser) -> None:
    events = [json.loads(body) for body in example("longyan-3-101").bodies]
    salt = bytes(range(16))
    for hand in (1, 2):
        revealed = the(events, "wall_revealed", hand=hand)
        del revealed["server_seed"]
        revealed["salt"] = salt.hex()
        digest = sha256(salt + ",".join(revealed["wall"]).encode()).hexdigest()
        the(events, "hand_started", hand=hand).update(
            commitment={"scheme": "wall-hash/1", "commitment": digest}, client_seeds=[]
        )
    found = browser.verify(json.dumps(game(events).bundle()), VKEY)
    assert (statuses(found), found["verified"]) == (SOUND, True)
    the(events, "wall_revealed", hand=2)["salt"] = flip_hex(salt.hex())
    assert statuses(browser.verify(json.dumps(game(events).bundle()), VKEY)) == {**SOUND, "shuffle": "failed"}


def test_a_voided_hand_stays_unproven(browser: Browser) -> None:
    events = [json.loads(body) for body in example("longyan-3-101").bodies]
    dealt = next(place for place, event in enumerate(events) if event["type"] == "dealt")
    voided = {"seq": dealt, "type": "voided", "at": events[dealt]["at"], "hand": 1, "reason": "a seat did not open"}
    del events[1]["client_seeds"][0]["seed"]
    found = browser.verify(json.dumps(game([*events[:dealt], voided]).bundle()), VKEY)
    assert (statuses(found), found["verified"]) == ({**SOUND, "shuffle": "unproven"}, True)
    assert step(found, "shuffle")["details"]["hands"][0]["reason"] == "voided"


def test_a_hand_without_commitment_or_wall_stays_unproven(browser: Browser) -> None:
    events = [json.loads(body) for body in example("longyan-3-101").bodies]
    for started in (event for event in events if event["type"] == "hand_started"):
        del started["commitment"]
    events.remove(the(events, "wall_revealed", hand=2))
    events = [event | {"seq": seq} for seq, event in enumerate(events)]
    found = browser.verify(json.dumps(game(events).bundle()), VKEY)
    assert (statuses(found), found["verified"]) == ({**SOUND, "shuffle": "unproven"}, True)
    hands = step(found, "shuffle")["details"]["hands"]
    assert [hand["reason"] for hand in hands] == ["no_commitment", "wall_not_revealed"]
    assert [hand["level"] for hand in hands] == [0, 0]
