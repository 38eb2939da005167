/** Bytes and the texts that stand for them: UTF-8, lower-case hex, canonical base64, big-endian numbers. */

import { demand, Fault } from "./fault.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The UTF-8 bytes of `text`; a lone surrogate has none and is a `Fault`. */
export function utf8(text) {
  demand(text.isWellFormed(), "lone_surrogate");
  return encoder.encode(text);
}

/** The text of UTF-8 `bytes`, strictly: malformed bytes are a `Fault`, and a byte-order mark is kept as a character. */
export function fromUtf8(bytes) {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Fault("not_utf8");
  }
}

export function concat(...parts) {
  const joined = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let place = 0;
  for (const part of parts) {
    joined.set(part, place);
    place += part.length;
  }
  return joined;
}

export function equal(one, other) {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The bytes of lower-case hex, `size` of them where that is given; anything else is a `Fault`. */
export function fromHex(text, size = null) {
  demand(typeof text === "string" && /^(?:[0-9a-f]{2})*$/.test(text), "not_hex");
  demand(size === null || text.length === 2 * size, "wrong_size", { bytes: text.length / 2, expected: size });
  return Uint8Array.from({ length: text.length / 2 }, (_, index) => parseInt(text.slice(2 * index, 2 * index + 2), 16));
}

/**
 * The bytes of base64 (RFC 4648, section 4) in its one canonical spelling: padded, no white space, no stray bits.
 * Writing the bytes again must give the same text; anything else is a `Fault`.
 */
export function fromBase64(text) {
  let binary;
  try {
    binary = atob(text);
  } catch {
    throw new Fault("not_base64");
  }
  demand(btoa(binary) === text, "not_base64");
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

export function u32(number) {
  return bigEndian(number, 4);
}

export function u64(number) {
  return bigEndian(number, 8);
}

/** `LP` of the contract: the length as u32, then the bytes; text as UTF-8. */
export function prefixed(text) {
  const bytes = utf8(text);
  return concat(u32(bytes.length), bytes);
}

function bigEndian(number, size) {
  const bits = BigInt(number);
  demand(bits >= 0n && bits < 1n << BigInt(8 * size), "out_of_range", { number: String(number), bytes: size });
  return Uint8Array.from({ length: size }, (_, index) => Number((bits >> BigInt(8 * (size - 1 - index))) & 255n));
}
