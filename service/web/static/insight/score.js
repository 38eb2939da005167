// The payments of a hand as a waterfall: step by step who pays whom, and what the server paid beside it.

import { h, s } from "../lib/dom.js";
import { number, t } from "../lib/words.js";
import { face } from "./acts.js";
import { all, amount, sentence, start, way, who } from "./names.js";

/** Which hand it is about, in short. */
export const brief = ({ state }) => t("insight.score_hand", { hand: number(state.hand.hand) });

/** The score of the hand; `fall` is its waterfall, null where there is none. */
export function draw(context, fall) {
  const { head, state, frame, go } = context;
  const hand = number(state.hand.hand);
  if (fall === null) return h("p", { class: "quiet" }, t("insight.score_unknown", { hand }));
  const settled = state.hand.events.find(({ type }) => type === "settled") ?? null;
  return [
    h("p", null, ending(context, hand)),
    fall.strands.length === 0
      ? h("p", null, t("insight.score_nothing", { hand }))
      : waterfall(fall.strands, head, frame),
    h("h3", null, t("insight.sum")),
    sums(fall, settled, head),
    told(fall, settled),
    settled === null || settled.seq === frame.seq
      ? null
      : h(
          "p",
          null,
          h("button", { type: "button", onclick: () => go(settled.seq) }, t("insight.paid_at", { seq: settled.seq })),
        ),
  ];
}

function ending({ head, state }, hand) {
  const found = head.hands.find((one) => one.number === state.hand.hand);
  if (found === undefined || found.winner === null) return t("insight.score_no_winner", { hand });
  const key = found.factor === 0 ? "insight.score_claimed" : "insight.score_win";
  return sentence(key, { hand, who: who(head, found.winner), way: way(found.win) });
}

// -- Who pays whom ----------------------------------------------------------------------------------------------------

/** Strands together that differ by nothing but who pays: each of a list of {payers, payee, amount, steps}. */
export function grouped(strands) {
  const groups = new Map();
  for (const one of strands) {
    const isOwn = one.payer === one.shareOf;
    const key = JSON.stringify([one.payee, one.steps, isOwn ? null : [one.payer, one.shareOf]]);
    groups.set(key, { ...one, payers: [...(groups.get(key)?.payers ?? []), one.payer] });
  }
  return [...groups.values()];
}

function title({ payer, payers, payee, shareOf, amount: paid }, head) {
  const values = { payee: who(head, payee), payer: all(payers.map((one) => who(head, one))), amount: number(paid) };
  if (payer === null) return sentence("insight.gains", { ...values, amount: amount(paid) });
  if (payers.length > 1) return sentence("insight.pays_each", values);
  return payer === shareOf
    ? sentence("insight.pays", values)
    : sentence("insight.pays_for", { ...values, other: who(head, shareOf) });
}

// All strands are one table on one scale, each with a heading of its own.
function waterfall(strands, head, frame) {
  const ends = [0, ...strands.flatMap(({ steps }) => steps.map(({ total }) => total))];
  const scale = { least: Math.min(...ends), most: Math.max(...ends) };
  const heads = [["step"], ["change", "number"], ["so_far", "number"]];
  const groups = grouped(strands).map((group) =>
    h(
      "tbody",
      null,
      h("tr", { class: "strand" }, h("th", { scope: "rowgroup", colspan: 3 }, title(group, head))),
      group.steps.map((step) => line(step, scale, frame)),
    ),
  );
  return h(
    "table",
    { class: "waterfall" },
    h("caption", { class: "unseen" }, t("insight.steps_of")),
    columns(heads),
    groups,
  );
}

const columns = (heads) =>
  h(
    "thead",
    null,
    h(
      "tr",
      null,
      heads.map(([key, kind]) => h("th", { scope: "col", class: kind }, t(`insight.${key}`))),
    ),
  );

function line(step, scale, frame) {
  const { clause, title: clauseTitle, label, value, total, times, tile, name } = step;
  return h(
    "tr",
    null,
    h(
      "th",
      { scope: "row" },
      h(
        "span",
        { class: "row" },
        label,
        name === null ? null : h("span", null, way(name)),
        tile === null ? null : face(tile, frame),
      ),
      h("span", { class: "clause quiet" }, h("span", { class: "code" }, clause), " ", clauseTitle),
      bar(total - value, total, times === null ? "adds" : "times", scale),
    ),
    h("td", { class: "number" }, times === null ? amount(value) : `×${number(times)}`),
    h("td", { class: "number" }, number(total)),
  );
}

// From what there was before a step to what there is after it, on the scale of the whole strand.
function bar(before, after, kind, { least, most }) {
  const at = (value) => (most === least ? 0 : (100 * (value - least)) / (most - least));
  const [left, right] = [Math.min(before, after), Math.max(before, after)].map(at);
  return s(
    "svg",
    { class: "bar", viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" },
    s("rect", { class: "whole", x: 0, y: 0, width: 100, height: 6 }),
    s("rect", { class: "before", x: at(0) < left ? at(0) : left, y: 2, width: Math.abs(left - at(0)), height: 2 }),
    s("rect", { class: after < before ? "less" : kind, x: left, y: 0, width: Math.max(right - left, 0.75), height: 6 }),
  );
}

// -- Together, and what was paid --------------------------------------------------------------------------------------

function sums({ strands, deltas }, settled, head) {
  const heads = [["sum_seat"], ["sum_parts", "number"], ["sum_rules", "number"], ["sum_paid", "number"]];
  const rows = deltas.map((due, seat) =>
    h(
      "tr",
      null,
      h("th", { scope: "row" }, start(who(head, seat))),
      h("td", { class: "number" }, parts(strands, seat).map(amount).join(" ") || "–"),
      h("td", { class: "number" }, amount(due)),
      h(
        "td",
        { class: "number" },
        settled === null ? "–" : [amount(settled.deltas[seat]), " ", sign(settled.deltas[seat] === due)],
      ),
    ),
  );
  return h(
    "div",
    { class: "scroll" },
    h(
      "table",
      { class: "sums" },
      h("caption", { class: "unseen" }, t("insight.sum")),
      columns(heads),
      h("tbody", null, rows),
    ),
  );
}

const sign = (isSame) =>
  isSame
    ? h(
        "span",
        { class: "good" },
        h("span", { "aria-hidden": "true" }, "✓"),
        h("span", { class: "unseen" }, t("insight.same")),
      )
    : h(
        "strong",
        { class: "bad" },
        h("span", { "aria-hidden": "true" }, "≠"),
        h("span", { class: "unseen" }, t("insight.differs")),
      );

/** What a seat gains and loses, strand by strand. */
export const parts = (strands, seat) =>
  strands
    .flatMap(({ payer, payee, amount: paid }) => [
      ...(payee === seat ? [paid] : []),
      ...(payer === seat ? [-paid] : []),
    ])
    .filter((one) => one !== 0);

function told({ deltas }, settled) {
  if (settled === null) return h("p", { class: "quiet" }, t("insight.sum_not_paid"));
  const off = deltas.flatMap((due, seat) => (settled.deltas[seat] === due ? [] : [t("insight.seat", { seat })]));
  if (off.length === 0) return h("p", { class: "good" }, "✓ ", t("insight.sum_same"));
  return h("p", { class: "bad" }, h("strong", null, "≠ ", t("insight.sum_differs", { seats: all(off) })));
}
