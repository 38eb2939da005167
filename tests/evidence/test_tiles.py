"""Tiles: the specification's examples, one path for each tile, and the tree that can be rebuilt from them."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replays.merkle import root
from service.evidence import tiles
from service.evidence.tiles import Nodes, Tile, TileError

TILES = st.builds(
    Tile, st.none() | st.integers(0, 63), st.integers(0, 2**63 - 1) | st.integers(0, 2000), st.integers(1, 256)
)


@pytest.mark.parametrize(
    ("path", "tile"),
    [
        ("tile/0/x001/x234/067", Tile(0, 1234067)),
        ("tile/0/000", Tile(0, 0)),
        ("tile/0/999", Tile(0, 999)),
        ("tile/0/x001/000", Tile(0, 1000)),
        ("tile/63/000", Tile(63, 0)),
        ("tile/0/273.p/112", Tile(0, 273, 112)),
        ("tile/2/000.p/1", Tile(2, 0, 1)),
        ("tile/1/x001/x234/067.p/255", Tile(1, 1234067, 255)),
        ("tile/entries/000", Tile(None, 0)),
        ("tile/entries/x123/456.p/8", Tile(None, 123456, 8)),
        ("tile/0/x009/x223/x372/x036/x854/x775/807", Tile(0, 2**63 - 1)),
    ],
)
def test_paths(path: str, tile: Tile) -> None:
    assert tiles.parse_path(path) == tile
    assert tile.path == path


@given(TILES)
def test_any_tile_has_its_path(tile: Tile) -> None:
    assert tiles.parse_path(tile.path) == tile


@pytest.mark.parametrize(
    "path",
    [
        "", "tile", "tile/", "tile/0", "tile/0/", "/tile/0/000", "tile/0/000/", "tile//0/000", "Tile/0/000",
        "tile/00/000", "tile/01/000", "tile/64/000", "tile/100/000", "tile/-1/000", "tile/+1/000", "tile/ 0/000",
        "tile/a/000", "tile/entry/000", "tile/Entries/000", "tile/data/000",
        "tile/0/0", "tile/0/00", "tile/0/0000", "tile/0/1000", "tile/0/-01", "tile/0/00a", "tile/0/٠٠٠",
        "tile/0/x001", "tile/0/x001/x234", "tile/0/001/234", "tile/0/x000/001", "tile/0/x000/x001/234",
        "tile/0/X001/234", "tile/0/x01/234", "tile/0/x0001/234", "tile/0/x001//234", "tile/0/x001/234/x567",
        "tile/0/000.p", "tile/0/000.p/", "tile/0/000.p/0", "tile/0/000.p/00", "tile/0/000.p/01", "tile/0/000.p/256",
        "tile/0/000.p/257", "tile/0/000.p/999", "tile/0/000.p/1000", "tile/0/000.p/-1", "tile/0/000.p/1/",
        "tile/0/000.P/1", "tile/0/000p/1", "tile/0/000.p1", "tile/0/000.p/1.p/1", "tile/0/x001.p/1/234",
        "tile/0/000\n", "tile/0/000.p/1\n", "tile/0/000 ", " tile/0/000", "tile/0/000?", "tile/0/../000", "tile/0/%30",
        "tile/0/x009/x223/x372/x036/x854/x775/808", "tile/0/x999/x999/x999/x999/x999/x999/x999/999",
    ],
)  # fmt: skip
def test_what_is_no_path(path: str) -> None:
    with pytest.raises(TileError) as caught:
        tiles.parse_path(path)
    assert caught.value.code == "path"


def test_a_long_path_is_not_repeated_in_the_error() -> None:
    with pytest.raises(TileError) as caught:
        tiles.parse_path("tile/0/" + "x001/" * 100_000 + "000")
    assert len(str(caught.value)) < 200


@given(st.from_regex(r"tile/[0-9entris]{1,7}/(x[0-9]{3}/){0,3}x?[0-9]{1,4}(\.p/[0-9]{1,3})?", fullmatch=True))
def test_whatever_comes_is_read_back_or_refused(path: str) -> None:
    try:
        tile = tiles.parse_path(path)
    except TileError:
        return
    assert tile.path == path


@pytest.mark.parametrize(
    "tile",
    [Tile(-1, 0), Tile(64, 0), Tile(0, -1), Tile(0, 2**63), Tile(0, 0, 0), Tile(0, 0, 257), Tile(None, 0, -1)],
)
def test_what_has_no_path(tile: Tile) -> None:
    with pytest.raises(TileError):
        assert tile.path


# Which nodes, which tiles


@pytest.mark.parametrize(
    ("tile", "nodes"),
    [
        (Tile(0, 0), Nodes(0, 0, 256)),
        (Tile(0, 3, 7), Nodes(0, 768, 775)),
        (Tile(1, 0, 1), Nodes(8, 0, 1)),
        (Tile(2, 5), Nodes(16, 1280, 1536)),
        (Tile(None, 3, 7), Nodes(0, 768, 775)),
    ],
)
def test_nodes(tile: Tile, nodes: Nodes) -> None:
    assert tile.nodes == nodes


def test_the_specification_s_tree_of_70000() -> None:
    found = list(tiles.tiles_of(70_000))
    assert [tile for tile in found if tile.level == 0] == [*(Tile(0, n) for n in range(273)), Tile(0, 273, 112)]
    assert [tile for tile in found if tile.level != 0] == [Tile(1, 0), Tile(1, 1, 17), Tile(2, 0, 1)]


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (0, []),
        (1, [Tile(0, 0, 1)]),
        (255, [Tile(0, 0, 255)]),
        (256, [Tile(0, 0), Tile(1, 0, 1)]),
        (257, [Tile(0, 0), Tile(0, 1, 1), Tile(1, 0, 1)]),
    ],
)
def test_tiles_of_small_trees(size: int, expected: list[Tile]) -> None:
    assert list(tiles.tiles_of(size)) == expected
    assert [Tile(None, tile.index, tile.width) for tile in expected if tile.level == 0] == list(tiles.bundles_of(size))


def test_no_tree_has_fewer_than_no_leaves() -> None:
    for found in (tiles.tiles_of, tiles.bundles_of):
        with pytest.raises(ValueError, match="-1 leaves"):
            list(found(-1))


@given(st.integers(0, 1 << 18))
def test_widths_follow_the_specification(size: int) -> None:
    """The partial tile at level l has floor(s / 256^l) mod 256 hashes, and what is empty is not there."""
    partial = {tile.level: tile.width for tile in tiles.tiles_of(size) if tile.width < 256}
    expected = {level: size // 256**level % 256 for level in range(4)}
    assert partial == {level: width for level, width in expected.items() if width}


@given(st.integers(0, 1 << 18), st.data())
def test_a_tile_is_in_every_larger_tree(size: int, data: st.DataObject) -> None:
    larger = data.draw(st.integers(size, 1 << 19))
    assert all(tile.is_in(larger) for tile in [*tiles.tiles_of(size), *tiles.bundles_of(size)])


@pytest.mark.parametrize(
    ("tile", "least"),
    [
        (Tile(0, 0, 1), 1),
        (Tile(0, 0), 256),
        (Tile(0, 273, 112), 70_000),
        (Tile(1, 0, 1), 256),
        (Tile(1, 1, 17), 273 * 256),
        (Tile(2, 0, 1), 65_536),
        (Tile(None, 1, 4), 260),
        (Tile(7, 0, 1), 1 << 56),
    ],
)
def test_a_tile_is_in_trees_from_its_last_leaf_on(tile: Tile, least: int) -> None:
    assert not tile.is_in(least - 1)
    assert tile.is_in(least)
    assert tile.is_in(2**63 - 1)


@pytest.mark.parametrize("size", [1, 2, 255, 256, 257, 700, 65_535, 65_536, 70_000])
def test_tiles_rebuild_the_root(size: int) -> None:
    """The hashes of each tile are those of full tiles below it; the tree's root follows from the rightmost ones."""
    leaves = [sha256(number.to_bytes(4, "big")).digest() for number in range(size)]
    hashes = {tile: hashes_of(tile, leaves) for tile in tiles.tiles_of(size)}
    for tile, below in hashes.items():
        if tile.width == tiles.TILE_WIDTH:
            above = next(t for t in hashes if t.level == (tile.level or 0) + 1 and t.index == tile.index // 256)
            assert hashes[above][tile.index % 256] == root(below)
    assert root_from([below for tile, below in hashes.items() if tile.width < tiles.TILE_WIDTH]) == root(leaves)


def hashes_of(tile: Tile, leaves: list[bytes]) -> list[bytes]:
    level, start, stop = tile.nodes
    return [root(leaves[node << level : node + 1 << level]) for node in range(start, stop)]


def root_from(partial: list[list[bytes]]) -> bytes:
    """The root from the partial tiles, lowest level first: what is right of a tile's nodes hangs below their last."""
    found: list[bytes] = []
    for hashes in partial:
        found = [fold(hashes, found)]
    return found[0]


def fold(hashes: list[bytes], right: list[bytes]) -> bytes:
    """A tree over full nodes and at most one smaller one at its right end; RFC 9162 splits it just so."""
    return root([*hashes, *right])


# Entries


def test_bundle() -> None:
    assert tiles.encode_bundle([b"a", b"", b"bc"]) == b"\x00\x01a\x00\x00\x00\x02bc"
    assert tiles.decode_bundle(b"\x00\x01a\x00\x00\x00\x02bc") == [b"a", b"", b"bc"]


def test_length_is_big_endian() -> None:
    assert tiles.encode_bundle([bytes(258)])[:2] == b"\x01\x02"


@settings(deadline=None)
@given(st.lists(st.binary(max_size=300), min_size=1, max_size=256))
def test_any_bundle_round_trips(entries: list[bytes]) -> None:
    assert tiles.decode_bundle(tiles.encode_bundle(entries)) == entries


def test_a_bundle_has_1_to_256_entries() -> None:
    full = [b"x"] * 256
    assert tiles.decode_bundle(tiles.encode_bundle(full)) == full
    for entries in ([], [*full, b""]):
        with pytest.raises(TileError, match="expected 1 to 256"):
            tiles.encode_bundle(entries)
    for raw in (b"", tiles.encode_bundle(full) + b"\x00\x00", tiles.encode_bundle(full) * 2):
        with pytest.raises(TileError, match="expected 1 to 256"):
            tiles.decode_bundle(raw)


def test_an_entry_has_at_most_65535_bytes() -> None:
    longest = bytes(65_535)
    assert tiles.decode_bundle(tiles.encode_bundle([longest, b"x"])) == [longest, b"x"]
    with pytest.raises(TileError, match="65536 bytes") as caught:
        tiles.encode_bundle([longest + b"x"])
    assert caught.value.code == "bundle"


@pytest.mark.parametrize("raw", [b"\x00", b"\x00\x01", b"\x00\x02a", b"\x00\x01ab", b"\x00\x01a\x00", b"\xff\xffa"])
def test_an_entry_cut_short(raw: bytes) -> None:
    with pytest.raises(TileError, match="cut short") as caught:
        tiles.decode_bundle(raw)
    assert caught.value.code == "bundle"


@given(st.binary())
def test_any_bytes_are_one_bundle_or_none(raw: bytes) -> None:
    try:
        entries = tiles.decode_bundle(raw)
    except TileError:
        return
    assert tiles.encode_bundle(entries) == raw
