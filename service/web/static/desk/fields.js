// Fields of the desk's forms. A field is {name, element, value(), restore(value)}; value() is what is sent and
// kept. Those that are `isShort` stand side by side.

import { h } from "../lib/dom.js";
import { t } from "../lib/words.js";

/** Characters of one free text, as the service has it. */
export const TEXT_LIMIT = 10_000;

/** Free text of several lines. */
export function textField({ name, label, required = true, hint = null }) {
  const input = h("textarea", { name, required, maxlength: TEXT_LIMIT, rows: 5 });
  const value = () => (input.value.trim() === "" ? null : input.value);
  return { name, element: labelled(label, input, hint), value, restore: (text) => (input.value = text ?? "") };
}

/** One line of text; `list` is the id of its suggestions. */
export function lineField({ name, label, required = false, type = "text", list = null, hint = null, min = null }) {
  const input = h("input", { name, type, required, list, autocomplete: "off", maxlength: 200, min });
  const value = () => (input.value.trim() === "" ? null : type === "number" ? Number(input.value) : input.value.trim());
  const restore = (text) => (input.value = text ?? "");
  return { name, element: labelled(label, input, hint), value, restore, isShort: type === "number" };
}

/** A moment in the reader's time zone, sent as UTC. */
export function momentField({ name, label }) {
  const input = h("input", { name, type: "datetime-local", required: true });
  const value = () => (input.value === "" ? null : new Date(input.value).toISOString());
  return {
    name,
    element: labelled(label, input),
    value,
    restore: (text) => (input.value = text === null ? "" : local(text)),
  };
}

/** One of several: `options` are pairs of value and words. Nothing is chosen at first. */
export function choiceField({ name, label, options }) {
  const inputs = options.map(([value]) => h("input", { type: "radio", name, value, required: true }));
  const element = h(
    "fieldset",
    null,
    h("legend", null, label),
    options.map(([, words], at) => h("label", { class: "check" }, inputs[at], " ", words)),
  );
  const value = () => inputs.find(({ checked }) => checked)?.value ?? null;
  const restore = (chosen) => inputs.forEach((input) => (input.checked = input.value === chosen));
  return { name, element, value, restore };
}

/** Any of several: `options` are pairs of value and nodes; the values are numbers. */
export function severalField({ name, label, options, chosen = [] }) {
  const inputs = options.map(([value]) => h("input", { type: "checkbox", name, value }));
  const rows = options.map(([, shown], at) => h("label", { class: "check" }, inputs[at], " ", h("span", null, shown)));
  const element = h("fieldset", { class: "several", hidden: options.length === 0 }, h("legend", null, label), rows);
  const value = () => inputs.filter(({ checked }) => checked).map((input) => Number(input.value));
  const restore = (wanted) => inputs.forEach((input) => (input.checked = (wanted ?? []).includes(Number(input.value))));
  restore(chosen);
  return { name, element, value, restore };
}

function labelled(label, input, hint = null) {
  const extra = hint === null ? null : h("small", { class: "quiet" }, hint);
  const mark = input.required ? null : h("small", { class: "quiet" }, " ", t("desk.optional"));
  return h("label", { class: "field" }, h("span", null, label, mark), input, extra);
}

// As an input of the type datetime-local writes it.
function local(text) {
  const moment = new Date(text);
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
