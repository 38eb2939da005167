"""The application over a store of the test's own, on a real server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from service.api import create_app
from service.api.live import SubscriptionLimits
from service.store import Store
from tests.live.subscribers import served


@pytest.fixture
def base(store: Store) -> Iterator[str]:
    """The address of the service over ``store``, which looks for news all the time."""
    with served(create_app(store, subscriptions=SubscriptionLimits(look_seconds=0.01))) as found:
        yield found
