// What the verifier says, in words: one sentence for each of its codes.

import { has, listed, t } from "../lib/words.js";

const NO_BUNDLE = ["not_json", "not_a_bundle"];

/** The name of a step. */
export const nameOf = (step) => t(`verify.step.${step}`);

/** How a step came out, in a word: the key of words below "status.". */
export const statusOf = ({ status, code }) => (code === "needs" ? "needs" : status);

/** What a step says, in a sentence. */
export function sentence({ name, code, details }) {
  const own = `verify.said.${name}.${code}`;
  if (has(own)) return t(own, values(details));
  return t(has(`verify.said.any.${code}`) ? `verify.said.any.${code}` : "verify.said.any.unexpected", values(details));
}

/** What a hand's verdict says; it stands behind the hand's number. */
export function handSentence({ hand, code, reason, status, compared, ...details }) {
  const key = `verify.hand.${status === "ok" ? "ok" : (code ?? reason)}`;
  return t(has(key) ? key : "verify.why.any", { ...values(details), ...compared?.tiles });
}

/** Why something is not as it must be; no sentence of its own. */
export function why({ reason, member, ...details }) {
  const key = `verify.why.${reason}`;
  const text = t(has(key) ? key : "verify.why.any", plain({ ...details, member }));
  return member === undefined || text.includes(member) ? text : t("verify.why_at", { why: text, member });
}

/** What stays open, in sentences, each once; what hangs on a seal is said by the chain alone. */
export function openSentences({ unproven }) {
  const texts = unproven
    .filter(({ code }) => code === "chain/no_seal" || !code.endsWith("/no_seal"))
    .filter(({ code }) => code !== "report/not_in_the_browser") // said with the rules
    .map(({ code, details }) => openSentence(code.split("/"), details));
  return [...new Set(texts)];
}

function openSentence([name, code], details) {
  const own = `verify.open.${name}.${code}`;
  if (has(own)) return t(own, { ...values(details), count: details.seqs?.length });
  return t("verify.open.any.needs", { ...values(details), name: nameOf(name) });
}

/** The whole verdict: its code, as the words below "verdict." know it, and its sentence. */
export function verdictOf({ verified, steps }) {
  const by = Object.fromEntries(steps.map((step) => [step.name, step]));
  const failed = steps.find(({ status }) => status === "failed");
  if (verified) return said("verified", { keys: listed(by.checkpoint.details.signed_by) });
  if (failed === undefined) return said(by.chain.code === "no_seal" ? "no_seal" : "no_key", {});
  const code = failed.name === "format" && NO_BUNDLE.includes(failed.code) ? "no_bundle" : "failed";
  return said(code, { step: nameOf(failed.name), why: sentence(failed) });
}

const said = (code, details) => ({ code, text: t(`verify.verdict.${code}`, details) });

/** Details as values of words: numbers and texts, lists as lists, a reason as its words, hands counted. */
function values(details) {
  const found = { ...plain(details), why: why(details), count: details.events };
  if (details.step !== undefined) found.step = nameOf(details.step);
  if (details.signed_by !== undefined) found.keys = listed(details.signed_by);
  return details.hands === undefined ? found : { ...found, ...counted(details.hands) };
}

function counted(hands) {
  const failed = hands.filter(({ status }) => status === "failed");
  const proven = hands.filter(({ status }) => status === "ok").length;
  return { count: hands.length, of: hands.length, proven, hands: listed(failed.map(({ hand }) => String(hand))) };
}

const plain = (details) => Object.fromEntries(Object.entries(details).map(([name, value]) => [name, text(value)]));

function text(value) {
  if (Array.isArray(value)) return value.length ? listed(value.map(String)) : t("verify.about.none");
  return value === null ? t("verify.about.none") : value;
}
