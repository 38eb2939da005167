// Shortcuts: one table a page, the help overlay that shows it, and the switch that turns them off.

import { h } from "./dom.js";
import { choose, chosen } from "./prefs.js";
import { t } from "./words.js";

const table = [];

/**
 * Adds shortcuts to the page: each has `keys` as KeyboardEvent.key names them ("ArrowRight", "Shift+ArrowRight", "j"),
 * `label` (a key of words), and `run`; `repeats` says that holding the key does it again and again.
 */
export function shortcuts(entries) {
  table.push(...entries);
}

/** Whether shortcuts are on. */
export const areOn = () => chosen("shortcuts", "on") === "on";

/** Opens the overlay that lists the page's shortcuts. */
export function showHelp() {
  const dialog = document.querySelector("dialog.help") ?? document.body.appendChild(overlay());
  dialog.showModal();
}

/** Listens from here on; "?" opens the overlay, and works also where shortcuts are off. */
export function listen() {
  document.addEventListener("keydown", (event) => {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]") !== null) return;
    const name = nameOf(event);
    const entry = name === "?" ? { run: showHelp } : areOn() ? table.find(({ keys }) => keys.includes(name)) : undefined;
    if (entry === undefined || (isControl(event, name) && !entry.always)) return;
    event.preventDefault();
    if (!event.repeat || entry.repeats) entry.run(event);
  });
}

const nameOf = ({ key, shiftKey }) => (shiftKey && key.length > 1 ? `Shift+${key}` : key);

const isTyping = ({ target }) => target.closest?.("input:not([type=range], [type=checkbox], [type=radio]), textarea, [contenteditable]");

// What a control does with a key is the control's: a button's space, a list's arrows.
function isControl({ target }, name) {
  if (target.closest?.("select, [role=listbox], [role=slider], input[type=range], input[type=radio]")) return true;
  return [" ", "Enter"].includes(name) && target.closest?.("button, a, summary, input") !== null;
}

function overlay() {
  const toggle = h("input", { type: "checkbox", onchange: ({ target }) => choose("shortcuts", target.checked ? "on" : "off") });
  toggle.checked = areOn();
  const rows = [...table, { keys: ["?"], label: "common.keys_help" }].map(({ keys, label }) =>
    h("tr", null, h("td", null, keys.map((key) => h("kbd", null, shown(key)))), h("td", null, t(label))),
  );
  return h(
    "dialog",
    { class: "help", "aria-labelledby": "help-title" },
    h("h2", { id: "help-title" }, t("common.keys_title")),
    h("table", null, h("thead", null, h("tr", null, h("th", { scope: "col" }, t("common.keys_key")), h("th", { scope: "col" }, t("common.keys_does")))), h("tbody", null, rows)),
    h("label", { class: "check" }, toggle, " ", t("common.keys_on")),
    h("form", { method: "dialog" }, h("button", { class: "primary" }, t("common.close"))),
  );
}

const NAMES = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", " ": "␣", Home: "Home", End: "End" };
const shown = (key) =>
  key.length === 1 ? (NAMES[key] ?? key) : key.split("+").map((part) => (part === "Shift" ? "⇧" : (NAMES[part] ?? part))).join(" ");
