"""The application with the store's own keys, on a real socket, and an identity provider beside it."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from service.api import create_app
from service.store import Store
from tests.access.provider import FakeProvider, provided
from tests.access.servers import running


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """What runs on this machine is asked directly, whatever the machine's settings are."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def base(store: Store) -> Iterator[str]:
    """The address of the application over ``store``."""
    with running(create_app(store)) as address:
        yield address


@pytest.fixture
def browser(base: str) -> Iterator[httpx.Client]:
    """A browser, as far as cookies go, that talks to the application."""
    with httpx.Client(base_url=base, trust_env=False) as client:
        yield client


@pytest.fixture
def provider() -> Iterator[FakeProvider]:
    """An identity provider."""
    with provided() as running_provider:
        yield running_provider


@pytest.fixture
def oidc_browser(store: Store, provider: FakeProvider) -> Iterator[httpx.Client]:
    """A browser that talks to an application whose people sign in at ``provider``."""
    with (
        running(create_app(store, provider=provider.settings)) as address,
        httpx.Client(base_url=address, trust_env=False) as client,
    ):
        yield client
