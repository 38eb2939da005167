// What was checked: the facts of a bundle, as far as they are read.

import { h } from "../lib/dom.js";
import { moment, number, t } from "../lib/words.js";
import { copyable } from "./copying.js";
import { toReplay } from "./steps.js";
import { verifier } from "./verifier.js";
import { viewOf } from "./views.js";

/**
 * The facts of a source `{name, bytes}` as a list; `found` is what the verifier has read (`bundle`, `events`), `vkeys`
 * what it was checked against.
 */
export async function about({ name, bytes }, vkeys, { bundle, events }) {
  const { hex, sha256 } = await verifier();
  const rows = [
    ["source", name],
    ["sha256", copyable(hex(await sha256(bytes)), t("verify.about.sha256"))],
    ...(bundle === undefined ? [] : await ofBundle(bundle)),
    ...(events === undefined ? [] : ofEvents(bundle, events)),
    ["keys", vkeys.length ? vkeys.map((vkey) => h("div", null, h("code", null, vkey))) : t("verify.about.none")],
    ["time", moment(new Date().toISOString())],
  ];
  const listed = rows.map(([key, value]) => [h("dt", null, t(`verify.about.${key}`)), h("dd", null, value)]);
  return h("dl", { class: "facts" }, listed);
}

async function ofBundle({ game, ruleset, sealed }) {
  const rows = [
    ["game", [h("code", null, game), " ", h("span", { class: "no-print" }, toReplay(game))]],
    ["ruleset", `${ruleset.id} ${ruleset.version}`],
  ];
  return sealed === null ? rows : [...rows, ["signed", await signers(sealed.checkpoint)]];
}

function ofEvents({ entries }, events) {
  const hidden = entries.filter(({ full }) => full === undefined).length;
  const key = hidden === 0 ? "verify.about.events_all" : "verify.about.events_part";
  const { view, seat } = viewOf(entries, events);
  const player = events[0].seats[seat]?.player;
  return [
    ["events", t(key, { count: number(events.length), hidden: number(hidden) })],
    ["view", t(`verify.about.view_${view}`, { seat, player })],
  ];
}

/** The names that stand below a checkpoint, with their keys' short ids: what it says, not what holds. */
async function signers(checkpoint) {
  const { hex, parseNote } = await verifier();
  try {
    const { signatures } = parseNote(checkpoint);
    return signatures.map(({ name, id }) => h("div", null, h("code", null, `${name}+${hex(id)}`)));
  } catch {
    return t("verify.about.none"); // that it cannot be read is said by its step
  }
}
