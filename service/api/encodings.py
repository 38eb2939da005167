"""Packed answers, made as they are sent."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

import zstandard

#: The names of what can be packed and unpacked here, the best first.
PACKINGS = ("zstd", "gzip")


class _Packer(Protocol):
    def compress(self, data: bytes, /) -> bytes: ...

    def flush(self, mode: int = ..., /) -> bytes: ...


def negotiated(accepted: str | None) -> str | None:
    """The packing that an Accept-Encoding header asks for, ``None`` for plain. Equal weights: the best first."""
    weights = _weights(accepted or "")
    offered = [(weights.get(name, weights.get("*", 0.0)), name) for name in PACKINGS]
    weight, name = max(offered, key=lambda offer: offer[0])  # the first of equal ones
    return name if weight > 0 and weight >= weights.get("identity", 0.0) else None


def packed(pieces: Iterable[bytes], packing: str | None) -> Iterator[bytes]:
    """The pieces packed one by one: what has arrived of a broken answer can be unpacked to the end of a piece."""
    if packing is None:
        yield from pieces
        return
    packer, flushing, finishing = _PACKERS[packing]()
    for piece in pieces:
        yield packer.compress(piece) + packer.flush(flushing)
    yield packer.flush(finishing)


def _weights(header: str) -> dict[str, float]:
    found = {}
    for part in header.split(","):
        name, _, weight = part.partition(";")
        if name.strip():
            found[name.strip().lower()] = _weight(weight)
    return found


def _weight(text: str) -> float:
    name, _, value = text.partition("=")
    if name.strip().lower() != "q":
        return 1.0
    try:
        return min(max(float(value), 0.0), 1.0)
    except ValueError:
        return 0.0


def _zstd() -> tuple[_Packer, int, int]:
    packer = zstandard.ZstdCompressor().compressobj()
    return packer, zstandard.COMPRESSOBJ_FLUSH_BLOCK, zstandard.COMPRESSOBJ_FLUSH_FINISH


def _gzip() -> tuple[_Packer, int, int]:
    return zlib.compressobj(wbits=31), zlib.Z_SYNC_FLUSH, zlib.Z_FINISH


_PACKERS: dict[str, Callable[[], tuple[_Packer, int, int]]] = {"zstd": _zstd, "gzip": _gzip}
