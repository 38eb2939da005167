/**
 * Verifying an evidence bundle in the reader's own browser: nothing is asked of the service, nothing is sent.
 *
 * Written from the contract (`fairness.md`, `log-format.md`) and independent of the server's own verifier.
 */

import { equal, fromUtf8, hex, utf8 } from "./bytes.js";
import { isBundle, readBundle } from "./bundle.js";
import { checkpointSigners, parseCheckpoint } from "./checkpoints.js";
import { demand, Fault, within } from "./fault.js";
import { judgeHands } from "./hands.js";
import { canonical, parse } from "./json.js";
import { headOf, leafOf, publicForm, restDigest } from "./leaves.js";
import { leafHash, root, verifyInclusion } from "./merkle.js";
import { parseKey } from "./notes.js";
import { paced, unpaced } from "./pace.js";
import { demandEvent, demandPublicEvent } from "./paipu.js";
import { gameDigest, rulesetDigest, SEAL_TYPE } from "./seals.js";

// The limits of the log format.
const EVENT_NESTING = 8;
const MOST_BYTES = 64 * 1024;
const MOST_EVENTS = 100_000;

const GIVEN_UP = ["abandoned", "voided"];

/** Every step by its name, in order, and what it needs of the steps before: where that is missing it is `skipped`. */
const STEPS = [
  ["format", checkFormat, []],
  ["events", checkEvents, ["bundle"]],
  ["ruleset", checkRuleset, ["events"]],
  ["chain", checkChain, ["events"]],
  ["seal", checkSeal, ["chain", "digest"]],
  ["inclusion", checkInclusion, ["bundle"]],
  ["checkpoint", checkCheckpoint, ["bundle"]],
  ["shuffle", checkShuffle, ["events", "options"]],
  ["rules", notHere("rules are not checked in the browser"), []],
  ["report", notHere("the report is not re-derived in the browser"), []],
];

/** The names of all steps in their order. */
export const NAMES = STEPS.map(([name]) => name);

/** The step that finds what others need. */
const FINDS = { bundle: "format", events: "events", digest: "ruleset", options: "ruleset", chain: "chain" };

/** What must hold, not merely not fail, before a bundle is called verified. */
const DECISIVE = ["chain", "seal", "inclusion", "checkpoint"];

/**
 * Verify the text or bytes of a bundle against the log's public keys (`vkeys`, as text).
 *
 * Gives `{verified, steps: [{name, status, code, details}], unproven: [{code, details}]}` and never throws for what the
 * bundle holds. A status is `ok`, `failed`, `unproven` (nothing shown to check it by) or `skipped`. `verified` is true
 * only if no step failed and seal, inclusion and checkpoint hold against one of the keys; a key that cannot be read is
 * the caller's mistake and throws a `Fault`.
 *
 * `onStep(step, found)` is awaited after each step; `found` has the `bundle` as `readBundle` gives it and its `events`
 * once they are read, and is only to be looked at. `pause()` is awaited some thirty times a second, so that a page
 * lives while a long game is verified. What `onStep` throws ends the verification.
 */
export async function verifyBundle(source, vkeys = [], { onStep = () => {}, pause = null } = {}) {
  const pace = pause === null ? unpaced : paced(pause);
  const state = { source, pace, keys: await Promise.all(vkeys.map(parseKey)) };
  const steps = [];
  for (const [name, check, needs] of STEPS) {
    const step = { name, ...(await outcome(check, needs, state)) };
    steps.push(step);
    await onStep(step, state);
  }
  const status = Object.fromEntries(steps.map((step) => [step.name, step.status]));
  const verified = !steps.some((step) => step.status === "failed") && DECISIVE.every((name) => status[name] === "ok");
  return { verified, steps, unproven: open(steps, state) };
}

/** One step's `{status, code, details}`; whatever goes wrong in it is its own failure and stops no other step. */
async function outcome(check, needs, state) {
  const missing = needs.find((need) => state[need] === undefined);
  if (missing) return { status: "skipped", code: "needs", details: { step: FINDS[missing] } };
  try {
    return { status: "ok", code: "ok", details: {}, ...(await check(state)) };
  } catch (error) {
    if (error instanceof Fault) return { status: "failed", code: error.code, details: error.details };
    return { status: "failed", code: "unexpected", details: { error: String(error) } };
  }
}

function notHere(reason) {
  return () => ({ status: "skipped", code: "not_in_the_browser", details: { reason } });
}

function noSeal(details = {}) {
  return { status: "unproven", code: "no_seal", details };
}

// -- What the bundle shows ---------------------------------------------------------------------------------------

async function checkFormat(state) {
  const document = await within("not_json", {}, () => parse(textOf(state.source)));
  demand(isBundle(document), "not_a_bundle");
  state.bundle = await within("wrong_form", {}, () => readBundle(document, state.pace));
  return { details: { events: state.bundle.entries.length } };
}

function textOf(source) {
  return typeof source === "string" ? source : fromUtf8(new Uint8Array(source));
}

async function checkEvents(state) {
  const { entries, game, ruleset } = state.bundle;
  demand(entries.length <= MOST_EVENTS, "too_many_events", { events: entries.length });
  const isKongShown = ruleset.options.concealed_kong_shown === true;
  const shown = [];
  for (const [seq, entry] of entries.entries()) {
    await state.pace();
    shown.push(await within("wrong_event", { seq }, () => readEvent(seq, entry, isKongShown)));
  }
  demand(shown[0].event.game === game, "wrong_event", { seq: 0, member: "game", reason: "other_game" });
  state.events = shown.map(({ event }) => event);
  state.leaves = shown.map(({ leaf }) => leaf);
  return { details: { events: entries.length, public_only: entries.filter((entry) => !entry.full).length } };
}

/** One entry's event and its leaf. */
async function readEvent(seq, entry, isKongShown) {
  const event = parseEvent(entry.full ?? entry.public);
  if (entry.full) demandEvent(event);
  else demandPublicEvent(event);
  demand(event.seq === seq, "other_seq", { member: "seq", found: event.seq });
  demand((event.type === "game_started") === (seq === 0), "start_out_of_place", { member: "type" });
  const publicBytes = utf8(canonical(publicForm(event, isKongShown)));
  demand(entry.full || equal(publicBytes, entry.public), "not_public");
  const rest = entry.full ? await restDigest(entry.salt, entry.full) : entry.rest;
  return { event, leaf: await leafOf(publicBytes, rest) };
}

/** An event's document; its bytes must be its canonical ones. */
function parseEvent(bytes) {
  demand(bytes.length <= MOST_BYTES, "too_long", { bytes: bytes.length });
  const event = parse(fromUtf8(bytes), EVENT_NESTING);
  demand(equal(utf8(canonical(event)), bytes), "not_canonical");
  return event;
}

/**
 * The record is what event 0 names. The options that event 0 leaves out are defaults, of which there is no table here:
 * that they are the game's is what the digest in the seal says, and without such a seal they stay unproven.
 */
async function checkRuleset(state) {
  const { ruleset, sealed } = state.bundle;
  const named = state.events[0].ruleset;
  for (const member of ["id", "version"]) {
    demand(named[member] === ruleset[member], "other_ruleset", { member: `ruleset.${member}` });
  }
  for (const [option, value] of Object.entries(named.options)) {
    const isSame = option in ruleset.options && canonical(value) === canonical(ruleset.options[option]);
    demand(isSame, "other_ruleset", { member: `ruleset.options.${option}` });
  }
  state.digest = await rulesetDigest(ruleset);
  const details = { ruleset: ruleset.id, digest: state.digest, defaults: defaults(state) };
  const isSealed = sealed !== null && sealMember(sealed, "ruleset") === state.digest;
  if (isSealed || sealed === null) state.options = ruleset.options;
  return isSealed ? { details } : { status: "unproven", code: "defaults_not_sealed", details };
}

/** The options that event 0 does not name. */
function defaults({ bundle, events }) {
  return Object.keys(bundle.ruleset.options).filter((option) => !(option in events[0].ruleset.options));
}

// -- What the seal says ------------------------------------------------------------------------------------------

async function checkChain(state) {
  const { bundle, leaves, pace } = state;
  state.chain = { head: hex(await headOf(leaves, pace)), root: hex(await root(leaves, pace)) };
  if (!bundle.sealed) return noSeal(state.chain);
  for (const [member, found] of Object.entries(state.chain)) {
    const expected = sealMember(bundle.sealed, member);
    demand(found === expected, `other_${member}`, { found, expected });
  }
  return { details: state.chain };
}

/** A member of the seal, `null` where the seal cannot be read: that is the seal's own step. */
function sealMember({ seal }, member) {
  try {
    return parse(fromUtf8(seal))[member] ?? null;
  } catch {
    return null;
  }
}

async function checkSeal({ bundle, events, chain, digest }) {
  if (!bundle.sealed) return noSeal();
  const { seal, salt0 } = bundle.sealed;
  const found = await within("unreadable_seal", {}, () => parse(fromUtf8(seal)));
  const expected = {
    type: SEAL_TYPE,
    game: await gameDigest(salt0, bundle.game),
    events: events.length,
    ...chain,
    ruleset: digest,
    reason: sealReason(events, found?.reason),
  };
  for (const [member, value] of Object.entries(expected)) {
    demand(found?.[member] === value, "wrong_member", { member, expected: value });
  }
  demand(fromUtf8(seal) === canonical(expected), "not_canonical");
  return { details: { reason: expected.reason, events: events.length } };
}

/** What `game_ended` says; a game that has none was given up, which only the seal says. */
function sealReason(events, sealed) {
  const ended = events.findLast((event) => event.type === "game_ended");
  if (ended) return ended.reason ?? "finished";
  return GIVEN_UP.includes(sealed) ? sealed : GIVEN_UP[0];
}

// -- What the log says -------------------------------------------------------------------------------------------

async function checkInclusion({ bundle }) {
  if (!bundle.sealed) return noSeal();
  const { seal, index, size, inclusion, checkpoint } = bundle.sealed;
  const { root } = await within("bad_checkpoint", {}, () => parseCheckpoint(checkpoint));
  const leaf = await leafHash(seal);
  await within("not_included", { index, size }, () => verifyInclusion(leaf, index, size, inclusion, root));
  return { details: { index, size } };
}

async function checkCheckpoint({ bundle, keys }) {
  if (!bundle.sealed) return noSeal();
  const found = await within("bad_checkpoint", {}, () => parseCheckpoint(bundle.sealed.checkpoint));
  const { origin, size } = found;
  demand(size === BigInt(bundle.sealed.size), "other_size", { expected: bundle.sealed.size, found: String(size) });
  if (!keys.length) return { status: "unproven", code: "no_key", details: { origin } };
  const signed = await within("not_signed", { origin }, () => checkpointSigners(found, keys));
  return { details: { origin, size: bundle.sealed.size, signed_by: signed.map((key) => key.name) } };
}

// -- Was the wall fair -------------------------------------------------------------------------------------------

async function checkShuffle({ events, options, pace }) {
  const hands = await judgeHands(events, options, pace);
  demand(!hands.some((hand) => hand.status === "failed"), "findings", { hands });
  const isProven = hands.length > 0 && hands.every((hand) => hand.status === "ok");
  return isProven ? { details: { hands } } : { status: "unproven", code: "lacking", details: { hands } };
}

// -- What stays open ---------------------------------------------------------------------------------------------

/** What this verifier cannot say, however well the rest holds: `{code, details}`, code being `step/code`. */
function open(steps, state) {
  const isOpen = (step) => step.status === "unproven" || step.status === "skipped";
  const found = steps.filter(isOpen).map(({ name, code, details }) => ({ code: `${name}/${code}`, details }));
  return state.events ? [...found, ...hiddenEvents(state)] : found;
}

function hiddenEvents({ bundle, events }) {
  const seqs = events.map((event) => event.seq).filter((seq) => !bundle.entries[seq].full);
  return seqs.length ? [{ code: "events/public_only", details: { seqs } }] : [];
}
