// The list of disputes: for the staff all of them, for a player the own ones. What is asked for is in the address.

import { named } from "../desk/clauses.js";
import { dueOf, placeOf } from "../desk/ground.js";
import { requireRole } from "../desk/opening.js";
import { STATES, outcome, state } from "../desk/states.js";
import { ask } from "../lib/api.js";
import { fill, h } from "../lib/dom.js";
import * as links from "../lib/links.js";
import { good, paged, time } from "../lib/parts.js";
import { session } from "../lib/session.js";
import { kept, start } from "../lib/shell.js";
import { t } from "../lib/words.js";

const STAFF = ["clerk", "auditor", "admin"];

async function show(main) {
  const who = await session();
  requireRole(who);
  const isStaff = who.roles.some((role) => STAFF.includes(role));
  const list = h("div");
  const asked = () => new URLSearchParams(location.search);
  const filters = filterForm(isStaff, (wanted) => {
    history.pushState(null, "", links.at("/cases", wanted));
    return shown();
  });
  const shown = () => {
    filters.restore(asked());
    return cases(list, asked(), who, isStaff);
  };
  addEventListener("popstate", shown);
  fill(
    main,
    h(
      "div",
      { class: "row title" },
      h("h1", null, t(isStaff ? "desk.title_cases" : "desk.own_cases")),
      h("a", { class: "button primary", href: kept("/case") }, t("desk.new_case")),
    ),
    filters.element,
    list,
  );
  await shown();
}

function filterForm(isStaff, search) {
  const states = STATES.filter((code) => isStaff || code !== "PENDING_APPROVAL");
  const field = (name, input) => h("label", { class: "field" }, h("span", null, t(`desk.${name}`)), input);
  const check = (name) => h(
    "label",
    { class: "check" },
    h("input", { type: "checkbox", name, value: 1 }),
    " ",
    t(`desk.only_${name}`),
  );
  const element = h(
    "form",
    { class: "panel filters", role: "search", "aria-label": t("desk.filters"), onsubmit: (event) => submitted(event) },
    field(
      "state",
      h(
        "select",
        { name: "state" },
        h("option", { value: "" }, t("desk.any")),
        states.map((code) => h("option", { value: code }, t(`desk.state_${code.toLowerCase()}`))),
      ),
    ),
    field("game", h("input", { name: "game", autocomplete: "off" })),
    isStaff ? field("player", h("input", { name: "player", autocomplete: "off" })) : null,
    isStaff ? check("mine") : null,
    check("overdue"),
    h(
      "div",
      { class: "row" },
      h("button", { class: "primary" }, t("desk.search")),
      h("a", { class: "button", href: kept("/cases") }, t("desk.reset")),
    ),
  );

  function submitted(event) {
    event.preventDefault();
    return search(Object.fromEntries(new FormData(element)));
  }

  function restore(asked) {
    for (const input of element.querySelectorAll("[name]")) {
      if (input.type === "checkbox") input.checked = asked.has(input.name);
      else input.value = asked.get(input.name) ?? "";
    }
  }
  return { element, restore };
}

function cases(list, asked, who, isStaff) {
  const columns = [
    "case",
    "game",
    "place",
    "clause",
    "player",
    "state",
    ...(isStaff ? ["assignee"] : []),
    "due",
    "outcome",
  ];
  const body = h("tbody", { role: "rowgroup" });
  const foot = h("div");
  const head = h(
    "tr",
    { role: "row" },
    columns.map((name) => h("th", { scope: "col", role: "columnheader" }, t(`desk.${name}`))),
  );
  fill(
    list,
    h(
      "table",
      { class: "stack cases", role: "table", "aria-label": t("desk.title_cases") },
      h("thead", { role: "rowgroup" }, head),
      body,
    ),
    foot,
  );
  const filter = wanted(asked, who);
  const isFiltered = Object.values(filter).some((value) => value !== null);
  const empty = t(isFiltered ? "desk.none_found" : isStaff ? "desk.none_yet" : "desk.none_own");
  const fetch = async (after) => good((await ask("CaseList", { filter, after })).cases);
  return paged({ fetch, row: (one) => row(one, columns, who), body, foot, empty });
}

function wanted(asked, who) {
  const text = (name) => asked.get(name)?.trim() || null;
  const found = text("state");
  return {
    state: STATES.includes(found) ? found : null,
    game: text("game"),
    player: text("player"),
    assignee: asked.has("mine") ? who.principal : null,
    overdue: asked.has("overdue") ? true : null,
  };
}

function row(one, columns, who) {
  const shown = {
    case: [
      h(
        "a",
        {
          href: links.dispute(one.case),
          "aria-label": t("desk.case_opened", { case: one.case.slice(0, 8), game: one.game }),
        },
        one.case.slice(0, 8),
      ),
      h("br"),
      h("small", { class: "quiet" }, time(one.openedAt)),
    ],
    game: one.game,
    place: placeOf(one),
    clause: one.clause === null ? null : named(one.clause),
    player: one.player,
    state: state(one.state),
    assignee: one.assignee === who.principal ? t("desk.you") : one.assignee,
    due: ["DECIDED", "WITHDRAWN", "CLOSED"].includes(one.state) ? null : dueOf(one),
    outcome: outcome(one.outcome),
  };
  return h(
    "tr",
    { role: "row", "data-case": one.case },
    columns.map((name) => h(
      "td",
      { role: "cell", "data-label": t(`desk.${name}`) },
      h("div", null, shown[name] ?? h("span", { class: "quiet" }, "–")),
    )),
  );
}

await start({ title: "desk.title_cases", areas: ["desk", "clauses"], show });
