// The hands of a game with what each brought: an index of them all.

import { fill, h } from "../lib/dom.js";
import { number, t, term } from "../lib/words.js";

/** The scores after each of the hands, from those before the first (0, or what the final ones leave over). */
export function totals({ hands, scores, seats }) {
  const paid = hands.map(({ deltas }) => deltas ?? seats.map(() => 0));
  const running = seats.map((_, seat) => (scores?.[seat] ?? sum(paid, seat)) - sum(paid, seat));
  return paid.map((deltas) => deltas.map((delta, seat) => (running[seat] += delta)));
}

const sum = (rows, seat) => rows.reduce((total, deltas) => total + deltas[seat], 0);

/**
 * The table in `root`; `opened(number)` when a hand is chosen, `settled(number)` when its payment is. `show(place)`
 * marks the hand that is shown.
 */
export function scoreTable(root, { head, level, opened, settled }) {
  const running = totals(head);
  const rows = head.hands.map((hand, at) => row(hand, { head, running: running[at], opened, settled }));
  const none = h("p", { class: "quiet" }, t("replay.hands_none"));
  fill(root, h(`h${level}`, null, t("replay.hands")), rows.length === 0 ? none : whole(rows, head));
  return {
    show({ hand: { hand: number } }) {
      for (const one of rows) {
        if (Number(one.dataset.hand) === number) one.setAttribute("aria-current", "true");
        else one.removeAttribute("aria-current");
      }
    },
  };
}

function whole(rows, head) {
  const names = ["hand", "dealer", "streak", "winner", "way", "value"].map((name) => heading(t(`replay.col_${name}`)));
  const seats = head.seats.map((seat) => seatHeading(seat));
  const last = ["findings", "settled"].map((name) => heading(t(`replay.col_${name}`)));
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": t("replay.hands") },
    h(
      "table",
      { class: "scores" },
      h("caption", { class: "quiet" }, t("replay.hands_caption")),
      h("thead", null, h("tr", null, names, seats, last)),
      h("tbody", null, rows),
    ),
  );
}

const heading = (text, name = null) => h("th", { scope: "col", class: name }, text);

const seatHeading = ({ seat, name, player }) =>
  h("th", { scope: "col", class: "number" }, t("replay.seat", { seat }), h("span", { class: "player" }, " ", name ?? player));

function row(hand, { head, running, opened, settled }) {
  const open = button(hand.number, t("replay.open_hand", { hand: hand.number }), () => opened(hand.number));
  const pay = button("→", t("replay.to_settled", { hand: hand.number }), () => settled(hand.number));
  const openByRow = ({ target }) => target.closest("button") === null && opened(hand.number);
  return h(
    "tr",
    { "data-hand": hand.number, onclick: openByRow },
    h("th", { scope: "row" }, open),
    h("td", null, t("replay.seat", { seat: hand.dealer })),
    h("td", { class: "number" }, number(hand.streak)),
    h("td", null, hand.winner === null ? t("replay.nobody") : t("replay.seat", { seat: hand.winner })),
    h("td", null, hand.win === null ? "–" : term("ways", hand.win)),
    h("td", null, valueOf(hand)),
    running.map((total, seat) => h("td", { class: "number" }, paid(hand, seat), totalOf(total))),
    h("td", null, foundIn(hand, head)),
    h("td", null, pay),
  );
}

const button = (text, label, onclick) => h("button", { type: "button", "aria-label": label, onclick }, text);

const totalOf = (total) =>
  h(
    "span",
    { class: "total quiet" },
    h("span", { class: "unseen" }, " ", t("replay.total", { amount: number(total) })),
    h("span", { "aria-hidden": "true" }, number(total)),
  );

const paid = ({ deltas }, seat) => (deltas === null ? "–" : h("span", null, number(deltas[seat], { signed: true })));

function valueOf({ factor, water }) {
  const texts = [factor && t("replay.factor", { factor: number(factor) }), water && t("replay.water", { count: water })];
  return texts.filter(Boolean).join(" · ") || "–";
}

function foundIn({ number: hand }, { findings }) {
  const count = findings.filter((one) => one.hand === hand).length;
  return count === 0 ? "–" : h("span", { class: "bad" }, h("span", { "aria-hidden": "true" }, "✗ "), number(count));
}
