/** Was the wall fair: each hand's commitments, seeds, wall, dice and shown tiles, as far as the log opens them. */

import { equal, fromHex, hex } from "./bytes.js";
import { compareDraws } from "./draws.js";
import { demand, Fault } from "./fault.js";
import { verifyInclusion } from "./merkle.js";
import { unpaced } from "./pace.js";
import * as shuffle from "./shuffle.js";

const TAKES_TILES = new Set(["dealt", "flowers_replaced", "drew"]);
const LEAST_SECRET = 16; // 128 bits: a commitment over fewer could be guessed

/** What judging a hand needs: the game's first event, the rule set's options, and the hand's events to the reveal. */
class Hand {
  constructor(start, options, events) {
    const end = events.findIndex((event) => event.type === "wall_revealed");
    this.game = start.game;
    this.ruleset = start.ruleset;
    this.root = start.commitment ?? null;
    this.seats = start.seats.length;
    this.options = options;
    this.started = events[0];
    this.revealed = end < 0 ? null : events[end];
    this.events = end < 0 ? events : events.slice(0, end);
    this.number = (this.revealed ?? this.started).hand;
    this.opening = this.events.find((event) => event.type === "seeds_opened") ?? null;
    this.committed = this.started.client_seeds ?? [];
    this.seeds = this.opening?.client_seeds ?? this.committed.filter((one) => one.seed !== undefined);
  }

  has(type) {
    return this.events.some((event) => event.type === type);
  }
}

/**
 * One verdict a hand, in order: `{hand, status, level, compared, ...}`. `status` is `failed` with a `code` and details,
 * `unproven` with the `reason`, or `ok`; `level` is the contract's level of fairness that the hand's record states, 0
 * to 2 (3 takes a witness's word on the time, which a bundle does not hold); `compared` lists what was re-derived or
 * held against the wall.
 */
export async function judgeHands(events, options, pace = unpaced) {
  const verdicts = [];
  for (const hand of split(events)) {
    await pace();
    verdicts.push(await judgeHand(new Hand(events[0], options, hand)));
  }
  return verdicts;
}

/** The events of each hand, from its `hand_started` to the next one. */
function split(events) {
  const hands = [];
  for (const event of events) {
    if (event.type === "hand_started") hands.push([]);
    hands.at(-1)?.push(event);
  }
  return hands;
}

async function judgeHand(hand) {
  const verdict = { hand: hand.started.hand, status: "ok", level: levelOf(hand), compared: {} };
  try {
    const reason = await judge(hand, verdict.compared);
    return reason ? { ...verdict, status: "unproven", reason } : verdict;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { ...verdict, status: "failed", code: error.code, ...error.details };
  }
}

/** 1 with a commitment, 2 where players' secrets are on record as opened after it was fixed; else 0. */
function levelOf({ started, opening, seeds, root }) {
  const scheme = started.commitment?.scheme ?? "none";
  if (scheme === "none") return 0;
  const isFixedBefore = opening !== null || root !== null;
  return scheme === shuffle.SCHEME && seeds.length && isFixedBefore ? 2 : 1;
}

/** `null` where the hand is proven, else why it is not; a `Fault` where something does not hold. */
async function judge(hand, compared) {
  demandTable(hand);
  await judgeCommitments(hand, compared);
  if (!hand.revealed) return hand.has("voided") ? "voided" : "wall_not_revealed";
  const scheme = hand.started.commitment?.scheme ?? "none";
  const open = SCHEMES[scheme];
  demand(open, "unknown_scheme", { clause: "F-COMMIT-1", seq: hand.started.seq, scheme });
  await open(hand, compared);
  demandWholeWall(hand);
  compared.tiles = compareDraws(hand.revealed.wall, hand.events, hand);
  if (scheme === "none") return "no_commitment";
  return compared.tiles.hidden ? "hidden_tiles" : null;
}

/** Nothing can be said of tiles that go to a seat which the table does not have. */
function demandTable({ started, events, seats }) {
  const isOfTable = started.dealer < seats && started.scores.length === seats;
  demand(isOfTable, "cannot_be_applied", { clause: "G-ORDER-1", seq: started.seq, seats });
  const astray = events.find((event) => TAKES_TILES.has(event.type) && event.seat >= seats);
  demand(!astray, "cannot_be_applied", { clause: "G-ORDER-1", seq: astray?.seq, seats });
}

// -- Before the deal ---------------------------------------------------------------------------------------------

async function judgeCommitments(hand, compared) {
  if (hand.root) await demandInRoot(hand);
  if (hand.root) compared.game_root = true;
  const commitments = hand.committed.map((one) => one.commitment);
  demand(new Set(commitments).size === commitments.length, "equal_commitments", seedFault(hand.started));
  if (hand.opening) demandSameSeats(hand);
  else if (hand.has("dealt")) demandAllOpened(hand);
  for (const one of hand.seeds) await demandOpens(hand, one);
  if (hand.seeds.length) compared.client_seeds = hand.seeds.map((one) => one.seat);
}

/** A hand's commitment is a leaf hash of the root that was fixed before the game. */
async function demandInRoot({ root, started }) {
  const place = { clause: "F-COMMIT-1", seq: started.seq };
  demand(started.commitment?.proof && started.commitment.scheme === root.scheme, "not_in_root", place);
  const [leaf, ...path] = [started.commitment.commitment, ...started.commitment.proof].map((text) => fromHex(text));
  try {
    demand(leaf.length === 32, "node");
    await verifyInclusion(leaf, started.hand - 1, root.hands, path, fromHex(root.root));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new Fault("not_in_root", { ...place, proof: error.code });
  }
}

/** Who committed opens, and nobody else. */
function demandSameSeats({ committed, opening }) {
  const seats = (list) => list.map((one) => one.seat).sort().join();
  demand(seats(committed) === seats(opening.client_seeds), "other_seats_opened", seedFault(opening));
}

/** A secret that stays shut voids the hand: nothing is dealt. */
function demandAllOpened({ committed, seeds, started }) {
  demand(seeds.length === committed.length, "dealt_before_opening", seedFault(started));
}

async function demandOpens(hand, { seat, seed }) {
  const place = { ...seedFault(hand.opening ?? hand.started), seat };
  demand(seed.length === 64, "seed_size", place);
  const expected = hand.committed.find((one) => one.seat === seat)?.commitment;
  const found = hex(await shuffle.clientCommitment(hand.game, seat, fromHex(seed)));
  demand(found === expected, "seed_does_not_open", { ...place, expected: expected ?? null, found });
}

function seedFault(event) {
  return { clause: "F-SEED-1", seq: event.seq };
}

// -- After the hand ----------------------------------------------------------------------------------------------

/** How each scheme's commitment opens. */
const SCHEMES = Object.assign(Object.create(null), {
  [shuffle.SCHEME]: openShuffle,
  [shuffle.WALL_HASH]: openWallHash,
  none: () => {},
});

async function openShuffle(hand, compared) {
  const seed = secret(hand, "server_seed");
  await demandCommitted(hand, await shuffle.commitment(hand.number, seed));
  const bound = await transcriptOf(hand);
  compared.commitment = true;
  compared.transcript = hex(bound);
  await demandWall(hand, seed, bound);
  compared.wall = hand.revealed.wall.length;
  compared.wall_root = await demandWallRoot(hand, seed, bound);
  compared.dice = await demandDice(hand, seed, bound);
}

async function openWallHash(hand, compared) {
  const salt = secret(hand, "salt");
  await demandCommitted(hand, await shuffle.wallHash(salt, hand.revealed.wall));
  compared.commitment = true;
}

/** The revealed secret; one of fewer than 128 bits could be guessed from its commitment. */
function secret({ revealed }, member) {
  demand(revealed[member] !== undefined, "not_opened", { clause: "F-COMMIT-1", seq: revealed.seq, member });
  const bytes = fromHex(revealed[member]);
  const isLong = bytes.length >= LEAST_SECRET;
  demand(isLong, "guessable", { clause: "F-GUESS-1", seq: revealed.seq, bits: 8 * bytes.length });
  return bytes;
}

function demandCommitted({ started, revealed }, found) {
  const isSame = hex(found) === started.commitment.commitment;
  demand(isSame, "does_not_open", { clause: "F-COMMIT-1", seq: revealed.seq, found: hex(found) });
}

function transcriptOf({ game, number, ruleset, started, seeds }) {
  const secrets = seeds.map(({ seat, seed }) => ({ seat, secret: fromHex(seed) }));
  const { id, version } = ruleset;
  const committed = fromHex(started.commitment.commitment);
  return shuffle.transcript({ game, hand: number, id, version, committed, seeds: secrets });
}

async function demandWall({ revealed, options }, seed, bound) {
  const derived = await shuffle.wall(seed, bound, options.dots !== false);
  const recorded = revealed.wall;
  const index = derived.findIndex((tile, place) => tile !== recorded[place]);
  const isSame = index < 0 && derived.length === recorded.length;
  demand(isSame, "not_the_seeds_wall", { clause: "F-WALL-1", seq: revealed.seq, index });
}

/** Whether there was a root to compare. */
async function demandWallRoot({ started, revealed }, seed, bound) {
  if (started.wall_root === undefined) return false;
  const found = await shuffle.wallRoot(seed, bound, revealed.wall);
  const isSame = equal(found, fromHex(started.wall_root));
  demand(isSame, "wrong_wall_root", { clause: "F-WALL-1", seq: started.seq, found: hex(found) });
  return true;
}

/** How many throws were compared; those of one purpose follow each other in one stream, re-throws too. */
async function demandDice({ events }, seed, bound) {
  const throws = events.filter((event) => event.type === "dice_rolled");
  for (const purpose of ["break", "gold"]) {
    const recorded = throws.filter((event) => event.purpose === purpose);
    const derived = await shuffle.dice(seed, bound, purpose, recorded.length);
    recorded.forEach(({ seq, dice }, index) => {
      const isSame = dice.join() === derived[index].join();
      demand(isSame, "not_the_seeds_dice", { clause: "F-DICE-1", seq, expected: derived[index] });
    });
  }
  return throws.length;
}

function demandWholeWall({ revealed, options }) {
  const whole = shuffle.fullSet(options.dots !== false).sort().join();
  const isWhole = revealed.wall.toSorted().join() === whole;
  demand(isWhole, "not_the_whole_wall", { clause: "S-WALL-2", seq: revealed.seq });
}
