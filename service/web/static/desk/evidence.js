// The frozen files of a case: byte for byte as they were frozen, whose SHA-256 the case's chain names.

import { called } from "../lib/api.js";
import { Problem } from "../lib/parts.js";
import { hex } from "../verify/bytes.js";
import { sha256 } from "../verify/digests.js";

/**
 * A frozen file: {text, bytes, digest}, `digest` being the SHA-256 that was computed here, null where it cannot be. The
 * file is read out of the case's export, for only there its bytes are as they were hashed. Throws a Problem
 * (EVIDENCE_NOT_FOUND) where nothing of that digest is attached for the reader; `ApiError`.
 */
export async function frozenFile(dispute, digest) {
  const { evidence } = await exported(dispute);
  const found = evidence.find((one) => one.digest === digest);
  if (found === undefined) throw notFound();
  const bytes = Uint8Array.from(atob(found.content), (sign) => sign.charCodeAt(0));
  return { text: new TextDecoder().decode(bytes), bytes, digest: await digestOf(bytes) };
}

const notFound = () =>
  Object.assign(new Problem("Nothing of this digest is attached."), { code: "EVIDENCE_NOT_FOUND" });

const exported = async (dispute) => (await called(exportPath(dispute))).json();

/** Where a whole case is one document, as far as it is the reader's. */
export const exportPath = (dispute) => `/cases/${encodeURIComponent(dispute)}/export`;

// Over plain http from elsewhere browsers have nothing to compute it with.
const digestOf = async (bytes) => (crypto.subtle === undefined ? null : hex(await sha256(bytes)));
