// The three ways to search from the first page: games, hands of all games, findings of all games.

import { ask } from "../lib/api.js";
import { good } from "../lib/parts.js";
import { LANG } from "../lib/words.js";
import { findingRow, gameRow, handRow } from "./rows.js";

/**
 * By name in the address: the fields (`rest` is folded away, `staff` only for those who work on disputes), what asks
 * the API for a page, what shows an item, and the words where there is none.
 */
export const VIEWS = {
  games: {
    first: ["player", "verdict", "clause", "ruleset"],
    rest: ["from", "to", "win", "severity", "status", "swing"],
    staff: ["dispute", "public"],
    fetch: (filter, page) => asked("GamesFound", "games", { filter, ...page }),
    row: gameRow,
    empty: "search.no_games",
  },
  hands: {
    first: ["winner", "win", "ruleset", "swing"],
    rest: ["factor", "from", "to"],
    staff: [],
    fetch: (filter, page) => asked("HandsFound", "hands", { filter, ...page }),
    row: handRow,
    empty: "search.no_hands",
  },
  findings: {
    first: ["clause", "severity"],
    rest: [],
    staff: [],
    fetch: (filter, page) => asked("FindingsFound", "findings", { ...filter, lang: LANG, ...page }),
    row: findingRow,
    empty: "search.no_findings",
  },
};

/** The name of the view that an address asks for, games for one that we do not have. */
export function viewOf(address = location.search) {
  const name = new URLSearchParams(address).get("view");
  return Object.hasOwn(VIEWS, name ?? "") ? name : "games";
}

const asked = async (document, field, variables) => good((await ask(document, variables))[field]);
