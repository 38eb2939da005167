// Signing in with a key.

import { fill, h } from "../lib/dom.js";
import { signIn } from "../lib/session.js";
import { trouble } from "../lib/shell.js";
import { t } from "../lib/words.js";

/** The form for a key; `arrive` is called when the reader is in. */
export function byKey(arrive) {
  const told = h("div", { id: "key-told", role: "alert" });
  const field = h("input", {
    type: "password",
    id: "key",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    "aria-describedby": "key-hint key-told",
  });
  const button = h("button", { class: "primary" }, t("access.enter"));
  const refuse = (shown) => {
    fill(told, shown);
    field.setAttribute("aria-invalid", "true");
    field.focus();
  };
  const send = async (event) => {
    event.preventDefault();
    const key = field.value.trim();
    if (key === "") return refuse(h("p", { class: "trouble" }, t("access.key_missing")));
    button.disabled = true;
    try {
      await signIn({ key });
      arrive();
    } catch (error) {
      if (error.code === undefined) throw error;
      refuse(refusal(error));
    } finally {
      button.disabled = false;
    }
  };
  return h(
    "section",
    { class: "panel", "aria-labelledby": "by-key" },
    h("h2", { id: "by-key" }, t("access.by_key")),
    h(
      "form",
      { onsubmit: send, novalidate: true },
      h("label", { class: "field", for: "key" }, h("span", null, t("access.key"))),
      field,
      h("p", { class: "quiet", id: "key-hint" }, t("access.key_hint")),
      told,
      h("div", { class: "row apart" }, shown(field), button),
    ),
  );
}

function shown(field) {
  const change = ({ target }) => (field.type = target.checked ? "text" : "password");
  return h("label", { class: "check" }, h("input", { type: "checkbox", onchange: change }), " ", t("access.key_shown"));
}

const refusal = (error) =>
  error.code === "UNAUTHENTICATED" ? h("p", { class: "trouble" }, t("access.key_bad")) : trouble(error);
