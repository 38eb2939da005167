/** The vocabulary of the log format `paipu/1`, one row a type of event, and whether a document is such an event. */

import { demand, Fault } from "./fault.js";

const LARGEST = Number.MAX_SAFE_INTEGER;
const U32 = 2 ** 32 - 1;
const FREE = "x_";

export const HIDDEN = "??";

const numbered = (suit, last) => Array.from({ length: last }, (_, index) => `${index + 1}${suit}`);

/** The kinds of tiles in the contract's order; of each four, of the flowers one. */
export const SUITS = { m: numbered("m", 9), p: numbered("p", 9), s: numbered("s", 9), z: numbered("z", 7) };
export const FLOWERS = numbered("f", 8);
const TILES = new Set([...Object.values(SUITS).flat(), ...FLOWERS]);

// Every kind of value is a check: it takes the value and the member's name, and throws a `Fault` naming that member.
const kind = (test) => (value, member) => demand(test(value), "member", { member });
const integer = (low, high = LARGEST) => kind((value) => Number.isInteger(value) && value >= low && value <= high);
const word = (...words) => kind((value) => words.includes(value));
const text = (pattern) => kind((value) => typeof value === "string" && pattern.test(value));
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

const list = (item, low, high) => (value, member) => {
  demand(Array.isArray(value) && value.length >= low && value.length <= high, "member", { member });
  value.forEach((one, index) => item(one, `${member}[${index}]`));
};

/** An object with just these members; a name that ends in `?` may be missing. */
const object = (members) => {
  const entries = Object.entries(members).map(([name, check]) => [name.replace("?", ""), check, name.endsWith("?")]);
  const known = new Set(entries.map(([name]) => name));
  return (value, member) => {
    demand(isObject(value), "member", { member });
    const path = (name) => (member ? `${member}.${name}` : name);
    const stranger = Object.keys(value).find((name) => !known.has(name));
    demand(stranger === undefined, "unknown_member", { member: path(stranger) });
    for (const [name, check, isOptional] of entries) {
      if (name in value) check(value[name], path(name));
      else demand(isOptional, "missing_member", { member: path(name) });
    }
  };
};

const seat = integer(0, 3);
const amount = integer(-LARGEST);
const flag = kind((value) => typeof value === "boolean");
const id = text(/^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]+$/); // shown and compared: no invisible characters
const hash = text(/^(?:[0-9a-f]{2})*$/);
const time = kind((value) => typeof value === "string" && isTime(value));
const tile = kind((value) => TILES.has(value));
const tiles = list(tile, 0, 144);
const few = list(tile, 0, 4);
const hiddenTile = kind((value) => value === HIDDEN || TILES.has(value));
const scores = list(amount, 2, 4);
const declaration = word("you", "double_you", "triple_you", "heavenly_ready");
const presence = word("left", "returned", "auto_on", "auto_off");
const kong = word("exposed", "added", "concealed");
const act = object({
  act: word("discard", "chow", "pung", "kong", "win", "pass", "declare"),
  "tile?": tile,
  "with?": few,
  "kind?": word("exposed", "added", "concealed", "you", "double_you", "triple_you", "heavenly_ready"),
  "win?": id,
  "from?": seat,
});
const acts = list(act, 0, 1000);

const inGame = { seq: integer(0), type: id, at: time };
const inHand = { ...inGame, hand: integer(1, U32) };
const ofSeat = { ...inHand, seat };
const claim = { ...ofSeat, tile, from: seat, with: few };

const ROWS = {
  game_started: {
    ...inGame,
    format: word("paipu/1"),
    game: id,
    ruleset: object({ id, version: id, options: kind(isObject) }),
    seats: list(object({ player: id }), 2, 4), // names are kept apart from the event
    first_dealer: seat,
    "scores?": scores,
    records: object({ passes: flag, wall: flag, prompts: flag }),
    "server?": id,
    "commitment?": object({ scheme: id, root: hash, hands: integer(0, U32) }),
  },
  hand_started: {
    ...inHand,
    dealer: seat,
    streak: integer(0, U32),
    scores,
    "commitment?": object({ scheme: id, commitment: hash, "proof?": list(hash, 0, 64) }),
    "client_seeds?": list(object({ seat, commitment: hash, "seed?": hash }), 0, 4),
    "wall_root?": hash,
  },
  seeds_opened: { ...inHand, client_seeds: list(object({ seat, seed: hash }), 0, 4) },
  dice_rolled: { ...ofSeat, purpose: word("break", "gold"), dice: list(integer(1, 6), 2, 2) },
  dealt: { ...ofSeat, tiles },
  flowers_replaced: { ...ofSeat, flowers: tiles, drawn: tiles },
  gold_flipped: { ...inHand, tiles, gold: tile, "index?": integer(1, 144) },
  turn_prompted: { ...ofSeat, options: acts },
  drew: { ...ofSeat, tile, from: word("head", "tail") },
  discarded: { ...ofSeat, tile, "level?": word("double_you", "triple_you") },
  chowed: claim,
  punged: claim,
  konged: { ...ofSeat, kind: kong, tile, "from?": seat, with: few },
  passed: { ...ofSeat, options: acts, "on?": integer(0), "auto?": flag },
  claim_overridden: { ...ofSeat, claim: act, by: seat },
  declared: { ...ofSeat, declaration },
  won: { ...ofSeat, win: id, "tile?": tile, "from?": seat, "tile_out?": tile },
  exhausted: inHand,
  settled: { ...inHand, deltas: scores, "items?": list(object({ seat, code: id, value: amount }), 0, 1000) },
  wall_revealed: { ...inHand, wall: tiles, "server_seed?": hash, "salt?": hash },
  hand_ended: { ...inHand, scores },
  presence_changed: { ...inGame, "hand?": integer(1, U32), seat, state: presence },
  voided: { ...inHand, reason: id },
  game_ended: { ...inGame, scores, "reason?": word("finished", "abandoned", "voided") },
};

/** As everybody may see them: hidden tiles, and events of which only their place is known. */
const PUBLIC_ROWS = {
  ...ROWS,
  dealt: { ...ROWS.dealt, tiles: list(hiddenTile, 0, 144) },
  flowers_replaced: { ...ROWS.flowers_replaced, drawn: list(hiddenTile, 0, 144) },
  drew: { ...ROWS.drew, tile: hiddenTile },
  konged: { ...ROWS.konged, tile: hiddenTile, with: list(hiddenTile, 0, 4) },
  private: { seq: integer(0), type: id, hand: integer(1, U32) },
};

const shapes = (rows) => new Map(Object.entries(rows).map(([type, members]) => [type, object(members)]));
const FULL_SHAPES = shapes(ROWS);
const PUBLIC_SHAPES = shapes(PUBLIC_ROWS);

/** The check of an opaque id: text without control characters. */
export { id as demandId };

/** Throw a `Fault` that names the member unless `document` is an event in its full form. */
export function demandEvent(document) {
  demand(isObject(document), "no_object");
  const own = Object.fromEntries(Object.entries(document).filter(([name]) => !name.startsWith(FREE)));
  demandShape(FULL_SHAPES, own);
}

/** Throw a `Fault` that names the member unless `document` is an event with at most its hidden members hidden. */
export function demandPublicEvent(document) {
  demand(isObject(document), "no_object");
  demandShape(PUBLIC_SHAPES, document);
}

function demandShape(known, document) {
  const shape = known.get(document.type);
  if (!shape) throw new Fault("member", { member: "type" });
  shape(document, "");
}

/** RFC 3339 UTC with milliseconds, of a day that exists: what a date's own spelling gives back. */
function isTime(value) {
  const date = new Date(value);
  return /^[0-9]{4}-/.test(value) && !Number.isNaN(date.getTime()) && date.toISOString() === value;
}
