// The place of a replay in the page's address: copying the address shows a colleague the same picture.

import * as links from "../lib/links.js";
import { t } from "../lib/words.js";

const NUMBERS = ["step", "hand", "seat"];
const PAUSE = 150; // ms; browsers refuse addresses that change much faster

/**
 * What an address asks for: {place: {step, hand, seat, wall}, faults}. A step goes before a hand. `faults` are sentences
 * for what is no number.
 */
export function asked(search) {
  const query = new URLSearchParams(search);
  const given = NUMBERS.filter((name) => query.has(name)).map((name) => [name, query.get(name)]);
  const good = given.filter(([, text]) => isNumber(text));
  const numbers = Object.fromEntries(good.map(([name, text]) => [name, Number(text)]));
  const faults = given.filter(([, text]) => !isNumber(text)).map(([, value]) => t("replay.bad_number", { value }));
  const { step, seat = null } = numbers;
  const hand = step === undefined ? numbers.hand : undefined;
  return { place: { step, hand, seat, wall: query.get("wall") === "1" }, faults };
}

const isNumber = (text) => /^\d{1,9}$/.test(text);

/** The address of a stored game's replay, kept as the reader goes on. */
export function addressOf(game) {
  const link = ({ step, seat, wall }) => links.replay(game, { step, seat, wall });
  let waiting = null;
  let unwritten = null;

  const flush = () => {
    clearTimeout(waiting);
    waiting = null;
    if (unwritten !== null) history.replaceState(null, "", unwritten);
    unwritten = null;
  };

  return {
    /** The whole address of a place. */
    link: (place) => new URL(link(place), location.href).href,

    /** Writes a place: a jump can be taken back by the browser's Back, a step replaces the one before. */
    write(place, { isJump }) {
      if (!isJump) {
        unwritten = link(place);
        if (waiting !== null) return;
        history.replaceState(null, "", unwritten);
        unwritten = null;
        waiting = setTimeout(flush, PAUSE);
        return;
      }
      flush();
      if (link(place) !== location.pathname + location.search) history.pushState(null, "", link(place));
    },

    /** Tells `run` of the place that Back or Forward leads to. */
    listen(run, signal) {
      addEventListener("popstate", () => {
        unwritten = null;
        run(asked(location.search).place);
      }, { signal });
      addEventListener("pagehide", flush, { signal });
    },
  };
}

/** For pages whose picture no address can hold: an embedded one, a log that was dropped. */
export const noAddress = { link: null, write() {}, listen() {} };
