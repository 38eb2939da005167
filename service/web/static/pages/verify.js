// A bundle is checked, in the reader's own browser.

import { command } from "../checking/copying.js";
import { intake } from "../checking/intake.js";
import { keyPanel } from "../checking/keys.js";
import { check, leave } from "../checking/outcome.js";
import { isProtected, knowsSignatures, verifier } from "../checking/verifier.js";
import { fill, h } from "../lib/dom.js";
import { start } from "../lib/shell.js";
import { t } from "../lib/words.js";

await start({ title: "verify.title", areas: ["verify", "terms", "clauses"], show });

async function show(main) {
  const intro = [h("h1", null, t("verify.title")), h("p", { class: "intro" }, t("verify.intro"))];
  if (!isProtected()) {
    fill(main, intro, warning("verify.insecure"), command("mingpai verify bundle.json --key KEY"));
    return;
  }
  const result = h("section", { class: "result", hidden: true });
  const desk = deskOver(result);
  desk.isSigned = await knowsSignatures();
  const brought = h("div", { class: "brought" }, desk.bundles.panel, desk.keys.panel);
  fill(main, intro, desk.isSigned ? null : warning("verify.no_ed25519"), brought, result);
  await verifier(); // from here on nothing is asked for any more
  await desk.keys.read();
  unfoldForPrint(result);
  await asked(desk.bundles);
}

function warning(key) {
  return h("div", { class: "trouble", role: "alert" }, h("p", null, t(key)));
}

/** What was brought, and what it is checked against; either of them changed, it is checked anew. */
function deskOver(result) {
  const desk = { source: null, isSigned: true };
  const again = async () => {
    const vkeys = await desk.keys.read();
    if (vkeys === null) {
      leave(result);
      desk.keys.field.focus();
    } else if (desk.source !== null) await check(result, desk.source, desk.isSigned ? vkeys : []);
  };
  desk.keys = keyPanel(again);
  desk.bundles = intake({
    onBundle: (source) => {
      desk.source = source;
      return again();
    },
    onOther: () => {
      desk.source = null;
      leave(result);
    },
    onKeys: (text) => desk.keys.add(text),
  });
  return desk;
}

async function asked(bundles) {
  const values = new URLSearchParams(location.search);
  if (values.has("game")) await bundles.open(values.get("game"), values.get("seat"));
  else if (values.has("case")) await bundles.frozen(values.get("case"), values.get("digest"));
}

// What is folded away on the screen is part of what is printed.
function unfoldForPrint(result) {
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...result.querySelectorAll("details:not([open])")];
    for (const one of folded) one.open = true;
  });
  addEventListener("afterprint", () => {
    for (const one of folded) one.open = false;
  });
}
