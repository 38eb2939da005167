// The public keys that the reader trusts: typed, pasted or dropped, and kept in this browser where that is wished.

import { fill, h } from "../lib/dom.js";
import { choose, chosen } from "../lib/prefs.js";
import { say } from "../lib/shell.js";
import { t } from "../lib/words.js";
import { command } from "./copying.js";
import { fileInput } from "./files.js";
import { why } from "./sentences.js";
import { verifier } from "./verifier.js";

const KEPT = "keys";
const LOG_KEY = 1;

/**
 * The panel of keys. `read()` gives the vkeys in its field and shows what they are, null where a line is no key;
 * `add(text)` puts more into the `field`; `onUse` is called when the reader has changed them.
 */
export function keyPanel(onUse) {
  const kept = chosen(KEPT, "");
  const field = h("textarea", { rows: 3, spellcheck: "false", autocomplete: "off", class: "code" });
  const keep = h("input", { type: "checkbox", onchange: () => remember(field, keep) });
  const told = h("div", { class: "told" });
  const file = fileInput(t("verify.keys_file"), async (found) => add(await found.text()));
  const read = () => readKeys(field.value, told);
  const use = async () => {
    remember(field, keep);
    await onUse();
  };
  const add = async (text) => {
    field.value = [field.value.trim(), text.trim()].filter((part) => part !== "").join("\n");
    await use();
  };
  field.value = kept;
  keep.checked = kept !== "";
  const panel = h(
    "section",
    { class: "panel keys no-print", "aria-labelledby": "keys-title" },
    h("h2", { id: "keys-title" }, t("verify.keys")),
    h("p", { class: "quiet" }, t("verify.keys_why")),
    command("mingpai log-key show"),
    h("label", { class: "field" }, h("span", null, t("verify.keys_text")), field),
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", class: "primary", onclick: use }, t("verify.keys_use")),
      h("button", { type: "button", onclick: () => file.click() }, t("verify.keys_file")),
      file,
      h("label", { class: "check" }, keep, " ", t("verify.keys_keep")),
    ),
    told,
  );
  return { panel, field, read, add };
}

function remember(field, keep) {
  choose(KEPT, keep.checked ? field.value.trim() : "");
}

async function readKeys(value, told) {
  const { parseKey } = await verifier();
  const lines = value.split("\n").map((line, index) => ({ line: index + 1, vkey: line.trim() }));
  const keys = [];
  for (const { line, vkey } of lines.filter((one) => one.vkey !== "")) {
    try {
      keys.push({ vkey, ...(await parseKey(vkey)) });
    } catch (error) {
      if (error.code === undefined) throw error;
      const sentence = t("verify.key_fault", { line, why: why({ reason: error.code, ...error.details }) });
      fill(told, h("p", { class: "trouble" }, sentence));
      say(sentence);
      return null;
    }
  }
  const text = t(keys.length ? "verify.keys_count" : "verify.keys_none", { count: keys.length });
  fill(told, h("p", { class: "quiet" }, text), keys.length ? h("ul", null, keys.map(row)) : null);
  return [...new Set(keys.map(({ vkey }) => vkey))];
}

const row = ({ name, type }) =>
  h("li", null, h("code", null, name), " · ", t(type === LOG_KEY ? "verify.keys_log" : "verify.keys_witness"));
