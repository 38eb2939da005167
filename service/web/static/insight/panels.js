// The panels beside the table: findings, rights, why not, waits, readings, score. A page that shows them has loaded the
// words of `AREAS` and the styles "tiles" and "insight".

import { fill, h } from "../lib/dom.js";
import { choose, chosen } from "../lib/prefs.js";
import { has } from "../lib/session.js";
import { trouble } from "../lib/shell.js";
import { t, term } from "../lib/words.js";
import { asked } from "./asked.js";
import * as findings from "./findings.js";
import { start, who } from "./names.js";
import * as readings from "./readings.js";
import * as rights from "./rights.js";
import * as score from "./score.js";
import { isDealt, isPlayed, isWon, openSeats, seatOf } from "./sight.js";
import * as waits from "./waits.js";

/** The areas of words that panels take theirs from. */
export const AREAS = ["insight", "table", "terms"];

const ofSeat = ({ seat }) => (seat === null ? null : t("insight.seat", { seat }));

/**
 * The panels in their order: the name, whether it is open at first, what its heading says of the step (`brief`), and
 * how it is drawn, there with the answer of the source that it needs (`needs`: of a seat at a step, or of a hand).
 */
const PANELS = [
  { name: "findings", isOpen: true, brief: findings.brief, draw: findings.draw },
  { name: "acts", isOpen: true, brief: rights.brief, draw: rights.draw },
  { name: "blocked", brief: ofSeat, draw: rights.drawBlocked, needs: "step", isAsked: isPlayed },
  { name: "waits", brief: ofSeat, draw: waits.draw, needs: "step", isAsked: isPlayed },
  {
    name: "readings",
    brief: ofSeat,
    draw: readings.draw,
    needs: "step",
    isAsked: (frame) => isPlayed(frame) || isWon(frame),
  },
  { name: "score", brief: score.brief, draw: score.draw, needs: "hand" },
];

/**
 * Builds the panels in `root`, over a source and its head; `go(step)` jumps. `show(state)` draws them for a step: with
 * `hand` as the source gives it, `frame` and `acts` of the step, and `seat`, whose tiles it is about unless the reader
 * has chosen one. What the source is asked for waits until the reader rests; an answer that comes too late is kept, not
 * shown. `end()` asks nothing more, for panels that are shown no more.
 */
export function panels(root, { source, head, go }) {
  const sources = {
    step: asked((seq, seat) => source.step(seq, seat)),
    hand: asked((hand) => source.waterfall(hand)),
  };
  const about = chooser(() => shown !== null && show(shown));
  const boxes = PANELS.map((panel) => box(panel, () => refresh()));
  let shown = null;
  let view = null;
  let mayDispute = false;

  const context = () => ({ head, state: shown, frame: shown.frame, seat: about.seat(shown), go, mayDispute });

  function refresh() {
    if (shown === null) return;
    const now = context();
    for (const one of boxes) one.say(now);
    for (const one of boxes.filter(({ panel }) => panel.needs === undefined)) one.draw(now);
    wanted("hand", [shown.hand.hand], now);
    wanted("step", [shown.frame.seq, now.seat], now);
  }

  // One answer is for all the open panels that need it.
  function wanted(needs, values, now) {
    const open = boxes.filter((one) => one.panel.needs === needs && one.isOpen());
    const asking = open.filter((one) => !one.drawWithout(now));
    if (asking.length === 0) sources[needs].leave();
    else sources[needs].want(values, (answer) => asking.forEach((one) => one.answered(now, answer)));
  }

  function show(state) {
    const seen = `${state.hand.view}/${state.hand.asSeat}`;
    if (view !== null && seen !== view) sources.step.forget();
    view = seen;
    shown = state;
    about.update(state, head);
    refresh();
  }

  const place = PANELS.findIndex(({ needs }) => needs === "step");
  const elements = boxes.map(({ element }) => element);
  fill(root, elements.slice(0, place), about.element, elements.slice(place));
  root.classList.add("insight");
  if (source.isStored) invite();
  return { show, end };

  function end() {
    for (const one of Object.values(sources)) one.forget();
  }

  async function invite() {
    try {
      mayDispute = await has("player", "clerk", "auditor", "admin");
    } catch {
      return; // without a session there is no way into a dispute; all else stays
    }
    refresh();
  }
}

// -- One panel --------------------------------------------------------------------------------------------------------

function box(panel, changed) {
  const brief = h("span", { class: "brief" });
  const body = h("div", { class: "body" });
  const kept = `panel.${panel.name}`;
  const summary = h("summary", null, h("h2", null, t(`insight.${panel.name}`)), brief);
  const element = h("details", { class: "panel", "data-panel": panel.name }, summary, body);
  element.open = chosen(kept, panel.isOpen ? "open" : "closed") === "open";
  let wasOpen = element.open;
  element.addEventListener("toggle", () => {
    if (element.open === wasOpen) return; // the event of the beginning
    wasOpen = element.open;
    choose(kept, wasOpen ? "open" : "closed");
    changed();
  });
  const draw = (...content) => {
    const hadFocus = body.contains(document.activeElement);
    element.removeAttribute("aria-busy");
    fill(body, ...content);
    if (hadFocus) summary.focus({ preventScroll: true }); // what had it is gone
  };
  return {
    panel,
    element,
    isOpen: () => element.open,
    say: (now) => fill(brief, panel.brief(now)),
    draw: (now) => element.open && draw(panel.draw(now)),
    /** Draws what can be said without asking; whether there was something. */
    drawWithout(now) {
      const sentence = panel.needs === "step" ? unasked(panel, now) : null;
      if (sentence !== null) draw(h("p", { class: "quiet" }, sentence));
      return sentence !== null;
    },
    answered(now, answer) {
      if (answer === null) {
        draw(h("p", { class: "quiet" }, t("insight.working")));
        element.setAttribute("aria-busy", "true");
      } else if (answer.error === undefined) draw(panel.draw(now, answer.value));
      else draw(refusal(answer.error, now));
    },
  };
}

function unasked({ isAsked }, { frame, seat }) {
  if (!isDealt(frame)) return t("insight.not_dealt");
  if (!isAsked(frame)) return t("insight.not_in_play", { phase: term("phases", frame.phase) });
  return seat === null ? t("insight.all_hidden") : null;
}

function refusal(error, { head, seat }) {
  if (error.code === "HIDDEN") return h("p", { class: "quiet" }, t("insight.hidden", { who: who(head, seat) }));
  if (error.code === undefined) reportError(error); // ours, not the reader's
  return trouble(error);
}

// -- The seat that is asked about -------------------------------------------------------------------------------------

function chooser(changed) {
  const select = h("select", { onchange: changed });
  const element = h("label", { class: "field about" }, h("span", null, t("insight.about")), select);
  let offered = null;
  return {
    element,
    seat: ({ frame, seat }) =>
      openSeats(frame).includes(Number(select.value || -1)) ? Number(select.value) : seatOf(frame, seat),
    /** Offers the seats that lie open; the list stays as it is while they do, for somebody may be in it. */
    update({ frame }, head) {
      const open = openSeats(frame);
      element.hidden = open.length < 2;
      if (open.join() === offered) return;
      offered = open.join();
      const before = select.value;
      const options = open.map((seat) => h("option", { value: seat }, start(who(head, seat))));
      fill(select, h("option", { value: "" }, t("insight.about_auto")), options);
      select.value = open.includes(Number(before || -1)) ? before : "";
    },
  };
}
