// Clauses of the rule book by their ids and titles, and how several of them are chosen.

import { fill, h } from "../lib/dom.js";
import { has, t } from "../lib/words.js";

/** A clause's title in the page's language; null for one that this service does not know. */
export const titleOf = (clause) => (has(`clauses.${clause}`) ? t(`clauses.${clause}`) : null);

/** A clause as text, with its title. */
export const named = (clause) => [clause, titleOf(clause)].filter((part) => part !== null).join(" · ");

/** A clause with its title. */
export const clause = (id) => h(
  "span",
  { class: "clause" },
  h("span", { class: "code" }, id),
  titleOf(id) === null ? null : [" ", titleOf(id)],
);

/** A list of suggestions for an input: all clauses there are, by `ids`. */
export const suggestions = (id, ids) => h(
  "datalist",
  { id },
  ids.map((one) => h("option", { value: one }, titleOf(one) ?? one)),
);

/** The ids of all clauses, from the words of the page's language. */
export async function allClauses() {
  const found = await import(`../words/clauses.${document.documentElement.lang}.js`);
  return Object.keys(found.default);
}

/**
 * A field for several clauses: an input with suggestions, a button that adds, and the chosen ones, each of which can be
 * taken out. It is a field as `form.js` wants them.
 */
export function clausesField({ name, label, ids, chosen = [] }) {
  let picked = [...chosen];
  const list = h("ul", { class: "chips", "aria-label": label });
  const input = h("input", { list: `${name}-clauses`, autocomplete: "off", maxlength: 40, onkeydown: entered });
  const error = h("p", { class: "quiet", role: "status" });
  const element = h(
    "div",
    { class: "field" },
    h(
      "label",
      { class: "field" },
      h("span", null, label),
      h("span", { class: "row" }, input, h("button", { type: "button", onclick: add }, t("desk.add"))),
    ),
    suggestions(`${name}-clauses`, ids),
    error,
    list,
  );

  const typed = () => input.value.trim().toUpperCase();

  function add(event) {
    event.preventDefault();
    const id = typed();
    if (id === "") return;
    error.textContent = ids.includes(id) ? "" : t("desk.no_such_clause", { clause: id });
    if (!ids.includes(id)) return;
    input.value = "";
    put([...new Set([...picked, id])]);
  }

  function entered(event) {
    if (event.key === "Enter") add(event);
  }

  function put(wanted) {
    picked = wanted;
    fill(list, picked.map(chip));
    element.dispatchEvent(new Event("input", { bubbles: true }));
  }

  const chip = (id) =>
    h(
      "li",
      null,
      clause(id),
      h(
        "button",
        {
          type: "button",
          "aria-label": t("desk.remove", { what: id }),
          onclick: () => put(picked.filter((one) => one !== id)),
        },
        "×",
      ),
    );

  fill(list, picked.map(chip));
  // What stands in the input and was not added yet is meant too.
  const value = () => [...new Set([...picked, typed()])].filter((id) => ids.includes(id));
  return { name, element, value, restore: put };
}
