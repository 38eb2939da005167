// The table at a step: a frame in, elements out. It asks for nothing and leads nowhere. A page that uses it has loaded
// the words of "table" and "terms", and the styles "tiles" and "table".

import { fill, h } from "../lib/dom.js";
import { t } from "../lib/words.js";
import { drawCentre } from "./centre.js";
import { placeOf } from "./places.js";
import { drawSeat, seatParts } from "./seat.js";
import { drawWall } from "./wall.js";

const drawn = new WeakMap();

/**
 * Draws a frame into `root`, or what has changed since the frame that it shows.
 *
 * - `eyes`: the seat at the bottom, 0 where nobody's is;
 * - `names`: names to be shown by seat; a seat without one shows its player's id;
 * - `wall`: the wall's tiles by slot, where what lies ahead is to be shown, else null;
 * - `event`: the event of the step, whose tiles are marked; null marks none;
 * - `reducedMotion`: nothing moves, whatever the browser is set to.
 */
export function drawTable(root, frame, options = {}) {
  const { eyes, names = {}, wall = null, event = null, reducedMotion = false } = options;
  const parts = partsIn(root, frame.seats.length, eyes ?? 0);
  const scene = { frame, event, nameOf: (seat) => seatName(frame, names, seat) };
  parts.whole.classList.toggle("still", reducedMotion);
  drawCentre(parts.centre, scene);
  for (const seat of frame.seats) drawSeat(parts.seats.get(seat.seat), scene, seat, names[seat.seat] ?? seat.player);
  parts.wall.hidden = frame.hand === 0; // before the first hand there is none
  drawWall(parts.wall, frame, wall);
}

/** What a seat is called in sentences: its number and its player's name. */
function seatName(frame, names, seat) {
  const name = names[seat] ?? frame.seats.find((one) => one.seat === seat)?.player;
  return name === undefined ? t("table.seat", { seat }) : t("table.seat_named", { seat, name });
}

function partsIn(root, players, eyes) {
  const known = drawn.get(root);
  if (known?.players === players && known.eyes === eyes && known.whole.parentNode === root) return known;
  const made = skeleton(players, eyes);
  drawn.set(root, made);
  fill(root, made.whole);
  return made;
}

// Seats in turn order from the reader's on: so a screen reader goes around the table as the turn does.
function skeleton(players, eyes) {
  const order = [...Array(players).keys()].map((step) => (eyes + step) % players);
  const seats = new Map(order.map((seat) => [seat, seatParts(seat, placeOf(seat, eyes, players))]));
  const centre = h("div", { class: "centre", role: "group", "aria-label": t("table.middle") });
  const wall = h("div", { class: "wall" });
  const sides = [...seats.values()].map(({ whole }) => whole);
  const around = h("div", { class: `around players-${players}` }, centre, sides);
  return { players, eyes, centre, seats, wall, whole: h("div", { class: "table" }, around, wall) };
}
