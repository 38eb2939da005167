// How a complete hand is read: sets and a pair, what each gold stands for, and what the hand is worth if read so.

import { h } from "../lib/dom.js";
import { badge } from "../lib/parts.js";
import { number, t } from "../lib/words.js";
import { nameOf, tile } from "../table/tiles.js";
import { face, row } from "./acts.js";
import { amount, payments, sentence, way, who } from "./names.js";
import { isWon } from "./sight.js";

/** The readings of a seat's hand, the one that counts first. */
export function draw({ head, frame, seat }, { readings }) {
  const name = who(head, seat);
  if (readings.total === 0 && !readings.wins)
    return h("p", { class: "quiet" }, t("insight.readings_none", { who: name }));
  if (readings.total === 0)
    return h("p", null, sentence("insight.readings_by_golds", { who: name, way: way(readings.win) }));
  return [
    verdict(readings, name, frame, seat),
    laidOut(frame, seat),
    h(
      "ol",
      { class: "readings" },
      readings.readings.map((one, at) => reading(one, at, frame)),
    ),
    total(readings),
  ];
}

function verdict({ wins, win, refusal }, name, frame, seat) {
  const key = isWon(frame) && frame.outcome.winner === seat ? "insight.readings_won" : "insight.readings_wins";
  if (wins) return h("p", null, sentence(key, { who: name, way: way(win) }));
  return [h("p", null, t("insight.readings_blocked", { who: name })), refused(refusal)];
}

const refused = (refusal) =>
  refusal === null
    ? null
    : h(
        "p",
        { class: "message" },
        h("span", { class: "bad", "aria-hidden": "true" }, "✗ "),
        h("strong", null, h("span", { class: "code" }, refusal.clause), " ", refusal.title),
      );

const total = ({ total: count, readings }) =>
  h(
    "p",
    { class: "quiet" },
    readings.length < count
      ? t("insight.readings_shown", { shown: number(readings.length), total: number(count) })
      : t("insight.readings_total", { count }),
  );

function laidOut(frame, seat) {
  const { melds } = frame.seats[seat];
  return melds.length === 0
    ? null
    : h(
        "p",
        { class: "row" },
        h("span", { class: "quiet" }, t("insight.besides")),
        melds.map((meld) => row(meld.tiles, frame)),
      );
}

function reading({ parts, counts, worth }, at, frame) {
  return h(
    "li",
    { class: counts ? "reading counts" : "reading" },
    h(
      "h3",
      null,
      t("insight.reading", { number: number(at + 1) }),
      " ",
      counts ? badge(["good", "★"], t("insight.counts")) : null,
    ),
    h(
      "div",
      { class: "sets" },
      parts.map((part) => set(part, frame)),
    ),
    worth === null ? null : value(worth, frame),
  );
}

// A set is one picture with one name: a gold's kind is in it as words.
const set = ({ tiles }, frame) =>
  h(
    "span",
    { class: "set", role: "img", "aria-label": tiles.map(named).join(t("insight.comma")) },
    tiles.map((one) => placed(one, frame)),
  );

function placed({ tile: code, kind, role }) {
  const shown = tile(code, { gold: role === "GOLD", standIn: role === "STAND_IN", label: null });
  if (role === "NATURAL" || code === kind) return shown;
  return h(
    "span",
    { class: "as" },
    shown,
    h("span", { class: "arrow" }, "→"),
    tile(kind, { size: "small", label: null }),
  );
}

const NAMED = { NATURAL: "natural", GOLD: "gold_as", STAND_IN: "stand_in_as" };

/** What a tile of a reading is, in words: a gold with the kind that it stands for. */
export function named({ tile: code, kind, role }) {
  const key = role === "GOLD" && code === kind ? "gold_itself" : NAMED[role];
  return t(`insight.${key}`, { tile: nameOf(code), kind: nameOf(kind) });
}

function value({ factor, water, names, items, deltas }, frame) {
  return h(
    "dl",
    { class: "worth" },
    pair("factor", `×${number(factor)}`),
    water === 0 ? null : pair("water", number(water)),
    names.length === 0 ? null : pair("shapes", names.map(way).join(t("insight.comma"))),
    pair("payments", payments(deltas)),
    items.length === 0
      ? null
      : pair(
          "items",
          h(
            "ul",
            { class: "plain inline" },
            items.map((one) => item(one, frame)),
          ),
        ),
  );
}

const pair = (key, shown) => h("div", null, h("dt", null, t(`insight.${key}`)), h("dd", null, shown));

const item = ({ seat, code, value: points, tile: shown }, frame) =>
  h(
    "li",
    null,
    h("span", { class: "code" }, code),
    " ",
    shown === null ? null : face(shown, frame),
    " ",
    amount(points),
    " ",
    h("span", { class: "quiet" }, t("insight.of_seat", { seat })),
  );
