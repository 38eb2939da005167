"""Every answer to staff that holds hidden information is on record before it goes out, and nobody else's is.

What is hidden information is found by twins: where both worlds answer staff differently, the answer holds some.
"""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from schema.ports import Viewer
from service.embedded import Server
from tests.leaks.compare import assert_told_apart
from tests.leaks.probes import Answer, Probe, differences, plain, probes, sample
from tests.leaks.twins import bare, end_of, of_hand, reordered, simulated
from tests.leaks.worlds import OWNER, STAFF, STRANGERS, World, seat_viewer, worlds

LOG = bare(simulated("longyan", 2, 4))
TWIN = reordered(LOG, 1, frozenset())
#: In the second hand: the first is open to staff, the one under way is not.
EVENTS = of_hand(LOG, 2)[0]["seq"] + 12

_READS = """
SELECT principal, key, request, what, game, first_seq, last_seq FROM mingpai.hidden_reads
WHERE what <> 'hidden_reads' ORDER BY position
"""


def _reads(world: World) -> list[tuple[Any, ...]]:
    with world.store.driver() as driver:
        return driver.execute(_READS).fetchall()


def _asked(world: World, turn: int, of: int) -> list[Probe]:
    """What shows hidden tiles, if anything does; the record itself is another matter."""
    place = end_of(LOG, 1)
    return [probe for probe in sample(world.scene(5, place - 2, place), turn, of) if probe.field != "hiddenReads"]


def _hidden(left: Answer, right: Answer) -> list[str]:
    """Where answers differ in what is hidden: a wall is for everybody once it is revealed."""
    return [line for line in differences(left, right) if ".body.wall[" not in line]


@pytest.mark.parametrize(("turn", "who"), list(enumerate(STAFF)), ids=list(STAFF))
def test_what_staff_read_is_on_record(postgres: Server, migrated_template: str, turn: int, who: str) -> None:
    viewer, noted, unnoted = STAFF[who], 0, []
    with worlds(postgres, migrated_template, LOG, TWIN) as (one, other):
        for world in (one, other):
            world.feed(EVENTS)
        for probe in _asked(one, turn, 2 if who == "auditor" else 12):
            before = len(_reads(one))
            differing = _hidden(*(plain(world.probe(viewer, probe)) for world in (one, other)))
            if not differing:
                continue
            found = [read for read in _reads(one)[before:] if read[4] == one.game]
            if not found:
                unnoted.append(f"{probe.name}: {differing[0]}")
            for principal, key, request, _, _, first, last in found:
                assert (principal, key, request) == (viewer.principal, viewer.key, "request-1")
                assert 0 <= first <= last < EVENTS
                noted += 1
    assert not unnoted, "\n".join(unnoted)
    assert noted


def test_steps_on_record_are_those_that_were_read(postgres: Server, migrated_template: str) -> None:
    viewer = STAFF["auditor"]
    with worlds(postgres, migrated_template, LOG) as (world,):
        world.feed(EVENTS)
        steps = [one["seq"] for one in of_hand(LOG, 1) if one["type"] == "drew"]
        for probe in [probe for probe in probes(world.scene(*steps[:3])) if probe.field == "stateAt"]:
            before = len(_reads(world))
            answer = world.probe(viewer, probe)
            if answer["data"]["stateAt"].get("view"):
                (read,) = _reads(world)[before:] or [None]
                seq = probe.variables["seq"]
                assert read is None or read[5:] == (seq, seq)
                assert read is not None or seq not in steps


@pytest.mark.parametrize("viewer", [OWNER, *STRANGERS.values(), seat_viewer(LOG, 1)], ids=str)
def test_nothing_is_on_record_of_others(postgres: Server, migrated_template: str, viewer: Viewer) -> None:
    with worlds(postgres, migrated_template, LOG) as (world,):
        world.feed(EVENTS)
        for probe in _asked(world, 0, 6):
            world.probe(viewer, probe)
        assert not _reads(world)


def test_what_cannot_be_put_on_record_is_not_shown(postgres: Server, migrated_template: str) -> None:
    viewer = STAFF["auditor"]
    with worlds(postgres, migrated_template, LOG, TWIN) as (one, other):
        for world in (one, other):
            world.feed(EVENTS)
        asked = _asked(one, 0, 4)
        assert_told_apart(one, other, viewer, asked)
        for world in (one, other):
            with psycopg.connect(world.database.admin_url) as admin:
                admin.execute("REVOKE INSERT ON mingpai.hidden_reads FROM mingpai_application")
        for probe in asked:
            assert not _hidden(*(plain(world.probe(viewer, probe)) for world in (one, other))), probe.name
        assert any(one.probe(viewer, probe)["errors"] for probe in asked)
