/** Checkpoints (C2SP tlog-checkpoint): a log's size and root as the text of a signed note. */

import { fromBase64 } from "./bytes.js";
import { demand } from "./fault.js";
import { LOG_KEY, parseNote, signers } from "./notes.js";

const LARGEST = (1n << 63n) - 1n;

/** `{origin, size (BigInt), root (32 bytes), note}` of a signed note; a `Fault` unless each line is in its one form. */
export function parseCheckpoint(signed) {
  const note = parseNote(signed);
  const [origin, size, root, ...extensions] = note.text.slice(0, -1).split("\n");
  demand(root !== undefined, "checkpoint_lines");
  demand(origin !== "", "checkpoint_origin");
  demand(/^(?:0|[1-9][0-9]{0,18})$/.test(size) && BigInt(size) <= LARGEST, "checkpoint_size", { size });
  const bytes = fromBase64(root);
  demand(bytes.length === 32, "checkpoint_root", { bytes: bytes.length });
  demand(extensions.every((line) => line !== ""), "checkpoint_extension");
  return { origin, size: BigInt(size), root: bytes, note };
}

/** The keys that signed: one of them a key of the very log that the checkpoint names, else a `Fault`. */
export async function checkpointSigners(checkpoint, keys) {
  const found = await signers(checkpoint.note, keys);
  const isLogs = (key) => key.type === LOG_KEY && key.name === checkpoint.origin;
  demand(found.some(isLogs), "not_signed_by_its_log", { origin: checkpoint.origin });
  return found;
}
