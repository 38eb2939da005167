"""Sealed games with a planted fault: the bundle is true, its report is re-derived, and the wall's faults are named."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from schema import paipu
from schema.canonical import canonical
from service.evidence.bundles import make
from tests.evidence.bundles import SECRET, checked, failures, sealed
from tests.faults.planting import CASES, planted

SOME = CASES[::9]
_WALL = {"S-WALL-1", "S-WALL-2", "S-WALL-3", "S-DEAL-1"}


def sealable(case: tuple[str, str, str]) -> list[bytes] | None:
    """A game with the fault in it as a store would have it: numbered without gaps, and ended."""
    for one in planted(*case, 1):
        documents = [paipu.document(event) for event in one.events]
        is_numbered = [document["seq"] for document in documents] == list(range(len(documents)))
        if is_numbered and documents[-1]["type"] == "game_ended":
            return [canonical(document) for document in documents]
    return None


def of_the_wall(findings: Iterable[dict[str, Any]]) -> set[tuple[int, str]]:
    """What an audit found of seeds and at the reveal of a wall, by place and clause."""
    return {
        (found["seq"], found["clause"])
        for found in findings
        if found["clause"].startswith("F-") or _WALL & {found["clause"], *found.get("also", ())}
    }


def check(case: tuple[str, str, str]) -> None:
    bodies = sealable(case)
    if bodies is None:
        return
    seal = sealed(bodies)
    for seat in (None, 0, 1):
        found = checked(make(bodies, SECRET, seal, seat))
        assert set(failures(found)) <= {"shuffle"}, case
        assert found.verified != ("shuffle" in failures(found))
        if seat is not None:
            continue
        assert found.step("report").status == found.step("rules").status == "ok"
        assert found.report is not None
        named = of_the_wall(found.step("shuffle").details.get("findings", []))
        assert named <= of_the_wall(found.report["findings"])
        seeds = {(seq, clause) for seq, clause in of_the_wall(found.report["findings"]) if clause[0] == "F"}
        assert seeds <= named, case


def test_there_are_many_such_games() -> None:
    assert sum(sealable(case) is not None for case in SOME) > len(SOME) * 3 // 4


@pytest.mark.parametrize("case", SOME, ids=" ".join)
def test_a_game_with_a_fault_is_proven_with_it(case: tuple[str, str, str]) -> None:
    check(case)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=" ".join)
def test_every_game_with_a_fault_is_proven_with_it(case: tuple[str, str, str]) -> None:
    check(case)
