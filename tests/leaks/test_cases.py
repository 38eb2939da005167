"""Disputes: what is frozen for a case opens no more than the game itself does, and to strangers there is no case."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterator
from typing import Any

import pytest

from schema.ports import Viewer
from service.embedded import Server
from tests.leaks.probes import differences, document, plain
from tests.leaks.test_following import follow
from tests.leaks.test_live import CASES, hidden, watchers
from tests.leaks.test_strangers import WATCHERS
from tests.leaks.twins import end_of
from tests.leaks.worlds import OWNER, STAFF, World, seat_viewer, worlds

CASE = CASES[0]
OWN = seat_viewer(CASE.log, CASE.seat)
#: Another player of the same game, who has no part in the case.
OTHER = seat_viewer(CASE.log, (CASE.seat + 1) % CASE.players)

#: What hangs on a case's id or on a game's secret, and so differs between any two.
_OWN = frozenset("case id salt rest digest digests head gameHead game_head basis leaf sha256 file".split())


def _masked(value: Any, name: str = "") -> Any:
    if isinstance(value, dict):
        return {key: _masked(inner, key) for key, inner in value.items()}
    if isinstance(value, list):
        return [_masked(inner, name) for inner in value]
    if not isinstance(value, str):
        return value
    if name.rsplit("_", 1)[-1] in _OWN or name in _OWN or "ursor" in name:
        return "~"
    if name == "bundle" or name.isdigit():  # by a seat: the digest of its bundle
        return "~"
    within = _document(value)
    return value if within is None else _masked(plain(within))


def _document(text: str) -> Any:
    """The JSON object that a text is in base64, as exports hold events and files."""
    try:
        found = json.loads(b64decode(text, validate=True))
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _opened(world: World, viewer: Viewer) -> str:
    """A case that was opened by the viewer on the hand under way; its id."""
    opening = {"game": world.game, "text": "why", "hand": CASE.hand, "step": world.events - 2}
    answer = world.ask(viewer, document("Mutation", "openCase"), {"case": opening})
    assert answer["data"] is not None, answer["errors"]
    return str(answer["data"]["openCase"]["case"])


def _told(world: World, viewer: Viewer, case: str) -> Any:
    """All that a viewer is told of a case: the case, its export, and every file that is attached for the viewer."""
    found = world.ask(viewer, document("Query", "case"), {"id": case})
    exported = world.ask(viewer, document("Query", "exportCase"), {"id": case})
    attached = (found["data"]["case"] or {}).get("evidence") or ()
    files = [
        world.ask(viewer, document("Query", "caseEvidence"), {"case": case, "digest": one["digest"]})
        for one in attached
    ]
    told = plain({"case": found, "export": exported, "files": files})
    return json.loads(json.dumps(_masked(told)).replace(case, "~case~"))


@pytest.fixture
def pair(postgres: Server, migrated_template: str) -> Iterator[list[World]]:
    """Twins in the middle of a hand."""
    with worlds(postgres, migrated_template, CASE.log, hidden(CASE)) as made:
        for world in made:
            world.feed(end_of(CASE.log, CASE.hand))
        yield made


@pytest.mark.parametrize("opener", ["own seat", "clerk"])
def test_cases_on_twins_tell_the_same(pair: list[World], opener: str) -> None:
    cases = [_opened(world, watchers(CASE, CASE.log)[opener]) for world in pair]
    for who, viewer in watchers(CASE, CASE.log).items():
        left, right = (_told(world, viewer, case) for world, case in zip(pair, cases, strict=True))
        found = list(differences(left, right))
        assert not found, f"{who}: {found[:8]}"
    files = _told(pair[0], STAFF["clerk"], cases[0])["files"]
    assert files, "nothing was attached"
    assert all(file["data"]["caseEvidence"]["__typename"] == "CaseEvidenceFile" for file in files)


def test_cases_of_others_are_not_there(pair: list[World]) -> None:
    """For whoever is not of the case: strangers, the game server, and the other players of the game."""
    world = pair[0]
    case = _opened(world, OWN)
    for who, viewer in {**WATCHERS, "owner": OWNER, "other seat": OTHER, "analyst": STAFF["analyst"]}.items():
        for name, variables in (("case", {"id": case}), ("exportCase", {"id": case})):
            known = world.ask(viewer, document("Query", name), variables)
            unknown = world.ask(viewer, document("Query", name), {"id": "nothing"})
            assert json.dumps(known).replace(case, "nothing") == json.dumps(unknown), who
        listed = [one.ask(viewer, document("Query", "cases"), {"first": 10}) for one in pair]
        assert listed[0] == listed[1], who


@pytest.mark.parametrize("name", "addStatement assignCase proposeVerdict approveVerdict appealCase closeCase".split())
def test_acts_on_cases_of_others_tell_nothing(pair: list[World], name: str) -> None:
    world = pair[0]
    case = _opened(world, OWN)
    given: dict[str, dict[str, Any]] = {
        "addStatement": {"text": "why", "internal": False},
        "proposeVerdict": {"verdict": {"outcome": "DISMISSED", "reason": "why", "clauses": [], "findings": []}},
        "appealCase": {"text": "why"},
    }
    for who, viewer in {**WATCHERS, "owner": OWNER, "other seat": OTHER}.items():
        known, unknown = (
            world.ask(viewer, document("Mutation", name), {"case": one, "expectedSeq": 2, **given.get(name, {})})
            for one in (case, "nothing")
        )
        assert json.dumps(known).replace(case, "nothing") == json.dumps(unknown), who


@pytest.mark.parametrize("who", WATCHERS)
def test_changes_of_cases_are_for_staff_alone(pair: list[World], who: str) -> None:
    case = _opened(pair[0], OWN)
    for variables in ({}, {"case": case}, {"case": "nothing"}):
        left, right = (follow(world, WATCHERS[who], "caseChanges", variables, 1) for world in pair)
        assert json.dumps(left).replace(case, "~") == json.dumps(right).replace(case, "~")
        assert all(
            answer["data"] is None or "Problem" in str(answer) or "CaseNotFound" in str(answer) for answer in left
        )
