// Where seats are as one of them sees the table: turns go to the right.

const PLACES = { 2: ["bottom", "top"], 3: ["bottom", "right", "left"], 4: ["bottom", "right", "top", "left"] };

/** Where `seat` sits for `eyes`: "bottom", "right", "top" (across) or "left". */
export const placeOf = (seat, eyes, players) => PLACES[players][(seat - eyes + players) % players];
