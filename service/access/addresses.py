"""Which addresses are safe to send secrets to."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit


def is_safe(url: str) -> bool:
    """Whether what goes there can be read on the way by nobody else: ``https``, or ``http`` on this machine."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return False
    return bool(host) and (parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(host)))


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
