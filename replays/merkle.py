"""Merkle trees and their proofs, as RFC 9162 (section 2.1) defines them over SHA-256.

Trees are given by their leaf *hashes* (32 bytes each, ``leaf_hash`` makes them), proofs are lists of 32-byte nodes
in the RFC's order. A verification says nothing when it holds and raises ``ProofError`` when it does not; it accepts
neither a tree of size 0, nor an index outside the tree, nor a path longer or shorter than the sizes demand.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

HASH_SIZE = 32  #: bytes in every node

#: The root of the tree without leaves. It exists (RFC 9162, 2.1.1), but nothing can be proven of it.
EMPTY_ROOT = sha256(b"").digest()


class ProofError(ValueError):
    """A proof that does not hold.

    ``code`` is ``size`` (of a tree), ``index``, ``length`` (of the path), ``node`` (a hash that is not 32 bytes) or
    ``root`` (everything fits but the hashes differ); the message says what was found.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def leaf_hash(data: bytes) -> bytes:
    """The hash of a leaf whose input is ``data``."""
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of the node over two hashes."""
    return sha256(b"\x01" + left + right).digest()


def root(leaves: Sequence[bytes]) -> bytes:
    """The Merkle tree hash over leaf hashes; ``EMPTY_ROOT`` where there are none."""
    if not leaves:
        return EMPTY_ROOT
    level = leaves
    while len(level) > 1:
        level = _parents(level)
    return level[0]


def inclusion_proof(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """The path from leaf ``index`` to the root (RFC 9162, 2.1.3.1); ``ProofError`` for an index outside the tree."""
    _require_index(index, len(leaves))
    path: list[bytes] = []
    level = leaves
    while len(level) > 1:
        sibling = index ^ 1
        if sibling < len(level):
            path.append(level[sibling])
        level = _parents(level)
        index >>= 1
    return path


def consistency_proof(leaves: Sequence[bytes], first: int) -> list[bytes]:
    """The proof that the tree of the ``first`` leaves is a prefix of the tree of all (RFC 9162, 2.1.4.1).

    Empty where both are the same tree; ``ProofError`` for size 0 or a ``first`` beyond the tree.
    """
    _require_sizes(first, len(leaves))
    proof: list[bytes] = []
    whole = True  # whether the subtree in hand is the first tree itself, whose root a verifier already has
    while first < len(leaves):
        split = 1 << ((len(leaves) - 1).bit_length() - 1)
        left, right = leaves[:split], leaves[split:]
        if first <= split:
            proof.append(root(right))
            leaves = left
        else:
            proof.append(root(left))
            leaves, first, whole = right, first - split, False
    if not whole:
        proof.append(root(leaves))
    proof.reverse()
    return proof


def verify_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root_hash: bytes) -> None:
    """Check that ``leaf`` is the leaf hash at ``index`` of the tree of ``size`` leaves under ``root_hash``
    (RFC 9162, 2.1.3.2); ``ProofError`` if not."""
    _require_index(index, size)
    _require_nodes((leaf, *proof))
    node, last = leaf, size - 1
    for step in proof:
        if not last:
            raise ProofError("length", f"path of {len(proof)} nodes is too long for leaf {index} of {size}")
        if index & 1 or index == last:
            node = node_hash(step, node)
            shift = _left_edge(index)
        else:
            node = node_hash(node, step)
            shift = 1
        index, last = index >> shift, last >> shift
    if last:
        raise ProofError("length", f"path of {len(proof)} nodes is too short for a tree of {size}")
    _require_root(node, root_hash, size)


def verify_consistency(size1: int, size2: int, root1: bytes, root2: bytes, proof: Sequence[bytes]) -> None:
    """Check that the tree of ``size1`` leaves under ``root1`` is a prefix of that of ``size2`` under ``root2``
    (RFC 9162, 2.1.4.2); ``ProofError`` if not. Equal sizes need equal roots and an empty proof."""
    _require_sizes(size1, size2)
    if size1 == size2:
        if proof:
            raise ProofError("length", f"trees of the same size take no path, this has {len(proof)} nodes")
        _require_root(root1, root2, size2)
        return
    if not proof:
        raise ProofError("length", f"no path between trees of {size1} and {size2}")
    _require_nodes((root1, root2, *proof))
    # A first tree of 2^n leaves is itself a node of the second one, and the proof leaves it out.
    path = [root1, *proof] if size1.bit_count() == 1 else list(proof)
    old, new = _consistent_roots(size1, size2, path)
    _require_root(old, root1, size1)
    _require_root(new, root2, size2)


def _consistent_roots(size1: int, size2: int, path: list[bytes]) -> tuple[bytes, bytes]:
    """The two roots that ``path`` leads to, from the largest node that both trees share."""
    index, last = size1 - 1, size2 - 1
    shared = (~index & -~index).bit_length() - 1  # trailing ones: levels within that shared node
    index, last = index >> shared, last >> shared
    old = new = path[0]
    for step in path[1:]:
        if not last:
            raise ProofError("length", f"path is too long between trees of {size1} and {size2}")
        if index & 1 or index == last:
            old, new = node_hash(step, old), node_hash(step, new)
            shift = _left_edge(index)
        else:
            new = node_hash(new, step)
            shift = 1
        index, last = index >> shift, last >> shift
    if last:
        raise ProofError("length", f"path is too short between trees of {size1} and {size2}")
    return old, new


def _left_edge(index: int) -> int:
    """How many levels to climb after joining a left neighbour: a node without right sibling rises alone first."""
    return (index & -index).bit_length()


def _parents(level: Sequence[bytes]) -> list[bytes]:
    """The next level of a tree; a last node without sibling goes up as it is."""
    pairs = iter(level)
    parents = [sha256(b"\x01" + left + right).digest() for left, right in zip(pairs, pairs, strict=False)]
    if len(level) & 1:
        parents.append(level[-1])
    return parents


def _require_index(index: int, size: int) -> None:
    if size < 1:
        raise ProofError("size", f"nothing can be proven of a tree of size {size}")
    if not 0 <= index < size:
        raise ProofError("index", f"leaf {index} is outside the tree of size {size}")


def _require_sizes(size1: int, size2: int) -> None:
    if size1 < 1:
        raise ProofError("size", f"nothing can be proven of a tree of size {size1}")
    if size1 > size2:
        raise ProofError("size", f"a tree of {size1} is no prefix of a tree of {size2}")


def _require_nodes(nodes: Sequence[bytes]) -> None:
    for node in nodes:
        if len(node) != HASH_SIZE:
            raise ProofError("node", f"a hash of {len(node)} bytes, expected {HASH_SIZE}")


def _require_root(found: bytes, expected: bytes, size: int) -> None:
    if found != expected:
        raise ProofError("root", f"root of the tree of {size} is {expected.hex()}, the proof leads to {found.hex()}")
