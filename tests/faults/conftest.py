"""The tests of one planted fault come one after the other, whatever file they are in.

Processes that share a run are handed tests in their order: one of them plants and audits a fault, and the next tests
find it done.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.faults.planting import CASES

_HERE = Path(__file__).parent
_CASE = ("ruleset", "name", "form")
_ORDER = {case: number for number, case in enumerate(CASES)}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    places = [place for place, item in enumerate(items) if _case(item) in _ORDER]
    ordered = sorted((items[place] for place in places), key=lambda item: _ORDER[_case(item)])
    for place, item in zip(places, ordered, strict=True):
        items[place] = item


def _case(item: pytest.Item) -> Any:
    """The case that a test of this folder is about, nothing for one that is about no single case."""
    if item.path.parent != _HERE:
        return None
    values = getattr(item, "callspec", None)
    return None if values is None else tuple(values.params.get(name) for name in _CASE)
