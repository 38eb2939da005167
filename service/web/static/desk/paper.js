// The parts of a report on a dispute.

import { h } from "../lib/dom.js";
import * as links from "../lib/links.js";
import { severity, time, verdict } from "../lib/parts.js";
import { t } from "../lib/words.js";
import { rulesOf } from "../replay/sentence.js";
import { kindOf } from "./attached.js";
import { clause, named } from "./clauses.js";
import { seatOf, verdicts } from "./dispute.js";
import { approvedBox, facts, findingsAt, placeOf } from "./ground.js";
import { outcome, state } from "./states.js";
import { actor } from "./timeline.js";

const SAID = ["OPENED", "STATEMENT_MADE", "APPEALED", "WITHDRAWN"];

/** A part with its heading. */
export const part = (label, ...content) => h("section", null, h("h2", null, t(label)), content);

/** Whose case it is, how it stands, and where in its game it is. */
export function aboutCase(found, game) {
  const seat = seatOf(game, found.player);
  const name = game?.seats.find((one) => one.seat === seat)?.name ?? null;
  return facts([
    ["case_id", h("span", { class: "code" }, found.case)],
    ["state", [state(found.state), found.round > 1 ? [" ", t("desk.second_round")] : null]],
    ["outcome", outcome(found.outcome)],
    [
      "player",
      found.player === null
        ? null
        : [found.player, name, seat === null ? null : t("desk.seat", { seat })].filter(Boolean).join(" · "),
    ],
    ["opened_as", [actor({ ...found.events[0], principal: null }), " · ", time(found.openedAt)]],
    ["place", placeOf(found)],
    ["due", ["OPEN", "IN_REVIEW", "PENDING_APPROVAL", "APPEALED"].includes(found.state) ? time(found.due) : null],
    ["appeal_until", found.state === "DECIDED" && found.appealUntil !== null ? time(found.appealUntil) : null],
  ]);
}

/** What the two sides said, in order. */
export const said = ({ events }) =>
  events
    .filter(({ type, text }) => SAID.includes(type) && text !== null)
    .map((event) => h(
      "div",
      { class: "said" },
      h(
        "p",
        { class: "quiet" },
        t(`desk.event_${event.type.toLowerCase()}`),
        " · ",
        actor({ ...event, principal: null }),
        " · ",
        time(event.at),
      ),
      h("blockquote", null, event.text),
    ));

/** The game, its rules and who sat in it. */
export function aboutGame(game) {
  const seats = game.seats.map(({ seat, player, name }) => h(
    "li",
    null,
    t("desk.seat", { seat }),
    " · ",
    player,
    name === null ? null : [" · ", name],
  ));
  return facts([
    ["game", game.game],
    ["started", time(game.startedAt)],
    ["ruleset", rulesOf(game.ruleset.id)],
    ["ruleset_digest", h("code", { class: "digest" }, game.ruleset.digest)],
    [
      "audit_verdict",
      game.audit === null ? null : [verdict(game.audit.verdict), " ", t("desk.engine"), " ", game.audit.engineVersion],
    ],
    ["seats", h("ul", { class: "plain" }, seats)],
  ]);
}

/** What is complained of, and what the audit found there. */
export function broken(found, game) {
  const audit = game?.audit ?? null;
  const here = audit === null ? [] : findingsAt(audit, found);
  return [
    found.clause === null ? null : h("p", null, t("desk.complained"), " ", clause(found.clause)),
    here.map((one) => h(
      "div",
      { class: "found" },
      h(
        "p",
        null,
        severity(one.severity),
        " ",
        t("desk.at_step", { step: one.seq }),
        " · ",
        h("strong", null, named(one.clause)),
      ),
      h("p", null, one.message),
    )),
    audit === null ? h("p", null, t("desk.no_audit")) : here.length === 0 ? h("p", null, t("desk.no_findings")) : null,
  ];
}

/** The verdicts. A proposal that nobody has approved is none: it is not for a report. */
export function decision(found) {
  const { approved } = verdicts(found);
  if (approved.length > 0) return approved.map((one, at) => approvedBox(one, at));
  const isEnded = ["WITHDRAWN", "CLOSED"].includes(found.state);
  return part("desk.verdict", h("p", null, t(isEnded ? "desk.no_verdict_ended" : "desk.no_verdict")));
}

/** What is frozen, by its digests. */
export function evidence(found) {
  const rows = found.evidence.map((one) => h(
    "tr",
    null,
    h("td", null, kindOf(one)),
    h("td", null, one.uptoSeq),
    h("td", null, one.engine),
    h("td", null, h("code", { class: "digest" }, one.digest)),
  ));
  const newest = found.evidence.at(-1);
  return [
    h(
      "table",
      null,
      h(
        "thead",
        null,
        h("tr", null, ["kind", "upto", "engine", "digest"].map((name) => h("th", { scope: "col" }, t(`desk.${name}`)))),
      ),
      h("tbody", null, rows),
    ),
    facts([
      ["game_head", newest === undefined ? null : h("code", { class: "digest" }, newest.gameHead)],
      ["case_head", h("code", { class: "digest" }, found.events.at(-1).head)],
    ]),
  ];
}

/** How whoever holds the paper checks it; `seat` is the viewpoint of the link to the step. */
export function checking(found, seat) {
  const bundle = found.evidence.filter(({ kind }) => kind === "BUNDLE").at(-1);
  const page = (path) => h("code", { class: "address" }, new URL(path, location.origin).href);
  const way = (label, ...shown) => h("li", null, h("p", null, t(label)), h("p", null, shown));
  return h(
    "ol",
    { class: "checking" },
    way("desk.check_file", h("code", null, "sha256sum bundle.json")),
    way("desk.check_command", h("code", null, "mingpai verify bundle.json --key VKEY")),
    bundle === undefined
      ? null
      : way("desk.check_page", page(links.at("/verify", { case: found.case, digest: bundle.digest }))),
    found.step === null ? null : way("desk.check_step", page(links.replay(found.game, { step: found.step, seat }))),
  );
}
