// A log that was dropped on a page. Everything about it is answered by sending it along: the service keeps nothing of it,
// and this page only as long as it is open.

import { ApiError, called } from "../lib/api.js";
import { unfolded } from "../lib/sources.js";
import { lang, load, t } from "../lib/words.js";
import { packed } from "./packing.js";
import { inTurn, patient } from "./turns.js";

/** What the service refuses of a log as a whole, by its codes: the reader's language has sentences for these. */
const REFUSALS = { LOG_TOO_LARGE: "log.too_large", TIME_LIMIT: "log.too_long", BUSY: "log.busy", TOO_SLOW: "log.too_slow" };

/**
 * A log (text, Blob or bytes) that is held by this page:
 * - `audited()` gives {games, stopped}: reports with what a page shows beside them, and what ended the reading;
 * - `source({game, place})` is the source of one of its games, by its id or by its place in the log, from 0;
 * - `stored()` has it stored, and gives what came of every game. Nothing else ever is.
 */
export function held(log) {
  const ready = prepared(log);
  const asked = inTurn(async (query, signal) => {
    const sent = await ready;
    signal?.throwIfAborted();
    return told(() => patient(() => called(`/audit?${query}`, { method: "POST", signal, ...sent })));
  });
  let heads = null;

  const audited = () => (heads ??= asked(queryOf({ what: "heads" })).then(lines).then(parted));
  const about = async (values, signal) => (await asked(queryOf(values), signal)).json();
  const source = (which = {}) => sourceOf({ audited, about: (values, signal) => about({ ...which, ...values }, signal), which });
  const stored = async () => lines(await told(async () => called("/ingest", { method: "POST", ...(await ready) })));
  return { audited, source, stored };
}

/** The source (lib/sources.js) of a game in a log that is not stored: the first of this id, or of the log. */
export const dropped = (log, game = null) => held(log).source({ game });

function sourceOf({ audited, about, which }) {
  async function report() {
    const { games } = await audited();
    const found = which.place === undefined ? games.find(({ game }) => [null, undefined, game].includes(which.game)) : games[which.place];
    if (found === undefined) throw new ApiError("GAME_NOT_FOUND", t("log.no_game", { game: which.game ?? "" }));
    return found;
  }

  return {
    isStored: false,
    head: async () => headOf(await report()),
    async hand({ hand = null, seq = null, asSeat = null, signal } = {}) {
      const found = numbered(unfolded(await about({ what: "replay", hand, seq, seat: asSeat }, signal)));
      return { ...found, findings: findingsIn(found, findingsOf(await report()), asSeat) };
    },
    step: (seq, seat) => about({ what: "step", seq, seat }),
    async waterfall(hand) {
      const { hands } = await report();
      return hands.some((one) => one.hand === hand) ? about({ what: "waterfall", hand }) : null;
    },
  };
}

// -- Asking --------------------------------------------------------------------------------------------------------------

async function prepared(log) {
  const [sent] = await Promise.all([packed(log), load("log")]);
  const { size } = await (await called("/audit")).json();
  if (sent.body.size > size) throw new ApiError("LOG_TOO_LARGE", t("log.too_large"));
  return sent;
}

const queryOf = (values) =>
  new URLSearchParams(Object.entries({ ...values, lang }).filter(([, value]) => value !== null && value !== undefined));

async function told(ask) {
  try {
    return await ask();
  } catch (error) {
    if (REFUSALS[error.code] !== undefined) error.message = t(REFUSALS[error.code]);
    throw error;
  }
}

const lines = async (answer) => (await answer.text()).split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));

// What ended the reading after the last game is the only line that is about no game.
const parted = (found) => ({
  games: found.filter(({ game }) => game !== undefined),
  stopped: found.find(({ game }) => game === undefined)?.error ?? null,
});

// -- Answers as a stored game gives them ----------------------------------------------------------------------------------

const headOf = (report) => ({
  game: report.game,
  isStored: false,
  ruleset: { id: report.ruleset, options: report.options, digest: report.ruleset_digest },
  seats: report.seats,
  startedAt: report.started_at,
  status: report.status.toUpperCase(),
  verdict: report.verdict.toUpperCase(),
  fairness: { level: report.fairness.level, handsProven: report.fairness.hands_proven, hands: report.fairness.hands },
  scores: report.scores,
  findings: findingsOf(report),
  hands: report.hands.map(({ hand, ...result }) => ({ ...result, number: hand })),
});

const findingsOf = ({ findings }) =>
  findings.map(({ step, ...finding }) => ({ also: [], ...finding, seq: step, severity: finding.severity.toUpperCase() }));

// A seat is not told what a finding quotes of others' business, or of the wall: of these the title is all there is.
const findingsIn = ({ first, last }, findings, asSeat) =>
  findings
    .filter(({ seq }) => first <= seq && seq <= last)
    .map((one) => (asSeat === null || isOfSeat(one, asSeat) ? one : { ...one, message: one.title, expected: {}, recorded: {} }));

const isOfSeat = ({ seat, clause, also }, asSeat) =>
  seat === asSeat && ![clause, ...also].some((id) => id.startsWith("S-WALL-") || id.startsWith("F-"));

// A step is a place in the game; a faulty log may number its events otherwise.
const numbered = (hand) => ({ ...hand, frames: hand.frames.map((frame, at) => ({ ...frame, seq: hand.first + at })) });
