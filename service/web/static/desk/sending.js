// One way for all acts: each has a key of its own, so that one that went out and was not answered may be sent again.

import { ask } from "../lib/api.js";

const unanswered = new Map();

/**
 * What the service answers to a mutation of ours (`Case…` in the documents): {case} where it was done, else
 * {code, message, argument, …}. `expectedSeq` is no part of what makes two calls the same. `ApiError` as `ask`.
 */
export async function sent(name, variables) {
  const { expectedSeq, ...content } = variables;
  const call = JSON.stringify([name, content]);
  const key = unanswered.get(call) ?? uuid();
  unanswered.set(call, key);
  const { done } = await ask(name, { ...variables, key });
  unanswered.delete(call);
  return done;
}

// Pages that are served over plain http have no randomUUID.
function uuid() {
  if (crypto.randomUUID !== undefined) return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
