// Whose view a bundle shows. It does not say so itself: it is read off what is shown in full.

const SECRET = ["turn_prompted", "passed", "claim_overridden"];
const HELD = ["dealt", "flowers_replaced", "drew"];

/**
 * `{view: "whole"}` where nothing is hidden, `{view: "seat", seat}` for what one seat saw, or else `{view: "part"}`: a
 * whole game whose hand is still under way, or one of which somebody took more out.
 */
export function viewOf(entries, events) {
  const isFull = (event) => entries[event.seq].full !== undefined;
  if (events.every(isFull)) return { view: "whole" };
  const own = seatsOf(events.filter((event) => isFull(event) && SECRET.includes(event.type)));
  const hidden = events.filter((event) => !isFull(event));
  const hands = new Set(hidden.map((event) => event.hand));
  const seats = own.length ? own : seatsOf(events.filter((event) => isFull(event) && isHeld(event, hands)));
  const isSeats = seats.length === 1 && !hidden.some((event) => event.seat === seats[0]);
  return isSeats ? { view: "seat", seat: seats[0] } : { view: "part" };
}

// In hands of which something is hidden, only a seat's own tiles are shown.
const isHeld = ({ type, hand }, hands) => HELD.includes(type) && hands.has(hand);

const seatsOf = (events) => [...new Set(events.map((event) => event.seat))];
