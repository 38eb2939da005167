"""Verifying bundles: what is right holds, and whatever is wrong is named by its step and its place."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from hypothesis import example as given_example
from hypothesis import given, settings
from hypothesis import strategies as st

from replays import merkle
from schema import catalogue, paipu
from schema.canonical import canonical
from schema.words import LANGUAGES
from service.evidence import leaves, seals
from service.evidence.bundles import STEPS, encode, make, verify
from service.evidence.checkpoints import Checkpoint
from service.evidence.notes import Signer, note_bytes, sign_note
from service.simulator import scenario, simulate_game
from tests import seeds
from tests.evidence.bundles import (
    EXAMPLES,
    INDEX,
    KEY,
    SECRET,
    SIGNER,
    SIZE,
    STOPPED,
    abandoned,
    bodies_of,
    changed,
    checked,
    example,
    failures,
    leaves_of,
    logged,
    seal_of,
    sealed,
    shown,
    statuses,
    text64,
    whole,
)
from tests.evidence.vectors import CASES

GAME = "longyan-1-23"  # a short one
OTHER = "longyan-1-39"


def bundle_of(name: str = GAME) -> dict[str, Any]:
    return whole(example(name))


def sealed_anew(events: list[dict[str, Any]], seat: int | None = None) -> dict[str, Any]:
    """The bundle of a game that a server wrote so and sealed so."""
    bodies = [canonical(event) for event in events]
    return make(bodies, SECRET, sealed(bodies), seat)


def documents(name: str = GAME) -> list[dict[str, Any]]:
    return [json.loads(body) for body in example(name)]


# -- What is right ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("seat", [None, 0, 1])
def test_a_sealed_game_is_verified(path: Any, seat: int | None) -> None:
    bodies = bodies_of(path)
    found = checked(make(bodies, SECRET, sealed(bodies), seat))
    assert found.verified
    assert statuses(found) == dict.fromkeys(STEPS, "ok")
    assert found.report is not None
    assert (found.report["verdict"], found.report["events"]) == ("clean", len(bodies))
    assert found.unproven == (("log/passes", {}),)
    assert len(found.leaves) == len(bodies)


@pytest.mark.parametrize("case", STOPPED, ids=lambda case: case.game)
def test_an_abandoned_game_is_verified_as_far_as_it_is_shown(case: Any) -> None:
    """The vectors' games stop within a hand whose wall nobody reveals: others' tiles stay hidden from a seat."""
    bodies = abandoned(case)
    for seat in (None, 0, 1):
        found = checked(make(bodies, SECRET, sealed(bodies), seat))
        assert failures(found) == {}
        assert found.verified
        assert found.step("shuffle").status == "unproven"
        assert found.step("rules").status == ("ok" if seat is None else "unproven")
        if seat is not None:
            assert found.step("rules").details["hands"]


def test_nothing_is_verified_without_a_key() -> None:
    found = verify(encode(bundle_of()))
    assert not found.verified
    assert {name for name, status in statuses(found).items() if status != "ok"} == {"checkpoint"}
    assert (found.step("checkpoint").status, found.step("checkpoint").code) == ("unproven", "no_key")
    assert found.reason == "checkpoint"


def test_a_live_game_is_not_verified() -> None:
    bodies = example("xiamen-2-40")
    for count in range(1, len(bodies), 9):
        for seat in (None, 2):
            found = checked(make(bodies[:count], SECRET, None, seat))
            assert failures(found) == {}
            assert not found.verified
            assert {found.step(name).code for name in ("chain", "seal", "inclusion", "checkpoint")} == {"no_seal"}
            assert ("log/passes", {}) in found.unproven
            assert found.step("report").status == "ok"


def test_offers_that_are_hidden_leave_passes_unproven() -> None:
    for ruleset in ("xiamen", "longyan"):
        bodies = [canonical(paipu.document(event)) for event in simulate_game(ruleset, seeds.SIMULATED, 1, hands=2)]
        found = checked(make(bodies, SECRET, sealed(bodies), 1))
        assert found.verified
        assert (found.step("rules").status, found.step("rules").code) == ("unproven", "hidden_acts")
        hidden = [body for body in bodies if b'"type":"passed"' in body or b"turn_prompted" in body]
        own = [body for body in hidden if json.loads(body)["seat"] == 1]
        overridden = [body for body in bodies if b"claim_overridden" in body and json.loads(body)["seat"] != 1]
        assert found.step("rules").details["acts"] == len(hidden) - len(own) + len(overridden) > 0
        assert found.report is not None
        assert (found.report["verdict"], found.report["unproven"]) == ("clean", ["passes"])
        assert checked(make(bodies, SECRET, sealed(bodies), None)).report["unproven"] == []  # type: ignore[index]


def test_violations_are_the_games_and_not_the_bundles() -> None:
    """A sealed log with a fault in it is a true log; what is found is in the report."""
    events = documents()
    settled = next(event for event in events if event["type"] == "settled")
    settled["deltas"] = [2 * delta for delta in settled["deltas"]]
    found = checked(sealed_anew(events))
    assert found.verified
    assert found.report is not None
    assert found.report["verdict"] == "violations"
    assert found.report["findings"][0]["seq"] == settled["seq"]


def test_another_engine_is_no_failure() -> None:
    bundle = bundle_of()

    def older(copy: dict[str, Any]) -> None:
        copy["engine"] = copy["report"]["engine"] = "0.9.0"
        copy["report"]["scores"][0] += 1

    found = checked(changed(bundle, older))
    assert found.verified
    assert (found.step("report").status, found.step("report").code) == ("unproven", "other_engine")
    assert found.step("report").details["members"] == ["scores"]


# -- Attacks on the log ----------------------------------------------------------------------------------------------


def test_the_game_hashed_again_under_another_secret() -> None:
    """Other salts, and so other leaves: nothing else in the bundle has changed."""
    bodies = example(GAME)
    forged = make(bodies, bytes(32), sealed(bodies), None)
    found = failures(checked(forged))
    assert found == {"chain": "other_head", "seal": "wrong_member"}


def test_a_whole_log_written_anew_is_not_in_the_tree() -> None:
    """Consistent in itself, with a seal of its own, under the old proof and checkpoint."""
    old = sealed(example(GAME))
    forged = make(example(GAME), bytes(32), old._replace(seal=seal_of(example(GAME), bytes(32))), None)
    assert failures(checked(forged)) == {"inclusion": "proof_root"}


def test_a_log_of_ones_own_is_not_signed() -> None:
    stranger = Signer.generate("log.example")
    seal = logged(seal_of(example(GAME)), signer=stranger)
    found = checked(make(example(GAME), SECRET, seal, None))
    assert failures(found) == {"checkpoint": "not_signed"}
    assert verify(encode(make(example(GAME), SECRET, seal, None)), stranger.verifier).verified


def test_a_log_of_another_name_is_not_this_one() -> None:
    other = Signer.generate("other.example")
    found = verify(
        encode(make(example(GAME), SECRET, logged(seal_of(example(GAME)), signer=other), None)), other.verifier
    )
    assert failures(found) == {"checkpoint": "not_signed"}


def test_events_that_changed_places() -> None:
    bundle = bundle_of()

    def swap(copy: dict[str, Any]) -> None:
        copy["events"][4], copy["events"][5] = copy["events"][5], copy["events"][4]

    step = checked(changed(bundle, swap)).step("events")
    assert (step.status, step.details["seq"], step.details["member"]) == ("failed", 4, "seq")


def test_events_that_changed_places_and_numbers() -> None:
    events = documents()
    events[4], events[5] = {**events[5], "seq": 4}, {**events[4], "seq": 5}
    bundle = make([canonical(event) for event in events], SECRET, sealed(example(GAME)), None)
    assert failures(checked(bundle))["chain"] == "other_head"


@pytest.mark.parametrize("cut", [1, 5])
def test_a_tail_that_was_cut_off(cut: int) -> None:
    def shorten(copy: dict[str, Any]) -> None:
        del copy["events"][-cut:]

    found = checked(changed(bundle_of(), shorten))
    assert failures(found)["chain"] == "other_head"
    assert failures(found)["seal"] == "wrong_member"
    assert found.step("seal").details["member"] == "events"


def test_an_event_that_was_left_out() -> None:
    def leave_out(copy: dict[str, Any]) -> None:
        del copy["events"][9]

    step = checked(changed(bundle_of(), leave_out)).step("events")
    assert (step.status, step.details["seq"]) == ("failed", 9)


def test_a_full_form_that_disagrees_with_its_public_form() -> None:
    """A server that committed to one public form and stored another event: no full form opens such a leaf."""
    bodies = list(example(GAME))
    drew = next(seq for seq, body in enumerate(bodies) if b'"type":"discarded"' in body)
    liar = json.loads(bodies[drew])
    public, salt = canonical({**liar, "tile": "9s" if liar["tile"] != "9s" else "8s"}), leaves.event_salt(SECRET, drew)
    all_leaves = leaves_of(bodies)
    all_leaves[drew] = leaves.leaf(public, salt, bodies[drew])
    head = leaves.FIRST_HEAD
    for leaf in all_leaves:
        head = leaves.next_head(head, leaf)
    seal = logged(seal_of(bodies, root=merkle.root(all_leaves), head=head))
    found = checked(make(bodies, SECRET, seal, None))
    assert failures(found) == {"chain": "other_head", "seal": "wrong_member"}


def test_a_hidden_half_that_was_exchanged() -> None:
    bodies = abandoned(STOPPED[0])
    bundle = make(bodies, SECRET, sealed(bodies), 0)
    hidden = [seq for seq, entry in enumerate(bundle["events"]) if "rest" in entry]

    def exchange(copy: dict[str, Any]) -> None:
        one, two = (copy["events"][seq] for seq in hidden[:2])
        one["rest"], two["rest"] = two["rest"], one["rest"]

    assert failures(checked(changed(bundle, exchange)))["chain"] == "other_head"


def test_a_full_form_in_place_of_a_hidden_one_must_be_the_right_one() -> None:
    """Guessing a hidden tile and its salt does not help."""
    bodies = abandoned(STOPPED[0])
    bundle = make(bodies, SECRET, sealed(bodies), 0)
    seq = next(seq for seq, entry in enumerate(bundle["events"]) if shown(entry)["type"] == "drew" and "rest" in entry)

    def guess(copy: dict[str, Any]) -> None:
        copy["events"][seq] = {"full": text64({**shown(copy["events"][seq]), "tile": "1m"}), "salt": "00" * 16}

    assert failures(checked(changed(bundle, guess)))["chain"] == "other_head"


# -- Attacks on seal and proof ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "member"),
    [
        ({"events": 3}, "events"),
        ({"game": "another"}, "game"),
        ({"salt0": bytes(16)}, "game"),
        ({"ruleset": "0" * 64}, "ruleset"),
        ({"reason": "voided"}, "reason"),
    ],
)
def test_a_seal_that_says_something_else(change: dict[str, Any], member: str) -> None:
    bodies = example(GAME)
    found = checked(make(bodies, SECRET, logged(seal_of(bodies, **change)), None))
    assert failures(found) == {"seal": "wrong_member"}
    assert found.step("seal").details["member"] == member


@pytest.mark.parametrize(
    ("rewrite", "code"),
    [
        (lambda seal: seal.replace(b",", b", ", 1), "not_canonical"),
        (lambda seal: seal.replace(b'"reason"', b'"reasons"'), "not_canonical"),
        (lambda seal: seal[:-1] + b',"x":1}', "not_canonical"),
        (lambda seal: seal.replace(b'"events":', b'"events":1.5,"e":'), "not_canonical"),
        (lambda seal: seal.replace(b"/1", b"/2"), "wrong_member"),
        (lambda seal: seal[:-1], "unreadable_seal"),
        (lambda seal: b"[]", "unreadable_seal"),
        (lambda seal: b"\xff", "unreadable_seal"),
        (lambda seal: b"", "unreadable_seal"),
    ],
)
def test_a_seal_of_another_form(rewrite: Any, code: str) -> None:
    bodies = example(GAME)
    found = checked(make(bodies, SECRET, logged(rewrite(seal_of(bodies))), None))
    assert failures(found) == {"seal": code}


def test_a_game_that_goes_on_cannot_be_sealed() -> None:
    bodies = example(GAME)[:-1]
    found = checked(make(bodies, SECRET, logged(seal_of(bodies)), None))
    assert failures(found) == {"seal": "wrong_member"}
    assert found.step("seal").details["member"] == "reason"


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"inclusion": []}, "proof_length"),
        ({"size": 0}, "proof_size"),
        ({"size": 0, "index": 0, "inclusion": []}, "proof_size"),
        ({"index": SIZE}, "proof_index"),
        ({"index": SIZE + 5}, "proof_index"),
        ({"index": INDEX + 1}, "proof_root"),
        ({"size": SIZE + 6}, "proof_length"),
        ({"size": 1, "index": 0, "inclusion": []}, "proof_root"),
    ],
)
def test_a_proof_that_does_not_hold(members: dict[str, Any], code: str) -> None:
    found = checked(changed(bundle_of(), lambda copy: copy.update(members)))
    assert failures(found)["inclusion"] == code
    assert not found.verified


def test_a_proof_for_another_size_of_the_same_shape() -> None:
    """The path alone cannot tell 10 leaves from 11; the checkpoint's size does."""
    assert failures(checked(bundle_of() | {"size": SIZE - 1})) == {"checkpoint": "other_size"}


def test_a_proof_that_is_longer_or_shorter_by_a_node() -> None:
    for change in (lambda path: path.append(path[0]), lambda path: path.pop(), lambda path: path.reverse()):
        found = checked(changed(bundle_of(), lambda copy, change=change: change(copy["inclusion"])))
        assert failures(found)["inclusion"] in ("proof_length", "proof_root")


def test_a_checkpoint_of_another_size_or_root() -> None:
    bundle, other = bundle_of(), logged(seal_of(example(OTHER)))
    note = note_bytes(sign_note(Checkpoint("log.example", SIZE, bytes(32)).text, SIGNER)).decode()
    grown = logged(seal_of(example(GAME)), size=SIZE + 1).checkpoint
    assert failures(checked(bundle | {"checkpoint": note})) == {"inclusion": "proof_root"}
    assert failures(checked(bundle | {"checkpoint": other.checkpoint})) == {"inclusion": "proof_root"}
    assert failures(checked(bundle | {"checkpoint": grown})) == {
        "inclusion": "proof_root",
        "checkpoint": "other_size",
    }


@pytest.mark.parametrize("size", ["011", "+11", "11 ", "-0", "", "0x0b", "11\r"])
def test_a_checkpoint_in_lenient_form(size: str) -> None:
    """Signed all the same: its form alone is refused."""
    bundle = bundle_of()
    root = bundle["checkpoint"].split("\n")[2]
    text = f"log.example\n{size}\n{root}\n"
    signature = SIGNER.sign(text.encode())
    line = f"— log.example {base64.b64encode(KEY.key_id + signature).decode()}\n"
    found = checked(bundle | {"checkpoint": f"{text}\n{line}"})
    assert failures(found) == {"checkpoint": "bad_checkpoint"}
    assert found.step("inclusion").status == "skipped"


def test_one_key_of_several_is_enough_and_must_hold() -> None:
    raw, other = encode(bundle_of()), Signer.generate("log.example").verifier
    assert verify(raw, other, KEY).verified
    assert not verify(raw, other).verified


# -- Attacks on rule set, wall and report ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda ruleset: ruleset.update(id="nowhere"), "unknown_ruleset"),
        (lambda ruleset: ruleset.update(version="2"), "unknown_ruleset"),
        (lambda ruleset: ruleset["options"].update(nothing=1), "unknown_ruleset"),
        (lambda ruleset: ruleset["options"].update(fifth_copy=1), "unknown_ruleset"),
        (lambda ruleset: ruleset["options"].pop("fifth_copy"), "not_resolved"),
        (lambda ruleset: ruleset["options"].update(fifth_copy=False), "other_ruleset"),
    ],
)
def test_another_rule_set(change: Any, code: str) -> None:
    found = checked(changed(bundle_of(), lambda copy: change(copy["ruleset"])))
    assert failures(found)["ruleset"] == code
    assert found.step("seal").status == "skipped"


@pytest.mark.parametrize("seat", [None, 0])
def test_a_wall_that_the_seed_does_not_give(seat: int | None) -> None:
    events = documents()
    wall = next(event for event in events if event["type"] == "wall_revealed")
    other = next(i for i in range(1, len(wall["wall"])) if wall["wall"][-i] != wall["wall"][-1])
    wall["wall"][-1], wall["wall"][-other] = wall["wall"][-other], wall["wall"][-1]
    found = checked(sealed_anew(events, seat))
    assert failures(found) == {"shuffle": "findings"}
    assert "F-WALL-1" in {place["clause"] for place in found.step("shuffle").details["findings"]}


def test_shown_tiles_are_held_to_the_wall_where_others_are_hidden() -> None:
    """Another's draws carry ``x_`` members, and so stay hidden behind the wall; an own draw is not the wall's."""
    events = documents("xiamen-1-31")
    drew = [
        event for event in events if event["type"] in ("drew", "dealt") and event["hand"] == 1 and event["seat"] != 0
    ]
    for event in drew:
        event["x_note"] = 1
    honest = checked(sealed_anew(events, 0))
    assert honest.step("shuffle").code == "lacking"
    assert honest.step("shuffle").details["hidden_tiles"] == [1]
    own = next(event for event in events if event["type"] == "drew" and event["seat"] == 0)
    own["tile"] = "1m" if own["tile"] != "1m" else "2m"
    found = checked(sealed_anew(events, 0))
    assert [place["seq"] for place in found.step("shuffle").details["findings"]] == [own["seq"]]


@pytest.mark.parametrize(
    ("change", "member"),
    [
        (lambda report: report.update(verdict="violations"), "verdict"),
        (lambda report: report["scores"].reverse(), "scores"),
        (lambda report: report.update(scores=None), "scores"),
        (lambda report: report.update(extra=1), "extra"),
        (lambda report: report.pop("fairness"), "fairness"),
        (lambda report: report["findings"].append({"seq": 1}), "findings"),
        (lambda report: report.update(findings=7), "findings"),
        (lambda report: report["hands"].pop(), "hands"),
        (lambda report: report["hands"][0].update(streak=True), "hands"),
        (lambda report: report.update(events=3), "events"),
        (lambda report: report.update(engine="9"), "engine"),
    ],
)
def test_a_report_that_says_something_else(change: Any, member: str) -> None:
    found = checked(changed(bundle_of(), lambda copy: change(copy["report"])))
    assert failures(found) == {"report": "differs"}
    assert found.step("report").details["members"] == [member]


def test_a_report_in_other_words_is_the_same() -> None:
    events = documents()
    settled = next(event for event in events if event["type"] == "settled")
    settled["deltas"] = [2 * delta for delta in settled["deltas"]]
    bundle = sealed_anew(events)
    found = checked(changed(bundle, lambda copy: copy["report"]["findings"][0].update(message="in other words")))
    assert found.verified


def test_a_finding_that_a_seats_report_keeps_silent() -> None:
    """Tiles of later hands are hidden; what was found before them must be in the report."""
    events = [dict(event) for event in documents("xiamen-1-31")]
    settled = next(event for event in events if event["type"] == "settled")
    settled["deltas"] = [2 * delta for delta in settled["deltas"]]
    walls = [event["seq"] for event in events if event["type"] == "wall_revealed"]
    kept = [event for event in events if event["seq"] not in walls[1:]]
    bundle = sealed_anew([{**event, "seq": seq} for seq, event in enumerate(kept)], 0)
    honest = checked(bundle)
    assert (honest.step("report").status, honest.step("report").code) == ("unproven", "partly")
    silent = checked(changed(bundle, lambda copy: copy["report"].update(findings=[])))
    assert failures(silent) == {"report": "differs"}
    assert silent.step("report").details["members"] == ["findings"]


# -- Form ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "member"),
    [
        (lambda b: b.update(more=1), "more"),
        (lambda b: b.pop("salt0"), "salt0"),
        (lambda b: b.update(salt0=None), "salt0"),
        (lambda b: b.update(salt0=b["salt0"].upper() + ""), "salt0"),
        (lambda b: b.update(salt0=b["salt0"][:-2]), "salt0"),
        (lambda b: b.update(game=""), "game"),
        (lambda b: b.update(index=-1), "index"),
        (lambda b: b.update(index=True), "index"),
        (lambda b: b.update(size=1.5), "size"),
        (lambda b: b.update(size=2**53), "size"),
        (lambda b: b.update(size="11"), "size"),
        (lambda b: b.update(seal=b["seal"] + "="), "seal"),
        (lambda b: b.update(seal=b["seal"][:-3] + "\n" + b["seal"][-3:]), "seal"),
        (lambda b: b["inclusion"].__setitem__(1, "AAAA"), "inclusion[1]"),
        (lambda b: b.update(inclusion={}), "inclusion"),
        (lambda b: b.update(inclusion=b["inclusion"] * 20), "inclusion"),
        (lambda b: b.update(checkpoint=7), "checkpoint"),
        (lambda b: b.update(checkpoint="\ud800"), "checkpoint"),
        (lambda b: b.update(events=[]), "events"),
        (lambda b: b.update(events={}), "events"),
        (lambda b: b["events"].__setitem__(7, None), "events[7]"),
        (lambda b: b["events"][7].update(public="AAAA"), "events[7]"),
        (lambda b: b["events"][7].pop("salt"), "events[7]"),
        (lambda b: b["events"][7].update(salt="0" * 31), "events[7].salt"),
        (lambda b: b["events"][7].update(full="!"), "events[7].full"),
        (lambda b: b["events"][7].update(full=b["events"][7]["full"] + "AA"), "events[7].full"),
        (lambda b: b["ruleset"].update(more=1), "ruleset.more"),
        (lambda b: b["ruleset"].update(options=[]), "ruleset.options"),
        (lambda b: b.update(engine=1), "engine"),
        (lambda b: b.update(report=[]), "report"),
        (lambda b: b["report"].update(scores=[1.5]), "report.scores[0]"),
    ],
)
def test_a_member_that_is_not_of_its_kind(change: Any, member: str) -> None:
    bundle = json.loads(json.dumps(bundle_of()))
    change(bundle)
    found = verify(json.dumps(bundle).encode(), KEY)
    assert found.is_bundle
    assert (found.step("format").code, found.step("format").details["member"]) == ("wrong_form", member)
    assert {status for name, status in statuses(found).items() if name != "format"} == {"skipped"}


@pytest.mark.parametrize(
    "raw",
    [
        *(b"", b" ", b"[]", b"1", b'"text"', b"{}", b"null", b"\xff\xfe", b"\0", b"{" * 9, b'{"a":1,"a":1}'),
        b'{"format":"mingpai-bundle/2"}',
        *(b"[" * 200_000, b'{"format":' * 50_000, b"9" * 1_000_000, b'"' + b"a" * 10_000_000 + b'"'),
    ],
    ids=lambda raw: f"{raw[:12]!r} of {len(raw)}",
)
def test_what_is_no_bundle(raw: bytes) -> None:
    found = verify(raw, KEY)
    assert not found.is_bundle
    assert not found.verified
    assert found.step("format").status == "failed"


def test_a_member_that_stands_twice() -> None:
    raw = encode(bundle_of())
    found = verify(raw[:-2] + b',"size":11}', KEY)
    assert (found.step("format").code, found.step("format").details["member"]) == ("not_json", "size")


@pytest.mark.parametrize(
    ("document", "member"),
    [
        (lambda event: {**event, "tile": "0m"}, "tile"),
        (lambda event: {**event, "more": 1}, "more"),
        (lambda event: {**event, "seq": 3}, "seq"),
        (lambda event: {**event, "seq": True}, "seq"),
        (lambda event: {**event, "type": "private"}, "type"),
        (lambda event: [], "full"),
    ],
)
def test_an_event_that_cannot_be_read_is_named(document: Any, member: str) -> None:
    bundle = bundle_of()
    seq = next(seq for seq, entry in enumerate(bundle["events"]) if shown(entry)["type"] == "discarded")
    event = document(shown(bundle["events"][seq]))
    found = checked(changed(bundle, lambda copy: copy["events"][seq].update(full=text64(event))))
    step = found.step("events")
    assert (step.status, step.details["seq"], step.details["member"]) == ("failed", seq, member)


def test_an_event_must_be_in_canonical_form() -> None:
    bundle = bundle_of()
    raw = json.dumps(shown(bundle["events"][4])).encode()
    found = checked(changed(bundle, lambda b: b["events"][4].update(full=base64.b64encode(raw).decode())))
    assert found.step("events").details["expected"] == "canonical JSON"


def test_names_are_no_part_of_an_event() -> None:
    bundle = bundle_of()
    first = shown(bundle["events"][0])
    first["seats"][0]["name"] = "甲"
    found = checked(changed(bundle, lambda b: b["events"][0].update(full=text64(first))))
    assert (found.step("events").details["seq"], found.step("events").details["member"]) == (0, "seats")


def test_the_game_is_that_of_its_first_event() -> None:
    found = checked(bundle_of() | {"game": "another"})
    assert (found.step("events").details["seq"], found.step("events").details["member"]) == (0, "game")


DREW = {"seq": 9, "type": "drew", "at": "2026-01-01T00:00:00.000Z", "hand": 1, "seat": 2, "tile": "??", "from": "head"}
KONG = {**DREW, "type": "konged", "kind": "concealed", "with": ["??"] * 4}
del KONG["from"]


@pytest.mark.parametrize(
    "form",
    [
        {**DREW, "tile": "1m"},
        {**DREW, "x_note": 1},
        {**DREW, "seat": "??"},
        {**DREW, "type": "discarded"},
        {**KONG, "with": ["??", "1m", "1m", "1m"]},
        {**KONG, "kind": "exposed", "from": 1},
        {**DREW, "type": "passed", "options": []},
        {"seq": 9, "type": "private", "hand": 1, "seat": 2},
        {"seq": 9, "type": "private"},
        {"seq": 9, "type": "private", "hand": 0},
        {"seq": 9, "type": "private", "hand": True},
        {"seq": 9, "type": "dealt", "tiles": 7},
        [],
        "drew",
    ],
    ids=str,
)
def test_a_public_form_that_no_event_has(form: Any) -> None:
    def put(copy: dict[str, Any]) -> None:
        copy["ruleset"]["options"]["concealed_kong_shown"] = False
        copy["events"][9] = {"public": text64(form), "rest": "00" * 32}

    step = checked(changed(bundle_of(), put)).step("events")
    assert (step.status, step.details["seq"]) == ("failed", 9)


@pytest.mark.parametrize(("form", "is_kong_shown"), [(DREW, True), (DREW, False), (KONG, False)])
def test_a_public_form_that_some_event_has(form: dict[str, Any], is_kong_shown: bool) -> None:
    def put(copy: dict[str, Any]) -> None:
        copy["ruleset"]["options"]["concealed_kong_shown"] = is_kong_shown
        copy["events"][9] = {"public": text64(form), "rest": "00" * 32}

    assert checked(changed(bundle_of(), put)).step("events").status == "ok"


def test_a_hidden_kong_where_kongs_lie_open_is_no_public_form() -> None:
    found = checked(
        changed(bundle_of(), lambda b: b["events"].__setitem__(9, {"public": text64(KONG), "rest": "0" * 64}))
    )
    assert found.step("events").details["seq"] == 9


# -- Whatever comes --------------------------------------------------------------------------------------------------

RAW = encode(bundle_of())
PARTIAL = encode(make(abandoned(STOPPED[0]), SECRET, sealed(abandoned(STOPPED[0])), 0))


@settings(deadline=None, max_examples=400)
@given(st.sampled_from([RAW, PARTIAL]), st.data())
def test_any_flipped_bit_is_named(raw: bytes, data: st.DataObject) -> None:
    """Wherever it is, something fails, unless it is in what nothing is proven of: the words of the report."""
    bit = data.draw(st.integers(0, 8 * len(raw) - 1))
    flipped = bytearray(raw)
    flipped[bit // 8] ^= 1 << bit % 8
    found = verify(bytes(flipped), KEY)
    assert_worded(found)
    if bytes(flipped).strip() == raw.strip() or found.verified:
        assert only_claims_differ(raw, bytes(flipped))
        return
    assert failures(found)


def only_claims_differ(one: bytes, two: bytes) -> bool:
    """Whether two bundles differ in their engine's name and report alone."""
    first, second = json.loads(one), json.loads(two)
    return {name for name in first if first[name] != second[name]} <= {"engine", "report"}


def assert_worded(found: Any) -> None:
    """Every step and open point has its words in every language, on one line or several, and never fails."""
    assert [step.name for step in found.steps] == list(STEPS)
    for lang in LANGUAGES:
        for step in found.steps:
            text = catalogue.step_message(step.name, step.code, step.details, lang)
            assert text not in ("", step.code)


@pytest.mark.slow
@pytest.mark.parametrize("bit", range(8))
def test_every_byte_flipped_is_named(bit: int) -> None:
    for place in range(len(RAW)):
        flipped = bytearray(RAW)
        flipped[place] ^= 1 << bit
        found = verify(bytes(flipped), KEY)
        assert failures(found) or only_claims_differ(RAW, bytes(flipped)), place


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def places_of(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of everything in a document."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for name, item in inner for place in places_of(item, (*path, name)))]


def inside(bundle: dict[str, Any], seq: int) -> dict[str, Any]:
    return shown(bundle["events"][seq])


@settings(deadline=None, max_examples=300)
@given(st.sampled_from([RAW, PARTIAL]), JSON, st.data())
def test_anything_in_any_place_is_answered(raw: bytes, value: Any, data: st.DataObject) -> None:
    """Any part of the bundle, or of an event in it, replaced by anything, or left out."""
    bundle = json.loads(raw)
    document = bundle
    seq = data.draw(st.none() | st.integers(0, len(bundle["events"]) - 1))
    if seq is not None:
        document = inside(bundle, seq)
    place = data.draw(st.sampled_from(places_of(document)))
    if not place:
        return
    holder = document
    for name in place[:-1]:
        holder = holder[name]
    if data.draw(st.booleans()):
        del holder[place[-1]]
    else:
        holder[place[-1]] = value
    if seq is not None:
        entry = bundle["events"][seq]
        form = "full" if "full" in entry else "public"
        entry[form] = base64.b64encode(json.dumps(document).encode()).decode()
    found = verify(json.dumps(bundle).encode(), KEY)
    assert_worded(found)
    if found.verified:
        assert only_claims_differ(raw, json.dumps(bundle).encode())


@settings(deadline=None, max_examples=200)
@given(st.binary(max_size=200))
@given_example(b'{"format":"mingpai-bundle/1"}')
def test_any_bytes_are_answered(raw: bytes) -> None:
    found = verify(raw, KEY)
    assert not found.verified
    assert_worded(found)


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_a_server_may_seal_any_log(data: st.DataObject) -> None:
    """Events left out, doubled or changed before the seal was made: a true log of a bad game, and never a crash."""
    events = documents(data.draw(st.sampled_from([GAME, "xiamen-3-13"])))
    for _ in range(data.draw(st.integers(1, 3))):
        seq = data.draw(st.integers(1, len(events) - 2))
        if data.draw(st.booleans()):
            del events[seq]
        else:
            events.insert(seq, events[data.draw(st.integers(1, len(events) - 2))])
    events = [{**event, "seq": seq} for seq, event in enumerate(events)]
    for seat in (None, 1):
        found = checked(sealed_anew(events, seat))
        assert set(failures(found)) <= {"shuffle", "rules"}
        assert_worded(found)


@pytest.mark.parametrize("seat", [2, 3, 4])
def test_a_kong_from_a_seat_that_the_game_does_not_have(seat: int) -> None:
    """Three sit at the table; the log format knows of seats 0 to 3."""
    events = documents()
    assert len(events[0]["seats"]) == 3
    kong = next(event for event in events if event["type"] == "konged" and event["kind"] == "exposed")
    form = text64({**kong, "from": seat})
    found = checked(changed(bundle_of(), lambda copy: copy["events"][kong["seq"]].update(full=form)))
    assert failures(found).keys() >= ({"events"} if seat == 4 else {"chain", "seal"})
    assert_worded(found)


def test_a_seal_of_the_vectors_is_what_the_bundle_makes_of_it() -> None:
    """The contract's seal, over the contract's leaves, in a tree of one."""
    for case in CASES:
        log = merkle.root([seals.seal_leaf(case.seal.encode())])
        note = note_bytes(sign_note(Checkpoint("log.example", 1, log).text, SIGNER)).decode()
        lone = logged(case.seal.encode())._replace(index=0, size=1, inclusion=(), checkpoint=note)
        bodies = [canonical(event) for event in case.events]
        found = checked(make(bodies, case.secret, lone, None))
        assert failures(found) == {}
        assert found.verified
        # They seal games without an end, as abandoned: finished they cannot be.
        assert found.step("seal").details["reason"] == "abandoned"


@pytest.mark.parametrize("name", ["covered-passed-three-golds", "covered-passed-three-golds-dealer"])
def test_nobody_is_accused_where_passes_are_hidden(name: str) -> None:
    """A right that was passed, which a seat's bundle does not show, makes another way of winning right."""
    bodies = [canonical(paipu.document(event)) for event in scenario(name, 7)]
    for seat in range(4):
        found = checked(make(bodies, SECRET, sealed(bodies), seat))
        assert found.verified
        assert found.report is not None
        assert (found.report["verdict"], found.report["findings"]) == ("clean", [])
