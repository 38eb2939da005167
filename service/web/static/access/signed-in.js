// Who is signed in, and until when.

import { h } from "../lib/dom.js";
import { player } from "../lib/links.js";
import { time } from "../lib/parts.js";
import { signOut } from "../lib/session.js";
import { kept } from "../lib/shell.js";
import { listed, t } from "../lib/words.js";

/** The session of `who`, with the way on to `address`. */
export function signedIn(who, address) {
  const leave = async () => {
    await signOut();
    location.assign(kept("/sign-in"));
  };
  return h(
    "div",
    { class: "narrow" },
    h("h1", null, t("access.in_title")),
    h(
      "section",
      { class: "panel" },
      h(
        "dl",
        { class: "facts" },
        fact(t("access.roles"), listed(who.roles.map((role) => t(`common.role_${role}`)))),
        who.player === null ? null : fact(t("access.player"), h("a", { href: player(who.player) }, who.player)),
        who.expires_at === null ? null : fact(t("access.ends"), ends(who.expires_at)),
      ),
      h(
        "div",
        { class: "row" },
        h("a", { class: "button primary", href: address }, t("access.go_on")),
        h("button", { type: "button", onclick: leave }, t("common.sign_out")),
      ),
    ),
  );
}

const ends = (moment) => [time(moment), h("span", { class: "quiet" }, " ", t("access.ends_hint"))];

const fact = (name, value) => [h("dt", null, name), h("dd", null, value)];
