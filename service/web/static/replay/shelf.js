// The hands of one game as one viewpoint shows them, each asked for once. A change of viewpoint drops the whole shelf.

/** A shelf of the hands that `source` gives for a seat, or for all that the reader may see (null). */
export function shelf(source, seat) {
  const hands = new Map(); // by their first steps: loaded ones
  const coming = new Map(); // promises, by what was asked for
  let spans = [];

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
    const found = await source.hand({ ...wanted, asSeat: seat });
    hands.set(found.first, found);
    spans = found.hands;
    return found;
  }

  return { seat, known, fetch };
}

const wantedOf = (seq, hand) => (seq === undefined && hand !== undefined ? { hand } : { seq: seq ?? 0 });
