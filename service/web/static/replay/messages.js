// What an embedded replay and the page around it tell each other: docs/viewer.md has them all.

const PREFIX = "mingpai.";

/**
 * Messages with the page around this one. `origin` is what that page said of itself, null where it said nothing: then
 * anybody may listen, and nothing is told but what everybody may see. `heard` are functions by the names of messages.
 */
export function messages(origin, heard) {
  const around = window.parent;
  addEventListener("message", ({ source, origin: from, data }) => {
    if (around === window || source !== around || (origin !== null && from !== origin)) return;
    const name = typeof data?.type === "string" && data.type.startsWith(PREFIX) ? data.type.slice(PREFIX.length) : "";
    if (Object.hasOwn(heard, name)) heard[name](data);
  });
  return (name, values = {}) => around !== window && around.postMessage({ type: PREFIX + name, ...values }, origin ?? "*");
}

/** The target that a message "go" names: {step}, {hand} or {by}; null where it names none. */
export function targetOf({ step, hand, by }, moves) {
  if (Number.isSafeInteger(step)) return { step };
  if (Number.isSafeInteger(hand)) return { hand };
  return Object.hasOwn(moves, by ?? "") ? { by } : null;
}
