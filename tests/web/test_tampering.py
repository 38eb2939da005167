"""``verifyBundle`` in the browser: whatever is changed fails its own step, and hostile input does no more."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from replays import merkle
from schema.canonical import canonical
from service.evidence import leaves
from service.evidence.bundles import make
from tests.web.browser import Browser
from tests.web.bundles import (
    INDEX,
    SIGNER,
    SIZE,
    STEPS,
    VKEY,
    decoded,
    encoded,
    example,
    flip_hex,
    in_log,
    note,
    sealed,
    statuses,
    step,
)

Change = Callable[[dict[str, Any]], object]


def flipped(text: str, place: int = 5, bit: int = 1) -> str:
    """Base64 text with one bit of its bytes turned over."""
    raw = bytearray(decoded(text))
    raw[place] ^= bit
    return encoded(bytes(raw))


def first(bundle: dict[str, Any], type: str) -> int:
    return next(seq for seq, entry in enumerate(bundle["events"]) if json.loads(decoded(entry["full"]))["type"] == type)


def edit_event(bundle: dict[str, Any], seq: int, change: Callable[[dict[str, Any]], object]) -> None:
    """Change an event in its full form, canonically."""
    event = json.loads(decoded(bundle["events"][seq]["full"]))
    change(event)
    bundle["events"][seq]["full"] = encoded(canonical(event))


def edit(type: str, **members: Any) -> Change:
    return lambda bundle: edit_event(bundle, first(bundle, type), lambda event: event.update(members))


def set_seal(**members: Any) -> Change:
    """A seal that says something else, properly in the log."""

    def change(bundle: dict[str, Any]) -> None:
        document = json.loads(decoded(bundle["seal"])) | members
        put = in_log(canonical({name: value for name, value in document.items() if value is not None}))
        bundle |= {"seal": encoded(put.seal), "inclusion": [*map(encoded, put.inclusion)], "checkpoint": put.checkpoint}

    return change


def spaced_seal(bundle: dict[str, Any]) -> None:
    put = in_log(json.dumps(json.loads(decoded(bundle["seal"]))).encode())
    bundle |= {"seal": encoded(put.seal), "inclusion": [*map(encoded, put.inclusion)], "checkpoint": put.checkpoint}


def on(seq: int, **members: Any) -> Change:
    return lambda bundle: bundle["events"][seq].update(members)


def at(member: str, value: Callable[[Any], Any]) -> Change:
    return lambda bundle: bundle.update({member: value(bundle[member])})


def swap(bundle: dict[str, Any]) -> None:
    bundle["events"][7], bundle["events"][8] = bundle["events"][8], bundle["events"][7]


def public_half(bundle: dict[str, Any]) -> None:
    """Show the public form of another event than the one that was chained."""
    seq = first(bundle, "drew")
    entry = bundle["events"][seq]
    full, salt = decoded(entry["full"]), bytes.fromhex(entry["salt"])
    document = json.loads(full)
    public = leaves.public_form(document, concealed_kong_shown=True) | {"from": "tail"}
    bundle["events"][seq] = {"public": encoded(canonical(public)), "rest": leaves.rest_digest(salt, full).hex()}


def shown_as_public(bundle: dict[str, Any]) -> None:
    """A full form in the place of a public one."""
    seq = first(bundle, "drew")
    bundle["events"][seq] = {"public": bundle["events"][seq]["full"], "rest": "00" * 32}


def resealed(secret: bytes) -> Change:
    """The same game chained with another secret: other salts, another seal, its own place in the log."""

    def change(bundle: dict[str, Any]) -> None:
        bodies = [decoded(entry["full"]) for entry in bundle["events"]]
        made = make(bodies, secret, sealed([*map(json.loads, bodies)], bodies, secret), None)
        bundle["events"] = made["events"]

    return change


BAD_ROOT = merkle.leaf_hash(b"another root")

#: (what is changed, how, the first step that says so, its code or the reason behind it)
TAMPERED: list[tuple[str, Change, str, str]] = [
    ("no payload", on(9, full=None), "format", "member"),
    ("format", at("format", lambda _: "mingpai-bundle/2"), "format", "not_a_bundle"),
    ("a member more", lambda b: b.update(x_more=1), "format", "unknown_member"),
    ("a member less", lambda b: b.pop("engine"), "format", "missing_member"),
    ("no events", at("events", lambda _: []), "format", "member"),
    ("half a seal", at("salt0", lambda _: None), "format", "half_sealed"),
    ("a salt in upper case", lambda b: on(3, salt=b["events"][3]["salt"].upper())(b), "format", "not_hex"),
    ("a short salt", lambda b: on(3, salt=b["events"][3]["salt"][2:])(b), "format", "wrong_size"),
    ("base64 without padding", at("seal", lambda text: text.rstrip("=") + "\n"), "format", "not_base64"),
    ("a short node", at("inclusion", lambda nodes: [encoded(bytes(31)), *nodes[1:]]), "format", "member"),
    ("an index below zero", at("index", lambda _: -1), "format", "member"),
    ("a size that is text", at("size", str), "format", "member"),
    ("both halves", on(3, rest="00" * 32), "format", "unknown_member"),
    (
        "spaces in an event",
        lambda b: on(4, full=encoded(b" " + decoded(b["events"][4]["full"])))(b),
        "events",
        "not_canonical",
    ),
    ("two events swapped", swap, "events", "other_seq"),
    ("an event cut out", lambda b: b["events"].pop(9), "events", "other_seq"),
    ("an unknown member", edit("drew", note=1), "events", "unknown_member"),
    ("a tile that is none", edit("drew", tile="0m"), "events", "member"),
    ("a hidden tile in a full form", edit("drew", tile="??"), "events", "member"),
    ("a day that is none", edit("drew", at="2026-02-30T00:00:00.000Z"), "events", "member"),
    ("a seat that is none", edit("drew", seat=4), "events", "member"),
    ("a name", edit("game_started", seats=[{"player": "a", "name": "b"}] * 4), "events", "unknown_member"),
    ("another game's id", at("game", lambda _: "other"), "events", "other_game"),
    ("a full form shown as public", shown_as_public, "events", "not_public"),
    ("an option", lambda b: b["ruleset"]["options"].update(base_rule="winner"), "ruleset", "other_ruleset"),
    ("another rule set", lambda b: b["ruleset"].update(id="longyan"), "ruleset", "other_ruleset"),
    ("a default", lambda b: b["ruleset"]["options"].update(base=9), "seal", "wrong_member"),
    ("a default less", lambda b: b["ruleset"]["options"].pop("base"), "seal", "wrong_member"),
    ("one tile", edit("discarded", tile="9s"), "chain", "other_head"),
    ("one salt", lambda b: on(9, salt=flip_hex(b["events"][9]["salt"]))(b), "chain", "other_head"),
    ("the tail cut off", lambda b: b["events"].pop(), "chain", "other_head"),
    ("another public half", public_half, "chain", "other_head"),
    ("another secret", resealed(bytes(32)), "chain", "other_head"),
    ("the chain in the seal", set_seal(head="00" * 32), "chain", "other_head"),
    ("the root in the seal", set_seal(root="00" * 32), "chain", "other_root"),
    ("salt0", at("salt0", flip_hex), "seal", "wrong_member"),
    ("the number in the seal", set_seal(events=1), "seal", "wrong_member"),
    ("the reason in the seal", set_seal(reason="voided"), "seal", "wrong_member"),
    ("the rule set in the seal", set_seal(ruleset="00" * 32), "seal", "wrong_member"),
    ("the type of the seal", set_seal(type="mingpai-seal/2"), "seal", "wrong_member"),
    ("a member more in the seal", set_seal(more=1), "seal", "not_canonical"),
    ("a seal with spaces", spaced_seal, "seal", "not_canonical"),
    ("a seal that is none", at("seal", lambda _: encoded(b"{")), "chain", "other_head"),
    ("a node", at("inclusion", lambda nodes: [nodes[0], flipped(nodes[1]), *nodes[2:]]), "inclusion", "root"),
    ("a node less", at("inclusion", lambda nodes: nodes[:-1]), "inclusion", "length"),
    ("a node more", at("inclusion", lambda nodes: [*nodes, nodes[0]]), "inclusion", "length"),
    ("no path", at("inclusion", lambda _: []), "inclusion", "length"),
    ("the next index", at("index", lambda index: index + 1), "inclusion", "root"),
    ("an index past the end", at("index", lambda _: SIZE), "inclusion", "index"),
    ("size zero", lambda b: b.update(size=0, index=0, inclusion=[]), "inclusion", "size"),
    ("a smaller size", at("size", lambda _: INDEX + 1), "inclusion", "length"),
    ("another root", at("checkpoint", lambda _: note(SIZE, BAD_ROOT)), "inclusion", "root"),
    (
        "a lenient size",
        at("checkpoint", lambda text: text.replace("\n11\n", "\n011\n")),
        "inclusion",
        "checkpoint_size",
    ),
    ("a checkpoint that is none", at("checkpoint", lambda _: "x"), "inclusion", "note_separator"),
    ("the size signed", at("checkpoint", lambda text: text.replace("\n11\n", "\n12\n")), "checkpoint", "other_size"),
    ("a checkpoint of another size", lambda b: b.update(size=SIZE + 1), "checkpoint", "other_size"),
    ("an extension", at("checkpoint", lambda text: text.replace("\n\n", "\nx\n\n")), "checkpoint", "signature"),
    (
        "another origin",
        at("checkpoint", lambda t: t.replace(SIGNER.name, "log.example/x", 1)),
        "checkpoint",
        "signature",
    ),
    ("no report", at("report", lambda _: None), "format", "member"),
]


@pytest.mark.parametrize(
    ("change", "name", "code"), [case[1:] for case in TAMPERED], ids=[case[0] for case in TAMPERED]
)
def test_what_was_changed_fails_its_own_step(browser: Browser, change: Change, name: str, code: str) -> None:
    bundle = example("xiamen-3-13").bundle()
    change(bundle)
    found = browser.verify(json.dumps(bundle), VKEY)
    failed = next(step for step in found["steps"] if step["status"] == "failed")
    assert found["verified"] is False
    assert failed["name"] == name
    assert code in (failed["code"], failed["details"].get("reason"))


def test_every_bit_of_a_payload_counts(browser: Browser) -> None:
    """One bit of each of many bytes, in many events: none passes, and no fault lies before the event itself."""
    sound = example("xiamen-3-13").bundle()
    for seq in range(0, len(sound["events"]), 3):
        bundle = json.loads(json.dumps(sound))
        text = bundle["events"][seq]["full"]
        bundle["events"][seq]["full"] = flipped(text, (7 * seq) % len(decoded(text)), 1 << seq % 8)
        found = browser.verify(json.dumps(bundle), VKEY)
        failed = next(step for step in found["steps"] if step["status"] == "failed")
        assert failed["name"] in ("events", "ruleset", "chain"), (seq, failed)
        assert failed["name"] != "events" or failed["details"]["seq"] == seq


def test_a_member_twice_is_refused_wherever_it_stands(browser: Browser) -> None:
    text = json.dumps(example("xiamen-3-13").bundle())
    again = text.replace('"index": 6', '"index": 5, "index": 6')
    assert json.loads(again) == json.loads(text)
    assert step(browser.verify(again, VKEY), "format")["details"]["reason"] == "duplicate_member"
    bundle = json.loads(text)
    body = decoded(bundle["events"][5]["full"])
    bundle["events"][5]["full"] = encoded(body.replace(b'"hand":1', b'"hand":2,"hand":1'))
    found = step(browser.verify(json.dumps(bundle), VKEY), "events")["details"]
    assert (found["seq"], found["reason"]) == (5, "duplicate_member")


def hostile() -> dict[str, str]:
    sound = json.dumps(example("longyan-3-101").bundle())
    big = json.loads(sound)
    big["checkpoint"] = "x" * 10_000_000
    nested = sound.replace('"report": {', '"report": {"deep": ' + "[" * 5000 + "]" * 5000 + ", ", 1)
    return {
        "nothing": "",
        "no object": "[]",
        "null": "null",
        "deep": "[" * 1_000_000,
        "deep inside": nested,
        "long": json.dumps(big),
        "long number": sound.replace('"index": 6', '"index": ' + "9" * 100_000),
        "cut": sound[: len(sound) // 2],
        "twice": sound + sound,
        "lone surrogate": sound.replace('"engine": "', '"engine": "\\ud800'),
        "prototype": sound.replace('"report": {', '"__proto__": {"format": 1}, "report": {', 1),
        "many events": json.dumps(json.loads(sound) | {"events": json.loads(sound)["events"] * 400}),
    }


@pytest.mark.parametrize(("name", "text"), hostile().items(), ids=hostile())
def test_hostile_input_is_a_failed_step_and_nothing_worse(browser: Browser, name: str, text: str) -> None:
    found = browser.verify(text, VKEY)
    assert found["verified"] is False
    assert tuple(step["name"] for step in found["steps"]) == STEPS
    assert "failed" in statuses(found).values()
    assert not any(step["code"] == "unexpected" for step in found["steps"])
