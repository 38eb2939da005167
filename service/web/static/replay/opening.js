// Opening a replay at what an address asks for, or as near to it as can be shown.

import { fill, h } from "../lib/dom.js";
import { trouble } from "../lib/shell.js";
import { t } from "../lib/words.js";

/** The places to try, one after the other: another viewpoint first, then another step. */
export function attempts({ step, hand, seat = null, wall = false }) {
  const all = [{ step, hand, seat, wall }, { step, hand, seat: null, wall }, { seat, wall }, { seat: null }];
  const texts = all.map((one) => JSON.stringify(one));
  return all.filter((_, at) => texts.indexOf(texts[at]) === at);
}

/** Says in `root` what of an address could not be shown (sentences, and an error or undefined), and what is instead. */
export function notice(root, { faults, error, place: { step, seat } }) {
  if (error === undefined && faults.length === 0) return;
  const shown = seat === null ? t("replay.shown_all", { step }) : t("replay.shown_seat", { step, seat });
  const said = [error && trouble(error), ...faults.map((fault) => trouble({ code: "BAD_ADDRESS", message: fault }))];
  fill(root, said, h("p", { class: "quiet" }, t("replay.stays", { shown })));
}
