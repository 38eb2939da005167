// The table of what is attached to a case, with the ways to get it and to check it.

import { called } from "../lib/api.js";
import { fill, h } from "../lib/dom.js";
import { at } from "../lib/links.js";
import { trouble } from "../lib/shell.js";
import { t } from "../lib/words.js";
import { exportPath, frozenFile } from "./evidence.js";
import { told } from "./refusals.js";

/** The check of a frozen bundle in the browser. */
export const checkOf = (dispute, digest) => at("/verify", { case: dispute, digest });

/** The table of what is attached to a case, with the ways to get and to check it. */
export function evidenceTable({ case: id, evidence }) {
  const status = h("div", { role: "status" });
  const headings = ["kind", "upto", "engine", "digest", "get"].map((name) => h(
    "th",
    { scope: "col", role: "columnheader" },
    t(`desk.${name}`),
  ));
  return h(
    "div",
    null,
    h(
      "table",
      { class: "stack", role: "table" },
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, headings)),
      h("tbody", { role: "rowgroup" }, evidence.map((one) => row(id, one, status))),
    ),
    status,
    h(
      "p",
      { class: "row" },
      h("button", { type: "button", onclick: () => whole(id, status) }, t("desk.export")),
      h("span", { class: "quiet" }, t("desk.export_hint")),
    ),
  );
}

function row(id, one, status) {
  const cell = (name, ...shown) => h("td", { role: "cell", "data-label": t(`desk.${name}`) }, h("div", null, shown));
  const check = one.kind === "BUNDLE"
    ? h("a", { class: "button", href: checkOf(id, one.digest) }, t("desk.check"))
    : null;
  return h(
    "tr",
    { role: "row", "data-kind": one.kind },
    cell("kind", kindOf(one)),
    cell("upto", one.uptoSeq),
    cell("engine", one.engine),
    cell("digest", h("code", { class: "digest" }, one.digest)),
    cell(
      "get",
      h(
        "div",
        { class: "row" },
        h("button", { type: "button", onclick: () => single(id, one, status) }, t("desk.download")),
        check,
      ),
    ),
  );
}

/** What a frozen file is, in words. */
export function kindOf({ kind, seat }) {
  if (kind === "REPORT") return t("desk.kind_report");
  return seat === null ? t("desk.kind_bundle") : t("desk.kind_seat", { seat });
}

const single = (id, one, status) =>
  telling(status, async () => {
    const { bytes, digest } = await frozenFile(id, one.digest);
    save(bytes, `${one.kind.toLowerCase()}-${one.digest.slice(0, 12)}.json`);
    if (digest === null) return h("p", { class: "quiet" }, t("desk.unhashed"));
    return digest === one.digest
      ? h("p", { class: "good" }, "✓ ", t("desk.hashed"))
      : h("p", { class: "bad" }, "✗ ", t("desk.hash_differs"));
  });

const whole = (id, status) =>
  telling(status, async () => {
    save(await (await called(exportPath(id))).blob(), `case-${id}.json`);
    return h("p", { class: "good" }, "✓ ", t("desk.exported"));
  });

async function telling(status, work) {
  fill(status, h("p", { class: "quiet" }, t("common.loading")));
  try {
    fill(status, await work());
  } catch (error) {
    if (error.code === undefined) throw error;
    fill(status, error.code === "EVIDENCE_NOT_FOUND" ? h("p", { class: "bad" }, told(error)) : trouble(error));
  }
}

function save(content, name) {
  const address = URL.createObjectURL(new Blob([content], { type: "application/json" }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
