// What can be searched by: each field by its name in the address, with how it is asked for and what the API is told.

import { h } from "../lib/dom.js";
import { Problem } from "../lib/parts.js";
import { codes, has, t, term } from "../lib/words.js";
import { local, moment } from "./moments.js";

// Ids are no words of a language.
const PLAIN = { autocomplete: "off", autocapitalize: "off", spellcheck: "false" };

const word = (text) => text.toUpperCase();
const same = (text) => text;

const text = (filter) => ({
  filter,
  input: (name, value) => h("input", { name, value, ...PLAIN }),
  told: same,
});

const clause = () => ({
  filter: "clause",
  input: (name, value) => [
    h("input", { name, value, list: "clauses", placeholder: t("search.clause_hint"), ...PLAIN }),
    h("datalist", { id: "clauses" }, codes("clauses.").map(clauseOption)),
  ],
  told: (value) => value.trim().toUpperCase(),
});

const clauseOption = (id) => h("option", { value: id, label: `${id} ${t(`clauses.${id}`)}` });

const time = (filter) => ({
  filter,
  input: (name, value) => h("input", { type: "datetime-local", name, value: local(value) }),
  read: moment,
  told: (value, name) => (local(value) === "" ? refuse("no_moment", name, value) : value),
});

const least = (filter) => ({
  filter,
  input: (name, value) => h("input", { type: "number", inputmode: "numeric", min: 0, step: 1, name, value }),
  told: (value, name) => (/^\d{1,15}$/.test(value) ? Number(value) : refuse("no_number", name, value)),
});

const choice = (filter, offered, told = word) => ({
  filter,
  input: (name, value) => {
    const options = offered().map(([code, label]) => h("option", { value: code, selected: code === value }, label));
    return h("select", { name }, h("option", { value: "" }, t("search.any")), options);
  },
  told: (value, name) => (offered().some(([code]) => code === value) ? told(value) : refuse("no_such", name, value)),
});

const terms = (group) => () => codes(`terms.${group}.`).map((code) => [code, term(group, code)]);
const own = (group) => () => codes(`search.${group}_`).map((code) => [code, t(`search.${group}_${code}`)]);

/** The fields by their names in the address: `filter` is the API's name, `input(name, value)` the element, `read` turns
 * what it says into what the address says, `told(value, name)` that into what the API takes. */
export const FIELDS = {
  player: text("player"),
  winner: text("winner"),
  clause: clause(),
  verdict: choice("verdict", terms("verdicts")),
  severity: choice("severity", terms("severities")),
  win: choice("win", terms("ways"), same),
  ruleset: choice("ruleset", own("ruleset"), same),
  from: time("openedFrom"),
  to: time("openedUntil"),
  status: choice("status", own("status")),
  dispute: choice("dispute", own("dispute")),
  public: choice("public", own("public"), (value) => value === "yes"),
  factor: least("minFactor"),
  swing: least("minSwing"),
  id_prefix: text("idPrefix"),
  name_prefix: text("namePrefix"),
};

/** The API's filter of the values of an address; a `Problem` for a value that no field can have. */
export function filterOf(values) {
  const pairs = Object.entries(values).map(([name, value]) => [FIELDS[name].filter, FIELDS[name].told(value, name)]);
  return Object.fromEntries(pairs);
}

/** A rule set's name, its id where we have none. */
export const rulesetName = (id) => (has(`search.ruleset_${id}`) ? t(`search.ruleset_${id}`) : id);

function refuse(sentence, name, value) {
  const problem = new Problem(t(`search.${sentence}`, { field: t(`search.${name}`), value }));
  throw Object.assign(problem, { code: "BAD_ARGUMENT" });
}
