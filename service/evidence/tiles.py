"""Tiles: the log's Merkle tree and its entries as static pieces of 256 (C2SP tlog-tiles).

A tile of level L holds nodes of the tree's level 8·L, where level 0 are the leaf hashes; a bundle of entries holds
what the leaves of the level-0 tile of the same index were made from. Everything here is pure: paths, which nodes a
tile holds, which tiles a tree of some size has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

TILE_HEIGHT = 8  #: levels of the tree from the nodes of a tile up to the node over all of them
TILE_WIDTH = 1 << TILE_HEIGHT  #: nodes of a full tile, entries of a full bundle
MAX_LEVEL = 63  #: highest level that a path may name
MAX_INDEX = (1 << 63) - 1  #: highest index that is read
MAX_ENTRY_SIZE = (1 << 16) - 1  #: bytes of an entry, whose length has 16 bits

_LENGTH_SIZE = 2  # bytes of the length before an entry
_GROUP = 1000  # an index is written in groups of three digits
_ENTRIES = "entries"
_PATH = re.compile(
    rf"tile/(?P<level>{_ENTRIES}|[0-9]{{1,2}})/(?P<groups>(?:x[0-9]{{3}}/)*[0-9]{{3}})(?:\.p/(?P<width>[0-9]{{1,3}}))?"
)
_MAX_PATH = 64  # characters; the longest index has 19 digits


class TileError(ValueError):
    """A path that names no tile, or bytes that are no bundle of entries; the message says what was found.

    ``code`` is ``path`` or ``bundle``.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Nodes(NamedTuple):
    """Neighbouring nodes of a Merkle tree: ``level`` 0 are the leaves, indices from ``start`` up to before ``stop``.

    Node i of level l is the root over the leaves i·2^l up to before (i + 1)·2^l.
    """

    level: int
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Tile:
    """One tile of hashes, or, where ``level`` is ``None``, one bundle of entries.

    ``index`` counts from the left within the level; ``width`` is the number of hashes or entries, 1 to 256.
    """

    level: int | None
    index: int
    width: int = TILE_WIDTH

    @property
    def path(self) -> str:
        """Where the tile is served, such as ``tile/0/x001/x234/067.p/8``; ``parse_path`` reads it.

        ``TileError`` for members that no tile has.
        """
        _require_members(self)
        level = _ENTRIES if self.level is None else self.level
        partial = "" if self.width == TILE_WIDTH else f".p/{self.width}"
        return f"tile/{level}/{_groups(self.index)}{partial}"

    @property
    def nodes(self) -> Nodes:
        """The nodes whose hashes the tile holds; for a bundle the leaves that its entries make."""
        start = self.index * TILE_WIDTH
        return Nodes(TILE_HEIGHT * (self.level or 0), start, start + self.width)

    def is_in(self, size: int) -> bool:
        """Whether every node of the tile is in the tree of ``size`` leaves, so that it can be served: the tiles of
        that tree, and the partial ones of smaller trees."""
        nodes = self.nodes
        return nodes.stop <= size >> nodes.level


def parse_path(path: str) -> Tile:
    """The tile that ``path`` names, without a slash before it; ``TileError`` for any but the one path of a tile."""
    found = _PATH.fullmatch(path[: _MAX_PATH + 1])
    if not found:
        raise TileError("path", f"{path[:_MAX_PATH]!r} is no path of a tile")
    level = None if found["level"] == _ENTRIES else int(found["level"])
    index = int(found["groups"].replace("x", "").replace("/", ""))
    tile = Tile(level, index, int(found["width"] or TILE_WIDTH))
    if tile.path != path:
        raise TileError("path", f"{path!r} is not how the path {tile.path} is written")
    return tile


def tiles_of(size: int) -> Iterator[Tile]:
    """The tiles of hashes of a tree of ``size`` leaves, by level and index: all full ones, then the partial one.

    ``ValueError`` for a negative size; a tree without leaves has none.
    """
    _require_size(size)
    level = 0
    while size:
        yield from _row(level, size)
        level += 1
        size >>= TILE_HEIGHT


def bundles_of(size: int) -> Iterator[Tile]:
    """The bundles of entries of a log of ``size`` entries: all full ones, then the partial one."""
    _require_size(size)
    return _row(None, size)


def encode_bundle(entries: Iterable[bytes]) -> bytes:
    """The bytes of a bundle of 1 to 256 entries, each after its length (16 bits, big-endian).

    ``TileError`` of code ``bundle`` for another number, or an entry of more than ``MAX_ENTRY_SIZE`` bytes.
    """
    listed = list(entries)
    _require_width(len(listed))
    for entry in listed:
        if len(entry) > MAX_ENTRY_SIZE:
            raise TileError("bundle", f"an entry of {len(entry)} bytes, at most {MAX_ENTRY_SIZE} fit")
    return b"".join(len(entry).to_bytes(_LENGTH_SIZE, "big") + entry for entry in listed)


def decode_bundle(raw: bytes) -> list[bytes]:
    """The entries of a bundle; ``TileError`` of code ``bundle`` where one is cut short, or for another number."""
    entries: list[bytes] = []
    place = 0
    while place < len(raw) and len(entries) <= TILE_WIDTH:
        entry = _entry_at(raw, place)
        entries.append(entry)
        place += _LENGTH_SIZE + len(entry)
    _require_width(len(entries))
    return entries


def _entry_at(raw: bytes, place: int) -> bytes:
    start = place + _LENGTH_SIZE
    stop = start + int.from_bytes(raw[place:start], "big")
    if stop > len(raw):
        raise TileError("bundle", f"the entry at byte {place} is cut short")
    return raw[start:stop]


def _row(level: int | None, nodes: int) -> Iterator[Tile]:
    full, rest = divmod(nodes, TILE_WIDTH)
    for index in range(full):
        yield Tile(level, index)
    if rest:
        yield Tile(level, full, rest)


def _groups(index: int) -> str:
    rest, last = divmod(index, _GROUP)
    path = f"{last:03}"
    while rest:
        rest, group = divmod(rest, _GROUP)
        path = f"x{group:03}/{path}"
    return path


def _require_members(tile: Tile) -> None:
    if tile.level is not None and not 0 <= tile.level <= MAX_LEVEL:
        raise TileError("path", f"a tile of level {tile.level}, expected 0 to {MAX_LEVEL}")
    if not 0 <= tile.index <= MAX_INDEX:
        raise TileError("path", f"a tile of index {tile.index}, expected 0 to {MAX_INDEX}")
    if not 1 <= tile.width <= TILE_WIDTH:
        raise TileError("path", f"a tile of width {tile.width}, expected 1 to {TILE_WIDTH}")


def _require_size(size: int) -> None:
    if size < 0:
        raise ValueError(f"a tree of {size} leaves")


def _require_width(entries: int) -> None:
    if not 1 <= entries <= TILE_WIDTH:
        raise TileError("bundle", f"{entries} entries, expected 1 to {TILE_WIDTH}")
