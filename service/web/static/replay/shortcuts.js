// The keys of a replay. They are the page's: whichever viewer is on it now does what they say.

import { shortcuts } from "../lib/keys.js";

const MOVES = [
  [["ArrowRight", "j"], "next", true],
  [["ArrowLeft", "k"], "previous", true],
  [["n"], "next_decision", true],
  [["p"], "previous_decision", true],
  [["]"], "next_hand"],
  [["["], "previous_hand"],
  [["f"], "next_finding"],
  [["F"], "previous_finding"],
  [["Home"], "start"],
  [["End"], "end"],
];
let isDone = false;

/** Registers the keys once; `viewer()` gives the viewer that is on the page. */
export function register(viewer) {
  if (isDone) return;
  isDone = true;
  shortcuts([
    ...MOVES.map(([keys, name, repeats = false]) => ({ keys, label: `replay.${name}`, repeats, run: () => viewer().by(name) })),
    { keys: [" "], label: "replay.key_play", run: () => viewer().toggle() },
    { keys: ["-"], label: "replay.key_slower", run: () => viewer().faster(-1) },
    { keys: ["+", "="], label: "replay.key_faster", run: () => viewer().faster(1) },
    { keys: ["1", "2", "3", "4"], label: "replay.key_seat", run: ({ key }) => viewer().go({ seat: Number(key) - 1 }) },
    { keys: ["0"], label: "replay.key_everybody", run: () => viewer().go({ seat: null }) },
    { keys: ["w"], label: "replay.key_wall", run: () => viewer().toggleWall() },
    { keys: ["c"], label: "replay.copy", run: () => viewer().copy?.() },
  ]);
}
