// The search form: what is looked for stands in the address, so that a copy of it finds the same.

import { h } from "../lib/dom.js";
import { at } from "../lib/links.js";
import { t } from "../lib/words.js";
import { FIELDS } from "./fields.js";

/** The values of an address for those of the fields that it names. */
export function asked(names, address = location.search) {
  const given = new URLSearchParams(address);
  return Object.fromEntries(names.filter((name) => given.get(name)).map((name) => [name, given.get(name)]));
}

/**
 * A form for the fields `first`, with `rest` folded away unless one of them is in use; `values` are those of the
 * address, `others` what stays in the address beside them. Searching opens `path` anew.
 */
export function form({ path, first, rest = [], values, others = {} }) {
  const search = (event) => {
    event.preventDefault();
    location.assign(at(path, { ...others, ...said(event.target, [...first, ...rest]) }));
  };
  return h(
    "form",
    { role: "search", class: "panel search", "aria-label": t("search.form"), onsubmit: search },
    fields(first, values),
    rest.length === 0 ? null : folded(rest, values),
    h(
      "div",
      { class: "row" },
      h("button", { class: "primary" }, t("search.go")),
      Object.keys(values).length === 0 ? null : h("a", { class: "button", href: at(path, others) }, t("search.clear")),
    ),
  );
}

const fields = (names, values) => h("div", { class: "fields" }, names.map((name) => field(name, values[name] ?? "")));

const folded = (names, values) =>
  h("details", { open: isUsed(names, values) }, h("summary", null, t("search.more")), fields(names, values));

const isUsed = (names, values) => names.some((name) => values[name]);

const field = (name, value) =>
  h("label", { class: "field" }, h("span", null, t(`search.${name}`)), FIELDS[name].input(name, value));

function said(element, names) {
  const read = (name) => (FIELDS[name].read ?? String)(element.elements[name].value.trim());
  return Object.fromEntries(names.map((name) => [name, read(name)]));
}
