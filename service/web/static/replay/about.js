// What is said of the game above its table, and the ways from it to other pages.

import { h } from "../lib/dom.js";
import * as links from "../lib/links.js";
import { time, verdict } from "../lib/parts.js";
import { has as hasRole } from "../lib/session.js";
import { t, term } from "../lib/words.js";
import { rulesOf } from "./sentence.js";

const DISPUTERS = ["player", "clerk", "auditor", "admin"];

/** The heading of a replay and what is known of the game as a whole. */
export function about(head, level) {
  const { game, ruleset, status, startedAt, fairness } = head;
  const facts = [
    rulesOf(ruleset.id),
    status ? t(`replay.status_${status.toLowerCase()}`) : null,
    startedAt ? time(startedAt) : null,
    verdict(head.verdict ?? null),
    head.findings.length === 0 ? null : t("replay.findings_all", { count: head.findings.length }),
    fairness === null ? null : fairnessOf(fairness),
  ].filter((fact) => fact !== null);
  const list = h("ul", { class: "facts quiet", "aria-label": t("replay.about") }, facts.map((fact) => h("li", null, fact)));
  return h("div", { class: "about" }, h(`h${level}`, null, game), list);
}

const fairnessOf = ({ level }) => t("replay.fairness", { level, words: term("fairness", String(level)) });

/** Links to the check of a stored game and to a dispute over it, as {elements, show(place)}. */
export async function ways({ game, isStored }) {
  if (!isStored) return { elements: [], show() {} };
  const check = h("a", { class: "button" }, t("replay.check"));
  const dispute = h("a", { class: "button" }, t("replay.dispute"));
  const mayDispute = await hasRole(...DISPUTERS);
  return {
    elements: mayDispute ? [check, dispute] : [check],
    show({ step, seat, hand }) {
      check.href = links.verification(game, { seat });
      dispute.href = links.complaint(game, { step, hand: hand.hand });
    },
  };
}

/** The one way out of a frame: the same picture on the service's own page. */
export function wayOut({ game, isStored }) {
  const link = h("a", { class: "button", target: "_blank", rel: "noopener" }, t("replay.open_site"));
  return {
    elements: isStored ? [link] : [],
    show(place) {
      link.href = links.replay(game, place.wall ? { ...of(place), wall: true } : of(place));
    },
  };
}

const of = ({ step, seat }) => ({ step, seat });
