// What a case is about: the head of its page, what the audit says of the disputed step, and the verdicts.

import { h } from "../lib/dom.js";
import * as links from "../lib/links.js";
import { severity, time } from "../lib/parts.js";
import { t } from "../lib/words.js";
import { clause } from "./clauses.js";
import { seatOf, verdicts } from "./dispute.js";
import { actor } from "./timeline.js";
import { outcome, state } from "./states.js";

/** The head: how the case stands, whose it is, until when it is due, and the ways to the step. Last the session. */
export function headOf(dispute, game, { principal: me, player }) {
  const seat = seatOf(game, dispute.player);
  const isParty = dispute.player !== null && dispute.player === player;
  const rows = [
    ["state", [state(dispute.state), dispute.round > 1 ? [" ", t("desk.second_round")] : null]],
    ["outcome", outcome(dispute.outcome)],
    ["game", h("a", { href: links.replay(dispute.game) }, dispute.game)],
    ["place", placeOf(dispute)],
    ["clause", dispute.clause === null ? null : clause(dispute.clause)],
    ["player", playerOf(dispute, seat)],
    [
      "opened",
      [
        time(dispute.openedAt),
        dispute.openedBy === null ? null : [" · ", dispute.openedBy === me ? t("desk.you") : dispute.openedBy],
      ],
    ],
    ["assignee", dispute.assignee === null ? null : dispute.assignee === me ? t("desk.you") : dispute.assignee],
    ["due", isEnded(dispute) ? null : dueOf(dispute)],
    ["appeal_until", dispute.state === "DECIDED" && dispute.appealUntil !== null ? time(dispute.appealUntil) : null],
  ];
  return h("div", { class: "panel" }, facts(rows), waysTo(dispute, seat, isParty));
}

/** Facts as a list: pairs of a word of the desk and what is shown; those that are null are left out. */
export const facts = (rows) =>
  h(
    "dl",
    { class: "facts head" },
    rows.filter(([, shown]) => shown !== null).map(([name, shown]) => h(
      "div",
      { "data-fact": name },
      h("dt", null, t(`desk.${name}`)),
      h("dd", null, shown),
    )),
  );

const isEnded = ({ state: code }) => ["DECIDED", "WITHDRAWN", "CLOSED"].includes(code);

/** Where in its game a case is; null where that is not known. */
export function placeOf({ hand, step }) {
  const parts = [
    hand === null ? null : t("desk.at_hand", { hand }),
    step === null ? null : t("desk.at_step", { step }),
  ];
  const found = parts.filter((part) => part !== null);
  return found.length === 0 ? null : found.join(" · ");
}

/** Until when a case is due, marked where that has passed. */
export const dueOf = ({ due, overdue }) => [
  time(due),
  overdue
    ? [" ", h("span", { class: "badge bad" }, h("span", { "aria-hidden": "true" }, "! "), t("desk.overdue"))]
    : null,
];

const playerOf = ({ player }, seat) =>
  player === null
    ? null
    : [h("a", { href: links.player(player) }, player), seat === null ? null : [" · ", t("desk.seat", { seat })]];

function waysTo(dispute, seat, isParty) {
  const step = dispute.step === null ? { hand: dispute.hand } : { step: dispute.step };
  return h(
    "p",
    { class: "row" },
    h("a", { class: "button", href: links.replay(dispute.game, step) }, t("desk.to_step")),
    seat === null
      ? null
      : h(
        "a",
        { class: "button", href: links.replay(dispute.game, { ...step, seat }) },
        t("desk.to_step_as", { seat }),
      ),
    h(
      "a",
      { class: "button", href: links.verification(dispute.game, { seat: isParty ? seat : null }) },
      t("desk.to_verification"),
    ),
    h("a", { class: "button", href: links.report(dispute.case) }, t("desk.to_report")),
  );
}

/** What today's audit says of where the case is; says so where it is another audit than the one that is frozen. */
export function groundOf(dispute, game) {
  const audit = game?.audit ?? null;
  if (audit === null) return h("p", { class: "quiet" }, t("desk.no_audit"));
  const here = findingsAt(audit, dispute);
  const newest = dispute.evidence.at(-1);
  const isOther = newest !== undefined && (newest.engine !== audit.engineVersion || newest.uptoSeq !== audit.uptoSeq);
  return [
    here.length === 0
      ? h("p", null, t("desk.no_findings"))
      : h("ul", { class: "findings" }, here.map((one) => h("li", null, finding(dispute.game, one)))),
    isOther ? h("p", { class: "warn" }, "! ", t("desk.audit_changed")) : null,
    h(
      "p",
      { class: "quiet" },
      t("desk.audited_by", { engine: audit.engineVersion, step: audit.uptoSeq, count: audit.findings.length }),
    ),
  ];
}

/** The findings of an audit where a case is: at its step, else in its hand, else by its clause, else all. */
export function findingsAt({ findings }, { hand, step, clause: id }) {
  if (step !== null) return findings.filter(({ seq }) => seq === step);
  if (hand !== null) return findings.filter((one) => one.hand === hand);
  return id === null ? findings : findings.filter((one) => one.clause === id);
}

/** One finding: how grave, what, and its clause. */
export const finding = (game, one) => [
  h(
    "p",
    null,
    severity(one.severity),
    " ",
    h("a", { href: links.replay(game, { step: one.seq }) }, t("desk.at_step", { step: one.seq })),
    " · ",
    clause(one.clause),
  ),
  h("p", null, one.message),
];

/** The proposal that waits and the verdicts that there are, the newest first; null where there is nothing. */
export function verdictsOf(dispute, me) {
  const { approved, pending } = verdicts(dispute);
  const waiting = pending === null ? [] : [verdictBox(t("desk.proposal"), pending, [["proposed_by", pending]], me)];
  const shown = [...waiting, ...approved.map((one, at) => approvedBox(one, at, me)).reverse()];
  return shown.length === 0 ? null : shown;
}

/** An approved verdict, the first (`at` 0) or that on the appeal, with who made it as far as that is shown. */
export function approvedBox({ approval, proposal }, at, me = null) {
  const title = t(at === 0 ? "desk.verdict" : "desk.verdict_on_appeal");
  const proposer = proposal === null ? [] : [["proposed_by", proposal]];
  return verdictBox(title, approval, [...proposer, ["approved_by", approval]], me);
}

// `said` is the event with the words, `by` pairs of a word and the event of who acted.
function verdictBox(title, said, by, me) {
  return h(
    "section",
    { class: "panel verdict", "data-verdict": said.type },
    h("h2", null, title),
    h("p", null, outcome(said.details.outcome.toUpperCase())),
    said.text === null ? h("p", { class: "quiet" }, t("desk.forgotten")) : h("blockquote", null, said.text),
    said.details.clauses?.length
      ? h("ul", { class: "findings" }, said.details.clauses.map((id) => h("li", null, clause(id))))
      : null,
    by.map(([label, event]) => h(
      "p",
      { class: "quiet by" },
      t(`desk.${label}`, { who: actor(event, me) }),
      " · ",
      time(event.at),
    )),
  );
}
