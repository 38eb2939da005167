// The form for a new case, filled as far as its address says what it is about.

import { fill, h } from "../lib/dom.js";
import * as links from "../lib/links.js";
import { session } from "../lib/session.js";
import { t } from "../lib/words.js";
import { allClauses, clause, suggestions } from "./clauses.js";
import { gameOf } from "./dispute.js";
import { drafts } from "./drafts.js";
import { lineField, textField } from "./fields.js";
import { form } from "./form.js";
import { finding, findingsAt } from "./ground.js";
import { alert } from "./refusals.js";
import { sent } from "./sending.js";

/** Who may open a case. */
const OPENERS = ["player", "clerk", "auditor", "admin"];

/** Throws for a session (of `session.js`) that may have no cases at all. */
export function requireRole({ principal, roles }) {
  if (roles.some((role) => OPENERS.includes(role))) return;
  throw Object.assign(new Error(), { code: principal === null ? "UNAUTHENTICATED" : "FORBIDDEN" });
}

/** Shows the form in `main`; `asked` are the values of the address: game, hand, step, clause. */
export async function openingPage(main, asked) {
  const who = await session();
  requireRole(who);
  const about = asked.get("game");
  const [game, draft, ids] = await Promise.all([
    about === null ? null : gameOf(about),
    drafts(`new.${about ?? ""}`),
    allClauses(),
  ]);
  const fields = fieldsOf({ who, game, asked });
  const byName = Object.fromEntries(fields.map((field) => [field.name, field]));
  for (const name of ["game", "hand", "step", "clause"]) byName[name].restore(asked.get(name));
  const found = game?.audit == null
    ? []
    : findingsAt(game.audit, { step: byName.step.value(), hand: byName.hand.value(), clause: null });
  const clauses = [...new Set(found.map((one) => one.clause))];
  const isMeant = asked.get("clause") === null && byName.step.value() !== null && clauses.length === 1;
  if (isMeant) byName.clause.restore(clauses[0]);
  const opened = ({ case: id }) => location.assign(links.dispute(id));
  fill(
    main,
    h("h1", null, t("desk.new_case")),
    about !== null && game === null ? alert(t("desk.refused_game_not_found")) : null,
    h(
      "div",
      { class: "opening" },
      h(
        "section",
        { class: "panel" },
        h("p", { class: "quiet" }, t("desk.about_new")),
        form({ act: "open", fields, submit: t("desk.open_case"), draft, send: opening, done: opened }),
        suggestions("opening-clauses", ids),
        people(game),
      ),
      found.length === 0 ? null : audited(game, found, byName.clause),
    ),
  );
}

function fieldsOf({ who, game, asked }) {
  const isStaff = who.roles.some((role) => role !== "player");
  const isSeated = who.player !== null && game?.seats.some(({ player }) => player === who.player);
  return [
    lineField({ name: "game", label: t("desk.game"), required: true }),
    lineField({ name: "hand", label: t("desk.hand"), type: "number", min: 1 }),
    lineField({
      name: "step",
      label: t("desk.step"),
      type: "number",
      min: 0,
      hint: asked.get("step") === null ? t("desk.step_hint") : null,
    }),
    lineField({ name: "clause", label: t("desk.clause"), list: "opening-clauses" }),
    ...(isStaff && !isSeated ? [forPlayer()] : []),
    textField({ name: "text", label: t("desk.what_happened") }),
  ];
}

const forPlayer = () =>
  lineField({ name: "player", label: t("desk.for_player"), list: "opening-players", hint: t("desk.for_player_hint") });

const people = (game) => h(
  "datalist",
  { id: "opening-players" },
  (game?.seats ?? []).map(({ seat, player, name }) => h(
    "option",
    { value: player },
    [t("desk.seat", { seat }), name].filter(Boolean).join(" · "),
  )),
);

const opening = ({ clause: id, ...values }) => sent(
  "CaseOpen",
  { opening: { ...values, clause: id?.toUpperCase() ?? null } },
);

function audited(game, found, field) {
  const use = (one) => () => {
    field.restore(one.clause);
    field.element.dispatchEvent(new Event("input", { bubbles: true }));
    field.element.querySelector("input").focus();
  };
  return h(
    "section",
    { class: "panel", "aria-labelledby": "found-title" },
    h("h2", { id: "found-title" }, t("desk.audit_says")),
    h(
      "ul",
      { class: "findings" },
      found.map((one) => h(
        "li",
        null,
        finding(game.game, one),
        h(
          "button",
          { type: "button", onclick: use(one) },
          t("desk.use_clause"),
          " ",
          h("span", { class: "unseen" }, clause(one.clause)),
        ),
      )),
    ),
  );
}
