/** Long work in small portions: whoever shows it, or waits for something else, gets a turn. */

const PORTION = 30; // milliseconds

/** Gives nobody a turn. */
export const unpaced = () => {};

/** A function to be awaited again and again within long work: once a portion is done, it waits for `pause()`. */
export function paced(pause) {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < PORTION) return;
    await pause();
    began = performance.now();
  };
}
