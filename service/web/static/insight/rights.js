// What seats may do at the step, and what a rule keeps them from.

import { h } from "../lib/dom.js";
import { t, term } from "../lib/words.js";
import { act, acts, kindOf, row } from "./acts.js";
import { all, start, who } from "./names.js";
import { isOpen, isPlayed } from "./sight.js";

/** Which seats may act, in short. */
export function brief({ state }) {
  const seats = acting(state);
  return seats.length === 0 ? null : t("insight.acts_seats", { seats: all(seats), count: seats.length });
}

/** The legal acts by seat. */
export function draw({ head, state, frame }) {
  if (!isPlayed(frame))
    return h("p", { class: "quiet" }, t("insight.not_in_play", { phase: term("phases", frame.phase) }));
  const seats = acting(state);
  const hidden = frame.seats.filter((one) => !isOpen(one)).map(({ seat }) => who(head, seat));
  return [
    seats.map((seat) => [h("h3", null, start(who(head, seat))), acts(state.acts[seat], frame)]),
    seats.length > 0
      ? null
      : h("p", { class: "quiet" }, t(hidden.length === 0 ? "insight.acts_nobody" : "insight.acts_nobody_open")),
    hidden.length === 0 ? null : h("p", { class: "quiet" }, t("insight.acts_hidden", { who: all(hidden) })),
  ];
}

const acting = ({ acts: found }) => Object.keys(found ?? {}).filter((seat) => found[seat].length > 0);

/** The acts that a seat's tiles would make and a rule forbids, alike ones together. */
export function drawBlocked({ head, frame, seat }, { blocked }) {
  const name = who(head, seat);
  if (blocked.length === 0) return h("p", { class: "quiet" }, t("insight.blocked_none", { who: name }));
  return [
    h("p", null, t("insight.blocked_lead", { who: name })),
    h(
      "ul",
      { class: "findings" },
      alike(blocked).map((group) => barred(group, frame)),
    ),
  ];
}

function alike(blocked) {
  const groups = new Map();
  for (const one of blocked) {
    const key = [kindOf(one.act), one.refusal.clause, one.refusal.code].join(" ");
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}

function barred(group, frame) {
  const { clause, title, message } = group[0].refusal;
  return h(
    "li",
    { class: "finding" },
    h("p", { class: "row" }, h("span", { class: "bad", "aria-hidden": "true" }, "✗"), what(group, frame)),
    h("p", null, h("strong", null, h("span", { class: "code" }, clause), " ", title)),
    h("p", { class: "message" }, h("span", { class: "quiet" }, t("insight.blocked_if")), " ", h("q", null, message)),
    group.length === 1 ? null : h("p", { class: "quiet" }, t("insight.blocked_more", { count: group.length - 1 })),
  );
}

function what(group, frame) {
  const kind = kindOf(group[0].act);
  if (kind !== "discard") return group.map((one) => act(one.act, frame));
  return h(
    "span",
    { class: "act" },
    h("span", null, term("acts", kind)),
    row(
      group.map((one) => one.act.tile),
      frame,
    ),
  );
}
