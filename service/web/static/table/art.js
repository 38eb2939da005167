// The faces of the tiles, drawn from tables: 42 of them, the back, and the signs that mark a tile. A face is 60 wide
// and 80 high; its lower edge, 6 high, is the side of the tile. Colours are classes of tiles.css.

import { s } from "../lib/dom.js";

export const WIDTH = 60;
export const HEIGHT = 80;

/** Dots: x, y, radius, ink. */
const DOTS = [
  [[30, 37, 22, "green"]],
  [[30, 19, 12, "green"], [30, 55, 12, "blue"]],
  [[14, 15, 10, "blue"], [30, 37, 10, "red"], [46, 59, 10, "green"]],
  [[17, 18, 11, "blue"], [43, 18, 11, "green"], [17, 56, 11, "green"], [43, 56, 11, "blue"]],
  [[14, 15, 10, "blue"], [46, 15, 10, "green"], [30, 37, 10, "red"], [14, 59, 10, "green"], [46, 59, 10, "blue"]],
  [[13, "green"], [39, "red"], [61, "red"]].flatMap(([y, ink]) => [18, 42].map((x) => [x, y, 10, ink])),
  [
    ...[[11, 10], [29, 17], [47, 24]].map(([x, y]) => [x, y, 7.5, "green"]),
    ...[43, 62].flatMap((y) => [[19, y, 9, "red"], [41, y, 9, "red"]]),
  ],
  [12, 29, 46, 63].flatMap((y) => [[19, y, 8, "blue"], [41, y, 8, "blue"]]),
  [[15, "green"], [37, "red"], [59, "blue"]].flatMap(([y, ink]) => [11, 30, 49].map((x) => [x, y, 8.5, ink])),
];

/** Sticks of bamboo: x, y of the middle, length, ink, degrees. The first bamboo is a bird. */
const STICKS = [
  [],
  [[30, 19, 32, "green"], [30, 55, 32, "blue"]],
  [[30, 19, 32, "blue"], [17, 55, 32, "green"], [43, 55, 32, "green"]],
  [[17, 19, 32, "green"], [43, 19, 32, "blue"], [17, 55, 32, "blue"], [43, 55, 32, "green"]],
  [[13, 19, 32, "green"], [47, 19, 32, "blue"], [30, 37, 32, "red"], [13, 55, 32, "blue"], [47, 55, 32, "green"]],
  [[19, "green"], [55, "blue"]].flatMap(([y, ink]) => [12, 30, 48].map((x) => [x, y, 32, ink])),
  [[30, 13, 19, "red"], ...[36, 61].flatMap((y) => [12, 30, 48].map((x) => [x, y, 21, "green"]))],
  [
    ...[[8, 0], [22, -28], [38, 28], [52, 0]].map(([x, turn]) => [x, 20, 31, "green", turn]),
    ...[[8, 0], [22, 28], [38, -28], [52, 0]].map(([x, turn]) => [x, 55, 31, "blue", turn]),
  ],
  [13, 37, 61].flatMap((y) => [[12, y, 21, "green"], [30, y, 21, "red"], [48, y, 21, "blue"]]),
];

const DIGITS = "一二三四五六七八九";
/** Winds and dragons by their numbers; the white dragon is a frame without a character. */
const HONOURS = [...[..."東南西北"].map((text) => [text, "blue"]), null, ["發", "green"], ["中", "red"]];
/** Seasons and plants: the character, the number within its class, ink and the number of petals. */
const FLOWERS = [
  ...[..."春夏秋冬"].map((text, at) => [text, at + 1, "red", 5]),
  ...[..."梅蘭竹菊"].map((text, at) => [text, at + 1, "green", 8]),
];

const round = (name, cx, cy, r) => s("circle", { class: `sign-ground ${name}`, cx, cy, r });
const square = (name, x, y, side) =>
  s("rect", { class: `sign-ground ${name}`, x, y, width: side, height: side, rx: 5 });
const strokes = (d) => s("path", { class: "sign-line", d });

/** The signs on a tile: their ground in its corner, and what stands on it. */
const SIGNS = {
  gold: () => [round("gold", 50, 8, 13), s("path", { class: "sign-ink", d: star(50, 8, 11) })],
  "stand-in": () => [square("stand-in", 37, -3, 24), strokes("M42 6h14M42 13h14")],
  new: () => [round("new", 9, 8, 12), s("circle", { class: "sign-ink", cx: 9, cy: 8, r: 5.5 })],
  claimed: () => [round("claimed", 53, 73, 12), strokes("M48 78l9 -9M50 68h8v8")],
  drawn: () => [round("drawn", 7, 73, 12), strokes("M7 66v13M2 74l5 6l5 -6")],
  win: () => [round("win", 9, 8, 12), strokes("M3.5 8l4 4l7 -8")],
};

const RIGHT = ["gold", "stand-in", "claimed"];
const LOWER = ["claimed", "drawn"];

/** The names of the signs that a tile can have. */
export const MARKS = Object.keys(SIGNS);

/** The id of the art of a face by its tile's code, of the back for "??". */
export const faceOf = (code) => (code === "??" ? "face-back" : `face-${code[1]}${code[0]}`);

/** The id of the art of a sign. */
export const signOf = (mark) => `sign-${mark}`;

/** How a sign is moved to stand upright in its corner of a tile that lies on its side. */
export function moved(mark) {
  const [right, down] = [RIGHT.includes(mark) ? HEIGHT - WIDTH : 0, LOWER.includes(mark) ? WIDTH - HEIGHT : 0];
  return `translate(${right} ${down})`;
}

/** Puts the art into the document, once; what shows a tile refers to it. */
export function prepare() {
  if (document.getElementById("face-back") !== null) return;
  const faces = Object.entries(DRAWN).flatMap(([suit, draw]) =>
    draw().map((art, at) => symbol(faceOf(`${at + 1}${suit}`), body(), art)),
  );
  const signs = MARKS.map((mark) => symbol(signOf(mark), SIGNS[mark]()));
  const hidden = { class: "tile-art", width: 0, height: 0, "aria-hidden": "true" };
  document.body.append(s("svg", hidden, faces, symbol("face-back", back()), signs));
}

const DRAWN = {
  m: () => [...DIGITS].map((digit) => [han(digit, 30, 35, 33, "blue"), han("萬", 30, 69, 33, "red")]),
  p: () => DOTS.map((dots) => dots.map(dot)),
  s: () => STICKS.map((sticks) => (sticks.length === 0 ? bird() : sticks.map(stick))),
  z: () => HONOURS.map((honour) => (honour === null ? frame() : han(honour[0], 30, 55, 50, honour[1]))),
  f: () => FLOWERS.map(flower),
};

const flower = ([text, number, ink, petals]) => [
  han(text, 35, 38, 35, ink),
  han(number, 10, 20, 20, "blue"),
  blossom(30, 57, petals, ink),
];

const symbol = (id, ...art) => s("symbol", { id, viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "tile-symbol" }, art);

const body = () => [
  s("rect", { class: "tile-side", x: 1, y: 1, width: 58, height: 78, rx: 8 }),
  s("rect", { class: "tile-face", x: 1, y: 1, width: 58, height: 72, rx: 8 }),
];

const back = () => [
  s("rect", { class: "tile-side", x: 1, y: 1, width: 58, height: 78, rx: 8 }),
  s("rect", { class: "tile-back", x: 1, y: 1, width: 58, height: 72, rx: 8 }),
  s("rect", { class: "tile-lattice", x: 9, y: 9, width: 42, height: 56, rx: 4 }),
  s("path", { class: "tile-lattice", d: "M30 17l13 20l-13 20l-13 -20z" }),
];

const han = (text, x, y, size, ink) =>
  s("text", { class: `han ink-${ink}`, x, y, "font-size": size, "text-anchor": "middle" }, text);

function dot([x, y, r, ink]) {
  const rings = [
    s("circle", { class: `ink-${ink}`, cx: x, cy: y, r }),
    s("circle", { class: "ring", cx: x, cy: y, r: r * 0.58, "stroke-width": r * 0.2 }),
  ];
  return r < 20 ? rings : [...rings, s("circle", { class: "ink-red", cx: x, cy: y, r: r * 0.36 })];
}

function stick([x, y, length, ink, turn = 0]) {
  const half = length / 2;
  const joint = { class: `ink-${ink}`, x: x - 4, width: 8, height: half - 0.75, rx: 3.5 };
  const joints = [-half, 0.75].map((top) => s("rect", { ...joint, y: y + top }));
  return s("g", turn === 0 ? null : { transform: `rotate(${turn} ${x} ${y})` }, joints);
}

const frame = () => [
  s("rect", { class: "line-blue", x: 11, y: 10, width: 38, height: 54, rx: 3, "stroke-width": 4 }),
  s("rect", { class: "line-blue", x: 18, y: 17, width: 24, height: 40, rx: 2, "stroke-width": 1.5 }),
];

// A bird on a twig, its tail hanging to the lower right.
const bird = () => [
  s("path", { class: "ink-blue", d: "M27 34C36 36 46 46 54 66C43 63 34 58 28 50Z" }),
  s("path", { class: "ink-green", d: "M9 30C9 18 20 12 28 18C40 20 46 32 41 46C37 57 24 59 16 51C10 45 9 38 9 30Z" }),
  s("path", { class: "ring", d: "M24 32C34 32 38 40 36 49", "stroke-width": 2.5 }),
  s("path", { class: "ink-red", d: "M15 16C12 10 14 7 17 5C17 8 20 9 21 6C24 9 24 12 24 16Z" }),
  s("path", { class: "ink-red", d: "M11 25L2 30L10 33Z" }),
  s("circle", { class: "ink-face", cx: 19, cy: 25, r: 3.4 }),
  s("circle", { class: "ink-black", cx: 18.6, cy: 25, r: 1.8 }),
  s("path", { class: "line-red", d: "M23 55V66M31 55V66M12 67H40", "stroke-width": 3 }),
];

function blossom(x, y, petals, ink) {
  const turns = [...Array(petals).keys()].map((at) => (2 * Math.PI * at) / petals - Math.PI / 2);
  const petal = { class: `ink-${ink}`, r: petals === 5 ? 5 : 3.4 };
  const leaves = turns.map((turn) => {
    const [cx, cy] = polar(x, y, turn, 8);
    return s("circle", { ...petal, cx, cy });
  });
  return [...leaves, s("circle", { class: "ink-heart", cx: x, cy: y, r: 4 })];
}

function star(x, y, r) {
  const points = [...Array(10).keys()].map((at) => {
    const turn = (Math.PI * at) / 5 - Math.PI / 2;
    const far = at % 2 === 0 ? r : r * 0.45;
    return polar(x, y, turn, far).join(" ");
  });
  return `M${points.join("L")}Z`;
}

const polar = (x, y, turn, far) =>
  [x + far * Math.cos(turn), y + far * Math.sin(turn)].map((place) => place.toFixed(1));
