/** The outer shape of a bundle `mingpai-bundle/1`: its members, their types, and the spelling of all encoded bytes. */

import { fromBase64, fromHex } from "./bytes.js";
import { demand, Fault } from "./fault.js";
import { unpaced } from "./pace.js";
import { demandId } from "./paipu.js";

const FORMAT = "mingpai-bundle/1";

const MEMBERS = "format game ruleset events seal salt0 index size inclusion checkpoint engine report".split(" ");
const SEALED = "seal salt0 index size inclusion checkpoint".split(" ");

/** Whether a JSON value says that it is a bundle at all. */
export function isBundle(document) {
  return isObject(document) && document.format === FORMAT;
}

/**
 * A bundle with its bytes decoded: `{game, ruleset, entries, sealed, engine, report}`, `sealed` being `null` for a live
 * game. Entries are `{full, salt}` or `{public, rest}`, all bytes. A `Fault` names the first member that is not right.
 */
export async function readBundle(document, pace = unpaced) {
  demandMembers(document, MEMBERS, "");
  demandMembers(document.ruleset, ["id", "version", "options"], "ruleset");
  demandId(document.game, "game");
  demandId(document.ruleset.id, "ruleset.id");
  demandId(document.ruleset.version, "ruleset.version");
  demandType(isObject(document.ruleset.options), "ruleset.options");
  demandId(document.engine, "engine");
  demandType(isObject(document.report), "report");
  demandType(Array.isArray(document.events) && document.events.length > 0, "events");
  const { game, ruleset, engine, report } = document;
  const entries = await readEntries(document.events, pace);
  return { game, ruleset, engine, report, entries, sealed: readSealed(document) };
}

async function readEntries(events, pace) {
  const entries = [];
  for (const [index, entry] of events.entries()) {
    await pace();
    entries.push(readEntry(entry, index));
  }
  return entries;
}

function readEntry(entry, index) {
  const member = `events[${index}]`;
  demandType(isObject(entry), member);
  if ("full" in entry) {
    demandMembers(entry, ["full", "salt"], member);
    return { full: base64(entry.full, `${member}.full`), salt: hex(entry.salt, 16, `${member}.salt`) };
  }
  demandMembers(entry, ["public", "rest"], member);
  return { public: base64(entry.public, `${member}.public`), rest: hex(entry.rest, 32, `${member}.rest`) };
}

/** What proves the seal: all of it, or for a live game nothing. */
function readSealed(document) {
  const missing = SEALED.filter((member) => document[member] === null);
  if (missing.length === SEALED.length) return null;
  demand(missing.length === 0, "half_sealed", { member: missing[0] });
  for (const member of ["index", "size"]) demandType(isCount(document[member]), member);
  demandType(isText(document.checkpoint), "checkpoint");
  demandType(Array.isArray(document.inclusion), "inclusion");
  return {
    seal: base64(document.seal, "seal"),
    salt0: hex(document.salt0, 16, "salt0"),
    index: document.index,
    size: document.size,
    inclusion: document.inclusion.map(readNode),
    checkpoint: document.checkpoint,
  };
}

function readNode(value, index) {
  const node = base64(value, `inclusion[${index}]`);
  demandType(node.length === 32, `inclusion[${index}]`);
  return node;
}

const isCount = (value) => Number.isInteger(value) && value >= 0;
const isText = (value) => typeof value === "string";
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const base64 = (value, member) => named(member, value, fromBase64);
const hex = (value, size, member) => named(member, value, (text) => fromHex(text, size));

/** Decode text; a `Fault` of the decoding learns the member's name. */
function named(member, value, decode) {
  demandType(isText(value), member);
  try {
    return decode(value);
  } catch (error) {
    throw error instanceof Fault ? new Fault(error.code, { ...error.details, member }) : error;
  }
}

function demandType(isRight, member) {
  demand(isRight, "member", { member });
}

function demandMembers(value, expected, member) {
  demandType(isObject(value), member);
  const path = (name) => (member ? `${member}.${name}` : name);
  const missing = expected.find((name) => !(name in value));
  demand(missing === undefined, "missing_member", { member: path(missing) });
  const stranger = Object.keys(value).find((name) => !expected.includes(name));
  demand(stranger === undefined, "unknown_member", { member: path(stranger) });
}
