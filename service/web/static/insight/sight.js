// Whose tiles a view shows, and when there is something to ask about them.

const PLAYED = new Set(["turn", "claims", "kong", "flower", "dry"]);
const WON = new Set(["over", "settled"]);

/** Whether a seat's tiles lie open in a frame. */
export const isOpen = ({ concealed }) => !concealed.includes("??");

/** The seats with tiles that lie open in a frame. */
export const openSeats = ({ seats }) => seats.filter((one) => one.count > 0 && isOpen(one)).map(({ seat }) => seat);

/** Whether anything was dealt. */
export const isDealt = ({ seats }) => seats.some(({ count }) => count > 0);

/** Whether seats have something to decide. */
export const isPlayed = ({ phase }) => PLAYED.has(phase);

/** Whether the hand that a frame shows is won. */
export const isWon = ({ phase, outcome }) => WON.has(phase) && (outcome?.winner ?? null) !== null;

/** The seat that answers are about where the reader chose none: who has won, else `asked`, else one that lies open. */
export function seatOf(frame, asked) {
  const open = openSeats(frame);
  const wished = isWon(frame) ? frame.outcome.winner : asked;
  return open.includes(wished) ? wished : (open[0] ?? null);
}
