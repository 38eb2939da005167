// A player's page: names, record, games.

import { ask } from "../lib/api.js";
import { fill, h } from "../lib/dom.js";
import { good, Problem } from "../lib/parts.js";
import { kept, start, trouble } from "../lib/shell.js";
import { t } from "../lib/words.js";
import { list } from "../search/list.js";
import { clausesTable, counts, pointsTable, winsTable } from "../search/record.js";
import { gameRow, nameList } from "../search/rows.js";

async function show(main) {
  const id = new URLSearchParams(location.search).get("id") ?? "";
  try {
    await shown(main, id, await record(id));
  } catch (error) {
    if (error.code !== "PLAYER_NOT_FOUND") throw error;
    const others = h("p", null, h("a", { href: kept("/players") }, t("search.all_players")));
    fill(main, h("h1", null, t("search.player_title")), trouble(error), others);
  }
}

async function shown(main, id, found) {
  document.title = `${found.player} · ${document.title}`;
  const games = section("player_games");
  fill(
    main,
    h("h1", null, found.names[0] ?? found.player),
    found.names.length === 0 ? null : h("div", { class: "facts" }, h("code", null, found.player), known(found.names)),
    counts(found.player, found.record),
    h("p", { class: "quiet" }, t("search.record_of")),
    h(
      "div",
      { class: "records" },
      section("wins", winsTable(found.record.wins)),
      section("points", pointsTable(found.record.points), h("p", { class: "quiet" }, t("search.points_of"))),
      section("clauses", clausesTable(found.player, found.record.findings)),
    ),
    games,
  );
  await list(games, {
    fetch: async (page) => good(good((await ask("PlayerGames", { id, ...page })).player).games),
    row: gameRow,
    empty: t("search.no_player_games"),
  });
}

async function record(id) {
  if (id === "") throw problem(t("search.player_missing"));
  try {
    return good((await ask("PlayerRecord", { id })).player);
  } catch (error) {
    throw error.code === "PLAYER_NOT_FOUND" ? problem(t("search.player_unknown", { id })) : error;
  }
}

const problem = (sentence) => Object.assign(new Problem(sentence), { code: "PLAYER_NOT_FOUND" });

const section = (name, ...parts) =>
  h("section", { class: "panel", "aria-labelledby": name }, h("h2", { id: name }, t(`search.${name}`)), parts);

const known = ([, ...names]) =>
  names.length === 0 ? null : h("div", null, t("search.also_known"), " ", nameList(names));

await start({ title: "search.player_title", areas: ["search", "terms", "clauses"], show });
