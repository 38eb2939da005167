// Players: who sat in games that the reader may see, by the beginnings of ids and names.

import { ask } from "../lib/api.js";
import { fill, h } from "../lib/dom.js";
import { player } from "../lib/links.js";
import { good } from "../lib/parts.js";
import { has } from "../lib/session.js";
import { start } from "../lib/shell.js";
import { number, t } from "../lib/words.js";
import { filterOf } from "../search/fields.js";
import { asked, form } from "../search/form.js";
import { list } from "../search/list.js";
import { nameList } from "../search/rows.js";

async function show(main) {
  // Who does not see all names cannot look for them either.
  const first = (await has("clerk", "auditor", "admin")) ? ["id_prefix", "name_prefix"] : ["id_prefix"];
  const values = asked(first);
  const body = h("tbody");
  const results = h("section", { "aria-label": t("search.results") });
  const head = [h("h1", null, t("search.players_title")), h("p", { class: "quiet" }, t("search.players_lead"))];
  fill(main, head, form({ path: "/players", first, values }), results);
  await list(results, {
    fetch: async (page) => good((await ask("PlayersFound", { ...filterOf(values), ...page })).players),
    row,
    empty: t("search.no_players"),
    body,
    frame: h("table", null, h("thead", null, h("tr", null, heads())), body),
  });
}

const heads = () => [
  h("th", { scope: "col" }, t("search.players_id")),
  h("th", { scope: "col" }, t("search.players_names")),
  h("th", { scope: "col", class: "number" }, t("search.players_games")),
  h("th", { scope: "col", class: "number" }, t("search.players_hands")),
];

const row = ({ player: id, names, record }) =>
  h(
    "tr",
    null,
    h("th", { scope: "row" }, h("a", { href: player(id) }, id)),
    h("td", null, names.length === 0 ? "–" : nameList(names)),
    h("td", { class: "number" }, number(record.games)),
    h("td", { class: "number" }, number(record.hands)),
  );

await start({ title: "search.players_title", areas: ["search"], show });
