/** Signed notes and their keys (C2SP signed-note, tlog-cosignature): text that Ed25519 keys vouch for. */

import { equal, fromBase64, fromHex, hex, utf8 } from "./bytes.js";
import { isSignedBy, sha256 } from "./digests.js";
import { demand, Fault } from "./fault.js";

export const LOG_KEY = 0x01; // plain Ed25519 over the text
const WITNESS_KEY = 0x04; // a time of 8 bytes, then Ed25519 over that time and the text

const DASH = "— ";
const MOST_SIGNATURES = 100;
const MOST_CHARACTERS = 1 << 20;
const LATEST = (1n << 63n) - 1n;
const CONTROL = /[\u0000-\u0009\u000b-\u001f]/;

/** The public key of a vkey `name+id+base64(type ‖ 32 bytes)`: `{name, id, type, key}`; a `Fault` for anything else. */
export async function parseKey(vkey) {
  const [, name, id, encoded] = /^([^+]+)\+([^+]+)\+(.+)$/s.exec(vkey) ?? [];
  demand(name !== undefined && isName(name), "key_text");
  const material = fromBase64(encoded);
  demand(material.length === 33, "key_size", { bytes: material.length });
  demand(material[0] === LOG_KEY || material[0] === WITNESS_KEY, "key_type", { type: material[0] });
  const expected = (await sha256(utf8(`${name}\n`), material)).slice(0, 4);
  demand(equal(fromHex(id), expected), "key_id", { name });
  return { name, id: expected, type: material[0], key: material.slice(1) };
}

/** A note's `text`, with its last newline, and its `signatures` `{name, id, signature}`; nothing is verified yet. */
export function parseNote(note) {
  demand(note.length <= MOST_CHARACTERS, "note_size");
  demand(note.isWellFormed() && !CONTROL.test(note), "note_characters");
  const gap = note.lastIndexOf("\n\n");
  demand(gap >= 0, "note_separator");
  demand(note.length > gap + 2 && note.endsWith("\n"), "note_end");
  const lines = note.slice(gap + 2, -1).split("\n");
  demand(lines.length <= MOST_SIGNATURES, "note_signatures", { signatures: lines.length });
  return { text: note.slice(0, gap + 1), signatures: lines.map(parseLine) };
}

/**
 * Those of `keys` that signed the note. Signatures by others say nothing; one that names a known key and does not
 * hold is a `Fault`, and so is a note that no known key signed.
 */
export async function signers(note, keys) {
  const found = [];
  for (const key of keys) {
    const own = note.signatures.filter((one) => one.name === key.name && equal(one.id, key.id));
    for (const { signature } of own) {
      demand(await holds(key, note.text, signature), "signature", { key: key.name, id: hex(key.id) });
    }
    if (own.length) found.push(key);
  }
  demand(found.length, "no_known_signature", { signed_by: note.signatures.map((one) => one.name) });
  return found;
}

function holds(key, text, signature) {
  if (key.type === LOG_KEY) return isSignedBy(key.key, utf8(text), signature);
  const time = BigInt(`0x${hex(signature.slice(0, 8)) || "0"}`);
  const message = utf8(`cosignature/v1\ntime ${time}\n${text}`);
  return time <= LATEST && isSignedBy(key.key, message, signature.slice(8));
}

function parseLine(line, index) {
  demand(line.startsWith(DASH), "signature_line", { line: index });
  const [, name, encoded] = /^([^ ]*) (.*)$/.exec(line.slice(DASH.length)) ?? [];
  demand(name !== undefined && isName(name), "signature_name", { line: index });
  const bytes = signatureBytes(encoded, index);
  demand(bytes.length > 4, "signature_size", { line: index, bytes: bytes.length });
  return { name, id: bytes.slice(0, 4), signature: bytes.slice(4) };
}

function signatureBytes(encoded, index) {
  try {
    return fromBase64(encoded);
  } catch {
    throw new Fault("signature_base64", { line: index });
  }
}

/** Names are not empty and have neither Unicode spaces nor a plus sign. */
function isName(name) {
  return name !== "" && name.isWellFormed() && !CONTROL.test(name) && !/[\p{White_Space}+]/u.test(name);
}
