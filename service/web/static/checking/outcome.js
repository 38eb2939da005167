// The outcome of a check: the verdict in one sentence, the steps as they are done, and what stays open.

import { fill, h } from "../lib/dom.js";
import { say, trouble } from "../lib/shell.js";
import { t } from "../lib/words.js";
import { about } from "./about.js";
import { command } from "./copying.js";
import { enclosed } from "./enclosed.js";
import { openSentences, verdictOf } from "./sentences.js";
import { stepList } from "./steps.js";
import { breath, verifier } from "./verifier.js";

const KINDS = {
  verified: ["good", "✓"],
  no_key: ["warn", "?"],
  no_seal: ["warn", "?"],
  failed: ["bad", "✗"],
  no_bundle: ["bad", "✗"],
};

let runs = 0;

/**
 * Checks `source` ({name, bytes}) against `vkeys` and shows it in `place`, step by step; a newer check ends this one.
 */
export async function check(place, source, vkeys) {
  const run = ++runs;
  const { verifyBundle, STEPS } = await verifier();
  if (run !== runs) return;
  const { list, show } = stepList(STEPS);
  const waiting = h("div", { class: "verdict waiting" }, h("p", null, t("verify.checking")));
  const parts = { verdict: waiting, about: h("div"), open: h("div"), report: h("div") };
  fill(place, built(parts, list, source));
  place.hidden = false;
  place.scrollIntoView({ block: "start" });
  say(t("verify.checking"));
  let found = {};
  const onStep = async (step, state) => {
    found = state;
    show(step, state.bundle?.game);
    await breath();
    if (run !== runs) throw new Superseded();
  };
  try {
    await breath();
    finished(parts, await verifyBundle(source.bytes, vkeys, { onStep, pause: breath }));
    fill(parts.report, found.bundle === undefined ? null : enclosed(found.bundle));
    fill(parts.about, await about(source, vkeys, found));
  } catch (error) {
    if (error instanceof Superseded) return;
    fill(place, trouble(error));
    throw error;
  }
}

/** Takes what was found away: it is not about what was brought last. */
export function leave(place) {
  runs += 1;
  place.hidden = true;
}

class Superseded extends Error {}

function built(parts, list, source) {
  return [
    h("h2", null, t("verify.result")),
    parts.verdict,
    h("div", { class: "row no-print" }, printing(), saving(source)),
    h("h2", null, t("verify.steps")),
    list,
    parts.open,
    parts.report,
    h("h2", null, t("verify.about")),
    parts.about,
  ];
}

function finished(parts, result) {
  const { code, text } = verdictOf(result);
  const [kind, sign] = KINDS[code];
  parts.verdict.className = `verdict ${kind}`;
  parts.verdict.dataset.verdict = code;
  fill(parts.verdict, h("span", { class: "sign", "aria-hidden": "true" }, sign), h("p", null, text));
  const open = openSentences(result).map((sentence) => h("li", null, sentence));
  const instead = h("li", null, t("verify.open.page"), command("mingpai verify bundle.json --key KEY"));
  fill(parts.open, h("h2", null, t("verify.open")), h("ul", null, open, instead));
  say(text);
}

const printing = () => h("button", { type: "button", onclick: () => print() }, t("verify.print"));

function saving({ name, bytes }) {
  const save = () => {
    const address = URL.createObjectURL(new Blob([bytes], { type: "application/json" }));
    h("a", { href: address, download: name.endsWith(".json") ? name : "bundle.json" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  };
  return h("button", { type: "button", onclick: save }, t("verify.save"));
}
