// The replay of a game: a traveller that goes from step to step, a clock that drives it, and a picture of where it is.

import { fill } from "../lib/dom.js";
import { trouble } from "../lib/shell.js";
import { has, t } from "../lib/words.js";
import { ways as pageWays } from "./about.js";
import { noAddress } from "./address.js";
import { chosenSpeed, clock, faster, keepSpeed, restOf } from "./clock.js";
import { copier } from "./copy.js";
import { inWords } from "./faults.js";
import { laidOut } from "./layout.js";
import { attempts, notice } from "./opening.js";
import { picture as pictured } from "./picture.js";
import { register } from "./shortcuts.js";
import { traveller } from "./travel.js";

/** The areas of words that a page with a viewer loads. */
export const AREAS = ["terms", "table", "insight", "replay"];

const DEFAULTS = {
  at: {}, // {step, hand, seat, wall} to begin with
  faults: [], // sentences on what was wrong with the address
  address: noAddress, // keeps the place, where an address can hold it
  level: 1, // of the heading; those below it follow
  isPlain: false, // without controls, timeline, panels and hands
  ways: pageWays, // the ways to other pages
  arrived() {}, // told of every place
  refused() {}, // told of what could not be shown
};

let onPage = null;

/**
 * Shows the game of a source (lib/sources.js says what one is) in `main`, in place of the one that a page has shown so
 * far; options as in `DEFAULTS`. Gives {go(target), by(move), toggle, play, pause, faster(by), toggleWall, copy, end};
 * throws what the source throws where nothing can be shown.
 */
export async function viewer(main, source, options = {}) {
  const settings = { ...DEFAULTS, ...options };
  const head = await headOf(source);
  const ways = await settings.ways(head);
  onPage?.end();
  const made = assembled(main, { source, head, ways, settings });
  onPage = made;
  register(() => onPage);
  await made.open();
  return made;
}

const headOf = (source) => source.head().catch((error) => Promise.reject(inWords(error, {})));

function assembled(main, { source, head, ways, settings }) {
  const { address, level, isPlain } = settings;
  const found = [...new Set(head.findings.map(({ seq }) => seq))].sort((one, other) => one - other);
  const roots = laidOut(main, { head, level, isPlain });
  const ending = new AbortController();
  const travel = traveller(source, found, { arrived, waits, refused });
  const rest = () => restOf(travel.place(), speed);
  const time = clock({ next: () => travel.by("next"), rest, changed: (isOn) => picture.playing(isOn) });
  const copy = address.link === null ? null : copier(() => address.link(travel.place()), roots.notices);
  const does = { by, go, toggle, setSpeed, toPayment, copy, links: ways.elements };
  const picture = pictured(roots, { source, head, found, level, does });
  let speed = chosenSpeed();
  let refusals = null; // while a first place is looked for

  picture.playing(false);
  picture.speed(speed);
  address.listen((place) => go(place, false), ending.signal);

  function arrived(place, { isJump }) {
    picture.show(place, time.isOn());
    ways.show(place);
    address.write(place, { isJump });
    if (refusals === null) fill(roots.notices);
    settings.arrived(place);
  }

  function waits(is) {
    roots.whole.setAttribute("aria-busy", String(is));
  }

  function refused(error) {
    settings.refused(error);
    if (refusals !== null) return refusals.push(error);
    time.pause();
    fill(roots.notices, trouble(error));
    picture.reset(travel.place());
    if (error.code === undefined) throw error; // ours, not the reader's
  }

  async function by(name) {
    time.pause();
    if (await travel.by(name)) return;
    const key = `replay.nothing_${name}`;
    picture.speak(t(has(key) ? key : "replay.nothing_there"));
  }

  function go(target, isJump = true) {
    time.pause();
    return travel.go(target, isJump);
  }

  async function toPayment(number) {
    const hand = await travel.fetch({ hand: number });
    if (hand === false) return false;
    const at = hand.events.findLastIndex(({ type }) => type === "settled");
    return go({ step: at < 0 ? hand.last : hand.first + at });
  }

  function toggle() {
    if (time.isOn()) time.pause();
    else time.play();
  }

  function setSpeed(value) {
    speed = value;
    keepSpeed(value);
    picture.speed(value);
    time.again();
  }

  async function open() {
    refusals = [];
    let isOpen = false;
    for (const place of attempts(settings.at)) isOpen ||= await travel.go(place, false);
    const [error] = refusals;
    refusals = null;
    if (!isOpen) throw error;
    notice(roots.notices, { faults: settings.faults, error, place: travel.place() });
  }

  function end() {
    time.pause();
    ending.abort();
  }

  return {
    by,
    go,
    toggle,
    open,
    copy,
    end,
    play: () => time.isOn() || time.play(),
    pause: () => time.pause(),
    faster: (by) => setSpeed(faster(speed, by)),
    toggleWall: () => go({ wall: !travel.place().wall }),
  };
}
