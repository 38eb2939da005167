// A case with all that its page shows, read from the service.

import { ask } from "../lib/api.js";
import { good } from "../lib/parts.js";
import { LANG } from "../lib/words.js";

/** A case as the reader may see it, with `events`, its whole timeline. A Problem where there is none for the reader. */
export async function dispute(id) {
  const { timeline, ...found } = good((await ask("CaseShown", { case: id })).case);
  const events = [];
  let page = good(timeline);
  for (;;) {
    events.push(...page.edges.map(({ node }) => node));
    if (!page.pageInfo.hasNextPage) return { ...found, events };
    page = good((await ask("CaseShown", { case: id, after: page.pageInfo.endCursor })).case.timeline);
  }
}

/** The game of a case, with its newest audit; null where the reader has no such game. */
export async function gameOf(id) {
  const { game } = await ask("CaseGame", { game: id, lang: LANG });
  return "code" in game ? null : game;
}

/** The report that is attached to a case last, null where there is none for the reader. Readings are on record. */
export async function frozenReport({ case: id, evidence }) {
  const newest = evidence.filter(({ kind }) => kind === "REPORT").at(-1);
  if (newest === undefined) return null;
  return good((await ask("CaseFrozen", { case: id, digest: newest.digest })).caseEvidence).content;
}

/**
 * The findings of a frozen report, each with its `index` in it and the sentence of the game's newest audit where that
 * found the same; else the report's own.
 */
export function sentences(report, game) {
  const today = game?.audit?.findings ?? [];
  return report.findings.map((one, index) => {
    const same = today.find((other) => isSame(one, other));
    return { ...one, severity: one.severity.toUpperCase(), index, message: same?.message ?? one.message };
  });
}

const PLACE = ["seq", "seat", "clause", "code"];
const isSame = (one, other) => PLACE.every((member) => (one[member] ?? null) === (other[member] ?? null));

/** The approved verdicts, each with the event of its proposal where that is shown, and the proposal that waits. */
export function verdicts({ events, state }) {
  const proposed = new Map(events.filter(({ type }) => type === "VERDICT_PROPOSED").map((one) => [one.seq, one]));
  const approved = events.filter(({ type }) => type === "VERDICT_APPROVED");
  return {
    approved: approved.map((approval) => ({ approval, proposal: proposed.get(approval.details.proposal) ?? null })),
    pending: state === "PENDING_APPROVAL" ? ([...proposed.values()].at(-1) ?? null) : null,
  };
}

/** The seat of a player in a game, null where it has none or the game is not the reader's. */
export const seatOf = (game, player) => game?.seats.find((one) => one.player === player)?.seat ?? null;
