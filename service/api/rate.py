"""How much one key, or one address without a key, may ask for: a bucket of points that fills again steadily.

In this process alone: of several processes behind one address each gives as much.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from threading import Lock
from typing import NamedTuple

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from schema.graphql.limits import Code
from service.api.authentication import viewer_of
from service.api.refusals import refusal

#: Points a second of a key, and of an address that sends none.
KEY_RATE = 10_000
PUBLIC_RATE = 1_000
#: Points of a request whose credentials are refused, of an address' bucket for those.
GUESS_COST = 50
#: Seconds that a full bucket lasts where nothing comes in.
BURST_SECONDS = 10
#: Routes that cost nothing: what watches over the service must not be turned away by what it watches.
FREE = frozenset({"/healthz", "/readyz"})
_KEPT = 100_000  #: buckets; those that were used longest ago are forgotten, and are full when they come again


class Taken(NamedTuple):
    """What is left in a bucket, and ``wait``: seconds until there is enough in it, 0 where it was enough."""

    limit: int
    remaining: int
    reset: int  #: seconds until it is full
    wait: int

    @property
    def headers(self) -> dict[str, str]:
        """As the IETF's draft of RateLimit headers has them, in points."""
        found = {
            "ratelimit-limit": str(self.limit),
            "ratelimit-remaining": str(self.remaining),
            "ratelimit-reset": str(self.reset),
        }
        return found | ({"retry-after": str(self.wait)} if self.wait else {})


class Buckets:
    """A bucket for everybody by name, each with ``rate`` points a second. May be used from any thread."""

    def __init__(self, rate: int, *, clock: Callable[[], float] = time.monotonic, kept: int = _KEPT) -> None:
        self._rate = rate
        self._size = rate * BURST_SECONDS
        self._clock = clock
        self._kept = kept
        self._lock = Lock()
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()  # points, and when there were so many

    def take(self, name: str, points: int) -> Taken:
        """Takes points out of a bucket if it has them. More than a full one holds costs a full one."""
        points = min(points, self._size)
        now = self._clock()
        with self._lock:
            level = self._level(name, now)
            is_enough = level >= points
            level -= points if is_enough else 0
            self._levels[name] = level, now
            self._levels.move_to_end(name)
            if len(self._levels) > self._kept:
                self._levels.popitem(last=False)
        return self._taken(level, points, is_enough)

    def peek(self, name: str, points: int) -> Taken:
        """What ``take`` would say, with nothing taken."""
        with self._lock:
            level = self._level(name, self._clock())
        points = min(points, self._size)
        return self._taken(level, points, level >= points)

    def _level(self, name: str, now: float) -> float:
        level, moment = self._levels.get(name, (float(self._size), now))
        return min(self._size, level + (now - moment) * self._rate)

    def _taken(self, level: float, points: int, is_enough: bool) -> Taken:
        wait = 0 if is_enough else max(1, math.ceil((points - level) / self._rate))
        return Taken(self._size, int(level), math.ceil((self._size - level) / self._rate), wait)


class Account:
    """What the sender of one request may still take."""

    __slots__ = ("_buckets", "_name", "last")

    def __init__(self, buckets: Buckets, name: str) -> None:
        self._buckets = buckets
        self._name = name
        self.last: Taken | None = None

    def take(self, points: int) -> Taken:
        """Takes points if there are enough; the answer's headers say what is left."""
        self.last = self._buckets.take(self._name, points)
        return self.last


class RateLimit:
    """Takes a point for every request, and 429 for one more than there are. What a request costs beside is taken by
    its route, from the account in the request's state."""

    def __init__(self, app: ASGIApp, keys: int = KEY_RATE, public: int = PUBLIC_RATE) -> None:
        self._app = app
        self._keys = Buckets(keys)
        self._public = Buckets(public)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in FREE:
            await self._app(scope, receive, send)
            return
        account = self._account(HTTPConnection(scope))
        scope["state"]["account"] = account

        async def answered(message: Message) -> None:
            if message["type"] == "http.response.start" and account.last is not None:
                MutableHeaders(scope=message).update(account.last.headers)
            await send(message)

        if account.take(1).wait:
            await limited()(scope, receive, answered)
            return
        await self._app(scope, receive, answered)

    def _account(self, connection: HTTPConnection) -> Account:
        viewer = viewer_of(connection)
        name = viewer.key or viewer.principal
        if name is not None:
            return Account(self._keys, name)
        return Account(self._public, address_of(connection))


class GuessLimit:
    """Around authentication: an address whose credentials are refused too often is turned away before they are looked
    at, good ones among them, for that cannot be known before."""

    def __init__(self, app: ASGIApp, rate: int = PUBLIC_RATE) -> None:
        self._app = app
        self._buckets = Buckets(rate)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in FREE:
            await self._app(scope, receive, send)
            return
        address = address_of(HTTPConnection(scope))

        async def answered(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 401:
                self._buckets.take(address, GUESS_COST)
            await send(message)

        left = self._buckets.peek(address, GUESS_COST)
        if left.wait:
            response = limited()
            response.headers.update(left.headers)
            await response(scope, receive, send)
            return
        await self._app(scope, receive, answered)


def limited() -> Response:
    """The answer to one request too many; the headers say when to come again."""
    return refusal(429, Code.RATE_LIMITED, "Too much was asked for in too short a time: see Retry-After.")


def address_of(connection: HTTPConnection) -> str:
    """Who sends without a key. Of IPv6 the network of a customer, who has as many addresses as there are sands."""
    if connection.client is None:
        return ""
    try:
        address = ip_address(connection.client.host)
    except ValueError:
        return connection.client.host
    return str(int(address) >> 64) if isinstance(address, IPv6Address) else str(address)
