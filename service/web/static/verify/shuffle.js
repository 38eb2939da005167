/** The provably fair shuffle `mingpai-shuffle/1`, step by step as `fairness.md` numbers them, and `wall-hash/1`. */

import { concat, prefixed, u32, utf8 } from "./bytes.js";
import { hmac, hmacKey, sha256 } from "./digests.js";
import { leafHash, root } from "./merkle.js";
import { FLOWERS, SUITS } from "./paipu.js";

export const SCHEME = "mingpai-shuffle/1";
export const WALL_HASH = "wall-hash/1";

const label = (step) => utf8(`${SCHEME} ${step}\0`);

/** Step 1: what the server publishes before a hand. */
export function commitment(hand, serverSeed) {
  return leafHash(concat(label("commit"), u32(hand), serverSeed));
}

/** Step 2: what a seat publishes before it opens its secret. */
export function clientCommitment(game, seat, secret) {
  return sha256(label("client"), prefixed(game), Uint8Array.of(seat), secret);
}

/** Step 3: `seeds` are `{seat, secret}`, one a seat, in any order. */
export function transcript({ game, hand, id, version, committed, seeds }) {
  const opened = seeds.toSorted((one, other) => one.seat - other.seat);
  return sha256(
    label("transcript"),
    prefixed(game),
    u32(hand),
    prefixed(id),
    prefixed(version),
    committed,
    u32(opened.length),
    ...opened.flatMap(({ seat, secret }) => [Uint8Array.of(seat), secret]),
  );
}

/** Steps 4 and 5: the bytes of one label, each used once. */
class Stream {
  #key;
  #start;
  #block = new Uint8Array();
  #place = 0;
  #count = 0;

  constructor(serverSeed, name, boundTo) {
    this.#key = hmacKey("SHA-512", serverSeed);
    this.#start = concat(utf8(`${name}\0`), boundTo);
  }

  /** The next number of 0..n-1, for n up to 256. */
  async uniform(n) {
    const refused = 256 - (256 % n);
    let byte;
    do byte = await this.#next();
    while (byte >= refused);
    return byte % n;
  }

  async #next() {
    if (this.#place === this.#block.length) {
      this.#block = await hmac(await this.#key, this.#start, u32(this.#count++));
      this.#place = 0;
    }
    return this.#block[this.#place++];
  }
}

/** The tiles of a whole wall in the order from which it is shuffled. */
export function fullSet(dots) {
  const { m, p, s, z } = SUITS;
  const kinds = dots ? [...m, ...p, ...s, ...z] : [...m, ...s, ...z];
  return [...kinds.flatMap((tile) => [tile, tile, tile, tile]), ...FLOWERS];
}

/** Step 6: the wall, index 0 the head. */
export async function wall(serverSeed, boundTo, dots) {
  const stream = new Stream(serverSeed, "wall", boundTo);
  const tiles = fullSet(dots);
  for (let i = tiles.length - 1; i > 0; i--) {
    const other = await stream.uniform(i + 1);
    [tiles[i], tiles[other]] = [tiles[other], tiles[i]];
  }
  return tiles;
}

/** Step 7: the first `count` throws of `purpose`, "break" or "gold". */
export async function dice(serverSeed, boundTo, purpose, count) {
  const stream = new Stream(serverSeed, `dice ${purpose}`, boundTo);
  const throws = [];
  while (throws.length < count) throws.push([(await stream.uniform(6)) + 1, (await stream.uniform(6)) + 1]);
  return throws;
}

/** Step 8: the root over one salted leaf a tile. */
export async function wallRoot(serverSeed, boundTo, tiles) {
  const key = await hmacKey("SHA-256", serverSeed);
  const leaf = async (tile, index) => {
    const salt = await hmac(key, utf8("salt\0"), boundTo, u32(index));
    return leafHash(concat(salt.slice(0, 16), utf8(tile)));
  };
  return root(await Promise.all(tiles.map(leaf)));
}

/** The commitment of the scheme `wall-hash/1`. */
export function wallHash(salt, tiles) {
  return sha256(salt, utf8(tiles.join(",")));
}
