"""Roots and proofs out of stored subtrees: the same as ``replays.merkle`` has of the whole tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replays import merkle
from replays.merkle import ProofError
from service.evidence.log_tree import Fetch, Frontier, Node, Span, consistency_proof, inclusion_proof, nodes, root

SMALL = 70
LARGE = 3000


@cache
def leaf(index: int) -> bytes:
    return merkle.leaf_hash(index.to_bytes(8, "big"))


@cache
def leaves(size: int) -> list[bytes]:
    return [leaf(index) for index in range(size)]


def stored(size: int) -> dict[Node, bytes]:
    """What a log of that size keeps: every complete subtree, computed without the module that is tested."""
    level, row = 0, leaves(size)
    kept: dict[Node, bytes] = {}
    while row:
        kept |= {Node(level, index): node for index, node in enumerate(row)}
        pairs = zip(row[::2], row[1::2], strict=False)
        level, row = level + 1, [merkle.node_hash(left, right) for left, right in pairs]
    return kept


LOG = stored(LARGE)


def of_size(size: int) -> Fetch:
    """Fetches from a log of ``size`` leaves: nothing that only a larger one has, in one go, each node once."""

    def fetch(wanted: Sequence[Node]) -> Mapping[Node, bytes]:
        assert len(set(wanted)) == len(wanted)
        assert all((node.index + 1) << node.level <= size for node in wanted)
        return {node: LOG[node] for node in wanted}

    return fetch


def test_root_of_every_small_size() -> None:
    for size in range(SMALL + 1):
        assert root(size, of_size(size)) == merkle.root(leaves(size))


def test_inclusion_of_every_leaf_in_every_small_size() -> None:
    for size in range(1, SMALL + 1):
        for index in range(size):
            assert inclusion_proof(index, size, of_size(size)) == merkle.inclusion_proof(leaves(size), index)


def test_consistency_of_every_two_small_sizes() -> None:
    for size in range(1, SMALL + 1):
        for first in range(1, size + 1):
            assert consistency_proof(first, size, of_size(size)) == merkle.consistency_proof(leaves(size), first)


SIZES = st.integers(1, LARGE)


@settings(deadline=None)
@given(SIZES, st.data())
def test_large_sizes(size: int, data: st.DataObject) -> None:
    index, first = data.draw(st.integers(0, size - 1)), data.draw(st.integers(1, size))
    fetch, found = of_size(size), merkle.root(leaves(LARGE)[:size])
    assert root(size, fetch) == found
    assert root(first, fetch) == merkle.root(leaves(LARGE)[:first])
    merkle.verify_inclusion(leaf(index), index, size, inclusion_proof(index, size, fetch), found)
    merkle.verify_consistency(first, size, root(first, fetch), found, consistency_proof(first, size, fetch))


@settings(deadline=None)
@given(st.integers(1, (1 << 62) - 1), st.data())
def test_few_nodes_however_large_the_log(size: int, data: st.DataObject) -> None:
    """At most one node a level for a root, two for a proof; nothing is asked of beyond the log."""
    asked: list[Node] = []

    def fetch(wanted: Sequence[Node]) -> Mapping[Node, bytes]:
        asked.extend(wanted)
        return {node: leaf(0) for node in wanted}

    root(size, fetch)
    assert len(asked) == size.bit_count()
    index, first = data.draw(st.integers(0, size - 1)), data.draw(st.integers(1, size))
    for proof in (inclusion_proof(index, size, fetch), consistency_proof(first, size, fetch)):
        assert len(proof) <= size.bit_length() + 1
    assert len(asked) <= 6 * size.bit_length()
    assert all(node.index >= 0 and (node.index + 1) << node.level <= size for node in asked)


def test_nothing_is_proven_of_an_empty_log() -> None:
    def fetch(wanted: Sequence[Node]) -> Mapping[Node, bytes]:
        raise AssertionError(wanted)

    assert root(0, fetch) == merkle.EMPTY_ROOT
    for index in (-1, 0, 1):
        assert refused(inclusion_proof, index, 0, fetch) == "index"
        assert refused(consistency_proof, index, 0, fetch) == "size"


@pytest.mark.parametrize("size", [1, 2, 7, 8])
def test_outside_the_log(size: int) -> None:
    fetch = of_size(size)
    assert refused(inclusion_proof, -1, size, fetch) == "index"
    assert refused(inclusion_proof, size, size, fetch) == "index"
    assert refused(consistency_proof, 0, size, fetch) == "size"
    assert refused(consistency_proof, -1, size, fetch) == "size"
    assert refused(consistency_proof, size + 1, size, fetch) == "size"
    assert consistency_proof(size, size, fetch) == []


def refused(prove: object, place: int, size: int, fetch: Fetch) -> str:
    with pytest.raises(ProofError) as caught:
        prove(place, size, fetch)  # type: ignore[operator]
    return caught.value.code


@given(st.integers(0, 1 << 62), st.integers(0, 62), st.data())
def test_nodes_cover_a_span(start: int, level: int, data: st.DataObject) -> None:
    """Beside each other, from its first leaf to its last, and none could be twice as large."""
    start = start >> level << level
    span = Span(start, start + data.draw(st.integers(0, 1 << level)))
    found = nodes(span)
    place = span.start
    for node in found:
        assert node.index << node.level == place
        place += 1 << node.level
    assert place == span.stop
    levels = [node.level for node in found]
    assert levels == sorted(set(levels), reverse=True)


@settings(deadline=None)
@given(st.integers(0, 400), st.integers(0, 100))
def test_frontier(start: int, more: int) -> None:
    """Taken up at any size it completes the subtrees of the log, and its root is the log's."""
    whole = nodes(Span(0, start))
    tree = Frontier((node.level, LOG[node]) for node in whole)
    assert tree.root == merkle.root(leaves(LARGE)[:start])
    for index in range(start, start + more):
        completed = tree.add(leaf(index))
        assert [level for level, _ in completed] == list(range(len(completed)))
        for level, node in completed:
            assert (index + 1) % (1 << level) == 0
            assert node == LOG[Node(level, index >> level)]
        assert (index + 1) % (1 << len(completed)) != 0
        assert tree.root == merkle.root(leaves(LARGE)[: index + 1])
