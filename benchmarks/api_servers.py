"""What the API's benchmark measures, each in a process of its own, on the server that ``mingpai serve`` runs.

``ours`` is the service as it is, with keys. ``raw`` is a Starlette application that answers with the same members from
the same ports, for one viewer and without any of what stands around ours: no keys, no limits, no GraphQL. ``bare`` is
the same straight from the store, which asks nobody who may see what and records no reading.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from subprocess import PIPE, Popen
from typing import Any, NamedTuple

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from replays import ENGINE
from replays.view import picture
from schema.ports import GameFilter, GameRow, Library, Role, Viewer, Window
from service.api import address, bound, create_app, serve
from service.api.limits import RequestLimits
from service.api.parts import Parts
from service.logs import log_as
from service.store import Store
from service.store.listing import game_rows

#: Points a second of a key.
KEY_RATE = 1_000_000
KINDS = ("ours", "raw", "bare")


class Who(NamedTuple):
    """Who asks: the parts of a ``Viewer``."""

    principal: str
    role: str

    @property
    def viewer(self) -> Viewer:
        return Viewer(self.principal, frozenset({Role(self.role)}), None, f"key of {self.principal}")


def _answer(value: object) -> Response:
    return Response(msgspec.json.encode(value), media_type="application/json")


def _asked(request: Request) -> tuple[str, int]:
    return request.query_params["game"], int(request.query_params["number"])


def _raw(parts: Parts, viewer: Viewer) -> Starlette:
    """The same rows, by the port that ours reads them from."""
    library: Library = parts.context(viewer).library

    def step(request: Request) -> Response:
        row = library.state_at(*_asked(request), None)
        return _answer(
            {
                "game": row.game,
                "seq": row.seq,
                "view": row.view,
                "asSeat": row.seat,
                "table": row.table,
                "stateHash": row.state_hash,
                "rulesetDigest": row.ruleset_digest,
                "engineVersion": ENGINE,
            }
        )

    def hand(request: Request) -> Response:
        game, number = _asked(request)
        library.game(game)
        hands = library.audits([game])[game].report["hands"]
        events = library.events(game, Window(100))
        found = next(hand for hand in hands if hand["hand"] == number)
        return _answer({"hand": found, "events": [_event(row._asdict()) for row in events]})

    def page(request: Request) -> Response:
        return _answer([_game(row) for row in library.games(GameFilter(), Window(100))])

    return _routes(step, hand, page)


def _bare(parts: Parts, viewer: Viewer) -> Starlette:
    """The same rows, by the store's own functions."""
    store, folds = parts.store, parts.folds

    def step(request: Request) -> Response:
        game, seq = _asked(request)
        table = folds.at(game, seq)
        return _answer({"game": game, "seq": seq, "table": picture(table), "stateHash": table.state_hash()})

    def hand(request: Request) -> Response:
        game, number = _asked(request)
        (audit,) = store.audits_of([game])
        events = store.window(game, Window(100))
        found = next(hand for hand in audit.report["hands"] if hand["hand"] == number)
        rows = [
            {"seq": event.seq, "body": event.body, "leaf": event.leaf.hex(), "head": event.head.hex()}
            | {"recordedAt": event.time}
            for event in events
        ]
        return _answer({"hand": found, "events": [_event(row) for row in rows]})

    def page(request: Request) -> Response:
        return _answer([_game(row) for row in game_rows(store, GameFilter(), Window(100))])

    return _routes(step, hand, page)


def _routes(*endpoints: Callable[[Request], Response]) -> Starlette:
    return Starlette(routes=[Route(f"/{endpoint.__name__}", endpoint) for endpoint in endpoints])


def _event(row: dict[str, Any]) -> dict[str, Any]:
    return {**row, "body": msgspec.Raw(row["body"])}


def _game(row: GameRow) -> dict[str, Any]:
    members = row._asdict()
    ruleset = {name: members.pop(name) for name in ("ruleset", "version", "options", "ruleset_digest")}
    seats = [{"seat": seat, "player": player} for seat, player in enumerate(members.pop("players"))]
    return {**members, "ruleset": ruleset, "seats": seats}


def _ours(parts: Parts, viewer: Viewer) -> Any:
    # Every limit is on; the rate is one that eight connections do not reach. Who asks is found by the key that is sent.
    return create_app(parts.store, limits=RequestLimits(key_rate=KEY_RATE))


@contextmanager
def running(kind: str, database_url: str, who: Who) -> Iterator[str]:
    """A server as a process of its own; gives its address."""
    given = json.dumps([kind, database_url, who])
    with Popen([sys.executable, "-m", "benchmarks.api_servers"], stdin=PIPE, stdout=PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(given + "\n")
        process.stdin.flush()
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def _main() -> None:
    kind, url, who = json.loads(sys.stdin.readline())
    log_as("text")  # as ``mingpai serve`` does
    applications = {"ours": _ours, "raw": _raw, "bare": _bare}
    with Store.connect(url, unsafe_allowed=True) as store, bound("127.0.0.1", 0) as listener:
        app = applications[kind](Parts.of(store), Who(*who).viewer)
        print(address(listener), flush=True)
        serve(app, listener)


if __name__ == "__main__":
    _main()
