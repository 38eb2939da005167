"""Those who ask in these tests, by the name that they send in a header."""

from __future__ import annotations

from starlette.requests import HTTPConnection

from schema.ports import PUBLIC, Role, Viewer

HEADER = "x-viewer"


def _viewer(name: str, role: Role, player: str | None = None) -> Viewer:
    return Viewer(name, frozenset({role}), player, f"key-of-{name}")


VIEWERS = {
    "public": PUBLIC,
    "server-1": _viewer("server-1", Role.SERVER),
    "server-2": _viewer("server-2", Role.SERVER),
    "clerk": _viewer("clerk", Role.CLERK),
    "auditor": _viewer("auditor", Role.AUDITOR),
    "analyst": _viewer("analyst", Role.ANALYST),
    "admin": _viewer("admin", Role.ADMIN),
    # One at seat 1 of the first game of tests.usecases.games, and one who sits nowhere.
    "player": _viewer("player", Role.PLAYER, "player-03"),
    "stranger": _viewer("stranger", Role.PLAYER, "nobody"),
}


def by_header(connection: HTTPConnection) -> Viewer:
    """The viewer that the header names."""
    return VIEWERS[connection.headers.get(HEADER, "public")]


def sent_by(name: str) -> dict[str, str]:
    """The headers of a request by a viewer."""
    return {HEADER: name}
