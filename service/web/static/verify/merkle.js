/**
 * Merkle trees and their proofs, straight from the recursive definitions of RFC 9162, section 2.1.
 *
 * Nodes are 32 bytes; sizes and indices are numbers or BigInts up to 2^63 − 1. Verifications return nothing when they
 * hold and throw a `Fault` when they do not: code `size`, `index`, `length` (of the path), `node` or `root`.
 */

import { equal, hex } from "./bytes.js";
import { sha256 } from "./digests.js";
import { demand, Fault } from "./fault.js";
import { unpaced } from "./pace.js";

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

export function leafHash(data) {
  return sha256(LEAF, data);
}

function nodeHash(left, right) {
  return sha256(NODE, left, right);
}

/** The tree hash over leaf hashes (2.1.1). */
export async function root(leaves, pace = unpaced) {
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return leaves[0];
  await pace();
  const split = Number(largestPowerBelow(BigInt(leaves.length)));
  return nodeHash(await root(leaves.slice(0, split), pace), await root(leaves.slice(split), pace));
}

/** Check that `leaf` is the leaf hash at `index` of the tree of `size` leaves under `expected` (2.1.3). */
export async function verifyInclusion(leaf, index, size, path, expected) {
  const [place, leaves] = [BigInt(index), BigInt(size)];
  demand(leaves > 0n, "size", { size: String(size) });
  demand(place >= 0n && place < leaves, "index", { index: String(index), size: String(size) });
  requireNodes([leaf, ...path]);
  const rest = [...path];
  const found = await rootFromPath(leaf, place, leaves, rest);
  demand(rest.length === 0, "length", { nodes: path.length });
  requireRoot(found, expected);
}

/** Check that the tree of `size1` leaves under `root1` is a prefix of that of `size2` under `root2` (2.1.4). */
export async function verifyConsistency(size1, size2, root1, root2, proof) {
  const [first, second] = [BigInt(size1), BigInt(size2)];
  demand(first > 0n && first <= second, "size", { sizes: [String(size1), String(size2)] });
  requireNodes(first === second ? proof : [root1, root2, ...proof]);
  const rest = [...proof];
  const [old, grown] = await rootsFromProof(first, second, true, root1, rest);
  demand(rest.length === 0, "length", { nodes: proof.length });
  requireRoot(old, root1);
  requireRoot(grown, root2);
}

/** PATH(m, D[n]) read backwards: its last node is the sibling just under the root. */
async function rootFromPath(leaf, place, size, path) {
  if (size === 1n) return leaf;
  const sibling = takeLast(path);
  const split = largestPowerBelow(size);
  if (place < split) return nodeHash(await rootFromPath(leaf, place, split, path), sibling);
  return nodeHash(sibling, await rootFromPath(leaf, place - split, size - split, path));
}

/** SUBPROOF(m, D[n], b) read backwards: the roots of the first m and of all n leaves; `isWhole` is the RFC's b. */
async function rootsFromProof(first, size, isWhole, root1, proof) {
  if (first === size) {
    const shared = isWhole ? root1 : takeLast(proof);
    return [shared, shared];
  }
  const sibling = takeLast(proof);
  const split = largestPowerBelow(size);
  if (first <= split) {
    const [old, grown] = await rootsFromProof(first, split, isWhole, root1, proof);
    return [old, await nodeHash(grown, sibling)];
  }
  const [old, grown] = await rootsFromProof(first - split, size - split, false, root1, proof);
  return [await nodeHash(sibling, old), await nodeHash(sibling, grown)];
}

/** The RFC's k: the largest power of two that is smaller than `size`, which is at least 2. */
function largestPowerBelow(size) {
  return 1n << BigInt((size - 1n).toString(2).length - 1);
}

function takeLast(path) {
  if (path.length === 0) throw new Fault("length", { nodes: "too few" });
  return path.pop();
}

function requireNodes(nodes) {
  for (const node of nodes) demand(node.length === 32, "node", { bytes: node.length });
}

function requireRoot(found, expected) {
  demand(equal(found, expected), "root", { found: hex(found), expected: hex(expected) });
}
