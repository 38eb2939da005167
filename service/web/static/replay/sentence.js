// One sentence for an event, in the reader's language. Names are text, tiles are drawn.

import { has, listed, number, t, term } from "../lib/words.js";
import { HIDDEN, nameOf } from "../table/tiles.js";
import { drawn, phrase } from "./phrase.js";

/** What a seat is called: its number and its player's name or id. */
export function callOf({ seat, name, player }) {
  const called = name ?? player;
  return called ? t("replay.seat_named", { seat, name: called }) : t("replay.seat", { seat });
}

/** What a rule set is called. */
export const rulesOf = (id) => (has(`replay.ruleset_${id}`) ? t(`replay.ruleset_${id}`) : id);

/** The sentence for `event` after which the table is `frame`, as {text, nodes}; `head` is the game's. */
export function sentence(event, frame, head) {
  const write = SENTENCES[event.type];
  if (write === undefined) return phrase("replay.unknown_event", { type: event.type });
  const who = (seat) => callOf(head.seats[seat] ?? { seat });
  return write(event, { frame, who, head, golds: frame.golds, own: () => who(event.seat) });
}

const SENTENCES = {
  game_started: (_, { head: { ruleset, seats } }) =>
    phrase("replay.said_game_started", { ruleset: rulesOf(ruleset.id), count: seats.length }),
  hand_started: ({ hand, dealer, streak }, { who }) =>
    phrase(streak > 0 ? "replay.said_hand_streak" : "replay.said_hand_started", { hand, dealer: who(dealer), streak }),
  seeds_opened: () => phrase("replay.said_seeds_opened"),
  dice_rolled: ({ purpose, dice }, { own }) =>
    phrase(`replay.said_dice_${purpose}`, { who: own(), dice: listed(dice.map(String)) }),
  dealt: ({ tiles }, { own }) => phrase("replay.said_dealt", { who: own(), count: tiles.length }),
  flowers_replaced: flowers,
  gold_flipped: ({ tiles, gold }) => phrase("replay.said_gold", { tiles: drawn(tiles), gold: drawn([gold], [gold]) }),
  turn_prompted: ({ options }, { own }) =>
    phrase(options.length === 0 ? "replay.said_prompted_turn" : "replay.said_prompted", { who: own(), acts: acts(options) }),
  drew: ({ tile, from }, about) =>
    phrase(`replay.said_drew${from === "tail" ? "_tail" : ""}${hidden(tile)}`, withTile(tile, about)),
  discarded: discarded,
  chowed: ({ tile, from, with: tiles }, { own, who, golds }) =>
    phrase("replay.said_chowed", { who: own(), tile: drawn([tile], golds), from: who(from), with: drawn(tiles, golds) }),
  punged: ({ tile, from }, about) => phrase("replay.said_punged", { ...withTile(tile, about), from: about.who(from) }),
  konged: ({ kind, tile, from }, about) =>
    phrase(`replay.said_kong_${hidden(tile) === "" ? kind : "hidden"}`, { ...withTile(tile, about), from: about.who(from) }),
  passed: ({ options, auto }, { own }) =>
    phrase(`replay.said_passed${auto ? "_auto" : options?.length ? "" : "_plain"}`, { who: own(), acts: acts(options ?? []) }),
  claim_overridden: ({ claim, by }, { own, who }) =>
    phrase("replay.said_overridden", { who: own(), claim: acts([claim]), by: who(by) }),
  declared: ({ declaration }, { own }) =>
    phrase("replay.said_declared", { who: own(), declaration: term("ways", declaration) }),
  won: won,
  exhausted: () => phrase("replay.said_exhausted"),
  settled: ({ deltas }) => phrase("replay.said_settled", { amounts: amounts(deltas, { signed: true }) }),
  wall_revealed: () => phrase("replay.said_wall_revealed"),
  hand_ended: ({ scores }) => phrase("replay.said_hand_ended", { amounts: amounts(scores) }),
  presence_changed: ({ state }, { own }) => phrase(`replay.said_${state}`, { who: own() }),
  voided: ({ reason }) => phrase(reason ? "replay.said_voided" : "replay.said_voided_plain", { reason }),
  game_ended: ({ scores, reason = "finished" }) =>
    phrase("replay.said_game_ended", { reason: t(`replay.status_${reason}`), amounts: amounts(scores) }),
  private: () => phrase("replay.said_private"),
};

function flowers({ flowers: laid, drawn: got }, { own, golds }) {
  const values = { who: own(), flowers: drawn(laid), count: got.length };
  if (got.length === 0) return phrase("replay.said_flowers_dry", values);
  if (got.includes(HIDDEN)) return phrase("replay.said_flowers_hidden", values);
  return phrase("replay.said_flowers", { ...values, count: undefined, drawn: drawn(got, golds) });
}

function discarded({ tile, seat, seq, level }, about) {
  const values = withTile(tile, about);
  if (level) return phrase("replay.said_discarded_level", { ...values, level: term("ways", level) });
  const thrown = about.frame.seats[seat]?.river.at(-1);
  return phrase(thrown?.seq === seq && thrown.drawn ? "replay.said_discarded_drawn" : "replay.said_discarded", values);
}

function won({ tile, from, win }, about) {
  const values = { win: term("ways", win), ...(tile ? withTile(tile, about) : { who: about.own() }) };
  if (!tile) return phrase("replay.said_won", values);
  if (from === undefined || from === null) return phrase("replay.said_won_on", values);
  return phrase("replay.said_won_from", { ...values, from: about.who(from) });
}

const hidden = (tile) => (tile === HIDDEN || tile === undefined ? "_hidden" : "");

const withTile = (tile, { own, golds }) => ({ who: own(), tile: tile === undefined ? "" : drawn([tile], golds) });

function acts(options) {
  return listed([...new Set(options.map(actOf))]);
}

const actOf = ({ act, tile }) =>
  tile ? t("replay.act_tile", { act: term("acts", act), tile: nameOf(tile) }) : term("acts", act);

const amounts = (values, options) =>
  listed(values.map((value, seat) => t("replay.seat_amount", { seat, amount: number(value, options) })));
