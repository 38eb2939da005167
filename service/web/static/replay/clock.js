// Playing by itself: a step after the other, at a speed or in the time that it took.

import { choose, chosen } from "../lib/prefs.js";

/** Speeds: steps a second, or "real" for the time that it took. */
export const SPEEDS = ["0.5", "1", "2", "4", "8", "real"];
const LONGEST = 10_000; // ms; nobody waits for one who went for tea
const SHORTEST = 60;

/** The speed that the reader chose last. */
export const chosenSpeed = () => (SPEEDS.includes(chosen("speed")) ? chosen("speed") : "1");

/** Keeps a speed for the next time. */
export const keepSpeed = (speed) => choose("speed", speed);

/** The speed `by` places further in their order, or the same at its end. */
export const faster = (speed, by) => SPEEDS[SPEEDS.indexOf(speed) + by] ?? speed;

/** How long a place is shown before the next, in milliseconds. */
export function restOf({ hand, index, step }, speed) {
  if (speed !== "real") return 1000 / Number(speed);
  if (step === hand.last) return 1000;
  const took = Date.parse(hand.frames[index + 1].at) - Date.parse(hand.frames[index].at);
  return Math.min(Math.max(took, SHORTEST), LONGEST);
}

/**
 * A clock that runs `next()` (a promise of whether there was a next step) again and again, `rest()` milliseconds apart,
 * and stops at the end; `changed(isPlaying)` is told of every change.
 */
export function clock({ next, rest, changed }) {
  let timer = null;
  let isOn = false;

  const turn = (on) => {
    clearTimeout(timer);
    if (isOn === on) return;
    isOn = on;
    changed(on);
  };
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(tick, rest());
  };
  async function tick() {
    const went = await next();
    if (!isOn) return;
    if (went) wait();
    else turn(false);
  }

  return {
    isOn: () => isOn,
    play() {
      turn(true);
      wait();
    },
    pause: () => turn(false),
    /** Waits anew, at another speed. */
    again: () => isOn && wait(),
  };
}
