"""The ports of everybody over a store with two games."""

from __future__ import annotations

import pytest

from service.store import Store
from tests.disputes.people import Table, filled


@pytest.fixture
def table(store: Store) -> Table:
    return Table(filled(store))
