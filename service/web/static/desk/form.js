// A form that sends one act, keeps what was typed until the service has taken it, and tells what went wrong.

import { fill, h } from "../lib/dom.js";
import { trouble } from "../lib/shell.js";
import { t } from "../lib/words.js";
import { alert, told } from "./refusals.js";

const OPTIONS = { refused: () => false, question: null, isPrimary: true };

/**
 * A form. `fields` as `fields.js` makes them, `submit` the words of its button, `draft` {of, keep, drop} of `drafts.js`
 * under the name `act`. `send(values)` gives the service's answer ({case}, or a refusal); `done(answer)` is called
 * where it was taken, and `refused(answer)`, if given, may take a refusal over (it gives true then). `question`, if
 * given, is asked before anything is sent.
 */
export function form(options) {
  const { act, fields, submit, draft, send, done, refused, question, isPrimary } = { ...OPTIONS, ...options };
  const button = h("button", { class: isPrimary ? "primary" : null }, submit);
  const foot = h("div", { class: "foot" });
  const values = () => Object.fromEntries(fields.map(({ name, value }) => [name, value()]));
  const element = h(
    "form",
    { class: "act", "data-act": act, oninput: () => draft.keep(act, values()), onsubmit: (event) => submitted(event) },
    laidOut(fields),
    h("div", { class: "row" }, button),
    foot,
  );
  const kept = draft.of(act);
  if (kept !== null) for (const field of fields) if (field.name in kept) field.restore(kept[field.name]);

  async function submitted(event) {
    event.preventDefault();
    if (button.disabled || (question !== null && !(await agreed(question, submit)))) return;
    button.disabled = true;
    fill(foot, h("p", { class: "quiet", role: "status" }, t("desk.sending")));
    try {
      await took(await send(values()));
    } catch (error) {
      fill(foot, trouble(error));
      if (error.code === undefined) throw error;
    } finally {
      button.disabled = false;
    }
  }

  async function took(answer) {
    if (!("code" in answer)) {
      draft.drop(act);
      await done(answer);
    } else if (!(await refused(answer))) fill(foot, alert(told(answer)));
  }

  return element;
}

// Short fields that belong together stand side by side.
function laidOut(fields) {
  const short = fields.filter(({ isShort }) => isShort);
  if (short.length < 2) return fields.map(({ element }) => element);
  const row = h("div", { class: "places" }, short.map(({ element }) => element));
  return fields.map((field) => (field === short[0] ? row : field.isShort ? null : field.element));
}

/** Asks a question that is answered before anything that cannot be undone is done. */
export function agreed(question, yes) {
  const dialog = h(
    "dialog",
    { class: "question", "aria-labelledby": "question" },
    h(
      "form",
      { method: "dialog" },
      h("p", { id: "question" }, question),
      h(
        "div",
        { class: "row" },
        h("button", { value: "yes", class: "primary" }, yes),
        h("button", { value: "no", autofocus: true }, t("desk.not_now")),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
  });
}
