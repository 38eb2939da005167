// Having a log stored: for game servers alone, asked for by a button of its own, and once more before it is done.

import { fill, h } from "../lib/dom.js";
import * as links from "../lib/links.js";
import { verdict } from "../lib/parts.js";
import { trouble } from "../lib/shell.js";
import { number, t } from "../lib/words.js";

/** The part of the page by which `log` (log/source.js: `held`) with so many games can be stored. */
export function storing(log, count) {
  const result = h("div", { role: "status" });
  const dialog = h(
    "dialog",
    { "aria-labelledby": "store-title" },
    h("h2", { id: "store-title" }, t("log.store_title")),
    h("p", null, t("log.store_means", { count })),
    h("form", { method: "dialog", class: "row" }, h("button", { value: "" }, t("log.store_not")), h("button", { value: "store", class: "primary" }, t("log.store_do"))),
  );
  const button = h("button", { type: "button", onclick: () => dialog.showModal() }, t("log.store"));
  dialog.addEventListener("close", () => dialog.returnValue === "store" && store());

  async function store() {
    dialog.returnValue = "";
    button.disabled = true;
    fill(result, h("p", { class: "quiet" }, t("log.store_runs")));
    try {
      fill(result, h("ul", { class: "stored" }, (await log.stored()).map(outcome)));
    } catch (error) {
      fill(result, trouble(error));
      if (error.code === undefined) throw error;
    } finally {
      button.disabled = false;
    }
  }

  return h("section", { class: "storing panel", "aria-label": t("log.store") }, h("p", null, t("log.store_hint")), button, dialog, result);
}

function outcome({ game, added, skipped, verdict: code, line, reason, member }) {
  if (reason !== undefined) return h("li", null, t(member ? "log.refused_member" : "log.refused", { game: game ?? "–", line: line ?? "–", member, reason }));
  const words = t("log.stored", { added: number(added), skipped: number(skipped) });
  return h("li", null, h("a", { href: links.replay(game) }, game), " ", code ? verdict(code.toUpperCase()) : null, " ", words);
}
