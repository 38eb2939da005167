// Where the parts of a replay stand.

import { fill, h } from "../lib/dom.js";
import { t } from "../lib/words.js";
import { about } from "./about.js";

/**
 * Builds the frame of a replay in `main`; gives its parts by their names. A plain one has no more than notices, line and
 * board; the others are null then.
 */
export function laidOut(main, { head, level, isPlain }) {
  const roots = isPlain ? plain() : { ...plain(), ...beside() };
  const { notices, line, board, transport, timeline, choices, aside, index } = { ...NONE, ...roots };
  const seen = h("div", { class: "seen" }, transport, line, board, timeline, choices);
  const whole = h("div", { class: "replay" }, about(head, level), notices, h("div", { class: "scene" }, seen, aside), index);
  fill(main, whole);
  return { ...NONE, ...roots, whole };
}

const NONE = { transport: null, timeline: null, choices: null, aside: null, index: null };

const plain = () => ({
  notices: h("div", { class: "notices" }),
  line: h("div", { class: "line" }),
  board: h("section", { class: "board", "aria-label": t("replay.table") }),
});

const beside = () => ({
  transport: h("section", { class: "transport", "aria-label": t("replay.moves") }),
  timeline: h("section", { class: "timeline" }),
  choices: h("section", { class: "controls", "aria-label": t("replay.controls") }),
  aside: h("aside", { class: "beside", "aria-label": t("replay.beside") }),
  index: h("section", { class: "index" }),
});
