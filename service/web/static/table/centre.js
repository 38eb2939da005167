// The middle of the table: golds, tiles left, dice, what lies open, how the hand ended.

import { h } from "../lib/dom.js";
import { number, t, term } from "../lib/words.js";
import { thrown } from "./dice.js";
import { keep } from "./kept.js";
import { roles, tile } from "./tiles.js";

/** Draws what has changed of the middle. */
export function drawCentre(element, { frame, event, nameOf }) {
  const { hand, phase, golds, stand_in, flipped, dice, left, open, outcome, seats } = frame;
  const fresh = event?.type === "gold_flipped" ? event.gold : null;
  const names = Object.fromEntries(seats.map(({ seat }) => [seat, nameOf(seat)]));
  keep(element, { hand, phase, golds, stand_in, flipped, dice, left, open, outcome, fresh, names }, (value) => [
    state(value),
    gold(value),
    value.dice.length === 0 ? null : h("div", { class: "dice" }, value.dice.map(thrown)),
    value.open === null ? null : lying(value),
    value.outcome === null ? null : end(value),
  ]);
}

function state({ hand, phase, left }) {
  if (hand === 0) return h("p", { class: "state" }, term("phases", phase));
  return h(
    "div",
    { class: "state" },
    h("p", null, h("strong", null, t("table.hand_number", { number: hand })), " · ", term("phases", phase)),
    h("p", { class: "left" }, t("table.left", { count: left, number: number(left) })),
  );
}

function gold({ hand, golds, stand_in, flipped, fresh }) {
  if (flipped.length === 0) return hand > 0 ? h("p", { class: "quiet" }, t("table.no_gold")) : null;
  const shown = flipped.map((code) => tile(code, golds.includes(code) ? goldLook(code === fresh) : { dim: true }));
  const standIn = stand_in === null ? null : labelled(t("table.stands_in"), tile(stand_in, { standIn: true }));
  return h("div", { class: "golds" }, labelled(t("table.golds"), shown), standIn);
}

const goldLook = (isNew) => ({ gold: true, mark: isNew ? "new" : [] });

const labelled = (heading, ...shown) =>
  h("div", { class: "labelled" }, h("span", { class: "quiet" }, heading), h("span", { class: "row" }, shown));

function lying({ open, names, golds, stand_in }) {
  const words = t(`table.open_${open.act}`, { name: names[open.seat] });
  return h("p", { class: "open" }, tile(open.tile, roles(open.tile, { golds, stand_in })), " ", words);
}

function end({ outcome, names, golds, stand_in }) {
  const { winner, win, tile: won, from, deltas } = outcome;
  return h(
    "div",
    { class: "outcome" },
    won === null ? null : tile(won, { ...roles(won, { golds, stand_in }), mark: "win" }),
    h("p", null, h("strong", null, ended(winner, win, names)), h("br"), winner === null ? null : way(win, names[from])),
    deltas === null ? null : payments(deltas),
  );
}

const way = (win, from) =>
  from === undefined ? term("ways", win) : `${term("ways", win)} · ${t("table.won_from", { name: from })}`;

function ended(winner, win, names) {
  if (win === "voided") return t("table.hand_voided");
  return winner === null ? t("table.nobody_wins") : t("table.wins", { name: names[winner] });
}

function payments(deltas) {
  const lines = deltas.map((delta, seat) =>
    h("div", null, h("dt", null, t("table.seat", { seat })), h("dd", null, number(delta, { signed: true }))),
  );
  return h("dl", { "aria-label": t("table.payments") }, lines);
}
