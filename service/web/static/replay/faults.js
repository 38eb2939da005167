// What cannot be shown, in the reader's language.

import { t } from "../lib/words.js";

const WORDS = {
  GAME_NOT_FOUND: "replay.no_such_game",
  HAND_NOT_FOUND: "replay.no_such_hand",
  HIDDEN: "replay.hidden_seat",
  SEAT_OUT_OF_RANGE: "replay.no_such_seat",
  SEQ_OUT_OF_RANGE: "replay.no_such_step",
};

/** An error as it came, with its sentence in the page's language where it has one for the code. */
export function inWords(error, target) {
  const key = WORDS[error.code];
  if (key !== undefined) error.message = t(key, target);
  return error;
}

/** The error of a step that a game does not have. */
export const noStep = (step) => inWords(Object.assign(new Error(), { code: "SEQ_OUT_OF_RANGE" }), { step });
