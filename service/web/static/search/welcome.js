// What stands above the search on the first page: for who comes first, and for who is signed in.

import { h } from "../lib/dom.js";
import { player } from "../lib/links.js";
import { kept } from "../lib/shell.js";
import { moment, t } from "../lib/words.js";

/** What this is, and what can be done here without an account. */
export const introduction = () =>
  h(
    "section",
    { class: "welcome", "aria-labelledby": "welcome" },
    h("h1", { id: "welcome" }, t("search.lead_title")),
    h("p", null, t("search.lead")),
    h("ul", { class: "ways" }, [way("/sign-in", "go_sign_in"), way("/log", "go_log"), way("/verify", "go_verify")]),
  );

/** Who is signed in until when, and a player's own page. */
export const greeting = (who) => [
  h("h1", null, t("common.nav_games")),
  h(
    "p",
    { class: "facts" },
    who.player === null ? null : h("a", { href: player(who.player) }, t("search.own_page")),
    who.expires_at === null ? null : h("a", { class: "quiet", href: kept("/sign-in") }, until(who.expires_at)),
  ),
];

const until = (time) => t("search.until", { time: moment(time) });

function way(path, label) {
  const link = h("a", { class: "button", href: kept(path) }, t(`search.${label}`));
  return h("li", null, link, " ", h("span", { class: "quiet" }, t(`search.${label}_does`)));
}
