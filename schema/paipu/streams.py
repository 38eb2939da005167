"""From a stream of bytes to lines: packing, line ends, byte-order mark and the limit of a line's length.

Memory stays flat whatever comes: a line is never read beyond its limit, and packed data is unpacked as it is needed.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Iterator
from gzip import BadGzipFile, GzipFile
from typing import IO, NamedTuple

import zstandard

from schema.paipu.errors import LogError

#: Longest line in bytes, without its line end (64 KiB).
LINE_LIMIT = 64 * 1024

_BOM = b"\xef\xbb\xbf"
_WHITESPACE = b" \t\r\n"  # what JSON calls whitespace
_READ = LINE_LIMIT + len(_BOM) + len(b"\r\n")
_BUFFER = 64 * 1024
_MAGIC = 4  # bytes that tell how a file is packed

# 4 bytes of a frame can stand for 128 KiB: 256 at a time stay below 8 MiB, the window that RFC 8878 asks every
# decoder to support.
_ZSTD_PIECE = 256
_ZSTD_WINDOW = 8 * 1024 * 1024


class _Joined(io.RawIOBase):
    """The first bytes of a stream, already read to look at them, and then the rest: works for pipes too."""

    def __init__(self, head: bytes, rest: IO[bytes] | GzipFile) -> None:
        self._head = head
        self._read: Callable[[int], bytes] = getattr(rest, "read1", rest.read)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        data = self._head[: len(buffer)] or self._read(len(buffer))
        self._head = self._head[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)


class _Zstd(io.RawIOBase):
    """Unpacks zstd frames one after the other; ``EOFError`` where the data stops inside one.

    The library's own stream reader takes a cut frame for the end of the data.
    """

    def __init__(self, packed: IO[bytes]) -> None:
        self._packed = packed
        self._unpacker = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
        self._frame = self._unpacker.decompressobj()
        self._inside = False
        self._leftover = b""
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        while not self._ready:
            piece = self._leftover or self._packed.read(_ZSTD_PIECE)
            if not piece:
                return self._end()
            self._ready = memoryview(self._unpack(piece))
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size

    def _unpack(self, piece: bytes) -> bytes:
        data = self._frame.decompress(piece)
        self._leftover = self._frame.unused_data if self._frame.eof else b""
        self._inside = not self._frame.eof
        if self._frame.eof:
            self._frame = self._unpacker.decompressobj()
        return data

    def _end(self) -> int:
        if self._inside:
            raise EOFError("the data stops inside a frame")
        return 0


class _Packing(NamedTuple):
    name: str
    magic: bytes
    unpack: Callable[[IO[bytes]], io.RawIOBase]


def _gunzip(packed: IO[bytes]) -> io.RawIOBase:
    """Read by ``read1``: a larger read would lose what was good before a cut."""
    return _Joined(b"", GzipFile(fileobj=packed, mode="rb"))


_PACKINGS = (_Packing("gzip", b"\x1f\x8b", _gunzip), _Packing("zstd", b"\x28\xb5\x2f\xfd", _Zstd))
_BROKEN = (EOFError, BadGzipFile, zlib.error, zstandard.ZstdError)


def lines(stream: IO[bytes], source: str) -> Iterator[tuple[int, bytes]]:
    """The lines of ``stream`` that are not blank, with their numbers from 1, without line end and byte-order mark.

    gzip and zstd are recognised by their first bytes. Raises ``LogError`` for a line over ``LINE_LIMIT`` and for
    packed data that is cut or corrupt, after every line before it was given.
    """
    text, packing = _opened(stream)
    number = 0
    while True:
        number += 1
        try:
            raw = text.readline(_READ)
        except _BROKEN as error:
            raise LogError(source, number, None, f"complete {packing} data", str(error)) from None
        if not raw:
            return
        if raw.startswith(_BOM):  # at any line: files that are put together keep theirs
            raw = raw[len(_BOM) :]
        if len(raw) > LINE_LIMIT and len(raw.rstrip(b"\r\n")) > LINE_LIMIT:
            raise LogError(source, number, None, f"a line of at most {LINE_LIMIT} bytes", "a longer one")
        line = raw.strip(_WHITESPACE)
        if line:
            yield number, line


def _opened(stream: IO[bytes]) -> tuple[IO[bytes], str]:
    """``stream`` unpacked, and how it was packed."""
    head = stream.read(_MAGIC)
    plain = io.BufferedReader(_Joined(head, stream), _BUFFER)
    for packing in _PACKINGS:
        if head.startswith(packing.magic):
            return io.BufferedReader(packing.unpack(plain), _BUFFER), packing.name
    return plain, "plain"
