// What every page has: header with the way to the others, language, appearance, who reads; help; what went wrong.

import { fill, h, one } from "./dom.js";
import { listen, showHelp } from "./keys.js";
import { choose, chosen } from "./prefs.js";
import { session, signOut } from "./session.js";
import { LANGUAGES, lang, load, t } from "./words.js";

/** Where the pages are, their words, and for whom (everybody where nobody is named). */
const PAGES = [
  ["/", "common.nav_games", null],
  ["/players", "common.nav_players", null],
  ["/cases", "common.nav_cases", ["player", "clerk", "auditor", "admin"]],
  ["/log", "common.nav_log", null],
  ["/verify", "common.nav_verify", null],
];
const THEMES = ["system", "light", "dark"];

/**
 * Starts a page: loads its words, builds the frame around `main` and runs `show(main)`. What `show` throws is told to
 * the reader. `title` is a key of words; `areas` are those of the page's words beside "common".
 */
export async function start({ title, areas = [], show, isBare = false }) {
  await load("common", "problems", ...areas);
  document.documentElement.dataset.theme = chosen("theme", "system");
  document.title = `${t(title)} · Mingpai 明牌`;
  listen();
  const main = one("main");
  document.body.append(live);
  try {
    if (!isBare) main.before(skip(), await header());
    await show(main);
  } catch (error) {
    fill(main, h("h1", null, t(title)), trouble(error));
    if (error.code === undefined) throw error; // ours, not the reader's
  }
  document.documentElement.dataset.ready = "true";
}

const live = h("p", { class: "unseen", role: "status", "aria-live": "polite" });

/** Says one sentence to screen readers, in place of what is still unsaid. */
export function say(sentence) {
  live.textContent = sentence;
}

/** What went wrong, for the reader: an `ApiError`, a `Problem` of the API, or anything else, which is our fault. */
export function trouble(error) {
  return h("div", { class: "trouble", role: "alert" }, h("p", null, told(error)));
}

function told(error) {
  const known = { AWAY: "common.away", UNAUTHENTICATED: "common.sign_in_first", FORBIDDEN: "common.not_allowed" };
  if (known[error.code] !== undefined) return t(known[error.code]);
  if (error.code === "RATE_LIMITED") return t("common.too_fast", { seconds: error.retry ?? 1 });
  if (error.code !== undefined && error.code !== "UNEXPECTED") return error.message;
  return t("common.our_fault");
}

const skip = () => h("a", { class: "skip", href: "#main" }, t("common.skip"));

async function header() {
  const who = await session();
  const pages = PAGES.filter(([, , roles]) => roles === null || roles.some((role) => who.roles.includes(role)));
  return h(
    "header",
    { class: "site" },
    h("a", { class: "brand", href: kept("/") }, h("span", { lang: "zh-Hant" }, "明牌"), " Mingpai"),
    h("nav", { "aria-label": t("common.nav") }, pages.map(([path, label]) => h("a", { href: kept(path), "aria-current": location.pathname === path ? "page" : null }, t(label)))),
    h("div", { class: "settings" }, languages(), themes(), h("button", { type: "button", onclick: showHelp, "aria-label": t("common.keys_help") }, "?"), reader(who)),
  );
}

function languages() {
  const options = Object.entries(LANGUAGES).map(([tag, name]) => h("option", { value: tag, lang: tag, selected: tag === lang }, name));
  return h("select", { "aria-label": t("common.language"), onchange: ({ target }) => speak(target.value) }, options);
}

function speak(tag) {
  choose("lang", tag);
  const address = new URL(location.href);
  address.searchParams.set("lang", tag);
  location.assign(address);
}

function themes() {
  const options = THEMES.map((theme) => h("option", { value: theme, selected: theme === chosen("theme", "system") }, t(`common.theme_${theme}`)));
  const change = ({ target }) => {
    choose("theme", target.value);
    document.documentElement.dataset.theme = target.value;
  };
  return h("select", { "aria-label": t("common.theme"), onchange: change }, options);
}

function reader(who) {
  if (who.principal === null && location.pathname === "/sign-in") return null;
  if (who.principal === null) return h("a", { href: kept(`/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`) }, t("common.sign_in"));
  const leave = async () => {
    await signOut();
    location.assign(kept("/"));
  };
  const name = who.roles.map((role) => t(`common.role_${role}`)).join(" · ");
  return h("span", { class: "reader" }, h("a", { href: kept("/sign-in") }, name), " ", h("button", { type: "button", onclick: leave }, t("common.sign_out")));
}

/** An address of ours in the language that this page's address asks for, if it does. */
export function kept(path) {
  const asked = new URLSearchParams(location.search).get("lang");
  if (asked === null) return path;
  const address = new URL(path, location.origin);
  address.searchParams.set("lang", lang);
  return address.pathname + address.search;
}
