"""Roots and proofs of a log whose complete subtrees are kept by level and index (RFC 9162, section 2.1).

A node ``(level, index)`` is the hash over the leaves ``index * 2^level`` up to ``(index + 1) * 2^level``. Every proof
needs some ten of them however large the log is, so all functions first say which ones (``nodes``) and then put them
together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from replays.merkle import EMPTY_ROOT, ProofError, node_hash


class Node(NamedTuple):
    """A complete subtree: level 0 are the leaves."""

    level: int
    index: int  # type: ignore[assignment]  # the field's term, which hides tuple.index


class Span(NamedTuple):
    """The leaves from ``start`` up to but without ``stop``, ``start`` a multiple of the largest subtree in it."""

    start: int
    stop: int


#: Gives the hashes of nodes, all of them; ``KeyError`` is not expected: a log keeps every complete subtree.
Fetch = Callable[[Sequence[Node]], Mapping[Node, bytes]]


def root(size: int, fetch: Fetch) -> bytes:
    """The root of the first ``size`` leaves; ``EMPTY_ROOT`` for 0."""
    return _hashes([Span(0, size)], fetch)[0] if size else EMPTY_ROOT


def inclusion_proof(index: int, size: int, fetch: Fetch) -> list[bytes]:
    """The path from leaf ``index`` to the root of the first ``size``; ``ProofError`` for an index outside."""
    if not 0 <= index < size:
        raise ProofError("index", f"leaf {index} is outside the tree of size {size}")
    return _hashes(_inclusion_spans(index, Span(0, size)), fetch)


def consistency_proof(first: int, size: int, fetch: Fetch) -> list[bytes]:
    """The proof that the first ``first`` leaves are a prefix of the first ``size``; ``ProofError`` for a ``first`` of
    0 or beyond ``size``."""
    if not 1 <= first <= size:
        raise ProofError("size", f"a tree of {first} is no prefix of a tree of {size}")
    return _hashes(_consistency_spans(first, Span(0, size)), fetch)


def nodes(span: Span) -> list[Node]:
    """The complete subtrees that a span falls into, from left to right, each as large as can be."""
    found, start = [], span.start
    while start < span.stop:
        level = (span.stop - start).bit_length() - 1
        if start:
            level = min(level, (start & -start).bit_length() - 1)
        found.append(Node(level, start >> level))
        start += 1 << level
    return found


class Frontier:
    """A tree that only grows: its complete subtrees from left to right, each smaller than the one before."""

    def __init__(self, subtrees: Iterable[tuple[int, bytes]] = ()) -> None:
        self._subtrees = list(subtrees)

    def add(self, leaf: bytes) -> list[tuple[int, bytes]]:
        """One more leaf; the subtrees that it completes (level and hash), itself first."""
        level, node = 0, leaf
        completed = [(level, node)]
        while self._subtrees and self._subtrees[-1][0] == level:
            node = node_hash(self._subtrees.pop()[1], node)
            level += 1
            completed.append((level, node))
        self._subtrees.append((level, node))
        return completed

    @property
    def root(self) -> bytes:
        """The root of all leaves so far."""
        joined = EMPTY_ROOT
        for place, (_, node) in enumerate(reversed(self._subtrees)):
            joined = node if place == 0 else node_hash(node, joined)
        return joined


def _hashes(spans: Sequence[Span], fetch: Fetch) -> list[bytes]:
    parts = [nodes(span) for span in spans]
    wanted = list(dict.fromkeys(node for part in parts for node in part))
    kept = fetch(wanted) if wanted else {}
    return [_joined(kept[node] for node in part) for part in parts]


def _joined(hashes: Iterable[bytes]) -> bytes:
    """The hash over subtrees of falling size beside each other."""
    *lefts, joined = hashes
    for left in reversed(lefts):
        joined = node_hash(left, joined)
    return joined


def _split(span: Span) -> tuple[Span, Span]:
    middle = span.start + (1 << ((span.stop - span.start - 1).bit_length() - 1))
    return Span(span.start, middle), Span(middle, span.stop)


def _inclusion_spans(index: int, span: Span) -> list[Span]:
    path = []
    while span.stop - span.start > 1:
        left, right = _split(span)
        span, sibling = (left, right) if index < left.stop else (right, left)
        path.append(sibling)
    path.reverse()
    return path


def _consistency_spans(first: int, span: Span) -> list[Span]:
    path = []
    whole = True  # whether the subtree on hand is the first tree itself, whose root a verifier already has
    while first < span.stop:
        left, right = _split(span)
        if first <= left.stop:
            path.append(right)
            span = left
        else:
            path.append(left)
            span, whole = right, False
    if not whole:
        path.append(span)
    path.reverse()
    return path
