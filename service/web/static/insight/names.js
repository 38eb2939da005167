// How the panels speak of seats, numbers and what a code stands for.

import { has, lang, number, t, term } from "../lib/words.js";

/** A seat with its player's name, as far as the reader may see one. */
export function who({ seats }, seat) {
  const { name, player } = seats[seat] ?? {};
  const known = name ?? player;
  return known ? t("insight.seat_named", { seat, name: known }) : t("insight.seat", { seat });
}

/** The words of a key as a sentence of its own, which may begin with a seat. */
export const sentence = (key, values) => start(t(key, values));

/** A text at the beginning of a line. */
export const start = (text) => text.charAt(0).toLocaleUpperCase(lang) + text.slice(1);

/** Several texts as a list with its last "and". */
export const all = (texts) =>
  texts.length < 2
    ? texts.join("")
    : [texts.slice(0, -1).join(t("insight.comma")), texts.at(-1)].join(t("insight.last_comma"));

/** What each seat gains or loses, in one text. */
export const payments = (deltas) =>
  deltas.map((delta, seat) => t("insight.seat_amount", { seat, amount: amount(delta) })).join(t("insight.comma"));

/** Points with their sign. */
export const amount = (value) => number(value, { signed: true });

/** A way of winning, a level or a hand's shape by its code. */
export const way = (code) => (has(`terms.ways.${code}`) ? term("ways", code) : term("shapes", code));
