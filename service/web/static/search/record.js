// What a player did, in numbers: counts, wins by way, points by rule set, findings by clause.

import { h } from "../lib/dom.js";
import { at } from "../lib/links.js";
import { lang, number, t, term } from "../lib/words.js";
import { rulesetName } from "./fields.js";
import { clauseTitle } from "./rows.js";

/** The counts, the disputes with the way to them where the reader works on disputes. */
export function counts(player, { games, hands, wins, findings, cases }) {
  const disputes = cases === null ? null : count(cases, "record_cases", at("/cases", { player }));
  return h(
    "ul",
    { class: "counts" },
    count(games, "record_games"),
    count(hands, "record_hands"),
    count(sum(wins), "record_wins"),
    count(sum(findings), "record_findings"),
    disputes,
  );
}

/** Wins by way, the most frequent first, as a table with bars. */
export function winsTable(wins) {
  if (wins.length === 0) return h("p", { class: "quiet" }, t("search.no_wins"));
  const total = sum(wins);
  const rows = mostFirst(wins).map(({ win, count: hands }) => [term("ways", win), number(hands), bar(hands, total)]);
  return table([[t("search.win")], [t("search.wins_count"), "number"], [t("search.wins_share"), "share"]], rows);
}

/** Points by rule set. */
export function pointsTable(points) {
  if (points.length === 0) return h("p", { class: "quiet" }, t("search.no_points"));
  const told = (sum) => (sum === null ? t("search.points_too_large") : number(sum, { signed: true }));
  const rows = points.map(({ ruleset, points: sum }) => [rulesetName(ruleset), told(sum)]);
  return table([[t("search.ruleset")], [t("search.points"), "number"]], rows);
}

/** Findings at the player's own seats by clause, with the way to all games that have one. */
export function clausesTable(player, findings) {
  if (findings.length === 0) return h("p", { class: "quiet" }, t("search.no_clauses"));
  const link = (clause) => h("a", { class: "code", href: at("/", { player, clause }) }, clause);
  const row = ({ clause, count: times }) => [link(clause), clauseTitle(clause), number(times)];
  const heads = [[t("search.clauses_clause")], [t("search.clauses_title")], [t("search.clauses_count"), "number"]];
  return table(heads, mostFirst(findings).map(row));
}

const sum = (rows) => rows.reduce((total, { count: one }) => total + one, 0);
const mostFirst = (rows) => rows.toSorted((one, other) => other.count - one.count);

const count = (value, label, href) => {
  const parts = [h("strong", null, number(value)), " ", t(`search.${label}`)];
  return h("li", null, href === undefined ? parts : h("a", { href }, parts));
};

// The number beside says the same; the bar is for the eye.
function bar(value, total) {
  const filled = h("span", { css: { "inline-size": `${(100 * value) / total}%` } });
  const track = h("span", { class: "track", "aria-hidden": "true" }, filled);
  return h("div", { class: "bar" }, track, h("span", { class: "percent" }, percent(value / total)));
}

const percent = (share) => new Intl.NumberFormat(lang, { style: "percent" }).format(share);

const table = (heads, rows) =>
  h(
    "table",
    null,
    h("thead", null, h("tr", null, heads.map(([text, kind]) => h("th", { scope: "col", class: kind }, text)))),
    h("tbody", null, rows.map((cells) => tableRow(heads, cells))),
  );

const tableRow = ([, ...heads], [name, ...cells]) =>
  h("tr", null, h("th", { scope: "row" }, name), cells.map((cell, at) => h("td", { class: heads[at][1] }, cell)));
