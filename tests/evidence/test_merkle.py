"""RFC 9162 trees and proofs: the public cases, the RFC's recursive text written once more, all small trees."""

from __future__ import annotations

import json
from base64 import b64decode
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replays import merkle
from replays.merkle import ProofError
from tests.shared import contract

LARGEST = 40
LEAVES = [merkle.leaf_hash(bytes([n])) for n in range(LARGEST)]


def cases(kind: str) -> dict[str, Any]:
    document = json.loads(contract(f"vectors/merkle-{kind}.json").read_bytes())
    found: dict[str, Any] = document["cases"]
    return found


INCLUSION = cases("inclusion")
CONSISTENCY = cases("consistency")


def node(text: str | None) -> bytes:
    return b64decode(text or "")


def path(nodes: list[str] | None) -> list[bytes]:
    return [node(text) for text in nodes or []]


def test_there_are_98_public_cases_of_each() -> None:
    assert len(INCLUSION) == len(CONSISTENCY) == 98


@pytest.mark.parametrize("name", INCLUSION)
def test_public_inclusion_case(name: str) -> None:
    case = INCLUSION[name]
    arguments = (
        node(case["leafHash"]),
        case["leafIdx"],
        case["treeSize"],
        path(case["proof"]),
        node(case["root"]),
    )
    if case["wantErr"]:
        with pytest.raises(ProofError):
            merkle.verify_inclusion(*arguments)
    else:
        merkle.verify_inclusion(*arguments)


@pytest.mark.parametrize("name", CONSISTENCY)
def test_public_consistency_case(name: str) -> None:
    case = CONSISTENCY[name]
    arguments = (case["size1"], case["size2"], node(case["root1"]), node(case["root2"]), path(case["proof"]))
    if case["wantErr"]:
        with pytest.raises(ProofError):
            merkle.verify_consistency(*arguments)
    else:
        merkle.verify_consistency(*arguments)


# RFC 9162, 2.1.1 to 2.1.4, as the text defines them: slow and recursive, against which ours is checked.


def largest_power_below(n: int) -> int:
    k = 1
    while 2 * k < n:
        k *= 2
    return k


def mth(leaves: list[bytes]) -> bytes:
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    k = largest_power_below(len(leaves))
    return sha256(b"\x01" + mth(leaves[:k]) + mth(leaves[k:])).digest()


def inclusion_path(m: int, leaves: list[bytes]) -> list[bytes]:
    if len(leaves) == 1:
        return []
    k = largest_power_below(len(leaves))
    if m < k:
        return [*inclusion_path(m, leaves[:k]), mth(leaves[k:])]
    return [*inclusion_path(m - k, leaves[k:]), mth(leaves[:k])]


def subproof(m: int, leaves: list[bytes], whole: bool) -> list[bytes]:
    if m == len(leaves):
        return [] if whole else [mth(leaves)]
    k = largest_power_below(len(leaves))
    if m <= k:
        return [*subproof(m, leaves[:k], whole), mth(leaves[k:])]
    return [*subproof(m - k, leaves[k:], False), mth(leaves[:k])]


@pytest.mark.parametrize("size", range(LARGEST + 1))
def test_root_is_the_rfc_s(size: int) -> None:
    assert merkle.root(LEAVES[:size]) == mth(LEAVES[:size])


def test_known_roots_of_the_certificate_transparency_tests() -> None:
    inputs = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
    leaves = [merkle.leaf_hash(bytes.fromhex(text)) for text in inputs]
    assert merkle.root([]).hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert merkle.root(leaves[:1]).hex() == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
    assert merkle.root(leaves).hex() == "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"


@pytest.mark.parametrize("size", range(1, LARGEST + 1))
def test_every_leaf_of_every_small_tree(size: int) -> None:
    leaves = LEAVES[:size]
    root = merkle.root(leaves)
    for index in range(size):
        proof = merkle.inclusion_proof(leaves, index)
        assert proof == inclusion_path(index, leaves)
        merkle.verify_inclusion(leaves[index], index, size, proof, root)


@pytest.mark.parametrize("size", range(1, LARGEST + 1))
def test_every_prefix_of_every_small_tree(size: int) -> None:
    leaves = LEAVES[:size]
    root = merkle.root(leaves)
    for first in range(1, size + 1):
        proof = merkle.consistency_proof(leaves, first)
        assert proof == subproof(first, leaves, True)
        merkle.verify_consistency(first, size, merkle.root(leaves[:first]), root, proof)


def flipped(data: bytes, bit: int) -> bytes:
    bit %= 8 * len(data)
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


SIZES = st.integers(1, LARGEST)
ANY = st.integers(0, 10**6)


@settings(deadline=None)
@given(SIZES, ANY, ANY, ANY)
def test_inclusion_fails_with_any_bit_flipped(size: int, index: int, which: int, bit: int) -> None:
    leaves, index = LEAVES[:size], index % size
    nodes = [leaves[index], merkle.root(leaves), *merkle.inclusion_proof(leaves, index)]
    which %= len(nodes)
    nodes[which] = flipped(nodes[which], bit)
    leaf, root, *proof = nodes
    with pytest.raises(ProofError) as caught:
        merkle.verify_inclusion(leaf, index, size, proof, root)
    assert caught.value.code == "root"


@settings(deadline=None)
@given(SIZES, ANY, ANY, ANY)
def test_consistency_fails_with_any_bit_flipped(size: int, first: int, which: int, bit: int) -> None:
    leaves, first = LEAVES[:size], first % size + 1
    nodes = [merkle.root(leaves[:first]), merkle.root(leaves), *merkle.consistency_proof(leaves, first)]
    which %= len(nodes)
    nodes[which] = flipped(nodes[which], bit)
    root1, root2, *proof = nodes
    with pytest.raises(ProofError) as caught:
        merkle.verify_consistency(first, size, root1, root2, proof)
    assert caught.value.code == "root"


@settings(deadline=None)
@given(SIZES, ANY, ANY)
def test_inclusion_at_another_index_fails(size: int, index: int, other: int) -> None:
    leaves, index, other = LEAVES[:size], index % size, other % (2 * size) - size // 2
    if other == index:
        other += size
    proof, root = merkle.inclusion_proof(leaves, index), merkle.root(leaves)
    with pytest.raises(ProofError):
        merkle.verify_inclusion(leaves[index], other, size, proof, root)


@settings(deadline=None)
@given(SIZES, ANY, ANY)
def test_longer_and_shorter_paths_fail(size: int, index: int, where: int) -> None:
    leaves, index = LEAVES[:size], index % size
    root, first = merkle.root(leaves), index + 1
    included, consistent = merkle.inclusion_proof(leaves, index), merkle.consistency_proof(leaves, first)
    for proof in resized(included, where):
        with pytest.raises(ProofError) as caught:
            merkle.verify_inclusion(leaves[index], index, size, proof, root)
        assert caught.value.code == ("node" if b"" in proof else "length")
    for proof in resized(consistent, where):
        with pytest.raises(ProofError) as caught:
            merkle.verify_consistency(first, size, merkle.root(leaves[:first]), root, proof)
        assert caught.value.code == ("node" if b"" in proof and first < size else "length")


def resized(proof: list[bytes], where: int) -> list[list[bytes]]:
    """``proof`` with a node added, doubled or taken away at ``where``."""
    at = where % (len(proof) + 1)
    longer = [[*proof[:at], LEAVES[0], *proof[at:]], [*proof, bytes(32)], [*proof, b""]]
    if not proof:
        return longer
    at = where % len(proof)
    return [*longer, [*proof[:at], proof[at], *proof[at:]], [*proof[:at], *proof[at + 1 :]]]


@pytest.mark.parametrize("sizes", [(0, 0), (0, 1), (-1, 1), (-1, -1), (2, 1), (1, 0)])
def test_sizes_of_which_nothing_can_be_proven(sizes: tuple[int, int]) -> None:
    first, second = sizes
    with pytest.raises(ProofError) as caught:
        merkle.verify_consistency(first, second, merkle.EMPTY_ROOT, merkle.EMPTY_ROOT, [])
    assert caught.value.code == "size"


@pytest.mark.parametrize("size", [0, -1])
def test_inclusion_in_no_tree(size: int) -> None:
    with pytest.raises(ProofError) as caught:
        merkle.verify_inclusion(merkle.EMPTY_ROOT, 0, size, [], merkle.EMPTY_ROOT)
    assert caught.value.code == "size"


@pytest.mark.parametrize("index", [-1, 3, 4, 2**64])
def test_index_outside_the_tree(index: int) -> None:
    with pytest.raises(ProofError) as caught:
        merkle.verify_inclusion(LEAVES[0], index, 3, [], merkle.root(LEAVES[:3]))
    assert caught.value.code == "index"
    with pytest.raises(ProofError):
        merkle.inclusion_proof(LEAVES[:3], index)


@pytest.mark.parametrize("first", [-1, 0, 4])
def test_no_consistency_proof_from_such_a_size(first: int) -> None:
    with pytest.raises(ProofError) as caught:
        merkle.consistency_proof(LEAVES[:3], first)
    assert caught.value.code == "size"


@pytest.mark.parametrize("shift", [-1, 1])
def test_a_node_of_another_length_is_no_node(shift: int) -> None:
    """Two neighbours whose bytes are cut elsewhere would hash alike."""
    joined = LEAVES[0] + LEAVES[1]
    leaf, sibling = joined[: 32 + shift], joined[32 + shift :]
    with pytest.raises(ProofError) as caught:
        merkle.verify_inclusion(leaf, 0, 2, [sibling], merkle.root(LEAVES[:2]))
    assert caught.value.code == "node"
    with pytest.raises(ProofError) as caught:
        merkle.verify_consistency(1, 2, leaf, merkle.root(LEAVES[:2]), [sibling])
    assert caught.value.code == "node"
