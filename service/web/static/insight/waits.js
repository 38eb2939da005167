// What a seat waits for, and how many of it are still live.

import { h } from "../lib/dom.js";
import { t } from "../lib/words.js";
import { roles, tile } from "../table/tiles.js";
import { sentence, who } from "./names.js";

/** The tiles that complete a seat's hand, with those that it has not seen. */
export function draw({ head, frame, seat }, { waits }) {
  const name = who(head, seat);
  if (frame.seats[seat].count % 3 === 2)
    return h("p", { class: "quiet" }, sentence("insight.waits_discard", { who: name }));
  if (waits.length === 0) return h("p", { class: "quiet" }, sentence("insight.waits_none", { who: name }));
  const live = waits.reduce((sum, one) => sum + one.live, 0);
  const values = {
    who: name,
    kinds: t("insight.kinds", { count: waits.length }),
    tiles: t("insight.copies", { count: live }),
  };
  return [
    h("p", null, sentence("insight.waits_lead", values)),
    h(
      "ul",
      { class: "waits" },
      waits.map((one) => wait(one, frame)),
    ),
  ];
}

const wait = ({ tile: code, live }, frame) =>
  h(
    "li",
    { class: live === 0 ? "quiet" : null },
    tile(code, { ...roles(code, frame), dim: live === 0 }),
    h("span", null, live === 0 ? t("insight.live_none") : t("insight.live", { count: live })),
  );
