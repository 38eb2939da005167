// Tiles as a page shows them. A page that uses this has loaded the words of "table", and the style "tiles".

import { h, s } from "../lib/dom.js";
import { t } from "../lib/words.js";
import { HEIGHT, MARKS, WIDTH, faceOf, moved, prepare, signOf } from "./art.js";

/** How a tile is written that the reader may not see. */
export const HIDDEN = "??";

/** The 42 faces by their codes, in the order of the notation: characters, dots, bamboo, honours, flowers. */
export const CODES = [..."mps"]
  .flatMap((suit) => range(9).map((number) => `${number}${suit}`))
  .concat(range(7).map((number) => `${number}z`), range(8).map((number) => `${number}f`));

/** A tile's name in the page's language, such as "3 of characters"; "hidden tile" for "??". */
export function nameOf(code) {
  if (code === HIDDEN) return t("table.hidden", { count: 1 });
  const [number, suit] = code;
  if (!"mps".includes(suit)) return t(`table.tile_${code}`);
  return t(`table.suit_${suit}`, { number: t(`table.number_${number}`) });
}

/**
 * A tile by its code, as a picture with a name.
 *
 * - `size`: "small", "large" or nothing for that of its surroundings (the CSS property --tile is its width);
 * - `turned`: lying on its side, as a claimed tile lies in a meld;
 * - `gold`, `standIn`: whether its kind is gold, or plays as the gold's face kind (`roles` finds both);
 * - `dim`: no longer there, such as a claimed discard; `apart`: set apart from the row, such as the drawn tile;
 * - `mark`: a sign or several: "new" (of this step), "claimed", "drawn" (thrown straight from the draw), "win";
 * - `by`: the name of who claimed it;
 * - `label`: its name; without one it is the tile's with its marks. `null` for a tile whose surroundings name it.
 */
export function tile(code, options = {}) {
  prepare();
  const { label = labelOf(code, options) } = options;
  const [width, height] = options.turned ? [HEIGHT, WIDTH] : [WIDTH, HEIGHT];
  const lying = options.turned ? `translate(0 ${WIDTH}) rotate(-90)` : null;
  return s(
    "svg",
    { class: classesOf(options), viewBox: `0 0 ${width} ${height}`, "data-tile": code, ...named(label) },
    s("title", null, label ?? labelOf(code, options)),
    use(faceOf(code), lying),
    signsOf(options).map((mark) => use(signOf(mark), options.turned ? moved(mark) : null)),
  );
}

/**
 * Tiles in a row, as one picture with one name: what the row is (`label`, which may be left out) and its tiles, hidden
 * ones counted. Each of `shown` is a code, or a pair of a code and the options of `tile`; `name` is a class of the row.
 */
export const tiles = (shown, options) => retile(h("span", { role: "img" }), shown, options);

/** Makes a row of `tiles` show others; those that it has already stay where they are, which is what makes it quick. */
export function retile(row, shown, { label = "", name = "" } = {}) {
  const pairs = shown.map((one) => (typeof one === "string" ? [one, {}] : one));
  const text = pairs.length === 0 ? t("table.no_tiles") : listOf(pairs);
  row.className = `tiles ${name}`.trim();
  row.setAttribute("aria-label", label === "" ? text : t("table.row", { label, tiles: text }));
  arrange(row, pairs);
  return row;
}

function arrange(row, pairs) {
  const spare = Map.groupBy(row.children, (child) => keys.get(child));
  const wanted = pairs.map(([code, options]) => spare.get(keyOf(code, options))?.shift() ?? silent(code, options));
  for (const child of [...spare.values()].flat()) child.remove();
  for (const [at, child] of wanted.entries()) {
    if (row.children[at] !== child) row.insertBefore(child, row.children[at] ?? null);
  }
}

const keys = new WeakMap();
const keyOf = (code, options) => JSON.stringify([code, options]);

function silent(code, options) {
  const made = tile(code, { ...options, label: null });
  keys.set(made, keyOf(code, options));
  return made;
}

/** What a tile is in a frame: {gold, standIn}, as options of `tile`. */
export const roles = (code, { golds, stand_in: standIn }) => ({ gold: golds.includes(code), standIn: code === standIn });

/** A tile's name with what it is in a game and the marks that it bears, such as "3 of characters (gold, claimed)". */
export function labelOf(code, options = {}) {
  const words = signsOf(options).map((mark) => wordOf(mark, options));
  if (words.length === 0) return nameOf(code);
  return t("table.tile_with", { tile: nameOf(code), words: words.join(t("table.comma")) });
}

function wordOf(mark, { by }) {
  return mark === "claimed" && by !== undefined ? t("table.claimed_by", { name: by }) : t(`table.mark_${mark}`);
}

// The signs that a tile bears, gold and stand-in first.
function signsOf({ gold, standIn, mark = [] }) {
  const borne = [gold && "gold", standIn && "stand-in", mark].flat();
  return MARKS.filter((one) => borne.includes(one));
}

const use = (id, transform) => s("use", { href: `#${id}`, width: WIDTH, height: HEIGHT, transform });

function classesOf(options) {
  const states = ["turned", "dim", "apart"].filter((state) => options[state]);
  return ["tile", options.size, ...states, ...signsOf(options).map((mark) => `is-${mark}`)].filter(Boolean).join(" ");
}

const named = (label) => (label === null ? { "aria-hidden": "true" } : { role: "img", "aria-label": label });

// The tiles one by one; hidden ones that are alike are counted, for sixteen times "hidden tile" tells nobody anything.
function listOf(pairs) {
  const names = pairs.filter(([code]) => code !== HIDDEN).map(([code, options]) => labelOf(code, options));
  const hidden = pairs.length - names.length;
  return (hidden === 0 ? names : [...names, t("table.hidden", { count: hidden })]).join(t("table.comma"));
}

function range(last) {
  return [...Array(last).keys()].map((at) => at + 1);
}
