"""Nothing that can be asked is left out of the search for leaks: what is new has to be given values first."""

from __future__ import annotations

from schema.ports import Role, Viewer
from service.embedded import Server
from tests.leaks.probes import Scene, fields, nested_arguments, probes, sample, unknown_arguments
from tests.leaks.twins import simulated
from tests.leaks.worlds import OWNER, worlds

SCENE = Scene("xiamen-7-1", 60, ("a", "b", "c", "d"), (0, 30, 59))

#: What can be followed, each with tests of its own in ``test_following`` and ``test_cases``.
FOLLOWED = frozenset("gameEvents gameFindings findings caseChanges".split())


def test_every_argument_has_values() -> None:
    assert not unknown_arguments(SCENE), "give them values in tests/leaks/probes.py, ARGUMENTS or OF_FIELDS"


def test_every_query_is_asked() -> None:
    asked = {probe.field for probe in probes(SCENE)}
    assert asked == set(fields("Query"))


def test_nothing_below_a_query_needs_arguments() -> None:
    """What needs some would be in no probe: it has to be asked for in a way of its own."""
    assert not nested_arguments()


def test_every_subscription_is_followed() -> None:
    assert set(fields("Subscription")) == FOLLOWED


def test_every_probe_is_answered(postgres: Server, migrated_template: str) -> None:
    """A probe that is refused for its form or cost would find nothing."""
    log = simulated("xiamen", 1, 4)
    everything = Viewer("server-1", frozenset(Role), log[0]["seats"][0]["player"], "key-all")
    with worlds(postgres, migrated_template, log) as (world,):
        world.feed(len(log))
        for probe in sample(world.scene(30), 0, 3):
            for viewer in (OWNER, everything):
                errors = world.probe(viewer, probe)["errors"]
                codes = {error.get("extensions", {}).get("code") for error in errors}
                assert codes <= {"FORBIDDEN"}, f"{probe.name}: {errors}"
                assert viewer is OWNER or not errors, f"{probe.name}: {errors}"
