// The line that says what happened at a step: sentence, think time, and what is wrong there.

import { fill, h } from "../lib/dom.js";
import { severity } from "../lib/parts.js";
import { listed, number, t, term } from "../lib/words.js";

// What happens beside the play: nobody waits for it, and nobody answers it.
const BESIDE = new Set(["turn_prompted", "passed", "claim_overridden", "presence_changed", "private"]);
const THOUGHT = new Set(["discarded", "chowed", "punged", "konged", "won", "passed", "declared"]);

/**
 * How long somebody took for the act at `index` of a hand, in seconds: since their own prompt, or else since the event
 * that they could answer. Null for what nobody thinks about, and where the times are not on record.
 */
export function thinkTime({ events }, index) {
  const event = events[index];
  if (!THOUGHT.has(event.type)) return null;
  const isCause = (one) => (one.type === "turn_prompted" && one.seat === event.seat) || !BESIDE.has(one.type);
  const cause = events.slice(0, index).findLast(isCause);
  if (!cause?.at || !event.at) return null;
  return Math.max(0, Date.parse(event.at) - Date.parse(cause.at)) / 1000;
}

const rounded = (seconds) => (seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds));

/** Draws the line into `root` for a place; `told` is the event's sentence, `findings` those of the step. */
export function drawLine(root, { place, told, findings, level }) {
  const seconds = thinkTime(place.hand, place.index);
  const where = h("span", { class: "where quiet" }, t("replay.place", whereOf(place)));
  const thought = seconds === null ? null : t("replay.thought", { seconds: number(rounded(seconds)) });
  fill(
    root,
    h("p", { class: "sentence" }, where, h("span", null, told.nodes), h("span", { class: "quiet thought" }, thought)),
    findings.length === 0 ? null : wrong(findings, level),
  );
}

const wrong = (findings, level) =>
  h(
    "section",
    { class: "wrong" },
    h(`h${level}`, { class: "unseen" }, t("replay.findings_here")),
    h("ul", null, findings.map(found)),
  );

/** Where a place is, as the words of "replay.place" have it. */
export const whereOf = ({ step, hand }) => ({ hand: hand.hand, step, last: hand.hands.at(-1).last });

const found = (finding) =>
  h(
    "li",
    null,
    h("p", null, severity(finding.severity), " ", h("code", null, finding.clause), " ", h("strong", null, finding.title)),
    h("p", null, finding.message),
  );

/** What is said of findings in few words, for those who listen. */
export const spoken = (findings) =>
  listed(findings.map(({ severity: how, clause }) => t("replay.finding_short", { severity: severityOf(how), clause })));

const severityOf = (code) => term("severities", code.toLowerCase());
