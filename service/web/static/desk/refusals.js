// Why the service did not do what it was asked for, in the reader's words.

import { h } from "../lib/dom.js";
import { has, t } from "../lib/words.js";

/** A sentence for a refusal: {code, message, argument}, as `sending.js` gives it or a rule of ours names it. */
export function told({ code, message, argument, lastSeq }) {
  if (argument !== undefined && has(`desk.bad_${argument}`)) return t(`desk.bad_${argument}`);
  const key = `desk.refused_${code.toLowerCase()}`;
  return has(key) ? t(key, { last: lastSeq }) : message;
}

/** A sentence on what went wrong, told at once. */
export const alert = (words) => h("div", { class: "trouble", role: "alert" }, h("p", null, words));
