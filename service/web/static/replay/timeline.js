// The timeline of a hand: a slider over its steps, and marks above it for what stands out.

import { fill, h } from "../lib/dom.js";
import { t, term } from "../lib/words.js";
import { sentence } from "./sentence.js";

const SIGNS = { violation: "✗", warning: "!" };
const KINDS = { won: "win", gold_flipped: "gold", konged: "kong", punged: "pung", chowed: "chow" };
const LANES = [["violation", "warning"], ["win", "gold", "kong"], ["pung", "chow"]];

/** What stands out in a hand, as {step, kind, text}, in the order of the steps. */
export function marksOf(hand, head) {
  const found = head.findings
    .filter(({ seq }) => seq >= hand.first && seq <= hand.last)
    .map(({ seq, severity, clause, title }) => ({ step: seq, kind: severity.toLowerCase(), text: `${clause} ${title}` }));
  const events = hand.events.flatMap((event, at) =>
    event.type in KINDS ? [{ step: hand.first + at, kind: KINDS[event.type], text: textOf(event, hand.frames[at], head) }] : [],
  );
  return [...found, ...events].sort((one, other) => one.step - other.step);
}

const textOf = (event, frame, head) => sentence(event, frame, head).text;

/** A timeline in `root`; `show(place)` is for every step, `go(step)` where the reader wants to go. */
export function timeline(root, { head, level, slid, jumped }) {
  let drawn = null; // the hand that is drawn
  let slider = null;
  let buttons = [];

  function draw(hand) {
    const marks = marksOf(hand, head);
    buttons = marks.map((mark) => button(mark, hand, jumped));
    const range = { type: "range", min: hand.first, max: hand.last, step: 1, "aria-label": t("replay.slider") };
    slider = h("input", { ...range, oninput: () => slid(Number(slider.value)) });
    const inLane = (kinds) => buttons.filter((_, at) => kinds.includes(marks[at].kind));
    const lanes = LANES.map((kinds) => h("div", { class: "lane" }, inLane(kinds)));
    fill(
      root,
      h(`h${level}`, { class: "unseen" }, t("replay.timeline", { hand: hand.hand })),
      h("div", { class: "marks", role: "group", "aria-label": t("replay.marks") }, lanes),
      slider,
      legend([...new Set(marks.map(({ kind }) => kind))]),
    );
    drawn = hand;
  }

  return {
    show({ hand, step }) {
      if (drawn !== hand) draw(hand);
      slider.value = step;
      slider.setAttribute("aria-valuetext", t("replay.shown_all", { step }));
      for (const one of buttons) set(one, Number(one.dataset.step) === step);
    },
    /** Forgets the hand that is drawn. */
    forget() {
      drawn = null;
      buttons = [];
      fill(root);
    },
  };
}

const signOf = (kind) => SIGNS[kind] ?? t(`replay.sign_${kind}`);

// Marks are for pointers: with keys there are the moves to decisions and findings, and the slider.
function button({ step, kind, text }, { first, last }, jumped) {
  const label = t("replay.mark_at", { step, event: text });
  return h(
    "button",
    {
      type: "button",
      tabindex: -1,
      class: `mark ${kind}`,
      title: label,
      "aria-label": label,
      "data-step": step,
      css: { "--at": (step - first) / Math.max(1, last - first) },
      onclick: () => jumped(step),
    },
    signOf(kind),
  );
}

function set(mark, isHere) {
  if (isHere) mark.setAttribute("aria-current", "step");
  else mark.removeAttribute("aria-current");
}

function legend(kinds) {
  const shown = LANES.flat().filter((kind) => kinds.includes(kind));
  const entry = (kind) => h("span", null, h("b", { class: `sign ${kind}` }, signOf(kind)), " ", wordOf(kind));
  return shown.length === 0 ? null : h("p", { class: "legend quiet", "aria-hidden": "true" }, shown.map(entry));
}

const wordOf = (kind) => (kind in SIGNS ? term("severities", kind) : t(`replay.kind_${kind}`));
