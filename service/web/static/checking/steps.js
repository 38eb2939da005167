// The steps of a check, shown as they are done.

import { fill, h } from "../lib/dom.js";
import { replay } from "../lib/links.js";
import { badge } from "../lib/parts.js";
import { has, t, term } from "../lib/words.js";
import { copyable } from "./copying.js";
import { handSentence, nameOf, sentence, statusOf } from "./sentences.js";

const SIGNS = {
  ok: ["good", "✓"],
  failed: ["bad", "✗"],
  unproven: ["warn", "?"],
  skipped: ["quiet", "–"],
  needs: ["quiet", "–"],
  waiting: ["quiet", "…"],
};
const LONG = 24; // from here on, a text is a hash rather than a word

/** A list of steps by their names, all waiting, and what shows one of them: `show(step, game)`. */
export function stepList(names) {
  const items = new Map(names.map((name) => [name, h("li", { class: "step waiting" }, head(name, "waiting"))]));
  const show = (step, game) => {
    const item = items.get(step.name);
    item.className = `step ${statusOf(step)}`;
    fill(item, head(step.name, statusOf(step)), h("p", null, sentence(step)), more(step, game));
  };
  return { list: h("ol", { class: "steps" }, [...items.values()]), show };
}

/** A status by sign and word. */
export const status = (code) => badge(SIGNS[code], t(`verify.status.${code}`));

const head = (name, code) => h("div", { class: "row" }, h("h3", null, nameOf(name)), status(code));

function more({ name, code, details }, game) {
  const { hands, ...others } = details;
  const entries = Object.entries(others).filter(([, value]) => value !== undefined);
  if (name === "rules" && game !== undefined) return h("p", { class: "no-print" }, toReplay(game));
  if (code === "not_in_the_browser" || (entries.length === 0 && hands === undefined)) return null;
  return h(
    "details",
    null,
    h("summary", null, t("verify.details"), h("span", { class: "unseen" }, ` · ${nameOf(name)}`)),
    entries.length ? facts(entries) : null,
    hands?.length ? h("ol", { class: "hands" }, hands.map((hand) => ofHand(hand, game))) : null,
    details.seq === undefined || game === undefined ? null : h("p", null, toStep(game, details.seq)),
  );
}

function ofHand(hand, game) {
  const { hand: number, status: code, level, compared, seq, clause, ...details } = hand;
  const { tiles, ...others } = compared;
  const entries = Object.entries({ ...details, ...others }).filter(([, value]) => value !== undefined);
  return h(
    "li",
    null,
    h("p", null, status(code), " ", t("verify.hand_says", { hand: number, text: handSentence(hand) })),
    h("p", { class: "quiet" }, term("fairness", String(level))),
    seq === undefined ? null : h("p", null, toStep(game, seq), clause === undefined ? null : [" · ", ruled(clause)]),
    entries.length ? facts(entries) : null,
  );
}

/** A clause by its number and, where we know it, its title. */
export const ruled = (clause) => (has(`clauses.${clause}`) ? `${clause} ${t(`clauses.${clause}`)}` : clause);

/** The way to a game in the replay. */
export const toReplay = (game) => h("a", { href: replay(game) }, t("verify.to_replay"));

/** The way to a step of a game. */
export const toStep = (game, step) => h("a", { href: replay(game, { step }) }, t("verify.at_step", { seq: step }));

// What is short stands in a line, what is to be compared character by character in one of its own.
function facts(entries) {
  const texts = entries.map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]);
  const short = texts.filter(([, text]) => text.length < LONG);
  const long = texts.filter(([, text]) => text.length >= LONG);
  const row = ([name, text]) => [h("dt", null, h("code", null, name)), h("dd", null, copyable(text, name))];
  return [
    short.length ? h("p", null, h("code", null, short.map(([name, text]) => `${name}: ${text}`).join(" · "))) : null,
    long.length ? h("dl", { class: "facts" }, long.map(row)) : null,
  ];
}
