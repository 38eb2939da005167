// The controls: moves, playing, speed, viewpoint, wall, and the way to other pages.

import { fill, h } from "../lib/dom.js";
import { t } from "../lib/words.js";
import { SPEEDS } from "./clock.js";
import { held } from "./hold.js";
import { icon } from "./icons.js";
import { ends, nearest, neighbour } from "./moves.js";
import { wallOf } from "./travel.js";
import { callOf } from "./sentence.js";

const GROUPS = [
  ["start", "previous_hand", "previous_decision", "previous"],
  ["next", "next_decision", "next_hand", "end"],
];
const REPEATED = new Set(["previous", "next", "previous_decision", "next_decision"]);

/**
 * The controls in the parts `transport` and `choices`. `does` has what they do: by(name), go(target), toggle(),
 * setSpeed(speed), copy() (null where no address can hold the picture), and `links`, elements that lead elsewhere. Gives
 * `show(place)`, `playing(isOn)` and `speed(value)`, which keep them as things are.
 */
export function controls({ transport, choices }, { head, found, does }) {
  const buttons = new Map([...GROUPS.flat(), "previous_finding", "next_finding"].map((name) => [name, move(name, does.by)]));
  const play = h("button", { type: "button", class: "primary play", onclick: does.toggle });
  const field = stepField(does.go);
  const speed = select("replay.speed", SPEEDS.map((one) => [one, speedWord(one)]), does.setSpeed);
  const eyes = select("replay.viewpoint", viewpoints(head), (value) => does.go({ seat: value === "" ? null : Number(value) }));
  const view = h("p", { class: "view quiet" });
  const ahead = h("input", { type: "checkbox", onchange: toggleWall });
  const aheadLabel = h("label", { class: "check" }, ahead, " ", t("replay.wall_ahead"));

  const findings = found.length === 0 ? [] : [buttons.get("previous_finding"), buttons.get("next_finding")];
  const copy = does.copy === null ? null : h("button", { type: "button", onclick: does.copy }, t("replay.copy"));
  const [back, on] = GROUPS.map((names) => names.map((name) => buttons.get(name)));

  fill(transport, back, play, on);
  fill(
    choices,
    h("div", { class: "row choices" }, h("span", { class: "pair" }, findings), field.form, speed.label),
    h("div", { class: "row choices" }, eyes.label, aheadLabel, view),
    h("div", { class: "row choices ways" }, copy, does.links),
  );

  return {
    show(place) {
      for (const [name, button] of buttons) off(button, !isPossible(name, place, found));
      field.show(place);
      eyes.field.value = place.seat ?? "";
      view.textContent = viewWord(place);
      showWall(place);
    },
    playing(isOn) {
      fill(play, icon(isOn ? "pause" : "play"), h("span", null, t(isOn ? "replay.pause" : "replay.play")));
    },
    speed(value) {
      speed.field.value = value;
    },
  };

  function toggleWall() {
    if (ahead.getAttribute("aria-disabled") === "true") ahead.checked = false;
    else does.go({ wall: ahead.checked });
  }

  function showWall({ seat, wall, hand }) {
    const why = seat !== null ? t("replay.wall_off_seat") : wallOf(hand, seat) === null ? t("replay.wall_off_record") : null;
    ahead.checked = wall;
    off(ahead, why !== null);
    if (why === null) aheadLabel.removeAttribute("title");
    else aheadLabel.title = why;
  }
}

// A button that cannot be used stays where the focus may be, and says so.
function off(element, isOff) {
  if (isOff) element.setAttribute("aria-disabled", "true");
  else element.removeAttribute("aria-disabled");
}

function move(name, by) {
  const run = () => by(name);
  const listeners = REPEATED.has(name) ? held(run) : { onclick: run };
  const label = t(`replay.${name}`);
  return h("button", { type: "button", class: "move", "data-move": name, title: label, "aria-label": label, ...listeners }, icon(name));
}

function isPossible(name, { step, hand }, found) {
  const { first, last } = ends(hand);
  const direction = name.startsWith("next") ? 1 : -1;
  if (name.endsWith("finding")) return nearest(found, step, direction) !== undefined;
  if (name === "next_hand") return neighbour(hand, 1) !== undefined;
  return ["start", "previous", "previous_decision", "previous_hand"].includes(name) ? step > first : step < last;
}

function stepField(go) {
  const input = h("input", { type: "number", min: 0, step: 1, required: true, inputmode: "numeric" });
  const of = h("span", { class: "quiet" });
  const submit = (event) => {
    event.preventDefault();
    go({ step: Number(input.value) });
  };
  const label = h("label", { class: "inline" }, h("span", null, t("replay.go_to_step")), " ", input);
  const form = h("form", { class: "row", onsubmit: submit, novalidate: true }, label, of, h("button", null, t("replay.go")));
  return {
    form,
    show({ step, hand }) {
      const { last } = ends(hand);
      input.max = last;
      if (document.activeElement !== input) input.value = step;
      of.textContent = t("replay.step_of", { last });
    },
  };
}

function select(label, options, changed) {
  const field = h("select", { onchange: () => changed(field.value) }, options.map(([value, text]) => h("option", { value }, text)));
  return { field, label: h("label", { class: "inline" }, h("span", null, t(label)), " ", field) };
}

const viewpoints = ({ seats }) => [["", t("replay.everybody")], ...seats.map((seat) => [seat.seat, callOf(seat)])];

/** What a speed is called. */
export const speedWord = (speed) => (speed === "real" ? t("replay.speed_real") : t("replay.speed_times", { speed }));

function viewWord({ hand }) {
  if (hand.view === "SEAT") return t("replay.view_seat", { seat: hand.asSeat });
  return t(hand.view === "ALL" ? "replay.view_all" : "replay.view_spectator");
}
