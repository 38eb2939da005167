// Files as they are brought: unpacked, and known for what they are where they are no bundle.

import { h } from "../lib/dom.js";

const MIB = 1024 * 1024;
const KEY = /^[^+\s]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*$/;

/** The largest bundle that is read, in MiB: what the command reads too. */
export const MOST = 256;

/** A file that cannot be a bundle; `kind` says what it is, as the words under "kind." know it. */
export class OtherFile extends Error {
  constructor(kind) {
    super(kind);
    this.kind = kind;
  }
}

/** A field for one file, to be opened by a button of its own; `take(file)` is called with each that is chosen. */
export function fileInput(label, take) {
  const onchange = async ({ target }) => {
    const [file] = target.files;
    target.value = ""; // so that the same file can be chosen again
    if (file !== undefined) await take(file);
  };
  return h("input", { type: "file", hidden: true, "aria-label": label, onchange });
}

/** The bytes of a Blob, unpacked where they are packed; `OtherFile` for what can be no bundle by its looks. */
export async function bytesOf(blob) {
  demand(blob.size <= MOST * MIB, "large");
  const bytes = await unpacked(new Uint8Array(await blob.arrayBuffer()));
  const kind = kindOf(new TextDecoder().decode(bytes.subarray(0, 65536)));
  demand(kind === null, kind);
  return bytes;
}

/** What the beginning of a text shows it to be, if that is something else than a bundle. */
export function kindOf(head) {
  const text = head.trim();
  const line = text.split("\n", 1)[0].trim();
  if (text === "") return "empty";
  if (/^(?:<!doctype html|<html)/i.test(text)) return "page";
  if (KEY.test(line)) return "key";
  return isStart(line) ? "log" : null;
}

/** A log is an event a line, the first of which starts the game. */
function isStart(line) {
  try {
    return JSON.parse(line)?.type === "game_started";
  } catch {
    return false;
  }
}

async function unpacked(bytes) {
  const magic = bytes.subarray(0, 4).join();
  demand(magic !== "40,181,47,253", "zstd");
  return magic.startsWith("31,139,") ? gunzipped(bytes) : bytes;
}

async function gunzipped(bytes) {
  const parts = [];
  let size = 0;
  try {
    for await (const part of chunks(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")))) {
      size += part.length;
      demand(size <= MOST * MIB, "large");
      parts.push(part);
    }
  } catch (error) {
    throw error instanceof OtherFile ? error : new OtherFile("torn");
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

// Not every browser lets a stream be gone through by itself.
async function* chunks(stream) {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

function demand(condition, kind) {
  if (!condition) throw new OtherFile(kind);
}
