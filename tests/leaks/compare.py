"""Whether two worlds can be told apart by one viewer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from schema.ports import Viewer
from tests.leaks.probes import UNEXPECTED, Probe, differences, plain
from tests.leaks.worlds import World


def leaks(one: World, other: World, viewer: Viewer, probes: Iterable[Probe]) -> Iterator[str]:
    """What tells the worlds apart, one line each: the question, and where its answers differ."""
    for probe in probes:
        left, right = (plain(world.probe(viewer, probe)) for world in (one, other))
        assert UNEXPECTED not in str(left["errors"]), probe.name
        for line in differences(left, right):
            yield f"{probe.name} {line}"


def assert_alike(one: World, other: World, who: str, viewer: Viewer, probes: Iterable[Probe]) -> None:
    """Raises where the viewer can tell the worlds apart."""
    found = list(leaks(one, other, viewer, probes))
    told = "\n  ".join(found[:12])
    assert not found, f"{len(found)} leaks to {who} after {one.events} events of {one.game}:\n  {told}"


def assert_told_apart(one: World, other: World, viewer: Viewer, probes: Iterable[Probe]) -> None:
    """Raises where there is nothing to hide: then the comparison proves nothing."""
    assert next(leaks(one, other, viewer, probes), None) is not None, f"{one.game}: nothing differs"
