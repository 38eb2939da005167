// Dice as they were thrown.

import { h, s } from "../lib/dom.js";
import { t } from "../lib/words.js";

/** The pips of a die on a field of 3 × 3, rows from the top. */
const PIPS = { 1: [4], 2: [2, 6], 3: [2, 4, 6], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };
/** In Chinese sets one and four are red. */
const RED = [1, 4];

/** A throw: its purpose in words and its dice as one picture. */
export function thrown({ purpose, dice }) {
  const label = t("table.dice_thrown", { purpose: t(`table.dice_${purpose}`), dice: dice.join(" + ") });
  const heading = h("span", { class: "quiet" }, t(`table.dice_${purpose}`));
  return h("span", { class: "throw", role: "img", "aria-label": label, title: label }, heading, dice.map(die));
}

function die(value) {
  const look = { class: RED.includes(value) ? "ink-red" : "ink-black", r: value === 1 ? 6 : 4 };
  const pips = (PIPS[value] ?? []).map((at) =>
    s("circle", { ...look, cx: 9 + (at % 3) * 11, cy: 9 + Math.floor(at / 3) * 11 }),
  );
  const face = s("rect", { class: "die-face", x: 1, y: 1, width: 38, height: 38, rx: 8 });
  return s("svg", { class: "die", viewBox: "0 0 40 40", "aria-hidden": "true" }, face, pips);
}
