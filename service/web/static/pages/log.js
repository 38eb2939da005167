// A log is audited and stepped through, and not stored.

import { called } from "../lib/api.js";
import { fill, h } from "../lib/dom.js";
import { has as hasRole } from "../lib/session.js";
import { kept, say, start, trouble } from "../lib/shell.js";
import { t } from "../lib/words.js";
import { AREAS, viewer } from "../replay/viewer.js";
import { intake } from "../log/intake.js";
import { gameList, gameReport, mark, unread } from "../log/report.js";
import { held } from "../log/source.js";
import { storing } from "../log/storing.js";

let current = null; // what was asked for last, a log or one of its games, is what is shown
let playing = null; // the viewer that is on the page
let turn = Promise.resolve(); // a viewer is made after the other: the last one made has the keys

await start({ title: "log.title", areas: ["log", ...AREAS], show });

// Leaving the page forgets the log, also where the browser would keep the page as it was.
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());

async function show(main) {
  const bounds = await (await called("/audit")).json();
  const mayStore = await hasRole("server");
  const result = h("div", { class: "result" });
  const bring = intake({ bounds, taken: (log, name) => open(result, { log: held(log), name, mayStore }) });
  fill(main, h("h1", null, t("log.title")), h("p", { class: "intro" }, t("log.intro")), bring, result);
}

/** Audits a log and shows what came out. */
async function open(result, { log, name, mayStore }) {
  const mine = (current = Symbol(name));
  stop();
  fill(result, h("p", { class: "quiet" }, t("log.auditing", { name })));
  result.setAttribute("aria-busy", "true");
  say(t("log.auditing", { name }));
  try {
    const found = await log.audited();
    if (current === mine) showLog(result, { ...found, log, name, mayStore });
  } catch (error) {
    if (current !== mine) return;
    fill(result, failure(error));
    if (error.code === undefined && !(error instanceof DOMException)) throw error;
  } finally {
    if (current === mine) result.removeAttribute("aria-busy");
  }
}

function showLog(result, { games, stopped, log, name, mayStore }) {
  const title = h("h2", { tabindex: "-1" }, t("log.audited", { name, count: games.length }));
  const game = h("div", { class: "game" });
  const list = gameList(games, choose);

  function choose(place) {
    mark(list, place);
    showGame(game, games[place], log.source({ place }));
  }

  fill(
    result,
    h("section", { class: "panel" }, title, h("p", { class: "quiet" }, t("log.kept_nowhere")), stopped === null ? null : unread(stopped, t("log.stopped")), games.length > 1 ? list : null),
    game,
    mayStore ? storing(log, games.length) : null,
  );
  result.removeAttribute("aria-busy");
  title.focus();
  choose(Math.max(0, games.findIndex(({ findings }) => findings.length > 0)));
}

/** One game: the report, and below it the replay at the first finding. */
function showGame(root, report, source) {
  const mine = (current = Symbol(report.game));
  stop();
  const stage = h("section", { class: "stepping", "aria-label": t("log.replay") });
  const canShow = report.events > 0;
  const go = (step) => {
    playing?.go({ step });
    stage.scrollIntoView({ block: "start" });
  };
  fill(root, h("section", { class: "panel report" }, gameReport(report, canShow ? go : null)), canShow ? stage : null);
  if (!canShow) return;
  fill(stage, h("p", { class: "quiet" }, t("common.loading")));
  turn = turn.then(async () => {
    if (current === mine) playing = await replayed(stage, source, report.findings[0]?.step ?? 0);
  });
}

function stop() {
  playing?.end();
  playing = null;
}

async function replayed(stage, source, step) {
  try {
    return await viewer(stage, source, { at: { step }, level: 2 });
  } catch (error) {
    fill(stage, trouble(error));
    if (error.code === undefined) setTimeout(() => { throw error; }); // ours, not the reader's
    return null;
  }
}

function failure(error) {
  if (error instanceof DOMException) return trouble(Object.assign(new Error(t("log.no_file")), { code: "NO_FILE" }));
  if (error.code !== "LOG_UNREADABLE") return trouble(error);
  const hint = h("p", null, t("log.bundle_hint"), " ", h("a", { href: kept("/verify") }, t("common.nav_verify")));
  return h("div", { role: "alert" }, unread(error.details, t("log.nothing_read")), hint);
}
