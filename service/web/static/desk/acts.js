// What the reader may do to a case now: one form an act, in the order in which they are wanted.

import { h } from "../lib/dom.js";
import { session } from "../lib/session.js";
import { trouble } from "../lib/shell.js";
import { t } from "../lib/words.js";
import { allClauses, clausesField } from "./clauses.js";
import { frozenReport, sentences } from "./dispute.js";
import { choiceField, lineField, momentField, severalField, textField } from "./fields.js";
import { form } from "./form.js";
import { refusal, standing } from "./rules.js";
import { sent } from "./sending.js";
import { OUTCOMES, outcomeName } from "./states.js";

const text = (label, options = {}) => [textField({ name: "text", label: t(label), ...options })];

/**
 * The acts: the document that sends each, its fields (of the case and its game), and whether it is asked about first.
 * Those without fields are buttons.
 */
const ACTS = {
  approve: { document: "CaseApprove", asks: true },
  reject: { document: "CaseReject", fields: () => text("desk.reason") },
  propose: {
    document: "CasePropose",
    fields: proposal,
    sent: ({ outcome, text: reason, clauses, findings }) => ({ verdict: { outcome, reason, clauses, findings } }),
  },
  take: { document: "CaseAssign" },
  appeal: { document: "CaseAppeal", fields: () => text("desk.appeal_text") },
  state: { document: "CaseState", fields: () => text("desk.statement_text", { hint: t("desk.statement_hint") }) },
  note: { document: "CaseNote", fields: () => text("desk.note_text", { hint: t("desk.note_hint") }) },
  assign: {
    document: "CaseAssign",
    fields: () => [
      lineField({ name: "assignee", label: t("desk.assignee_id"), required: true, hint: t("desk.assignee_hint") }),
    ],
  },
  set_due: { document: "CaseSetDue", fields: () => [momentField({ name: "due", label: t("desk.due") })] },
  refresh: { document: "CaseRefresh" },
  withdraw: { document: "CaseWithdraw", fields: () => text("desk.withdraw_text", { required: false }), asks: true },
  close: { document: "CaseClose", asks: true },
};
/** Why an act that would be in place cannot be done by the reader, where that is worth a sentence. */
const SAID = ["same_person", "conflict_of_interest", "not_assignee", "decided_before", "term_running", "term_over"];

/**
 * The panel of acts. `draft` keeps what is typed; `done(act)` is called when one was taken, `refused(act, answer)` when
 * the case stands otherwise than this page knows.
 */
export async function actsPanel({ dispute, game, draft, done, refused }) {
  const stands = standing(dispute, (game?.seats ?? []).map(({ player }) => player), await session());
  const judged = Object.keys(ACTS).map((act) => [act, refusal(act, stands)]);
  const open = judged.filter(([, why]) => why === null).map(([act]) => act);
  const reasons = [...new Set(judged.map(([, why]) => why))].filter((why) => SAID.includes(why));
  const made = open.map((act, at) => entry({ act, dispute, game, draft, done, refused, isFirst: at === 0 }));
  return h(
    "section",
    { class: "panel acts", "aria-labelledby": "acts-title" },
    h("h2", { id: "acts-title" }, t("desk.acts")),
    reasons.map((why) => h("p", { class: "why", "data-why": why }, t(`desk.refused_${why}`))),
    open.length === 0 && reasons.length === 0 ? h("p", { class: "quiet" }, t("desk.no_acts")) : null,
    made,
  );
}

function entry({ act, dispute, game, draft, done, refused, isFirst }) {
  const { fields } = ACTS[act];
  const hint = h("p", { class: "quiet" }, t(`desk.about_${act}`));
  const made = (list) => actForm({ act, dispute, fields: list, draft, done, refused, isFirst });
  if (fields === undefined) return h("div", { class: "single", "data-of": act }, hint, made([]));
  const details = h("details", { "data-of": act }, h("summary", null, t(`desk.act_${act}`)), hint);
  // What a proposal can rest on is read when it is wanted: readings of evidence are on record.
  const build = async () => made(await fields({ dispute, game }));
  details.addEventListener("toggle", () => unfold(details, build), { once: true });
  details.open = draft.of(act) !== null || (isFirst && act !== "withdraw");
  return details;
}

async function unfold(details, build) {
  try {
    details.append(await build());
  } catch (error) {
    details.append(trouble(error));
    if (error.code === undefined) throw error;
  }
}

function actForm({ act, dispute, fields, draft, done, refused, isFirst }) {
  const { document, asks, sent: shaped = (values) => values } = ACTS[act];
  return form({
    act,
    fields,
    draft,
    submit: t(`desk.act_${act}`),
    question: asks ? t(`desk.ask_${act}`) : null,
    isPrimary: isFirst || fields.length > 0,
    send: (values) => sent(document, { case: dispute.case, expectedSeq: dispute.nextSeq, ...shaped(values) }),
    done: () => done(act),
    refused: (answer) => ("argument" in answer ? false : refused(act, answer)),
  });
}

async function proposal({ dispute, game }) {
  const report = await frozenReport(dispute);
  const found = report === null ? [] : sentences(report, game);
  const here = found.filter((one) => one.seq === dispute.step);
  const options = found.slice(0, 100).map((one) => [
    one.index,
    [t("desk.at_step", { step: one.seq }), " · ", one.message],
  ]);
  const clauses = [
    ...new Set([...here.map((one) => one.clause), ...(dispute.clause === null ? [] : [dispute.clause])]),
  ];
  return [
    choiceField({
      name: "outcome",
      label: t("desk.outcome"),
      options: OUTCOMES.map((code) => [code, outcomeName(code)]),
    }),
    textField({ name: "text", label: t("desk.reason"), hint: t("desk.reason_hint") }),
    clausesField({ name: "clauses", label: t("desk.clauses"), ids: await allClauses(), chosen: clauses }),
    severalField({ name: "findings", label: t("desk.findings"), options, chosen: here.map((one) => one.index) }),
  ];
}

/** What was typed for acts that are not open any more, so that it can be copied before it is let go. */
export function leftovers({ draft, panel, forget }) {
  const left = draft.all().filter(([act]) => panel.querySelector(`[data-of="${act}"]`) === null);
  return left.map(([act, values]) => {
    const typed = Object.values(values).filter((value) => typeof value === "string").join("\n\n");
    const drop = () => {
      draft.drop(act);
      forget();
    };
    if (typed === "") return null;
    return h(
      "section",
      { class: "panel", "aria-label": t("desk.unsent") },
      h("h2", null, t("desk.unsent")),
      h("label", { class: "field" }, h("span", null, t(`desk.act_${act}`)), h("textarea", { readonly: true }, typed)),
      h("div", { class: "row" }, h("button", { type: "button", onclick: drop }, t("desk.let_go"))),
    );
  });
}
