// The wall as a strip of its slots in drawing order, from the head to the tail.

import { fill, h } from "../lib/dom.js";
import { number, t } from "../lib/words.js";
import { labelOf, roles, tile } from "./tiles.js";

const strips = new WeakMap();

/** What a slot can be, in the order in which the strip's key explains it. */
const STATES = ["head", "tail", "stay", "flipped", "gone"];

/** Draws a frame's wall, or what has changed of it; `tiles` by slot where what lies ahead is to be shown, else null. */
export function drawWall(element, frame, tiles) {
  const { wall, left } = frame;
  const strip = stripIn(element, wall.size, tiles !== null);
  const states = slotsOf(wall);
  const shown = states.map((state, slot) => (tiles === null || isGone(state) ? null : tiles[slot]));
  for (const [slot, state] of states.entries()) drawSlot(strip.slots[slot], state, shown[slot], frame);
  strip.count.textContent = t("table.wall_left", { count: number(left), size: number(wall.size) });
  strip.row.setAttribute("aria-label", told(frame, shown));
}

/**
 * What each slot is: "gone", "flipped", "head" (drawn next), "stay" (one of those that are never drawn, as things are),
 * "stay tail" (also the next replacement), "tail" or "".
 */
export function slotsOf({ size, head, tail, flipped, stay }) {
  const end = size - tail;
  const states = [...Array(size).keys()].map((slot) => (slot < head || slot >= end ? "gone" : ""));
  for (const slot of flipped) states[slot] = "flipped";
  const there = [...states.keys()].filter((slot) => states[slot] === "");
  const ahead = there.slice(0, Math.max(0, there.length - stay));
  for (const slot of there.slice(ahead.length)) states[slot] = "stay";
  if (ahead.length > 0) {
    states[ahead[0]] = "head";
    states[there.at(-1)] = `${states[there.at(-1)]} tail`.trim();
  }
  return states;
}

const isGone = (state) => state === "gone" || state === "flipped";

function stripIn(element, size, isOpen) {
  const known = strips.get(element);
  if (known?.slots.length === size && known.isOpen === isOpen) return known;
  const slots = [...Array(size).keys()].map(() => ({ cell: h("span", { class: "slot" }), key: "" }));
  const count = h("span", { class: "quiet" });
  const row = h("div", { class: isOpen ? "slots open" : "slots", role: "img" }, slots.map(({ cell }) => cell));
  const strip = { slots, count, row, isOpen };
  strips.set(element, strip);
  fill(element, h("div", { class: "wall-head" }, h("strong", null, t("table.wall")), count, legend()), row);
  return strip;
}

function legend() {
  const sample = (state) => h("span", { class: `slot ${state}`, "aria-hidden": "true" });
  const entries = STATES.map((state) => h("li", null, sample(state), t(`table.wall_${state}`)));
  return h("ul", { class: "legend quiet" }, entries);
}

function drawSlot(slot, state, code, kinds) {
  const role = code === null ? {} : roles(code, kinds);
  const key = `${state} ${code} ${role.gold} ${role.standIn}`;
  if (slot.key === key) return;
  slot.key = key;
  slot.cell.className = `slot ${state}`;
  fill(slot.cell, code === null ? null : tile(code, { ...role, label: null }));
}

function told(frame, shown) {
  const { stay } = frame.wall;
  const stays = stay > 0 ? [t("table.wall_stays", { count: stay })] : [];
  const words = [t("table.wall"), t("table.count", { count: frame.left }), ...stays].join(t("table.comma"));
  const ahead = shown.filter((code) => code !== null).map((code) => labelOf(code, roles(code, frame)));
  if (ahead.length === 0) return words;
  return `${words} · ${t("table.row", { label: t("table.wall_ahead"), tiles: ahead.join(t("table.comma")) })}`;
}
