// The first page: what the service is, and the search over games, hands and findings.

import { fill, h } from "../lib/dom.js";
import { at } from "../lib/links.js";
import { has, session } from "../lib/session.js";
import { start } from "../lib/shell.js";
import { t } from "../lib/words.js";
import { filterOf } from "../search/fields.js";
import { asked, form } from "../search/form.js";
import { list } from "../search/list.js";
import { VIEWS, viewOf } from "../search/views.js";
import { greeting, introduction } from "../search/welcome.js";

async function show(main) {
  const who = await session();
  const name = viewOf();
  const { first, rest, staff, ...view } = VIEWS[name];
  const fields = [...rest, ...((await has("clerk", "auditor", "admin")) ? staff : [])];
  const values = asked([...first, ...fields]);
  const others = { view: inAddress(name) };
  const results = h("section", { "aria-labelledby": "results" }, heading(who));
  const head = who.principal === null ? introduction() : greeting(who);
  fill(main, head, tabs(name), form({ path: "/", first, rest: fields, values, others }), results);
  await list(results, {
    fetch: (page) => view.fetch(filterOf(values), page),
    row: view.row,
    empty: t(Object.keys(values).length === 0 && name === "games" ? nothing(who) : view.empty),
  });
}

// Who is not signed in is told that this is not all that there is.
function heading(who) {
  if (who.principal === null) return h("h2", { id: "results" }, t("search.results_public"));
  return h("h2", { class: "unseen", id: "results" }, t("search.results"));
}

const tabs = (current) =>
  h(
    "nav",
    { class: "views", "aria-label": t("search.views") },
    Object.keys(VIEWS).map((name) => tab(name, name === current)),
  );

const tab = (name, isCurrent) =>
  h("a", { href: address(name), "aria-current": isCurrent ? "page" : null }, t(`search.view_${name}`));

// What both views can be searched by goes along to the other.
const address = (name) => at("/", { view: inAddress(name), ...asked([...VIEWS[name].first, ...VIEWS[name].rest]) });

const inAddress = (name) => (name === "games" ? null : name);

// Where nothing was asked for and nothing is there, the reason is not the search.
function nothing(who) {
  if (who.principal === null) return "search.no_games_public";
  return who.roles.length === 1 && who.roles[0] === "player" ? "search.no_games_player" : "search.no_games_yet";
}

await start({ title: "common.nav_games", areas: ["search", "terms", "clauses"], show });
