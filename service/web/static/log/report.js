// What the audit says of a log: its games, and of one of them verdict, findings, scores, and what could not be read.

import { h } from "../lib/dom.js";
import { severity, verdict } from "../lib/parts.js";
import { listed, number, t, term } from "../lib/words.js";

/** The games of a log as a list to choose from; `chosen(place)` is called with the place of one. */
export function gameList(games, chosen) {
  const rows = games.map((report, place) =>
    h(
      "tr",
      null,
      h("th", { scope: "row" }, h("button", { type: "button", onclick: () => chosen(place) }, report.game)),
      h("td", null, verdict(report.verdict.toUpperCase())),
      h("td", { class: "number" }, number(report.findings.length)),
      h("td", { class: "number" }, number(report.hands.length)),
      h("td", { class: "number" }, number(report.events)),
    ),
  );
  const columns = ["game", "verdict", "findings", "hands", "events"];
  const table = h("table", { class: "games" }, headed(columns), h("tbody", null, rows));
  return h("div", { class: "scroll" }, table);
}

const NUMBERS = new Set(["findings", "hands", "events", "score"]);

const headed = (columns) =>
  h("thead", null, h("tr", null, columns.map((name) => h("th", { scope: "col", class: NUMBERS.has(name) ? "number" : null }, t(`log.col_${name}`)))));

/** Marks the game of a place as the one that is shown. */
export function mark(list, place) {
  list.querySelectorAll("tbody button").forEach((button, at) => {
    if (at === place) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  });
}

/** The report on one game; `go(step)` shows a step of it, null where there is nothing to be shown. */
export function gameReport(report, go) {
  const { level, hands_proven: proven, hands } = report.fairness;
  const counts = { count: report.findings.length, hands: report.hands.length, events: report.events };
  const wrong = [h("h3", null, t("log.findings")), h("ol", { class: "findings" }, report.findings.map((one) => found(one, go)))];
  return [
    h("p", { class: "row" }, verdict(report.verdict.toUpperCase()), t("log.summary", counts)),
    report.error === undefined ? null : unread(report.error, t("log.read_until")),
    h(
      "div",
      { class: "sides" },
      report.findings.length === 0 ? null : h("div", null, wrong),
      h("div", null, h("h3", null, t("log.scores")), scores(report)),
      h(
        "div",
        null,
        h("h3", null, t("log.fairness")),
        h("p", null, t("log.fairness_level", { level, words: term("fairness", String(level)) }), " ", t("log.proven", { proven, count: hands })),
        report.unproven.length === 0 ? null : h("p", null, t("log.unproven", { what: listed(report.unproven.map((code) => term("unproven", code))) })),
      ),
    ),
  ];
}

function found(finding, go) {
  const place = t("log.finding_at", { step: finding.step });
  return h(
    "li",
    null,
    severity(finding.severity.toUpperCase()),
    " ",
    go === null ? place : h("button", { type: "button", class: "to-step", onclick: () => go(finding.step) }, place),
    " ",
    h("code", null, finding.clause),
    " ",
    h("strong", null, finding.title),
    h("p", null, finding.message),
  );
}

function scores({ seats, scores: totals }) {
  const rows = seats.map(({ seat, name, player }) =>
    h(
      "tr",
      null,
      h("th", { scope: "row" }, t("log.seat", { seat })),
      h("td", null, name ?? player),
      h("td", { class: "number" }, number(totals[seat], { signed: true })),
    ),
  );
  return h("table", null, headed(["seat", "player", "score"]), h("tbody", null, rows));
}

/** What could not be read or applied, with its place; `before` says what that means for the rest. */
export function unread({ line, seq, member, reason, expected, found: had }, before) {
  return h(
    "div",
    { class: "trouble" },
    h("p", null, h("strong", null, placeOf({ line, seq, member }))),
    expected ? h("dl", null, h("dt", null, t("log.expected")), h("dd", { lang: "en" }, expected), h("dt", null, t("log.found")), h("dd", { lang: "en" }, h("code", null, had))) : null,
    reason ? h("p", { lang: "en" }, reason) : null,
    h("p", null, before),
  );
}

function placeOf({ line, seq, member }) {
  if (seq !== undefined) return t("log.at_event", { line, seq });
  return member ? t("log.at_member", { line, member }) : t("log.at_line", { line });
}
