// Copying the address of what is shown.

import { fill, h } from "../lib/dom.js";
import { say } from "../lib/shell.js";
import { t } from "../lib/words.js";

/** A function that copies what `link()` gives, and says so in `root`; where the browser refuses, it shows the link. */
export const copier = (link, root) => async () => {
  const text = link();
  try {
    await navigator.clipboard.writeText(text);
    fill(root, h("p", { class: "done" }, "✓ ", t("replay.copied")));
    say(t("replay.copied"));
  } catch {
    const field = h("input", { type: "text", readonly: true, value: text });
    fill(root, h("label", { class: "field" }, h("span", null, t("replay.copy_by_hand")), field));
    field.select();
  }
};
