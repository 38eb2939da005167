// Where a reader can go from a step: it follows from the events of hands and the findings of the game.

// Acts that somebody chose; all else is the server's doing.
const CHOSEN = new Set(["discarded", "chowed", "punged", "konged", "won", "passed", "declared"]);

/** The steps of a hand at which somebody, or the seat, decided something. */
export function decisions({ first, events }, seat = null) {
  const isOne = (event) => CHOSEN.has(event.type) && !event.auto && (seat === null || event.seat === seat);
  return events.flatMap((event, at) => (isOne(event) ? [first + at] : []));
}

/** The nearest of ascending `steps` after `from` (direction 1) or before it (−1); undefined where there is none. */
export const nearest = (steps, from, direction) =>
  direction > 0 ? steps.find((step) => step > from) : steps.findLast((step) => step < from);

/** The hand next to that of a place, as {number, first, last}; undefined where there is none. */
export function neighbour({ hands, first }, direction) {
  const at = hands.findIndex((one) => one.first === first);
  return hands[at + direction];
}

/** The first and the last step of the game, as far as it is known. */
export const ends = ({ hands }) => ({ first: hands[0].first, last: hands.at(-1).last });

/**
 * The moves by their names: each gives the target of `traveller.go` for a place, or undefined where there is none.
 * `found` are the steps with findings, `fetch(target)` loads a hand.
 */
export const MOVES = {
  next: ({ place: { step, hand } }) => (step < ends(hand).last ? { step: step + 1 } : undefined),
  previous: ({ place: { step, hand } }) => (step > ends(hand).first ? { step: step - 1 } : undefined),
  next_decision: (at) => decision(at, 1),
  previous_decision: (at) => decision(at, -1),
  next_hand: ({ place: { hand } }) => start(neighbour(hand, 1)),
  previous_hand: ({ place: { step, hand } }) => (step > hand.first ? start(hand) : start(neighbour(hand, -1))),
  next_finding: ({ place, found }) => to(nearest(found, place.step, 1)),
  previous_finding: ({ place, found }) => to(nearest(found, place.step, -1)),
  start: ({ place: { step, hand } }) => other(ends(hand).first, step),
  end: ({ place: { step, hand } }) => other(ends(hand).last, step),
};

/** The moves that go along; all others jump, so that Back leads back from them. */
export const STEPS = new Set(["next", "previous", "next_decision", "previous_decision"]);

async function decision({ place, fetch }, direction) {
  let hand = place.hand;
  for (;;) {
    const step = nearest(decisions(hand, place.seat), place.step, direction);
    if (step !== undefined) return { step };
    const beyond = neighbour(hand, direction);
    if (beyond === undefined) return undefined;
    hand = await fetch({ step: beyond.first });
  }
}

const to = (step) => (step === undefined ? undefined : { step });
const other = (step, from) => (step === from ? undefined : { step });
const start = (hand) => to(hand?.first);
