"""The keys by which the identity provider signs: fetched, kept for a while, fetched again where one is missing."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

from service.access.fetching import FetchError

#: The signatures that are taken; the one of a key is decided by the key, never by a token.
ALGORITHMS = ("RS256", "ES256", "EdDSA")
#: Seconds for which keys are good without another look.
FRESH = 300.0
#: Seconds for which they are used where the provider cannot be asked.
KEPT = 3600.0
#: Seconds at least between two looks, whatever is asked for.
INTERVAL = 10.0

_RSA_BITS = 2048  #: at least
_LOG = logging.getLogger("mingpai.access")


class KeySet:
    """The provider's keys by their ids; ``load`` gives its JWKS document or raises ``FetchError``."""

    def __init__(self, load: Callable[[], Mapping[str, Any]], clock: Callable[[], float] = time.monotonic) -> None:
        self._load = load
        self._clock = clock
        self._keys: dict[str | None, jwt.PyJWK] = {}
        self._loaded: float | None = None
        self._tried: float | None = None
        self._lock = threading.Lock()

    def get(self, kid: str | None) -> jwt.PyJWK | None:
        """The key of an id, ``None`` if the provider has none; ``FetchError`` if it cannot be asked.

        Without an id it is the only key, where there is only one.
        """
        found = self._find(kid) if self._age() < FRESH else None
        if found is not None:
            return found
        with self._lock:
            self._refresh(kid)
        if self._age() > KEPT:
            raise FetchError("the identity provider's keys cannot be had")
        return self._find(kid)

    def _find(self, kid: str | None) -> jwt.PyJWK | None:
        keys = self._keys
        if kid is not None:
            return keys.get(kid)
        return next(iter(keys.values())) if len(keys) == 1 else None

    def _age(self) -> float:
        return float("inf") if self._loaded is None else self._clock() - self._loaded

    def _refresh(self, kid: str | None) -> None:
        """Loads the keys again, unless somebody has just done so or tried to."""
        now = self._clock()
        is_there = self._age() < FRESH and self._find(kid) is not None
        if is_there or (self._tried is not None and now - self._tried < INTERVAL):
            return
        self._tried = now
        try:
            keys = _usable(self._load())
        except FetchError as error:
            _LOG.warning("the identity provider's keys cannot be had: %s", error)
            return
        self._keys, self._loaded = keys, now


def _usable(document: Mapping[str, Any]) -> dict[str | None, jwt.PyJWK]:
    """The keys of a JWKS that can check one of our signatures."""
    listed = document.get("keys")
    found: dict[str | None, jwt.PyJWK] = {}
    for one in listed if isinstance(listed, list) else []:
        key = _key(one)
        if key is not None:
            found[key.key_id] = key
    return found


def _key(document: object) -> jwt.PyJWK | None:
    if not isinstance(document, dict) or document.get("use", "sig") != "sig":
        return None
    try:
        key = jwt.PyJWK({name: value for name, value in document.items() if name != "d"})
    except (jwt.PyJWTError, ValueError, TypeError, KeyError):
        return None
    is_weak = isinstance(key.key, RSAPublicKey) and key.key.key_size < _RSA_BITS
    return key if key.algorithm_name in ALGORITHMS and not is_weak else None
