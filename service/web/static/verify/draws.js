/**
 * The tiles that a log shows against a hand's wall: deal, draws from either end, and flips (S-WALL-1, S-DEAL-1,
 * S-WALL-3, S-GOLD-1). Hidden tiles are not compared but take their place in the wall, so nothing shifts behind them.
 */

import { demand } from "./fault.js";
import { HIDDEN } from "./paipu.js";

/**
 * How many tiles are shown and are the wall's, and how many are hidden; a `Fault` names the first event with another
 * tile. `events` are one hand's in order, `game` says `{seats, options}`.
 */
export function compareDraws(wall, events, game) {
  const { dealer } = events[0];
  const deals = events.filter((event) => event.type === "dealt");
  const size = handSize(deals, dealer);
  const row = wall.slice(game.seats * size + 1);
  const tiles = { shown: 0, hidden: 0 };
  const meet = (event, recorded, expected) => {
    demandSame(event, recorded, expected);
    const hidden = recorded.filter((tile) => tile === HIDDEN).length;
    tiles.hidden += hidden;
    tiles.shown += recorded.length - hidden;
  };
  for (const event of deals) {
    const step = (event.seat - dealer + game.seats) % game.seats;
    meet(event, event.tiles, dealtPlaces(step, game.seats, size).map((place) => wall[place]));
  }
  new Course(row, game.options, meet).follow(events);
  return tiles;
}

/** Where in the wall the tiles of the seat `step` after the dealer lie: four at a time, then one by one (S-DEAL-1). */
function dealtPlaces(step, seats, size) {
  const rounds = Math.floor(size / 4);
  const places = [];
  for (let round = 0; round < rounds; round++) {
    const first = 4 * (round * seats + step);
    places.push(first, first + 1, first + 2, first + 3);
  }
  for (let one = 0; one < size % 4; one++) places.push(seats * (4 * rounds + one) + step);
  return step === 0 ? [...places, seats * size] : places;
}

/** Tiles a seat is dealt, the dealer's extra one aside: how many is no secret, so it is read off the deal. */
function handSize(deals, dealer) {
  const other = deals.find((event) => event.seat !== dealer);
  return other ? other.tiles.length : 0;
}

/** What is left of the wall while a hand is played. */
class Course {
  constructor(row, options, meet) {
    this.row = row;
    this.options = options;
    this.meet = meet;
    this.throws = [];
  }

  follow(events) {
    for (const event of events) this[event.type]?.(event);
  }

  flowers_replaced(event) {
    this.meet(event, event.drawn, event.drawn.map(() => this.row.pop()));
  }

  drew(event) {
    this.meet(event, [event.tile], [event.from === "head" ? this.row.shift() : this.row.pop()]);
  }

  dice_rolled(event) {
    if (event.purpose === "gold") this.throws.push(event.dice[0] + event.dice[1]);
  }

  gold_flipped(event) {
    this.meet(event, event.tiles, event.tiles.map((tile, flip) => this.flip(event, tile, flip)));
    this.throws = [];
  }

  /** A flipped tile leaves the row; where neither dice nor index say its place, the copy nearest to the tail. */
  flip(event, tile, flip) {
    const place = this.place(event, flip);
    const index = place === null ? this.row.lastIndexOf(tile) : this.row.length - place;
    return index < 0 ? undefined : this.row.splice(index, 1)[0];
  }

  /** From the tail, 1 = last: each throw answers one flip, or the first one all where the next tile is taken. */
  place(event, flip) {
    const step = this.options.gold_count === "stack" ? 2 : 1;
    const thrown = this.throws[this.options.gold_flower === "next" ? 0 : flip];
    if (thrown !== undefined) return thrown * step;
    return event.tiles.length === 1 && event.index !== undefined ? event.index : null;
  }
}

function demandSame(event, recorded, expected) {
  const isCounted = recorded.length === expected.length;
  demand(isCounted, "not_the_walls_tiles", { clause: "S-DEAL-1", seq: event.seq, expected: expected.length });
  const wrong = recorded.findIndex((tile, index) => tile !== HIDDEN && tile !== expected[index]);
  const place = { clause: "S-WALL-3", seq: event.seq, recorded: recorded[wrong], expected: expected[wrong] ?? null };
  demand(wrong < 0, "not_the_walls_tile", place);
}
