// Where a replay's game comes from. A source is asked for the game's head, for a hand, and for what hangs on a step;
// this one asks the store, log/source.js a log that was dropped on a page.

import { ask } from "./api.js";
import { good } from "./parts.js";
import { LANG } from "./words.js";

/** The source of a stored game. */
export function stored(game) {
  return {
    isStored: true,

    /** What is said of the whole game: seats, verdict, where something was found, finished hands. */
    async head() {
      const found = good((await ask("GameHead", { game, lang: LANG })).game);
      return { ...found, ...audited(found.audit), isStored: true };
    },

    /**
     * A hand by its number or by a step in it, with its findings, as `asSeat` saw it or as much as the reader may see;
     * `signal` gives it up.
     */
    async hand({ hand = null, seq = null, asSeat = null, signal } = {}) {
      return unfolded(good((await ask("HandReplay", { game, hand, seq, asSeat, lang: LANG }, { signal })).replay));
    },

    /** What hangs on a seat's tiles at a step: acts that are barred, waits, readings. */
    async step(seq, seat) {
      const { blockedActs, waits, readings } = await ask("StepInsight", { game, seq, seat, lang: LANG });
      return { blocked: good(blockedActs).acts, waits: good(waits).waits, readings: good(readings) };
    },

    /** How the payments of a hand come about; null where it has no audit yet. */
    async waterfall(hand) {
      const { scoreWaterfall } = await ask("HandWaterfall", { game, hand, lang: LANG });
      return scoreWaterfall.__typename === "Waterfall" ? scoreWaterfall : null;
    },
  };
}

const audited = (audit) => ({
  findings: audit?.findings ?? [],
  hands: audit?.hands ?? [],
  scores: audit?.scores ?? null,
  fairness: audit?.fairness ?? null,
});

/** A hand's replay as the service tells it, with every frame and every step's acts whole. */
export function unfolded({ hand, firstSeq, lastSeq, hands, view, asSeat, frames, acts, events, findings = [] }) {
  return {
    hand,
    first: firstSeq,
    last: lastSeq,
    hands: hands.map(({ number, firstSeq: first, lastSeq: last }) => ({ number, first, last })),
    view,
    asSeat,
    frames: whole(frames).map((frame) => ({ ...frame, seats: Object.values(frame.seats) })),
    acts: whole(acts),
    events,
    findings,
  };
}

// Each value but the first says what changed. What did not is shared, so that drawing can tell by identity.
function whole(changes) {
  let current = null;
  return changes.map((change) => (current = changed(current, change)));
}

function changed(before, change) {
  if (!isObject(before) || !isObject(change)) return change;
  const entries = Object.entries(change).map(([name, value]) => [name, changed(before[name], value)]);
  return entries.length === 0 ? before : { ...before, ...Object.fromEntries(entries) };
}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
