// Words for people, each page's in one of three languages. No language stands in for another: a word that is not there
// is a mistake of ours and is shown as one.

import { chosen } from "./prefs.js";

/** The languages by their BCP 47 tags, and as they call themselves. */
export const LANGUAGES = { "zh-Hans": "简体中文", "zh-Hant": "繁體中文", en: "English" };

/** The language of this page: that of its address, the one chosen before, or the browser's. */
export const lang = known(new URLSearchParams(location.search).get("lang")) ?? known(chosen("lang")) ?? browsers();

/** The same as the API calls it. */
export const LANG = lang.replace("-", "_").toUpperCase();

document.documentElement.lang = lang;

const words = new Map();

/** Loads the words of areas, such as "common"; "terms" are the rule book's, as the service has them. */
export async function load(...areas) {
  const found = await Promise.all(areas.map((area) => import(`../words/${area}.${lang}.js`)));
  for (const [at, area] of areas.entries()) {
    for (const [key, text] of Object.entries(found[at].default)) words.set(`${area}.${key}`, text);
  }
}

/**
 * The words of a key, such as t("common.games", {count: 3}). Names in braces are replaced by the values; of two forms
 * with a bar between them the first is for a count of 1.
 */
export function t(key, values = {}) {
  const text = words.get(key);
  if (text === undefined) throw new Error(`no words for ${key} in ${lang}`);
  const [one, many = one] = text.split("|");
  return (values.count === 1 ? one : many).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** The words of a key of "terms" by its group and code, the code itself where the service knows it and we do not. */
export const term = (group, code) => words.get(`terms.${group}.${code}`) ?? code;

/** What went wrong, by the API's code: its own sentence in English, ours in the other languages. */
export const problem = (code, message) => (lang === "en" ? message : (words.get(`problems.${code}`) ?? message));

/** Whether there are words for a key. */
export const has = (key) => words.has(key);

/** What follows `start` in the keys that begin with it, such as the codes of "terms.ways.", in the service's order. */
export const codes = (start) => [...words.keys()].filter((key) => key.startsWith(start)).map((key) => key.slice(start.length));

/** A number as the language writes it; `signed` with its sign, but for 0. */
export const number = (value, { signed = false } = {}) =>
  new Intl.NumberFormat(lang, { signDisplay: signed ? "exceptZero" : "auto" }).format(value);

/** A moment (RFC 3339) in the reader's time zone. */
export const moment = (text) =>
  new Intl.DateTimeFormat(lang, { dateStyle: "medium", timeStyle: "medium" }).format(new Date(text));

/** Several words as a list. */
export const listed = (texts) => texts.join(lang === "en" ? ", " : "、");

function known(tag) {
  return Object.hasOwn(LANGUAGES, tag ?? "") ? tag : null;
}

function browsers() {
  for (const tag of navigator.languages) {
    const [language, ...rest] = tag.toLowerCase().split("-");
    if (language === "zh") return ["hant", "tw", "hk", "mo"].some((part) => rest.includes(part)) ? "zh-Hant" : "zh-Hans";
    if (language === "en") return "en";
  }
  return "en";
}
