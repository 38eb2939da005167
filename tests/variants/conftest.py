"""A rule set that is registered for the duration of a test, and nowhere else."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import MappingProxyType

import pytest

from replays import variants
from tests.variants import toy


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The third rule set's id, while it is in the registry."""
    known = variants.REGISTRY
    more = MappingProxyType({**known, toy.ID: toy.VARIANT})
    # Modules that have imported the registry by its name hold it too.
    for module in list(sys.modules.values()):
        if getattr(module, "REGISTRY", None) is known:
            monkeypatch.setattr(module, "REGISTRY", more)
    yield toy.ID
    variants._known.cache_clear()  # or it would be known without being registered
