"""``GET /metrics`` in Prometheus' text format, read off the store at every scrape, and what health has to warn of."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily

from service.store import Store
from service.store.feed import Feed, FeedState
from service.store.live import Lag, lag
from service.store.log import Log

#: Seconds after which an append that is not committed is worth a warning: the feed waits for it.
PATIENCE = 10.0
#: Seconds by which live audits may be behind.
AUDIT_PATIENCE = 60.0


class Standing(NamedTuple):
    """How the store's feed and log stand: ``age`` in seconds of the newest checkpoint, ``None`` while there is none.
    ``live`` is how far live audits are behind."""

    feed: FeedState
    seals: int
    unsealed: int
    signed: int
    age: float | None
    live: Lag = Lag()

    @property
    def oldest_writer(self) -> float:
        """Seconds since the oldest append began that is not committed; 0 where none is, or none is known."""
        return max((writer.seconds or 0.0 for writer in self.feed.writers), default=0.0)

    @property
    def warnings(self) -> list[str]:
        """What an operator should look at, a sentence each."""
        found = [
            f"session {writer.pid} has not committed its append for {writer.seconds:.0f} s: the feed waits for it"
            for writer in self.feed.writers
            if (writer.seconds or 0.0) > PATIENCE
        ]
        if self.live.seconds > AUDIT_PATIENCE:
            found.append(f"live audits are {self.live.seconds:.0f} s behind, by {self.live.events} events")
        if self.unsealed:
            found.append(f"{self.unsealed} games have ended and are not sealed")
        return found


def standing(store: Store) -> Standing:
    """How things stand now."""
    log = Log(store)
    newest = log.checkpoint()
    age = None if newest is None else (datetime.now(UTC) - newest.signed_at).total_seconds()
    return Standing(
        feed=Feed(store).state(),
        seals=log.size(),
        unsealed=log.count_unsealed(),
        signed=0 if newest is None else newest.size,
        age=age,
        live=lag(store),
    )


def exposition(store: Store, *others: CollectorRegistry) -> bytes:
    """The metrics' text: how the store stands, and what other registries hold."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Collector(standing(store)))
    return b"".join(generate_latest(one) for one in (registry, *others))


class _Collector:
    def __init__(self, now: Standing) -> None:
        self._now = now

    def collect(self) -> Iterator[GaugeMetricFamily]:
        now = self._now
        yield _gauge("feed_position", "Position of the newest append that was begun.", now.feed.position)
        yield _gauge("feed_mark", "Position up to which readers of the feed get everything.", now.feed.mark)
        yield _gauge("feed_writers", "Appends that are begun and not committed.", len(now.feed.writers))
        yield _gauge("feed_oldest_writer_seconds", "Age of the oldest of them.", now.oldest_writer)
        yield _gauge("log_seals", "Sealed games in the log.", now.seals)
        yield _gauge("log_unsealed_games", "Games that have ended and are not sealed.", now.unsealed)
        yield _gauge("log_checkpoint_size", "Seals in the newest checkpoint.", now.signed)
        yield _gauge("live_lag_events", "Events that live audits are behind.", now.live.events)
        yield _gauge("live_lag_seconds", "Age of the oldest append that they have not seen.", now.live.seconds)
        yield _gauge("live_lag_games", "Games that wait for their live audit.", now.live.games)
        if now.age is not None:
            yield _gauge("log_checkpoint_age_seconds", "Age of the newest checkpoint.", now.age)


def _gauge(name: str, help: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"mingpai_{name}", help, value=value)
