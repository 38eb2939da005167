// The hands of one game as one viewpoint shows them, each asked for once. A change of viewpoint drops the whole shelf, and
// gives up what it still waits for.

import { ApiError } from "../lib/api.js";

/** A shelf of the hands that `source` gives for a seat, or for all that the reader may see (null). */
export function shelf(source, seat) {
  const hands = new Map(); // by their first steps: loaded ones
  const coming = new Map(); // promises, by what was asked for
  let spans = [];
  let leaving = new AbortController();

  const spanOf = ({ step, hand }) =>
    spans.find((one) => (step === undefined ? one.number === hand : one.first <= step && step <= one.last));

  /** The hand of {step} or {hand} if it is there already. */
  const known = (target) => hands.get(spanOf(target)?.first);

  /** The hand of {step} or {hand}, or the first where neither is given; what the source throws. */
  function fetch(target) {
    const there = known(target);
    if (there !== undefined) return Promise.resolve(there);
    const wanted = wantedOf(spanOf(target)?.first ?? target.step, target.hand);
    const key = JSON.stringify(wanted);
    if (!coming.has(key)) coming.set(key, load(wanted).finally(() => coming.delete(key)));
    return coming.get(key);
  }

  async function load(wanted) {
    const { signal } = leaving;
    const found = await source.hand({ ...wanted, asSeat: seat, signal }).catch((error) => {
      throw signal.aborted ? new ApiError(GIVEN_UP, "") : error;
    });
    hands.set(found.first, found);
    spans = found.hands;
    return found;
  }

  /** Gives up what is still waited for; nobody is to be told of that (`GIVEN_UP`). */
  function leave() {
    leaving.abort();
    leaving = new AbortController();
  }

  return { seat, known, fetch, leave };
}

/** The code of what was given up. */
export const GIVEN_UP = "GIVEN_UP";

const wantedOf = (seq, hand) => (seq === undefined && hand !== undefined ? { hand } : { seq: seq ?? 0 });
