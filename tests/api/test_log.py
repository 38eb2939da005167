"""The log for monitors, read by one who has only HTTP, the log's key, and C2SP tlog-tiles: no code of the service."""

from __future__ import annotations

import struct
from base64 import b64decode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from service.api import create_app
from service.embedded import Server
from service.store import Store
from service.store.log import Log
from tests.api.clients import Client
from tests.databases import cloned
from tests.usecases.games import game
from tests.usecases.sealed import notary_at, seal_cheaply, take_in

#: Sizes at which the log was signed: around powers of two, and around one full tile and two.
SIZES = (1, 2, 3, 7, 255, 256, 257, 511, 512, 513, 600)

# -- A monitor, out of the specification alone -------------------------------------------------------------------------


class Head(NamedTuple):
    """A checkpoint whose signature holds."""

    size: int
    root: bytes


def read_head(note: bytes, vkey: str) -> Head:
    """The checkpoint of a signed note, checked with a public key in text."""
    name, key_id, material = vkey.split("+", 2)
    raw = b64decode(material)
    assert raw[0] == 1
    assert sha256(name.encode() + b"\n" + raw).digest()[:4].hex() == key_id
    text, _, lines = note.decode().partition("\n\n")
    signed = [line.split(" ") for line in lines.splitlines()]
    (signature,) = [b64decode(line[2]) for line in signed if line[1] == name and b64decode(line[2])[:4].hex() == key_id]
    Ed25519PublicKey.from_public_bytes(raw[1:]).verify(signature[4:], text.encode() + b"\n")
    origin, size, root = text.split("\n")
    assert origin == name
    return Head(int(size), b64decode(root))


def number(index: int) -> str:
    """An index in groups of three digits."""
    digits = f"{index:03}"
    digits = digits.rjust(-(-len(digits) // 3) * 3, "0")
    groups = [digits[place : place + 3] for place in range(0, len(digits), 3)]
    return "/".join([*("x" + group for group in groups[:-1]), groups[-1]])


def pieces(count: int) -> Iterator[tuple[str, int]]:
    """The paths of the tiles that ``count`` nodes of a level, or entries, are in, with their widths."""
    for index in range(-(-count // 256)):
        width = min(256, count - 256 * index)
        yield number(index) + ("" if width == 256 else f".p/{width}"), width


def joined(hashes: list[bytes]) -> bytes:
    """The root over nodes of one level, the way RFC 9162 splits them."""
    if len(hashes) == 1:
        return hashes[0]
    split = 1 << ((len(hashes) - 1).bit_length() - 1)
    return sha256(b"\x01" + joined(hashes[:split]) + joined(hashes[split:])).digest()


class Monitor:
    """Reads a log of one size over HTTP."""

    def __init__(self, client: Client, size: int) -> None:
        self.client = client
        self.size = size

    def fetch(self, path: str) -> bytes:
        answer = self.client.request("GET", path)
        assert answer.status_code == 200, path
        assert "immutable" in answer.headers["cache-control"]
        return answer.content

    def entries(self) -> list[bytes]:
        """All entries, out of the bundles."""
        found = []
        for path, width in pieces(self.size):
            raw = self.fetch(f"/tile/entries/{path}")
            listed = list(_split(raw))
            assert len(listed) == width
            found += listed
        return found

    def level(self, level: int) -> list[bytes]:
        """All hashes of a level of tiles."""
        found = []
        for path, width in pieces(self.size >> 8 * level):
            raw = self.fetch(f"/tile/{level}/{path}")
            assert len(raw) == 32 * width
            found += [raw[place : place + 32] for place in range(0, len(raw), 32)]
        return found


def _split(raw: bytes) -> Iterator[bytes]:
    while raw:
        (length,) = struct.unpack(">H", raw[:2])
        yield raw[2 : 2 + length]
        assert len(raw) >= 2 + length
        raw = raw[2 + length :]


# -- The log -----------------------------------------------------------------------------------------------------------


class Served(NamedTuple):
    """A log of 600 seals, with the notes that were served at each of ``SIZES`` and the key that signed them."""

    client: Client
    store: Store
    vkey: str
    notes: dict[int, bytes]


@pytest.fixture(scope="module")
def served(durable: Server, durable_template: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with cloned(durable, durable_template) as database, Store.connect(database.application_url) as store:
        notary = notary_at(store, tmp_path_factory.mktemp("keys") / "keys.json")
        client = Client(create_app(store, notary))
        notes = {}
        quick = database.application_url + "?options=-c%20synchronous_commit%3Doff"
        with Store.connect(quick, unsafe_allowed=True) as filling:
            take_in(store, game(0))
            for size in SIZES:
                seal_cheaply(filling, size - Log(store).size(), Log(store).size())
                notary.checkpoint()
                notes[size] = client.request("GET", "/checkpoint").content
        yield Served(client, store, notary.verifiers[0].vkey, notes)


def test_the_newest_checkpoint_is_served_and_signed(served: Served) -> None:
    answer = served.client.request("GET", "/checkpoint")
    assert answer.headers["content-type"].startswith("text/plain")
    assert answer.headers["cache-control"] == "no-cache"
    assert read_head(answer.content, served.vkey).size == 600


@pytest.mark.parametrize("size", SIZES)
def test_the_tree_of_the_entries_is_the_one_that_was_signed(served: Served, size: int) -> None:
    """Every size that was ever signed can still be rebuilt, from partial tiles too."""
    head = read_head(served.notes[size], served.vkey)
    assert head.size == size
    monitor = Monitor(served.client, size)
    leaves = [sha256(b"\x00" + entry).digest() for entry in monitor.entries()]
    assert monitor.level(0) == leaves
    assert joined(leaves) == head.root
    whole = len(leaves) // 256
    assert monitor.level(1) == [joined(leaves[256 * tile : 256 * (tile + 1)]) for tile in range(whole)]


def test_entries_are_the_seals_and_name_no_game(served: Served) -> None:
    entries = Monitor(served.client, 600).entries()
    assert entries == [leaf.seal for leaf in Log(served.store).leaves(0, 600)]
    ids = [leaf.game.encode() for leaf in Log(served.store).leaves(0, 600)]
    everything = b"".join(entries)
    assert len(set(ids)) == 600
    assert not [name for name in ids if name in everything]
    assert not [seat for seat in game(0)[0]["seats"] if seat["player"].encode() in entries[0]]


def test_every_partial_tile_of_the_last_one_is_served(served: Served) -> None:
    """Of the sizes in between too, which were never signed but are prefixes."""
    whole = served.client.request("GET", "/tile/0/002.p/88").content
    for width in (1, 2, 87, 88):
        assert served.client.request("GET", f"/tile/0/002.p/{width}").content == whole[: 32 * width]


BEYOND = [
    "0/003", "0/002", "0/002.p/89", "0/003.p/1", "1/001", "1/000", "1/000.p/3", "2/000", "2/000.p/1", "63/000.p/1",
    "entries/002", "entries/002.p/89", "entries/003.p/1", "0/x001/000", "0/x009/x223/x372/x036/x854/x775/807",
]  # fmt: skip
BAD = [
    "", "0", "0/", "0/0", "0/00", "0/0000", "0/000/", "0//000", "0/000.p", "0/000.p/", "0/000.p/0", "0/000.p/256",
    "0/000.p/257", "0/000.p/01", "0/000.p/-1", "0/x000/000", "0/x001/x000", "0/X001/000", "00/000", "64/000", "-1/000",
    "+1/000", "entries", "entries/", "entries/0", "Entries/000", "0/٠٠٠", "0/000%00", "0/..%2f000",
    "data/000", "0/x" + "9" * 200, "0/x009/x223/x372/x036/x854/x775/808",
]  # fmt: skip


@pytest.mark.parametrize("path", BEYOND)
def test_tiles_beyond_the_checkpoint(served: Served, path: str) -> None:
    answer = served.client.request("GET", f"/tile/{path}")
    assert answer.status_code == 404
    assert "immutable" not in answer.headers.get("cache-control", "")


@pytest.mark.parametrize("path", BAD)
def test_paths_that_name_no_tile(served: Served, path: str) -> None:
    answer = served.client.request("GET", f"/tile/{path}")
    assert answer.status_code == 404
    assert "immutable" not in answer.headers.get("cache-control", "")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
@pytest.mark.parametrize("path", ["/checkpoint", "/tile/0/000"])
def test_the_log_is_only_read(served: Served, method: str, path: str) -> None:
    assert served.client.request(method, path).status_code == 405


def test_seals_that_no_checkpoint_covers_are_not_served(durable_store: Store, tmp_path: Path) -> None:
    """What is not signed yet may still be anything; nothing is served before the first checkpoint."""
    client = Client(create_app(durable_store))
    paths = ["/checkpoint", "/tile/0/000.p/1", "/tile/entries/000.p/1", "/tile/0/000.p/2", "/tile/entries/000.p/2"]

    def statuses() -> list[int]:
        return [client.request("GET", path).status_code for path in paths]

    seal_cheaply(durable_store, 1)
    assert statuses() == [404] * 5
    notary_at(durable_store, tmp_path / "keys.json").checkpoint()
    seal_cheaply(durable_store, 1, 1)
    assert statuses() == [200, 200, 200, 404, 404]
