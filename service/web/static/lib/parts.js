// Small parts that several pages show in the same way.

import { fill, h } from "./dom.js";
import { moment, problem, t, term } from "./words.js";
import { say, trouble } from "./shell.js";

const VERDICTS = { CLEAN: ["good", "✓"], VIOLATIONS: ["bad", "✗"], INCOMPLETE: ["warn", "…"], UNREADABLE: ["bad", "?"] };
const SEVERITIES = { VIOLATION: ["bad", "✗"], WARNING: ["warn", "!"] };

/** An audit's verdict, by sign, word and colour; null for a game that was not audited yet. */
export const verdict = (code) => (code === null ? h("span", { class: "quiet" }, "–") : badge(VERDICTS[code], term("verdicts", code.toLowerCase())));

/** How grave a finding is. */
export const severity = (code) => badge(SEVERITIES[code], term("severities", code.toLowerCase()));

/** A word in a frame, with a sign before it so that it does not hang on its colour. */
export const badge = ([kind, sign], text) => h("span", { class: `badge ${kind}` }, h("span", { "aria-hidden": "true" }, sign, " "), text);

/** A moment (RFC 3339) in the reader's time zone. */
export const time = (text) => h("time", { datetime: text }, moment(text));

/**
 * A list that grows by pages. `fetch(after)` gives a connection ({edges: [{node}], pageInfo}), `row(node)` an element
 * or several; they are appended to `body`, and `foot` is where the button for more stands. Gives when the first page is
 * there.
 */
export async function paged({ fetch, row, body, foot, empty }) {
  const more = async (after) => {
    fill(foot, h("p", { class: "quiet", role: "status" }, t("common.loading")));
    try {
      const { edges, pageInfo } = await fetch(after);
      const rows = edges.flatMap(({ node }) => row(node));
      body.append(...rows);
      if (after !== null) arrive(rows);
      if (pageInfo.hasNextPage) fill(foot, h("button", { type: "button", onclick: () => more(pageInfo.endCursor) }, t("common.more")));
      else fill(foot, body.childElementCount === 0 ? h("p", { class: "quiet" }, empty) : null);
    } catch (error) {
      fill(foot, trouble(error));
      if (error.code === undefined) throw error;
    }
  };
  await more(null);
}

// The button that asked for more is gone: who pressed it goes on at the first of what came, and hears how much it is.
function arrive(rows) {
  say(t("common.came", { count: rows.length }));
  const first = rows[0]?.querySelector("a, button") ?? rows[0];
  first?.focus();
}

/** The result of a field that may be a `Problem`; throws it, for the page to tell. */
export function good(result) {
  if ("message" in result && "code" in result) throw Object.assign(new Problem(problem(result.code, result.message)), { code: result.code });
  return result;
}

/** Something that was wrong with what was asked for: what the API calls a Problem. */
export class Problem extends Error {}
