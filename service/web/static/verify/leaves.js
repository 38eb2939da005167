/** What an event leaves in a game's chain and tree (`fairness.md`, "Evidence"). */

import { concat } from "./bytes.js";
import { sha256 } from "./digests.js";
import { demand } from "./fault.js";
import { leafHash } from "./merkle.js";
import { unpaced } from "./pace.js";
import { HIDDEN } from "./paipu.js";

const SALT_SIZE = 16;
const LINK = Uint8Array.of(2);
const PRIVATE = new Set(["turn_prompted", "passed", "claim_overridden"]);
const HIDDEN_MEMBERS = { dealt: ["tiles"], flowers_replaced: ["drawn"], drew: ["tile"] };

/** What everybody may know of an event when it happens; the public form of a public form is itself. */
export function publicForm(event, concealedKongShown) {
  if (PRIVATE.has(event.type)) return { seq: event.seq, type: "private", hand: event.hand };
  const hidden = hiddenMembers(event, concealedKongShown);
  const shown = withoutFree(event);
  for (const member of hidden) shown[member] = hide(shown[member]);
  return shown;
}

/** What stands for a full form in its leaf. */
export function restDigest(salt, full) {
  demand(salt.length === SALT_SIZE, "wrong_size", { bytes: salt.length, expected: SALT_SIZE });
  return sha256(salt, full);
}

/** The leaf hash over the bytes of the public form and the digest of the rest. */
export async function leafOf(publicBytes, rest) {
  return leafHash(concat(await sha256(publicBytes), rest));
}

/** The running hash over all leaves. */
export async function headOf(leaves, pace = unpaced) {
  let head = new Uint8Array(32);
  for (const leaf of leaves) {
    await pace();
    head = await sha256(LINK, head, leaf);
  }
  return head;
}

function hiddenMembers(event, concealedKongShown) {
  if (event.type === "konged" && event.kind === "concealed" && !concealedKongShown) return ["tile", "with"];
  return HIDDEN_MEMBERS[event.type] ?? [];
}

/** Hidden tiles keep their number. */
function hide(value) {
  return Array.isArray(value) ? value.map(() => HIDDEN) : HIDDEN;
}

/** A copy without `x_` members at any depth. */
function withoutFree(value) {
  if (Array.isArray(value)) return value.map(withoutFree);
  if (value === null || typeof value !== "object") return value;
  const copy = Object.create(null);
  for (const name of Object.keys(value)) {
    if (!name.startsWith("x_")) copy[name] = withoutFree(value[name]);
  }
  return copy;
}
