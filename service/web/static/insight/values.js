// What an event recorded and what the rules give, member by member.

import { h } from "../lib/dom.js";
import { has, t, term } from "../lib/words.js";
import { act, face, row } from "./acts.js";
import { all, amount, payments, way } from "./names.js";

const CODE = /^([1-9][mps]|[1-7]z|[1-8]f|\?\?)$/;
const ALIKE = /^(\d+) tiles of the same kind$/;

/** Phrases that the engine writes as values. */
const SAID = {
  "five sets and a pair": "insight.said_five_sets",
  "four sets and a pair": "insight.said_four_sets",
  "no golds": "insight.said_no_golds",
  "two tiles that make a run": "insight.said_run",
};

/** How texts of a member are worded, where they are codes. */
const WORDS = {
  act: (text) => term("acts", text),
  acts: (text) => term("acts", text),
  declaration: way,
  from: (text) => term("ends", text),
  kind: (text) => (has(`terms.kongs.${text}`) ? term("kongs", text) : way(text)),
  level: way,
  types: (text) => term("events", text),
  win: way,
};

const seat = (number) => t("insight.seat", { seat: number });

/** How numbers of a member are worded, where they are more than numbers. */
const NUMBERS = { by: seat, dealer: seat, from: seat, locked_by: seat, seat, value: amount };

/** A table of the members that were recorded or are expected; null where there is nothing to compare. */
export function compared({ recorded, expected }, frame) {
  const before = recorded ?? {};
  const due = expected ?? {};
  const names = [...new Set([...Object.keys(before), ...Object.keys(due)])];
  if (names.length === 0) return null;
  const lines = names.map((name) =>
    h(
      "tr",
      null,
      h("th", { scope: "row" }, memberName(name, due[name] ?? before[name])),
      cell(name, before, frame),
      cell(name, due, frame),
    ),
  );
  const heads = ["member", "recorded", "expected"].map((key) => h("th", { scope: "col" }, t(`insight.${key}`)));
  const caption = h("caption", { class: "unseen" }, t("insight.compared"));
  return h(
    "div",
    { class: "scroll" },
    h("table", { class: "compared" }, caption, h("thead", null, h("tr", null, heads)), h("tbody", null, lines)),
  );
}

const NOTHING = "–";

const cell = (name, members, frame) =>
  h("td", null, Object.hasOwn(members, name) ? shown(name, members[name], frame) : NOTHING);

// "hand" is the number of a hand, or the tiles that a seat holds.
function memberName(name, value) {
  const key = name === "hand" && typeof value === "number" ? "insight.m_hand_number" : `insight.m_${name}`;
  return has(key) ? t(key) : h("code", null, name);
}

/** A value of a finding as tiles, acts and words. */
export function shown(name, value, frame) {
  if (value === null) return t("insight.none");
  if (typeof value === "boolean") return t(value ? "insight.yes" : "insight.no");
  if (typeof value === "number") return (NUMBERS[name] ?? String)(value);
  if (Array.isArray(value)) return series(name, value, frame);
  if (typeof value === "object") return Object.hasOwn(value, "act") ? act(value, frame) : nested(value, frame);
  return text(name, value, frame);
}

function text(name, value, frame) {
  if (CODE.test(value)) return face(value, frame);
  if (SAID[value]) return t(SAID[value]);
  const alike = ALIKE.exec(value);
  if (alike) return t("insight.said_alike", { count: Number(alike[1]) });
  return WORDS[name]?.(value) ?? value;
}

function series(name, values, frame) {
  if (values.length === 0) return t("insight.none");
  if (values.every((one) => CODE.test(one))) return row(values, frame);
  if (["deltas", "scores"].includes(name)) return payments(values);
  const parts = values.map((one) => shown(name, one, frame));
  if (parts.every((part) => typeof part === "string")) return all(parts);
  return h(
    "ul",
    { class: "plain" },
    parts.map((part) => h("li", null, part)),
  );
}

const nested = (value, frame) =>
  h(
    "dl",
    { class: "nested" },
    Object.entries(value).map(([name, one]) =>
      h("div", null, h("dt", null, memberName(name, one)), h("dd", null, shown(name, one, frame))),
    ),
  );
