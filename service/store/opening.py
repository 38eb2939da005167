"""The store that the settings ask for: a database of one's own, or the embedded server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from service.settings import SettingError, Settings
from service.store.schema import upgrade
from service.store.store import Store


@contextmanager
def opened(settings: Settings) -> Iterator[Store]:
    """The store, ready for use; an embedded server runs as long as the context and is brought to our revision first.

    Raises ``StoreUnavailableError`` or ``service.postgres.EmbeddedError``.
    """
    with _urls(settings) as (application, owner):
        if owner is not None:
            upgrade(owner)
        kept = Store.connect(application, unsafe_allowed=settings.unsafe_database, pool_size=settings.pool_size)
        with kept as store:
            yield store


def upgraded(settings: Settings) -> str:
    """``mingpai db upgrade``: the revision that the database is at afterwards.

    Raises as ``opened``, and ``SettingError`` where the owner's address is missing.
    """
    if settings.database_url is not None and settings.migration_url is None:
        raise SettingError("MINGPAI_MIGRATION_URL is not set: an upgrade needs the role that owns the schema")
    if settings.migration_url is not None:
        return upgrade(settings.migration_url)
    with _urls(settings) as (_, owner):
        assert owner is not None  # it is the embedded server
        return upgrade(owner)


@contextmanager
def _urls(settings: Settings) -> Iterator[tuple[str, str | None]]:
    """The application's address, and the owner's where upgrading is ours to do: on the embedded server."""
    if settings.database_url is not None:
        yield settings.database_url, None
        return
    from service.embedded import APPLICATION, OWNER, embedded

    with embedded(settings.data, binaries=settings.postgres_bin) as server:
        yield server.url(APPLICATION), server.url(OWNER)
