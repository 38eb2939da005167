// A dispute: what it is about, what is on record, and what its reader may do. Without an id, a new one.

import { actsPanel, leftovers } from "../desk/acts.js";
import { evidenceTable } from "../desk/attached.js";
import { dispute, gameOf } from "../desk/dispute.js";
import { drafts } from "../desk/drafts.js";
import { groundOf, headOf, verdictsOf } from "../desk/ground.js";
import { openingPage } from "../desk/opening.js";
import { alert, told } from "../desk/refusals.js";
import { timeline } from "../desk/timeline.js";
import { fill, h } from "../lib/dom.js";
import { session } from "../lib/session.js";
import { say, start } from "../lib/shell.js";
import { t } from "../lib/words.js";

function show(main) {
  const asked = new URLSearchParams(location.search);
  const id = asked.get("id");
  return id === null ? openingPage(main, asked) : casePage(main, id);
}

/** Shows a case; `notice` is what is said above it, of an act that was taken or refused. */
async function casePage(main, id, notice = null) {
  const draft = await drafts(id);
  const again = (next) => casePage(main, id, next);
  const shown = await read(id);
  if (shown === null) {
    fill(main, h("h1", null, t("desk.title_case")), alert(t("desk.refused_case_not_found")));
    return;
  }
  const { found, game } = shown;
  const who = await session();
  const panel = await actsPanel({
    dispute: found,
    game,
    draft,
    done: (act) => again({ kind: "good", words: t(`desk.done_${act}`) }),
    refused: async (act, answer) => {
      await again({ kind: "bad", words: answer.code === "SEQUENCE_CONFLICT" ? t("desk.meanwhile") : told(answer) });
      return true;
    },
  });
  fill(
    main,
    h("h1", null, t("desk.case_of", { game: found.game })),
    notice === null ? null : said(notice),
    h(
      "div",
      { class: "case" },
      h(
        "div",
        null,
        headOf(found, game, who),
        verdictsOf(found, who.principal),
        section("desk.audit_says", groundOf(found, game)),
        section(
          "desk.evidence",
          found.evidence.length === 0 ? h("p", { class: "quiet" }, t("desk.no_evidence")) : evidenceTable(found),
        ),
        section("desk.timeline", await timeline(found.events, "timeline"), "timeline"),
        h("p", { class: "quiet" }, t("desk.chain_head"), " ", h("code", { class: "digest" }, found.events.at(-1).head)),
      ),
      h("div", null, panel, leftovers({ draft, panel, forget: () => again() })),
    ),
  );
  if (notice !== null) tell(notice.words);
}

async function read(id) {
  try {
    const found = await dispute(id);
    return { found, game: await gameOf(found.game) };
  } catch (error) {
    if (error.code === "CASE_NOT_FOUND") return null;
    throw error;
  }
}

const said = ({ kind, words }) =>
  h(
    "div",
    { class: kind === "bad" ? "trouble notice" : "notice told", tabindex: -1 },
    h("p", null, h("span", { "aria-hidden": "true" }, kind === "bad" ? "! " : "✓ "), words),
  );

// The act's button is gone with the page as it was: focus goes to where it is said what came of it.
function tell(words) {
  document.querySelector(".notice").focus();
  say(words);
}

const section = (label, content, id = label.replace(".", "-")) => h(
  "section",
  { class: "panel", "aria-labelledby": id },
  h("h2", { id }, t(label)),
  content,
);

await start({ title: "desk.title_case", areas: ["desk", "clauses", "terms"], show });
