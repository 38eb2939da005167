// What is on record of a case, in order, as the reader may know it.

import { h } from "../lib/dom.js";
import { time } from "../lib/parts.js";
import { session } from "../lib/session.js";
import { moment, t, term } from "../lib/words.js";
import { named } from "./clauses.js";
import { outcomeName } from "./states.js";

const INTERNAL = ["NOTED", "ASSIGNED", "VERDICT_PROPOSED", "VERDICT_REJECTED", "APPROVAL_VOIDED"];

/** What each detail of an event is called, and how its value is told; details that are not here are told elsewhere. */
const DETAILS = {
  hand: ["desk.hand", String],
  step: ["desk.step", String],
  clause: ["desk.clause", named],
  assignee: ["desk.assignee", String],
  outcome: ["desk.outcome", (code) => outcomeName(code.toUpperCase())],
  clauses: ["desk.clauses", (ids) => ids.map(named).join("; ")],
  findings: ["desk.findings", (places) => places.map((place) => `#${place + 1}`).join(", ")],
  upto_seq: ["desk.upto", String],
  engine: ["desk.engine", String],
  verdict: ["desk.audit_verdict", (code) => term("verdicts", code)],
  due: ["desk.due", moment],
  appeal_until: ["desk.appeal_until", moment],
};

/** The timeline; `caption` is the id of its heading. */
export async function timeline(events, caption) {
  const me = (await session()).principal;
  return h("ol", { class: "timeline", "aria-labelledby": caption }, events.map((event) => entry(event, me)));
}

function entry(event, me) {
  const isInternal = INTERNAL.includes(event.type);
  return h(
    "li",
    { class: isInternal ? "internal" : null, "data-type": event.type },
    h(
      "p",
      { class: "what" },
      h("strong", null, t(`desk.event_${event.type.toLowerCase()}`)),
      isInternal ? [" ", h("span", { class: "badge" }, t("desk.internal"))] : null,
    ),
    h("p", { class: "quiet" }, time(event.at), " · ", actor(event, me)),
    event.text === null ? null : h("blockquote", null, event.text),
    details(event.details),
  );
}

/** Who did something: the role, and the principal where it is shown. */
export function actor({ role, principal }, me) {
  const words = t(`common.role_${role.toLowerCase()}`);
  if (principal === null) return words;
  return principal === me ? `${words} (${t("desk.you")})` : `${words} ${principal}`;
}

function details(found) {
  const told = Object.entries(DETAILS).filter(([name]) => isThere(found[name]));
  if (told.length === 0) return null;
  return h(
    "dl",
    { class: "facts" },
    told.map(([name, [label, words]]) => h("div", null, h("dt", null, t(label)), h("dd", null, words(found[name])))),
  );
}

const isThere = (value) => value !== undefined && value !== null && value.length !== 0;
