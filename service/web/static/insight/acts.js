// Acts as tiles and words. An act is as logs write it, its name in capitals where the API names it.

import { h } from "../lib/dom.js";
import { t, term } from "../lib/words.js";
import { roles, tile, tiles } from "../table/tiles.js";
import { way } from "./names.js";

/** The acts in the order in which a player weighs them. */
const ORDER = ["win", "declare", "kong", "pung", "chow", "discard", "pass"];

/** What an act is, in lower case. */
export const kindOf = ({ act }) => act.toLowerCase();

/** An act as a whole: its name, then its tiles and what else it says. */
export const act = (one, frame) =>
  h("span", { class: "act" }, h("span", null, term("acts", kindOf(one))), SHOWN[kindOf(one)](one, frame));

/** Acts by what they are, one line each: "may discard" and its tiles. */
export function acts(list, frame) {
  const kinds = ORDER.filter((kind) => list.some((one) => kindOf(one) === kind));
  return h(
    "dl",
    { class: "acts" },
    kinds.map((kind) =>
      group(
        kind,
        list.filter((one) => kindOf(one) === kind),
        frame,
      ),
    ),
  );
}

function group(kind, list, frame) {
  const inside =
    kind === "discard"
      ? row(
          list.map((one) => one.tile),
          frame,
        )
      : list.map((one) => h("span", { class: "act" }, SHOWN[kind](one, frame)));
  return h("div", null, h("dt", null, t(`insight.may_${kind}`)), h("dd", null, inside));
}

const SHOWN = {
  discard: (one, frame) => face(one.tile, frame),
  chow: claim,
  pung: claim,
  kong: (one, frame) => [claim(one, frame), h("span", { class: "quiet" }, term("kongs", one.kind))],
  win: (one, frame) => [
    one.win ? h("span", null, way(one.win)) : null,
    one.tile ? face(one.tile, frame) : null,
    origin(one),
  ],
  declare: (one) => h("span", null, way(one.kind)),
  pass: () => null,
};

// Tiles out of the hand, then the one that is claimed.
function claim(one, frame) {
  const own = one.with?.length ? one.with : [one.tile];
  if (one.from === null || one.from === undefined) return row(own, frame);
  return [row(own, frame), h("span", { "aria-hidden": "true" }, "+"), face(one.tile, frame), origin(one)];
}

const origin = ({ from }) =>
  from === null || from === undefined ? null : h("span", { class: "quiet" }, t("insight.from", { seat: from }));

/** A tile with what it is in the game. */
export const face = (code, frame) => tile(code, roles(code, frame));

/** Tiles in a row, with what they are in the game. */
export const row = (codes, frame, label = "") =>
  tiles(
    codes.map((code) => [code, roles(code, frame)]),
    { label },
  );
