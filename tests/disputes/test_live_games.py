"""Cases on games that go on, and evidence that is signed: what is frozen, and who may see it."""

from __future__ import annotations

import json
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest

from schema.ports import Window
from schema.ports.cases import CaseActError, CaseFilter, CaseOpening, CaseVerdict
from service.evidence.bundles import verify
from service.store import Store
from service.usecases.case_checking import check_cases
from tests.disputes.people import ALICE, AUDITOR, CLERK, CLERK_2, DOCUMENTS, GAME, Table, call
from tests.live.live_games import LiveGame
from tests.usecases.sealed import notary_at, spoil, take_in

Document = dict[str, Any]


def full_events(document: Document) -> list[Document]:
    return [json.loads(b64decode(entry["full"])) for entry in document["events"] if "full" in entry]


def hidden(events: list[Document]) -> set[int]:
    """The seats whose hidden tiles are shown in the events."""
    return {one["seat"] for one in events if one["type"] in ("dealt", "drew")}


@pytest.fixture
def playing(store: Store) -> LiveGame:
    """A game in the middle of its first hand."""
    game = LiveGame(store, DOCUMENTS)
    game.append(60)
    return game


def test_what_is_frozen_of_the_hand_under_way(store: Store, playing: LiveGame) -> None:
    """No hidden tile in what the staff gets, neither as a file nor in the export; the own ones in the player's."""
    table = Table(store)
    row = table[ALICE].open(CaseOpening(GAME, "this takes long", step=50), None)
    assert row.hand == 1
    (bundle,) = [one for one in table[CLERK].evidence([row.case])[row.case] if one.kind == "bundle"]
    (own,) = table[ALICE].evidence([row.case])[row.case]
    assert hidden(full_events(dict(table[CLERK].content(row.case, bundle.digest)))) == set()
    assert hidden(full_events(dict(table[ALICE].content(row.case, own.digest)))) == {0}
    for viewer, shown in ((CLERK, set[int]()), (ALICE, {0})):
        files = table[viewer].export(row.case)["evidence"]
        bundles = [json.loads(b64decode(one["content"])) for one in files if one["kind"] == "bundle"]
        assert [hidden(full_events(one)) for one in bundles] == [shown]
    assert own.upto_seq == bundle.upto_seq == playing.events - 1


def test_a_game_that_goes_on_voids_the_approval(store: Store, playing: LiveGame) -> None:
    table = Table(store)
    row = table[ALICE].open(CaseOpening(GAME, "x"), None)
    row = table[CLERK].propose(call(table.assigned(row)), CaseVerdict("dismissed", "x"))
    playing.append()
    with pytest.raises(CaseActError) as caught:
        table[CLERK_2].approve(call(row))
    assert caught.value.code == "evidence_changed"
    row = table.now(row.case)
    assert row.state == "in_review"
    playing.append(999)
    row = table[CLERK].refresh(call(row))
    row = table[CLERK].propose(call(row), CaseVerdict("upheld", "x"))
    assert table[CLERK_2].approve(call(row)).state == "decided"
    first, last = [one for one in table[CLERK].evidence([row.case])[row.case] if one.kind == "bundle"]
    assert hidden(full_events(dict(table[CLERK].content(row.case, first.digest)))) == set()
    assert hidden(full_events(dict(table[CLERK].content(row.case, last.digest)))) == set(range(4))
    assert list(check_cases(store)) == []


def test_sealed_bundles_where_something_is_signed(durable_store: Store, tmp_path: Path) -> None:
    notary = notary_at(durable_store, tmp_path / "keys.json")
    take_in(durable_store, DOCUMENTS)
    table = Table(durable_store, notary)
    row = table[ALICE].open(CaseOpening(GAME, "x"), None)
    for viewer in (ALICE, AUDITOR):
        for one in table[viewer].evidence([row.case])[row.case]:
            if one.kind == "bundle":
                raw = json.dumps(table[viewer].content(row.case, one.digest)).encode()
                steps = {step.name: step.status for step in verify(raw, *notary.verifiers).steps}
                assert (steps["seal"], steps["inclusion"], steps["checkpoint"]) == ("ok", "ok", "ok")
    assert table.decided(row).state == "decided"


def test_a_game_whose_bytes_do_not_hold(store: Store, database: Any) -> None:
    """Nothing is frozen that is not what the chain holds, and nothing of the case is stored."""
    take_in(store, DOCUMENTS)
    spoil(database.admin_url, f"UPDATE mingpai.events SET salt = sha256('x') WHERE game = '{GAME}' AND seq = 5")
    table = Table(store)
    with pytest.raises(CaseActError) as caught:
        table[ALICE].open(CaseOpening(GAME, "x"), None)
    assert caught.value.code == "evidence_broken"
    assert table[AUDITOR].cases(CaseFilter(), Window(9)) == []
