// Going from place to place in a game. A place is a value: {step, seat, wall, hand, index}, where `seat` is the viewpoint
// (null: all that the reader may see), `wall` whether the wall ahead is shown, `hand` what the source told of the hand,
// and `index` that of the step in it.

import { inWords, noStep } from "./faults.js";
import { MOVES, STEPS, neighbour } from "./moves.js";
import { GIVEN_UP, shelf as shelved } from "./shelf.js";

/**
 * A traveller through the game of `source`. `found` are the steps with findings. It tells
 * - `told.arrived(place, {isJump})` of every place it comes to, at once where the hand is known already;
 * - `told.waits(is)` when it waits for a hand, and when it does no more;
 * - `told.refused(error)` of what it cannot show: it stays where it is.
 */
export function traveller(source, found, told) {
  let place = null;
  let shelf = null;
  let wanted = null; // the target on the way to which a hand is waited for: what was asked for last

  /** Goes to {step} or {hand}, with {seat} and {wall} where they change. Gives whether it came there. */
  async function go(asked, isJump = true) {
    const target = (wanted = completed(asked, wanted ?? place));
    const from = shelf?.seat === target.seat ? shelf : shelved(source, target.seat);
    if (from !== shelf) shelf?.leave();
    let hand = from.known(target);
    if (hand === undefined) {
      told.waits(true);
      try {
        hand = await from.fetch(target);
      } catch (error) {
        return target === wanted && stay(inWords(error, target));
      }
      if (target !== wanted) return false;
    }
    const step = target.step ?? hand.first;
    if (step < hand.first || step > hand.last) return stay(noStep(step));
    shelf = from;
    const wall = target.wall && wallOf(hand, target.seat) !== null;
    arrive({ step, seat: target.seat, wall, hand, index: step - hand.first }, isJump);
    return true;
  }

  function stay(error) {
    if (error.code === GIVEN_UP) return false;
    wanted = null;
    told.waits(false);
    told.refused(error);
    return false;
  }

  function arrive(next, isJump) {
    wanted = null;
    place = next;
    told.waits(false);
    told.arrived(place, { isJump });
    whenIdle(() => place === next && wanted === null && fetchAround(shelf, next.hand)); // the next arrival sees to its own
  }

  /** Makes one of `MOVES` by its name. Gives whether there was somewhere to go. */
  async function by(name) {
    const before = wanted;
    const move = MOVES[name]({ place, found, fetch: shelf.fetch });
    const target = move instanceof Promise ? await move.catch(stay) : move;
    if (target === undefined || target === false || before !== wanted) return false;
    return go(target, !STEPS.has(name));
  }

  /** The hand of {step} or {hand} as the viewpoint shows it; false where it cannot be had, which is told. */
  const fetch = (target) => shelf.fetch(target).catch((error) => stay(inWords(error, target)));

  return { go, by, place: () => place, fetch };
}

// A place has both, and its hand is all that was told of it; of a target the hand is a number.
const stepOf = (from) => (from?.step === undefined ? { hand: from?.hand } : { step: from.step });

// What a target leaves out is as where the reader is, or is going.
const completed = ({ step, hand, seat, wall }, from) => ({
  ...(step === undefined && hand === undefined ? stepOf(from) : { step, hand }),
  seat: seat === undefined ? (from?.seat ?? null) : seat,
  wall: wall ?? from?.wall ?? false,
});

/**
 * The wall of a hand by its slots, null where none is to be shown: it is on record once it was revealed to the reader,
 * and no seat sees it ahead.
 */
export function wallOf({ events }, seat) {
  if (seat !== null) return null;
  return events.find(({ type }) => type === "wall_revealed")?.wall ?? null;
}

// What cannot be fetched now is asked for again when it is wanted, and told of then.
function fetchAround(shelf, hand) {
  for (const beside of [neighbour(hand, 1), neighbour(hand, -1)]) {
    if (beside !== undefined) shelf.fetch({ step: beside.first }).catch(() => {});
  }
}

const whenIdle = (run) => (globalThis.requestIdleCallback ?? setTimeout)(run);
