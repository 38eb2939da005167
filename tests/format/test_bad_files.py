"""Files that are empty, cut, corrupt, or far too large: a clear error, and never much memory."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import random
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice

import pytest
import zstandard

from schema.paipu import EVENT_LIMIT, LINE_LIMIT, LogError, read
from tests.format.logs import DREW, START, log, read_all, read_until_error

_LOG = log(START, DREW, {**DREW, "seq": 2})
_MEGABYTE = 1 << 20


@pytest.mark.parametrize("data", [b"", b"\n", b"\xef\xbb\xbf", b" \r\n\n\t"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstandard.compress], ids=["plain", "gzip", "zstd"])
def test_no_event_at_all(data: bytes, pack: Callable[[bytes], bytes]) -> None:
    with pytest.raises(LogError) as caught:
        read_all(pack(data))
    assert (caught.value.line, caught.value.expected, caught.value.found) == (1, "an event", "nothing")


def test_a_log_begins_with_the_start_of_a_game() -> None:
    with pytest.raises(LogError) as caught:
        read_all(b"\n" + log(DREW, START))
    assert str(caught.value) == 'a.jsonl, line 2: type: expected game_started, which begins a log, found "drew"'


def test_every_cut_names_the_line_and_keeps_what_came_before() -> None:
    ends = [end for end, byte in enumerate(_LOG) if byte == ord("\n")]
    for size in range(1, len(_LOG)):
        records, error = read_until_error(_LOG[:size])
        whole = sum(end <= size for end in ends)
        assert len(records) == whole
        if size - 1 in ends or size in ends:
            assert error is None
            continue
        assert isinstance(error, LogError)
        assert (error.line, error.expected) == (whole + 1, "one complete JSON object")


@pytest.mark.parametrize(("pack", "name"), [(gzip.compress, "gzip"), (zstandard.compress, "zstd")])
def test_every_cut_of_packed_data_is_seen(pack: Callable[[bytes], bytes], name: str) -> None:
    packed = pack(_LOG)
    for size in range(4, len(packed)):
        _, error = read_until_error(packed[:size])
        assert isinstance(error, LogError), size
        assert error.expected == f"complete {name} data"


@pytest.mark.parametrize(("pack", "name"), [(gzip.compress, "gzip"), (zstandard.compress, "zstd")])
def test_what_comes_before_a_cut_is_given(pack: Callable[[bytes], bytes], name: str) -> None:
    data = _LOG + log(
        *({**DREW, "seq": seq, "x_salt": random.Random(seq).randbytes(40).hex()} for seq in range(3, 9999))
    )
    packed = pack(data)
    records, error = read_until_error(packed[: len(packed) // 2])
    assert len(records) > 3000
    assert isinstance(error, LogError)
    assert error.line == records[-1].line + 1


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.ZstdCompressor(write_checksum=True).compress])
def test_corrupt_packing_is_never_a_librarys_error(pack: Callable[[bytes], bytes]) -> None:
    packed = pack(_LOG)
    good = [record.document for record in read_all(_LOG)]
    for place in range(len(packed)):
        broken = bytearray(packed)
        broken[place] ^= 0x55
        records, error = read_until_error(bytes(broken))
        if error is None:  # a header's time stamp or flag says nothing about the data
            assert [record.document for record in records] == good
        else:
            assert isinstance(error, LogError)


@pytest.mark.parametrize("data", [gzip.compress(_LOG) + b"rest", zstandard.compress(_LOG) + b"rest"])
def test_rest_after_packed_data(data: bytes) -> None:
    records, error = read_until_error(data)
    assert len(records) == 3
    assert isinstance(error, LogError)


@pytest.mark.parametrize(
    "data", [bz2.compress(_LOG), gzip.compress(gzip.compress(_LOG)), random.Random(1).randbytes(999)]
)
def test_other_binary_data(data: bytes) -> None:
    records, error = read_until_error(data)
    assert records == []
    assert isinstance(error, LogError)
    assert error.line == 1


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b""])
@pytest.mark.parametrize("begin", [b"", b"\xef\xbb\xbf"])
def test_the_longest_line(begin: bytes, end: bytes) -> None:
    room = LINE_LIMIT - len(json.dumps({**START, "x_": ""}))
    longest = json.dumps({**START, "x_": "a" * room}).encode()
    assert len(longest) == LINE_LIMIT
    assert len(read_all(begin + longest + end)) == 1
    records, error = read_until_error(begin + longest.replace(b"aa", b"aaa", 1) + end)
    assert records == []
    assert isinstance(error, LogError)
    assert error.expected == f"a line of at most {LINE_LIMIT} bytes"


class _Endless(io.RawIOBase):
    """A stream of ``size`` bytes made as they are read."""

    def __init__(self, first: bytes, block: bytes, size: int) -> None:
        self._ready = first
        self._block = block
        self._left = size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if not self._ready and self._left > 0:
            self._ready = self._block
            self._left -= len(self._block)
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size


@contextmanager
def _at_most(size: int) -> Iterator[None]:
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < size
    finally:
        tracemalloc.stop()


def _wall(seq: int) -> dict[str, object]:
    wall = [f"{n}{s}" for s in "mps" for n in range(1, 10)] * 5
    return {"seq": seq, "type": "wall_revealed", "at": DREW["at"], "hand": 1, "wall": wall}


def test_fifty_megabytes_in_flat_memory() -> None:
    game = log(START, *({**_wall(seq), "x_more": "a" * (seq % 2 * 60_000)} for seq in range(1, 50)))
    size = 50 * _MEGABYTE
    with _at_most(4 * _MEGABYTE):
        read_bytes = (
            sum(1 for _ in read(io.BufferedReader(_Endless(b"", game, size)), source="large")) * len(game) // 50
        )
    assert read_bytes >= size


@pytest.mark.parametrize("block", [b"\0" * 65_536, b"[" * 65_536, b" " * 65_536])
def test_an_endless_line_is_not_read(block: bytes) -> None:
    stream = _Endless(_LOG, block, 1 << 40)
    with _at_most(4 * _MEGABYTE), pytest.raises(LogError, match="line 4: expected a line of at most 65536 bytes"):
        list(read(io.BufferedReader(stream), source="endless"))


@pytest.mark.parametrize("name", ["gzip", "zstd"])
def test_a_decompression_bomb_stays_small(name: str) -> None:
    size = 256 * _MEGABYTE
    bomb = _zstd_bomb(size) if name == "zstd" else gzip.compress(bytes(size), 6)
    assert len(bomb) < size // 500
    with _at_most(40 * _MEGABYTE), pytest.raises(LogError, match="line 4: expected a line of at most 65536 bytes"):
        list(read(io.BytesIO((zstandard.compress if name == "zstd" else gzip.compress)(_LOG) + bomb), source="bomb"))


def _zstd_bomb(size: int) -> bytes:
    return zstandard.ZstdCompressor().compress(bytes(size))


def test_a_zstd_window_beyond_what_decoders_must_support_is_refused() -> None:
    parameters = zstandard.ZstdCompressionParameters(window_log=27, write_content_size=0)
    pack = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    packed = pack.compress(_LOG) + pack.flush()
    _, error = read_until_error(packed)
    assert isinstance(error, LogError)
    assert "too much memory" in error.found


def test_the_largest_game() -> None:
    drew = log(DREW)
    stream = _Endless(log(START), drew, (EVENT_LIMIT - 1) * len(drew))
    assert sum(1 for _ in read(io.BufferedReader(stream), source="a")) == EVENT_LIMIT
    records = read(io.BufferedReader(_Endless(log(START), drew, EVENT_LIMIT * len(drew))), source="a")
    assert sum(1 for _ in islice(records, EVENT_LIMIT)) == EVENT_LIMIT
    with pytest.raises(LogError, match=f"line {EVENT_LIMIT + 1}: expected a game of at most {EVENT_LIMIT} events"):
        next(records)


def test_the_limit_is_of_a_game_not_of_a_file() -> None:
    game = log(START, *(_wall(seq) for seq in range(1, 10))) + b"\n" * 3
    drew = log(DREW)
    data = log(START) + drew * (EVENT_LIMIT // 2) + game + log(START) + drew * (EVENT_LIMIT // 2)
    assert sum(1 for _ in read(io.BytesIO(data), source="a")) == EVENT_LIMIT + 12
