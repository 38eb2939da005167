// A list of what was found, that grows by pages.

import { h } from "../lib/dom.js";
import { paged } from "../lib/parts.js";
import { say } from "../lib/shell.js";
import { t } from "../lib/words.js";

const PAGE = 20;

/**
 * Appends the list to `section` and waits for its first page. `fetch({first, after})` gives a connection, `row(node)`
 * an item's element, `empty` are the words where there is none; `body` is where items go and `frame` what that is in,
 * where it is not a plain list.
 */
export async function list(section, { fetch, row, empty, body = h("ul", { class: "results" }), frame = body }) {
  const foot = h("div", { class: "foot" });
  section.append(frame, foot);
  await paged({ fetch: async (after) => fetch({ first: PAGE, after }), row, body, foot, empty });
  if (body.childElementCount > 0) say(t("search.found", { count: body.childElementCount }));
}
