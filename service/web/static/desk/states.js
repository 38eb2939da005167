// How a case stands and what its verdict says, by sign and word.

import { badge } from "../lib/parts.js";
import { t } from "../lib/words.js";

/** The states of a case, in the order of its course. */
export const STATES = ["OPEN", "IN_REVIEW", "PENDING_APPROVAL", "DECIDED", "APPEALED", "WITHDRAWN", "CLOSED"];
/** What a verdict can say. */
export const OUTCOMES = ["UPHELD", "PARTLY_UPHELD", "DISMISSED", "HAND_VOIDED"];

const SIGNS = {
  OPEN: ["warn", "○"],
  IN_REVIEW: ["plain", "◐"],
  PENDING_APPROVAL: ["warn", "◕"],
  DECIDED: ["good", "●"],
  APPEALED: ["warn", "↻"],
  WITHDRAWN: ["plain", "↩"],
  CLOSED: ["plain", "■"],
};
const OUTCOME_SIGNS = {
  UPHELD: ["good", "✓"],
  PARTLY_UPHELD: ["good", "±"],
  DISMISSED: ["bad", "✗"],
  HAND_VOIDED: ["warn", "⊘"],
};

/** The badge of a state. */
export const state = (code) => badge(SIGNS[code], t(`desk.state_${code.toLowerCase()}`));

/** The badge of an outcome; nothing where there is no verdict. */
export const outcome = (code) => (code === null ? null : badge(OUTCOME_SIGNS[code], outcomeName(code)));

/** What an outcome is called. */
export const outcomeName = (code) => t(`desk.outcome_${code.toLowerCase()}`);
