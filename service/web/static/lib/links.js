// Addresses of pages: everything that a picture hangs on is in them, so copying one shows a colleague the same.

import { kept } from "./shell.js";

/** The replay of a game: at a step or a hand, as a seat saw it, with the wall ahead. */
export const replay = (game, { step, hand, seat, wall } = {}) => at("/replay", { game, hand, step, seat, wall: wall ? 1 : null });

/** A player's page. */
export const player = (id) => at("/player", { id });

/** A dispute. */
export const dispute = (id) => at("/case", { id });

/** A dispute's report, to be printed. */
export const report = (id) => at("/report", { id });

/** A new dispute over a game, there over a step, and over a clause. */
export const complaint = (game, { step, hand, clause } = {}) => at("/case", { game, hand, step, clause });

/** The check of a game's bundle, there as a seat may see it. */
export const verification = (game, { seat } = {}) => at("/verify", { game, seat });

/** An address with those of the values that there are. */
export function at(path, values) {
  const found = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return kept(found.length === 0 ? path : `${path}?${new URLSearchParams(found)}`);
}
