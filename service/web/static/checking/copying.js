// What is compared character by character: in code font, and to be copied.

import { h } from "../lib/dom.js";
import { say } from "../lib/shell.js";
import { t } from "../lib/words.js";

/** A text in code font with a button that copies it; `name` says to screen readers what it is. */
export function copyable(text, name) {
  const label = t("verify.copy_of", { name });
  const onclick = ({ currentTarget }) => copy(text, currentTarget);
  const properties = { type: "button", class: "copy no-print", "aria-label": label, onclick };
  return h("span", { class: "copyable" }, h("code", null, text), h("button", properties, t("verify.copy")));
}

/** A command for a terminal, to be copied. */
export const command = (text) => h("p", { class: "command" }, copyable(text, text));

async function copy(text, button) {
  const isDone = await written(text);
  const told = t(isDone ? "verify.copied" : "verify.not_copied");
  say(told);
  button.textContent = told;
  setTimeout(() => (button.textContent = t("verify.copy")), 2000);
}

async function written(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
