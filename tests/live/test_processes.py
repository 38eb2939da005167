"""Live audits and subscriptions of real processes: several share the work, some are killed, the database restarts."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

import httpx
import psycopg
from prometheus_client.parser import text_string_to_metric_families

from replays import ENGINE
from schema.ports import Role
from service.api import create_app
from service.api.live import SubscriptionLimits
from service.embedded import APPLICATION, OWNER, embedded
from service.live.worker import audited_live
from service.store import Store, upgrade
from service.store.errors import StoreError
from service.store.live import lag
from tests.access.keys import bearer, key_for
from tests.api.test_server import serving
from tests.databases import Database
from tests.live.live_games import LiveGame, hand_ends, live_rows, report_of, settled_of
from tests.live.subscribers import EVENTS, Link, events_in, served, streamed
from tests.store.test_durability import kill_one_backend, wait_until
from tests.usecases.games import game, with_violation

SHORT = {"MINGPAI_LIVE_LEASE_SECONDS": "1"}


def holders(database: Database) -> set[str]:
    """Which processes are at work, by their number."""
    with psycopg.connect(database.application_url) as connection:
        rows = connection.execute("SELECT DISTINCT holder FROM mingpai.live_leases WHERE holder IS NOT NULL").fetchall()
    return {holder.split("-")[0] for (holder,) in rows}


def measured(base: str) -> dict[str, float]:
    """The gauges of a scrape."""
    text = httpx.get(f"{base}/metrics", trust_env=False).text
    families = text_string_to_metric_families(text)
    return {one.name: one.samples[0].value for one in families if one.type == "gauge" and one.samples}


def assert_all_audited(store: Store, url: str, games: Sequence[LiveGame]) -> None:
    """Whatever is kept is what ``mingpai audit`` says of the same events, and the newest is of all of them."""
    for playing in games:
        rows = live_rows(url, playing.id)
        for seq, _, report in rows:
            assert report == report_of(store, playing.id, seq + 1)
        ends = [seq for seq in hand_ends(playing.documents) if seq < playing.events]
        assert [seq for seq, is_end, _ in rows if is_end] == ends
        if playing.events < len(playing.documents):
            assert rows[-1][0] == playing.events - 1
        known = store.audit(playing.id, ENGINE)
        assert known is not None
        assert (known.upto_seq, known.report) == settled_of(store, playing.id)


def test_two_processes_share_the_games_and_one_is_killed(store: Store, database: Database) -> None:
    games = [LiveGame(store, with_violation(game(index % 2, hands=2))[0], None) for index in range(1)]
    games += [LiveGame(store, game(2 + index), None) for index in range(19)]
    with (
        serving(database, environment_too=SHORT) as (first, _),
        serving(database, environment_too=SHORT) as (second, base),
    ):
        both = {str(first.pid), str(second.pid)}

        def play() -> bool:
            for playing in games:
                playing.append(2)
            return holders(database) == both

        wait_until(play)
        first.send_signal(signal.SIGKILL)
        for _ in range(10):
            for playing in games:
                playing.append(3)
        for playing in games[:5]:
            playing.rest()
        wait_until(lambda: lag(store).events == 0)
        assert measured(base)["mingpai_live_lag_events"] == 0
        assert holders(database) <= both
        second.send_signal(signal.SIGTERM)
        second.communicate(timeout=60)
        assert second.returncode == 0
    assert_all_audited(store, database.application_url, games)
    with psycopg.connect(database.application_url) as connection:
        statement = "SELECT count(*) FROM mingpai.live_leases WHERE expires_at > clock_timestamp() + interval '1 min'"
        assert connection.execute(statement).fetchone() == (0,)


def test_the_lag_is_shown_and_goes_down(store: Store) -> None:
    games = [LiveGame(store, game(index)) for index in range(3)]
    for playing in games:
        playing.append(30)

    def shown(base: str) -> tuple[float, float]:
        found = measured(base)
        return found["mingpai_live_lag_events"], found["mingpai_live_lag_seconds"]

    with served(create_app(store)) as base:
        events, seconds = shown(base)
        assert events == sum(playing.events for playing in games)
        assert shown(base)[1] > seconds > 0
        assert httpx.get(f"{base}/healthz", trust_env=False).json()["live"]["lag_events"] == events
        with audited_live(store):
            wait_until(lambda: shown(base) == (0, 0))
        games[0].append(5)
        assert shown(base)[0] == 5
        with audited_live(store):
            wait_until(lambda: shown(base) == (0, 0))


def test_a_database_that_restarts_costs_nothing(tmp_path: Path) -> None:
    """Neither audits nor followers lose their place; both wait, and go on."""
    with embedded(tmp_path) as server:
        upgrade(server.url(OWNER))
        with Store.connect(server.url(APPLICATION)) as store:
            games = [LiveGame(store, game(index, hands=2)) for index in range(4)]
            key = key_for(store, Role.AUDITOR)
            app = create_app(store, subscriptions=SubscriptionLimits(look_seconds=0.05))
            with audited_live(store, lease=1), served(app) as base, Link.opened(base, key) as link:
                name = link.subscribe(EVENTS, game=games[0].id)
                seqs = [link.data(name)["event"]["seq"]]
                for _ in range(3):
                    kill_one_backend(server.pid)
                    for playing in games:
                        _append(playing, 20)
                    seqs += [link.data(name)["event"]["seq"] for _ in range(20)]
                wait_until(lambda: _answers(lambda: lag(store).events == 0))
            assert seqs == list(range(61))
            assert_all_audited(store, server.url(APPLICATION), games)


def _append(playing: LiveGame, count: int) -> None:
    """Appends while the database is on its way up again: a call without an answer may have been stored, or not."""
    wanted = playing.events + count
    while playing.events < wanted:
        with suppress(StoreError):
            playing.append(count)
            return
        with suppress(StoreError):
            playing.events = playing.stored()


def _answers(ask: Callable[[], bool]) -> bool:
    try:
        return ask()
    except StoreError:
        return False


def test_a_process_that_stops_ends_its_subscriptions(store: Store, database: Database) -> None:
    """It says why, and does not wait for them."""
    playing = LiveGame(store, game(0))
    key = key_for(store, Role.AUDITOR)
    with serving(database) as (process, base), ExitStack() as stack:
        link = stack.enter_context(Link.opened(base, key))
        stream = stack.enter_context(streamed(base, bearer(key), EVENTS, game=playing.id))
        name = link.subscribe(EVENTS, game=playing.id)
        assert link.data(name)["event"]["seq"] == 0
        events = events_in(stream)
        assert next(events)[0] == "next"
        output: list[str] = []
        reader = threading.Thread(target=lambda: output.append(process.communicate(timeout=60)[1]))
        process.send_signal(signal.SIGTERM)
        reader.start()
        codes = [body["errors"][0]["extensions"]["code"] for _, body in events if body is not None]
        assert codes == ["UNAVAILABLE"]
        assert link.closed()[0] in (1012, None)
        reader.join()
        assert process.returncode == 0
        assert "Traceback" not in output[0]
