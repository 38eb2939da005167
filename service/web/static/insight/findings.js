// What the audit found at the step, and elsewhere in its hand.

import { h } from "../lib/dom.js";
import { complaint } from "../lib/links.js";
import { severity } from "../lib/parts.js";
import { number, t } from "../lib/words.js";
import { compared } from "./values.js";

/** How many findings there are at the step, in short. */
export function brief({ state, frame }) {
  const { length: count } = state.hand.findings.filter(({ seq }) => seq === frame.seq);
  return count === 0 ? null : t("insight.findings_count", { count });
}

/** The findings: those of the step whole, those of the rest of the hand as the way to them. */
export function draw({ head, state, frame, go, mayDispute }) {
  if (head.verdict === null) return h("p", { class: "quiet" }, t("insight.not_audited"));
  const { hand, findings: inHand } = state.hand;
  const here = inHand.filter(({ seq }) => seq === frame.seq);
  const others = inHand.filter(({ seq }) => seq !== frame.seq);
  const nothing =
    others.length === 0 ? t("insight.findings_none", { hand: number(hand) }) : t("insight.findings_none_here");
  return [
    here.length === 0
      ? h("p", { class: "quiet" }, nothing)
      : h(
          "ul",
          { class: "findings" },
          here.map((one) => whole(one, { head, frame, mayDispute })),
        ),
    others.length === 0
      ? null
      : [
          h("h3", null, t("insight.findings_hand")),
          h(
            "ul",
            { class: "findings short" },
            others.map((one) => short(one, go)),
          ),
        ],
  ];
}

function whole(finding, { head, frame, mayDispute }) {
  const { game, seq, hand, clause, message, also } = finding;
  return h(
    "li",
    { class: "finding" },
    named(finding),
    h("p", { class: "message" }, message),
    also.length === 0
      ? null
      : h("p", { class: "quiet" }, t("insight.also", { clauses: also.join(t("insight.comma")) })),
    compared(finding, frame),
    mayDispute
      ? h(
          "p",
          null,
          h(
            "a",
            { class: "button", href: complaint(game ?? head.game, { step: seq, hand, clause }) },
            t("insight.dispute"),
          ),
        )
      : null,
  );
}

const short = (finding, go) =>
  h(
    "li",
    { class: "finding" },
    named(finding),
    h("button", { type: "button", onclick: () => go(finding.seq) }, t("insight.findings_step", { seq: finding.seq })),
  );

const named = ({ severity: code, clause, title }) =>
  h("p", { class: "row" }, severity(code), h("strong", null, h("span", { class: "code" }, clause), " ", title));
