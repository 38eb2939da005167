// The signs on the controls, drawn in a field of 24 by 24.

import { s } from "../lib/dom.js";

const RIGHT = "M8 5v14l11-7z";
const PATHS = {
  play: [RIGHT],
  pause: ["M7 5h4v14H7zM13 5h4v14h-4z"],
  next: ["M9 5l8 7-8 7-2-2 6-5-6-5z"],
  previous: ["M15 5l-8 7 8 7 2-2-6-5 6-5z"],
  next_decision: ["M4 5l8 7-8 7-2-2 6-5-6-5z", "M16.5 8.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7z"],
  previous_decision: ["M20 5l-8 7 8 7 2-2-6-5 6-5z", "M7.5 8.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7z"],
  next_hand: ["M4 5v14l8-7z", "M12 5v14l8-7z"],
  previous_hand: ["M20 5v14l-8-7z", "M12 5v14l-8-7z"],
  next_finding: ["M3 5l8 7-8 7-2-2 6-5-6-5z", "M16 4h4l-.6 10h-2.8zM16 16.5h4V20h-4z"],
  previous_finding: ["M21 5l-8 7 8 7 2-2-6-5 6-5z", "M4 4h4l-.6 10H4.6zM4 16.5h4V20H4z"],
  start: ["M4 5h3v14H4z", "M20 5v14L8 12z"],
  end: ["M17 5h3v14h-3z", "M4 5v14l12-7z"],
};

/** A sign by its name; what it means is said beside it. */
export const icon = (name) =>
  s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, PATHS[name].map((d) => s("path", { d })));
