// The report that lies in a bundle: shown on the bundle's word, with the way to the steps that it speaks of.

import { h } from "../lib/dom.js";
import { severity, verdict } from "../lib/parts.js";
import { t } from "../lib/words.js";
import { ruled, toStep } from "./steps.js";

const MOST = 50; // rows; whoever wants all of thousands reads the report
const VERDICTS = ["clean", "violations", "incomplete", "unreadable"];
const SEVERITIES = ["violation", "warning"];

/** The verdict and the findings that a bundle's report names, as far as they have the form of some. */
export function enclosed({ game, report }) {
  const found = Array.isArray(report.findings) ? report.findings.filter(isFinding) : [];
  const left = found.length - MOST;
  return h(
    "section",
    null,
    h("h2", null, t("verify.enclosed")),
    h("p", { class: "quiet" }, t("verify.enclosed_why")),
    VERDICTS.includes(report.verdict) ? h("p", null, verdict(report.verdict.toUpperCase())) : null,
    found.length ? findings(game, found.slice(0, MOST)) : h("p", null, t("verify.enclosed_none")),
    left > 0 ? h("p", { class: "quiet" }, t("verify.enclosed_more", { count: left })) : null,
  );
}

const findings = (game, found) => h("ul", { class: "findings" }, found.map((one) => finding(game, one)));

const isFinding = (one) =>
  Number.isInteger(one?.seq) && typeof one.clause === "string" && SEVERITIES.includes(one.severity);

function finding(game, { seq, seat, clause, severity: code }) {
  const ofSeat = Number.isInteger(seat) ? ` · ${t("verify.enclosed_seat", { seat })}` : null;
  return h("li", null, severity(code.toUpperCase()), " ", toStep(game, seq), ofSeat, " · ", ruled(clause));
}
