// Where a log comes in: dropped anywhere on the page, chosen as a file, or pasted.

import { fill, h } from "../lib/dom.js";
import { t } from "../lib/words.js";

/**
 * The part of the page that takes logs, smaller once one has come; `taken(log, name)` is called with each: a File or a
 * text, and what to call it.
 */
export function intake({ bounds, ...does }) {
  const root = h("section", { class: "intake panel", "aria-label": t("log.intake") });
  const taken = (log, name) => {
    root.classList.add("has-log");
    does.taken(log, name);
  };
  const input = h("input", { type: "file", hidden: true, onchange: () => takeFile(input.files, taken) });
  const choose = h("button", { type: "button", class: "primary", onclick: () => input.click() }, t("log.choose"));
  const drop = h("div", { class: "drop" }, h("p", null, t("log.drop")), choose, input, h("p", { class: "quiet" }, t("log.kinds")));
  accept(drop, taken);
  return fill(root, drop, paste(taken), h("p", { class: "quiet" }, boundsOf(bounds)));
}

function paste(taken) {
  const text = h("textarea", { spellcheck: "false", autocomplete: "off", class: "code" });
  const send = () => text.value.trim() !== "" && taken(text.value, t("log.pasted"));
  return h(
    "details",
    { class: "paste" },
    h("summary", null, t("log.paste")),
    h("label", { class: "field" }, h("span", null, t("log.paste_label")), text),
    h("p", null, h("button", { type: "button", onclick: send }, t("log.audit"))),
  );
}

// A file that misses the frame would open in place of the page, and everything on it be lost.
function accept(drop, taken) {
  const over = (is) => drop.classList.toggle("over", is);
  addEventListener("dragover", (event) => {
    event.preventDefault();
    over(true);
  });
  addEventListener("dragleave", (event) => event.relatedTarget === null && over(false));
  addEventListener("drop", (event) => {
    event.preventDefault();
    over(false);
    takeFile(event.dataTransfer.files, taken);
  });
}

function takeFile(files, taken) {
  const [file] = files;
  if (file !== undefined) taken(file, file.name);
}

const boundsOf = ({ size, seconds }) => t("log.bounds", { size: Math.floor(size / 1024 ** 2), seconds });
