/** Rule-set digests, seals of games and receipts of appends (`fairness.md`, "Evidence"). */

import { concat, hex, prefixed, u64, utf8 } from "./bytes.js";
import { isSignedBy, sha256 } from "./digests.js";
import { canonical } from "./json.js";

export const SEAL_TYPE = "mingpai-seal/1";

/** The digest, in hex, of a rule set with all its options. */
export async function rulesetDigest({ id, version, options }) {
  return hex(await sha256(utf8(canonical({ id, version, options }))));
}

/** What stands, in hex, for a game's id in its seal. */
export async function gameDigest(salt0, game) {
  return hex(await sha256(salt0, utf8(game)));
}

/** Whether `key` signed that `head` was the game's chain after event `seq` at `time`. */
export function isReceipt({ game, seq, head, time, signature }, key) {
  const message = concat(utf8("mingpai-receipt/1\0"), prefixed(game), u64(seq), head, prefixed(time));
  return isSignedBy(key, message, signature);
}
