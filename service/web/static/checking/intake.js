// How a bundle comes in: dropped, chosen, pasted, or fetched from this service as the reader may have it.

import { frozenFile } from "../desk/evidence.js";
import { called } from "../lib/api.js";
import { h, fill } from "../lib/dom.js";
import { at, verification } from "../lib/links.js";
import { has, t } from "../lib/words.js";
import { kept, say, trouble } from "../lib/shell.js";
import { command } from "./copying.js";
import { bytesOf, fileInput, MOST, OtherFile } from "./files.js";

const SEATS = [0, 1, 2, 3];

/**
 * The panel where bundles come in. `onBundle({name, bytes})` is called with each; `onOther()` where there is none
 * in what was brought, `onKeys(text)` with a file of keys that was dropped on their place. `open(game, seat)` fetches
 * one, `frozen(dispute, digest)` one that is evidence in a dispute.
 */
export function intake({ onBundle, onOther, onKeys }) {
  const told = h("div", { class: "told" });
  const taking = (name, bytes, values) => taken(told, { name, bytes, values, onBundle, onOther });
  const take = (blob, name) => taking(name, () => bytesOf(blob));
  const open = (game, seat) => taking(fileName(game, seat), () => fetched(game, seat, told), { game });
  const frozen = (dispute, digest) => taking(`${digest}.json`, async () => (await frozenFile(dispute, digest)).bytes);
  const file = fileInput(t("verify.choose"), (found) => take(found, found.name));
  const drop = h(
    "div",
    { class: "drop" },
    h("p", null, t("verify.drop")),
    h("button", { type: "button", class: "primary", onclick: () => file.click() }, t("verify.choose")),
    file,
  );
  listen(drop, take, onKeys);
  const panel = h(
    "section",
    { class: "panel no-print", "aria-labelledby": "bundle-title" },
    h("h2", { id: "bundle-title" }, t("verify.bundle")),
    h("div", { class: "ways" }, h("div", null, drop, pasting(take)), asking(open)),
    told,
  );
  return { panel, open, frozen };
}

function pasting(take) {
  const field = h("textarea", { rows: 5, spellcheck: "false", class: "code" });
  const check = () => take(new Blob([field.value]), t("verify.pasted"));
  return h(
    "details",
    null,
    h("summary", null, t("verify.paste")),
    h("label", { class: "field" }, h("span", null, t("verify.paste_text")), field),
    h("button", { type: "button", onclick: check }, t("verify.check")),
  );
}

function asking(open) {
  const asked = new URLSearchParams(location.search);
  const game = h("input", { name: "game", required: true, autocomplete: "off", value: asked.get("game") });
  const isChosen = (seat) => asked.get("seat") === String(seat);
  const option = (seat) => h("option", { value: seat, selected: isChosen(seat) }, t("verify.view_seat", { seat }));
  const seat = h("select", { name: "seat" }, h("option", { value: "" }, t("verify.view_own")), SEATS.map(option));
  const submit = async (event) => {
    event.preventDefault();
    history.replaceState(null, "", verification(game.value, { seat: seat.value }));
    await open(game.value, seat.value);
  };
  return h(
    "form",
    { class: "asking", onsubmit: submit },
    h("h3", null, t("verify.open_game")),
    h("label", { class: "field" }, h("span", null, t("verify.game")), game),
    h("label", { class: "field" }, h("span", null, t("verify.view")), seat),
    h("button", { class: "button" }, t("verify.fetch")),
  );
}

// Anywhere on the page: a file that misses the place meant for it would else be opened in place of the page.
function listen(drop, take, onKeys) {
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    drop.classList.toggle("over", event.target.closest?.(".keys") === null);
  });
  document.addEventListener("dragleave", (event) => event.relatedTarget === null && drop.classList.remove("over"));
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    const [file] = event.dataTransfer.files;
    if (file === undefined) return;
    if (event.target.closest(".keys") === null) await take(file, file.name);
    else await onKeys(await file.text());
  });
}

async function fetched(game, seat, told) {
  const sentence = t("verify.fetching", { game });
  fill(told, h("p", { class: "quiet" }, sentence));
  say(sentence);
  const answer = await called(at("/bundle", { game, seat }));
  return bytesOf(await answer.blob());
}

const fileName = (game, seat) => `${game.replace(/[^\p{L}\p{N}._-]+/gu, "_")}${seat ? `.seat-${seat}` : ""}.json`;

let turns = 0;

/**
 * Gives the bytes on, unless more was brought meanwhile; what goes wrong with a file or the service is told where it
 * came in.
 */
async function taken(told, { name, bytes, values = {}, onBundle, onOther }) {
  const turn = ++turns;
  fill(told);
  let found;
  try {
    found = await bytes();
  } catch (error) {
    if (turn !== turns) return;
    onOther();
    fill(told, refusal(error, values));
    if (error.code === undefined && !(error instanceof OtherFile)) throw error; // ours, not the reader's
    return;
  }
  if (turn !== turns) return;
  fill(told);
  await onBundle({ name, bytes: found });
}

function refusal(error, values) {
  if (error instanceof OtherFile) return otherFile(error.kind);
  const key = `verify.refused.${error.code}`;
  return has(key) ? notice(t(key, values)) : trouble(error);
}

const notice = (...children) => h("div", { class: "trouble", role: "alert" }, h("p", null, children));

function otherFile(kind) {
  const text = t(`verify.kind.${kind}`, { limit: MOST });
  if (kind === "log") return notice(text, " ", h("a", { href: kept("/log") }, t("verify.to_log")));
  return kind === "zstd" ? [notice(text), command("mingpai verify bundle.json.zst --key KEY")] : notice(text);
}
