// What a search found, one item each: who, when, what was found, and the way to the step.

import { h } from "../lib/dom.js";
import { player, replay } from "../lib/links.js";
import { badge, severity, time, verdict } from "../lib/parts.js";
import { has, number, t, term } from "../lib/words.js";
import { rulesetName } from "./fields.js";

/** A game, with the way to its first finding where it has one. */
export function gameRow({ game, ruleset, seats, status, openedAt, verdict: judged, isPublic, audit }) {
  const [first, ...others] = audit?.findings ?? [];
  const facts = [
    h("span", null, rulesetName(ruleset.id)),
    h("span", null, t(`search.status_${status.toLowerCase()}`)),
    audit === null ? null : h("span", null, t("search.hands", { count: audit.hands.length })),
    h("span", { class: "quiet" }, time(openedAt)),
  ];
  return h(
    "li",
    { class: "game" },
    h("div", null, title(replay(game, { step: first?.seq }), game), h("p", { class: "facts" }, facts)),
    h("ul", { class: "seats", "aria-label": t("search.seats") }, seats.map(seatItem)),
    h(
      "div",
      null,
      h("p", { class: "facts" }, judgement(judged), isPublic ? published() : null),
      first === undefined ? null : h("p", { class: "finding" }, cited(first.clause), more(others)),
    ),
  );
}

/** A finished hand: by whom and how it was won, and what it came to. */
export function handRow({ game, number: which, dealer, winner, win, factor, water, deltas }) {
  const swing = Math.max(0, ...deltas.map(Math.abs));
  const won = win === null ? t("search.no_winner") : term("ways", win);
  return h(
    "li",
    null,
    title(replay(game, { hand: which }), `${game} · ${t("search.hand", { number: which })}`),
    h(
      "p",
      { class: "facts" },
      h("strong", null, won),
      winner === null ? null : h("span", null, seatName(winner, dealer)),
      (win === null ? [] : worth(factor, water)).map((fact) => h("span", null, fact)),
      h("span", null, t("search.swing_of", { points: number(swing) })),
    ),
  );
}

/** A finding, with the way to its step. */
export function findingRow({ game, finding }) {
  return h(
    "li",
    null,
    title(replay(game, { step: finding.seq }), `${game} · ${t("search.at_step", { seq: finding.seq })}`),
    h("p", { class: "finding" }, severity(finding.severity), cited(finding.clause)),
    h("p", null, finding.message),
  );
}

const seatName = (seat, dealer) => t(seat === dealer ? "search.seat_dealer" : "search.seat", { seat });

// By what a win counts; a declared one that is none counts by nothing, and not every game knows water.
function worth(factor, water) {
  if (factor === 0) return [t("search.no_win")];
  const told = t("search.factor_of", { factor: number(factor) });
  return water === 0 ? [told] : [told, t("search.water_of", { water: number(water) })];
}

const more = ({ length: count }) => (count === 0 ? null : quiet(t("search.more_findings", { count })));

const seatItem = ({ player: id, name }) =>
  h("li", null, h("a", { href: player(id) }, name ?? id), name === null || name === id ? null : [" ", quiet(id)]);

const judgement = (code) => (code === null ? quiet(t("search.not_audited")) : verdict(code));

const title = (href, text) => h("h3", null, h("a", { href }, text));

const quiet = (text) => h("span", { class: "quiet" }, text);

const published = () => badge(["quiet", "◎"], t("search.published"));

const cited = (clause) => [h("span", { class: "code" }, clause), h("span", null, clauseTitle(clause))];

/** Names that somebody has gone by. */
export const nameList = (names) => h("ul", { class: "names" }, names.map((name) => h("li", null, name)));

/** What a clause is about, nothing where its id is not one of ours. */
export const clauseTitle = (id) => (has(`clauses.${id}`) ? t(`clauses.${id}`) : "");
