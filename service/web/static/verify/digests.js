/** SHA-256, HMAC and Ed25519, all by Web Crypto: the browser's own code, not ours. */

import { concat } from "./bytes.js";

export async function sha256(...parts) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", concat(...parts)));
}

/** A key for `hmac`. Web Crypto takes no empty key; HMAC fills keys up with zeros, so one zero byte is the same key. */
export function hmacKey(hash, secret) {
  const key = secret.length ? secret : new Uint8Array(1);
  return crypto.subtle.importKey("raw", key, { name: "HMAC", hash }, false, ["sign"]);
}

export async function hmac(key, ...parts) {
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, concat(...parts)));
}

/** Whether the Ed25519 `key` (32 bytes) signed `message`; bytes that are no key sign nothing. */
export async function isSignedBy(key, message, signature) {
  try {
    const imported = await crypto.subtle.importKey("raw", key, "Ed25519", false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", imported, signature, message);
  } catch (error) {
    if (error.name === "NotSupportedError") throw error;
    return false;
  }
}
