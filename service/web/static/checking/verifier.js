// The browser's verifier, loaded where it is needed, and what it needs of the browser.

let loading = null;

/** What checks bundles: `verifyBundle` and the names of its `STEPS`, `parseKey`, `parseNote`, `sha256`, `hex`. */
export function verifier() {
  loading ??= load().catch((error) => {
    loading = null; // to be tried again
    throw error;
  });
  return loading;
}

async function load() {
  const names = ["verify", "notes", "digests", "bytes"];
  const [verify, notes, digests, bytes] = await Promise.all(names.map((name) => import(`../verify/${name}.js`)));
  return {
    verifyBundle: verify.verifyBundle,
    STEPS: verify.NAMES,
    parseKey: notes.parseKey,
    parseNote: notes.parseNote,
    sha256: digests.sha256,
    hex: bytes.hex,
  };
}

/** Whether there is any cryptography: browsers give it to pages over https and of the own machine alone. */
export const isProtected = () => isSecureContext && crypto.subtle !== undefined;

/** Whether the browser knows Ed25519, by which logs sign. */
export async function knowsSignatures() {
  try {
    await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]);
    return true;
  } catch {
    return false;
  }
}

/** Lets the browser show what was built, and take what the reader does. */
export const breath = () => globalThis.scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve));
