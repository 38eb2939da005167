// The disputed step on paper: the table after it, what happened, and who could do what just before.

import { acts } from "../insight/acts.js";
import { who } from "../insight/names.js";
import { h } from "../lib/dom.js";
import { stored } from "../lib/sources.js";
import { t } from "../lib/words.js";
import { sentence } from "../replay/sentence.js";
import { drawTable } from "../table/table.js";

/** The areas of words that a page with a step loads. */
export const AREAS = ["table", "insight", "replay"];

/**
 * The step of a game as `asSeat` saw it (null: all that the reader may see); null where this is not for the reader.
 * Others' tiles stay hidden from a seat in table, acts and sentence alike.
 */
export async function stepOf(game, step, asSeat) {
  const source = stored(game);
  try {
    const [head, hand] = await Promise.all([source.head(), source.hand({ seq: step, asSeat })]);
    return drawn(head, hand, step, asSeat);
  } catch (error) {
    if (["HIDDEN", "FORBIDDEN", "SEQ_OUT_OF_RANGE", "GAME_NOT_FOUND"].includes(error.code)) return null;
    throw error;
  }
}

function drawn(head, hand, step, asSeat) {
  const at = step - hand.first;
  const frame = hand.frames[at];
  const table = h("div", { class: "paper-table" });
  const named = head.seats.filter(({ name }) => name !== null);
  const names = Object.fromEntries(named.map(({ seat, name }) => [seat, name]));
  drawTable(table, frame, { eyes: asSeat ?? 0, names, event: hand.events[at], reducedMotion: true });
  return [
    h("h3", null, t("desk.happened", { step })),
    h("p", null, sentence(hand.events[at], frame, head).nodes),
    h("h3", null, t("desk.could_do")),
    at === 0 ? null : h("div", { class: "insight could" }, before(head, hand.frames[at - 1], hand.acts[at - 1] ?? {})),
    h(
      "p",
      { class: "quiet" },
      asSeat === null ? t("desk.table_as_all", { step }) : t("desk.table_as_seat", { step, seat: asSeat }),
    ),
    table,
  ];
}

function before(head, frame, found) {
  const acting = Object.keys(found).filter((seat) => found[seat].length > 0);
  if (acting.length === 0) return h("p", null, t("desk.could_nothing"));
  return acting.map((seat) => h(
    "div",
    { class: "one" },
    h("h4", null, who(head, Number(seat))),
    acts(found[seat], frame),
  ));
}
