// Parts that are drawn anew only when what they show has changed.

import { fill } from "../lib/dom.js";
import { retile, tiles } from "./tiles.js";

const shown = new WeakMap();

/** Fills `element` with `draw(value)`, unless it shows an equal value already; values are plain, as in JSON. */
export function keep(element, value, draw) {
  if (isShown(element, value)) return;
  fill(element, draw(value));
}

/** Has `element` show one row of tiles: `draw(value)` gives the arguments of `tiles`, or null for no row. */
export function keepRow(element, value, draw) {
  if (isShown(element, value)) return;
  const row = draw(value);
  if (row === null) fill(element);
  else if (element.firstChild === null) fill(element, tiles(...row));
  else retile(element.firstChild, ...row);
}

function isShown(element, value) {
  const key = JSON.stringify(value);
  if (shown.get(element) === key) return true;
  shown.set(element, key);
  return false;
}
