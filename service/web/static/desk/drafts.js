// What was typed and not sent yet, by reader and case: it outlives an error, a new sign-in and a change of language,
// and goes with the tab.

import { session } from "../lib/session.js";

const memory = new Map();

/** The drafts of one case (or of a new one): by act, the values of its fields. */
export async function drafts(about) {
  const name = `mingpai.draft.${(await session()).principal}.${about}`;
  const found = read(name);
  return {
    of: (act) => found[act] ?? null,
    all: () => Object.entries(found),
    keep: (act, values) => write(name, Object.assign(found, { [act]: values })),
    drop: (act) => {
      delete found[act];
      write(name, found);
    },
  };
}

function read(name) {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? memory.get(name) ?? "{}");
  } catch {
    return JSON.parse(memory.get(name) ?? "{}");
  }
}

function write(name, found) {
  const text = JSON.stringify(found);
  memory.set(name, text);
  try {
    if (text === "{}") sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, text);
  } catch {
    // Where nothing may be kept, it lasts as long as the page.
  }
}
