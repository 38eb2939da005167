// One seat of the table: who sits there, what lies before it, its hand, its discards.

import { h } from "../lib/dom.js";
import { badge } from "../lib/parts.js";
import { number, t, term } from "../lib/words.js";
import { keep, keepRow } from "./kept.js";
import { meld as drawMeld } from "./melds.js";
import { HIDDEN, roles, tiles } from "./tiles.js";

/** The elements of a seat, still empty. */
export function seatParts(seat, place) {
  const [who, hand, laid, river] = ["who", "hand", "laid", "river"].map((name) => h("div", { class: name }));
  const whole = h("div", { class: `seat ${place}`, role: "group", "data-seat": seat }, who, hand, laid, river);
  return { who, hand, laid, river, whole };
}

/** Draws what has changed of a seat: `one` is the frame's picture of it, `name` its player's. */
export function drawSeat(parts, scene, one, name) {
  const { frame } = scene;
  parts.whole.setAttribute("aria-label", scene.nameOf(one.seat));
  parts.whole.classList.toggle("on-turn", isOnTurn(frame, one));
  keep(parts.who, whoOf(frame, one, name), who);
  keep(parts.laid, laidOf(scene, one), laid);
  keepRow(parts.hand, handOf(scene, one), hand);
  keepRow(parts.river, riverOf(scene, one), river);
}

const isOnTurn = ({ turn, outcome }, { seat }) => turn === seat && outcome === null;

function whoOf(frame, one, name) {
  return {
    seat: one.seat,
    name,
    dealer: frame.dealer === one.seat ? frame.streak : null,
    isOnTurn: isOnTurn(frame, one),
    level: one.level,
    hasDeclared: one.declared_you ?? false,
    isInDoubt: one.in_doubt ?? false,
    score: frame.scores[one.seat],
    delta: frame.outcome?.deltas?.[one.seat] ?? null,
    count: one.count,
  };
}

function who({ seat, name, dealer, score, delta, count, ...states }) {
  const player = h("span", { class: "name" }, name);
  const badges = [
    dealer === null ? null : badge(["dealer", "◆"], dealing(dealer)),
    states.isOnTurn ? badge(["turn", "▶"], t("table.on_turn")) : null,
    states.level === null ? null : badge(["level", "★"], term("ways", states.level)),
    states.hasDeclared ? badge(["level", "☆"], t("table.declared_you")) : null,
    states.isInDoubt ? badge(["warn", "?"], t("table.in_doubt")) : null,
  ];
  return [
    h("h2", { title: name }, h("span", { class: "quiet" }, t("table.seat", { seat }), " "), player),
    badges,
    h("span", { class: "tally" }, h("span", { class: "quiet" }, t("table.count", { count })), points(score, delta)),
  ];
}

const dealing = (streak) => (streak === 0 ? t("table.dealer") : t("table.dealer_streak", { count: number(streak) }));

function points(score, delta) {
  const gain = delta === null ? null : h("span", { class: "delta" }, " (", number(delta, { signed: true }), ")");
  const heading = h("span", { class: "unseen" }, t("table.score"), " ");
  return h("span", { class: "score" }, heading, number(score, { signed: true }), gain);
}

function laidOf({ frame, event, nameOf }, one) {
  const made = madeBy(event, one.seat);
  const isLast = (at) => at === one.melds.length - 1;
  return {
    flowers: one.flowers,
    new: event?.type === "flowers_replaced" && event.seat === one.seat ? event.flowers : [],
    melds: one.melds.map((meld, at) => ({
      ...meld,
      by: meld.from === null ? null : nameOf(meld.from),
      isNew: made !== null && made(meld, isLast(at)),
    })),
    golds: frame.golds,
    stand_in: frame.stand_in,
    seat: one.seat,
    players: frame.seats.length,
  };
}

// Which meld an event has made: an added kong stays where its pung was, any other is the last.
function madeBy(event, seat) {
  if (event === null || event.seat !== seat || !["chowed", "punged", "konged"].includes(event.type)) return null;
  if (event.kind === "added") return (meld) => meld.kind === "added" && meld.tiles[0] === event.tile;
  return (meld, isLast) => isLast;
}

function laid({ flowers, melds, seat, players, ...value }) {
  const blossoms = flowers.map((code) => [code, { mark: value.new.includes(code) ? "new" : [] }]);
  return [
    melds.map((one) => drawMeld(one, { seat, players, roles: (code) => roles(code, value) })),
    flowers.length === 0 ? null : tiles(blossoms, { label: t("table.flowers"), name: "flowers" }),
  ];
}

function handOf({ frame, event }, one) {
  const won = frame.outcome?.winner === one.seat ? frame.outcome.tile : null;
  return {
    concealed: one.concealed,
    apart: one.drawn ?? won,
    mark: won !== null ? "win" : event?.type === "drew" && event.seat === one.seat ? "new" : [],
    golds: frame.golds,
    stand_in: frame.stand_in,
  };
}

// Golds stand first, as players keep them; the tile just drawn or won on stands apart.
function hand({ concealed, apart, mark, ...value }) {
  if (concealed.length === 0) return null;
  const at = apart === null ? -1 : concealed.lastIndexOf(apart);
  const held = concealed.filter((_, place) => place !== at);
  const isGold = (code) => value.golds.includes(code);
  const sorted = [...held.filter(isGold), ...held.filter((code) => !isGold(code))];
  const shown = sorted.map((code) => [code, roles(code, value)]);
  if (at >= 0) shown.push([apart, { ...roles(apart, value), mark, apart: true }]);
  const isHidden = concealed.every((code) => code === HIDDEN);
  return [shown, { label: t("table.hand"), name: isHidden ? "all-hidden" : "" }];
}

function riverOf({ frame, event, nameOf }, one) {
  const isOpen = frame.open?.act === "discard" && frame.open.seat === one.seat;
  const seq = event === null ? null : frame.seq;
  return {
    river: (one.river ?? []).map((thrown, at, all) => ({
      ...thrown,
      by: thrown.claimed === null ? null : nameOf(thrown.claimed),
      isNew: thrown.seq === seq || (isOpen && at === all.length - 1 && thrown.claimed === null),
    })),
    golds: frame.golds,
    stand_in: frame.stand_in,
  };
}

function river({ river: thrown, ...value }) {
  if (thrown.length === 0) return null;
  const shown = thrown.map(({ tile: code, drawn, by, isNew }) => {
    const mark = [isNew && "new", by !== null && "claimed", drawn === true && "drawn"].filter(Boolean);
    return [code, { ...roles(code, value), mark, by: by ?? undefined, dim: by !== null }];
  });
  return [shown, { label: t("table.discards") }];
}
