// The table and what is told beside it, for one viewpoint: another viewpoint gets a stage of its own, so that nothing of
// what this one showed is left.

import { fill, h } from "../lib/dom.js";
import { panels } from "../insight/panels.js";
import { drawTable } from "../table/table.js";
import { wallOf } from "./travel.js";

/** A stage in `board`, with its panels in `aside` (null for none); gives `show(place)` and `end()`. */
export function stage({ board, aside, source, head, go }) {
  const root = h("div", { class: "stage" });
  const names = Object.fromEntries(head.seats.map(({ seat, name, player }) => [seat, name ?? player]));
  const isStill = matchMedia("(prefers-reduced-motion: reduce)");
  fill(board, root);
  const insight = aside === null ? null : panels(fill(aside), { source, head, go });

  return {
    show({ hand, index, seat, wall }) {
      const [frame, acts, event] = [hand.frames[index], hand.acts[index], hand.events[index]];
      const eyes = seat ?? hand.asSeat ?? 0;
      drawTable(root, frame, { eyes, names, wall: wall ? wallOf(hand, seat) : null, event, reducedMotion: isStill.matches });
      insight?.show({ hand, index, frame, acts, event, seat: hand.asSeat ?? choosing(acts) ?? event.seat ?? frame.turn });
    },
    end: () => insight?.end(),
  };
}

// The first seat that may do more than pass: at a discard those who may claim it are of more interest than who threw it.
function choosing(acts) {
  const found = Object.entries(acts).find(([, some]) => some.some(({ act }) => act !== "pass"));
  return found === undefined ? undefined : Number(found[0]);
}
