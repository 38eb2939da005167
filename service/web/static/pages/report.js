// A dispute on paper (A4, the browser makes the PDF): what a clerk sends. Of the staff's own work nothing is in it.

import { dispute, gameOf, seatOf } from "../desk/dispute.js";
import { aboutCase, aboutGame, broken, checking, decision, evidence, part, said } from "../desk/paper.js";
import { alert, told } from "../desk/refusals.js";
import { AREAS, stepOf } from "../desk/step.js";
import { fill, h } from "../lib/dom.js";
import * as links from "../lib/links.js";
import { session } from "../lib/session.js";
import { start, trouble } from "../lib/shell.js";
import { moment, t } from "../lib/words.js";

async function show(main) {
  const asked = new URLSearchParams(location.search);
  try {
    await report(main, asked.get("id") ?? "", asked.get("seat"));
  } catch (error) {
    if (error.code !== "CASE_NOT_FOUND") throw error;
    fill(main, h("h1", null, t("desk.title_report")), alert(told(error)));
  }
}

async function report(main, id, asked) {
  const found = await dispute(id);
  const [game, who] = await Promise.all([gameOf(found.game), session()]);
  const seat = viewpoint(found, game, asked);
  document.title = `${t("desk.title_report")} ${id.slice(0, 8)}`;
  const step = h("div");
  fill(
    main,
    bar(found, game, seat, !isParty(found, who)),
    h(
      "article",
      { class: "paper" },
      h(
        "header",
        null,
        h("p", { class: "mark" }, h("span", { lang: "zh-Hant" }, "明牌"), " Mingpai"),
        h("h1", null, t("desk.title_report")),
      ),
      h("p", { class: "quiet" }, madeFor(who)),
      aboutCase(found, game),
      part("desk.said", said(found)),
      game === null ? null : part("desk.rules", aboutGame(game)),
      part("desk.disputed_step", step),
      part("desk.broken", broken(found, game)),
      decision(found),
      part("desk.evidence", evidence(found)),
      part("desk.checking", checking(found, seat)),
    ),
  );
  fill(step, await stepIn(found, game, seat));
}

/** As which seat the step is shown: as the address asks, else as the case's player; null shows all there is. */
function viewpoint(found, game, asked) {
  if (asked === "all") return null;
  const seats = (game?.seats ?? []).map(({ seat }) => String(seat));
  return seats.includes(asked) ? Number(asked) : seatOf(game, found.player);
}

const isParty = ({ player }, who) => player !== null && player === who.player;

async function stepIn(found, game, seat) {
  if (found.step === null) return h("p", null, t("desk.no_step"));
  try {
    return (game === null ? null : await stepOf(found.game, found.step, seat)) ?? h("p", null, t("desk.no_table"));
  } catch (error) {
    if (error.code === undefined) throw error;
    return trouble(error);
  }
}

function bar(found, game, seat, isStaff) {
  const hasChoice = isStaff && game !== null && found.step !== null;
  return h(
    "div",
    { class: "row no-print bar" },
    h("button", { type: "button", class: "primary", onclick: () => print() }, t("desk.print")),
    h("a", { class: "button", href: links.dispute(found.case) }, t("desk.back")),
    hasChoice
      ? h("label", { class: "row" }, h("span", null, t("desk.viewpoint")), viewpoints(found, game, seat))
      : null,
  );
}

function viewpoints(found, game, seat) {
  const option = (value, words, one) => h("option", { value, selected: one === seat }, words);
  return h(
    "select",
    { onchange: ({ target }) => location.assign(links.at("/report", { id: found.case, seat: target.value })) },
    game.seats.map((one) => option(one.seat, t("desk.view_seat", { seat: one.seat }), one.seat)),
    option("all", t("desk.view_all"), null),
  );
}

function madeFor({ roles }) {
  const who = roles.map((role) => t(`common.role_${role}`)).join(" · ");
  return t("desk.made_at", { time: moment(new Date().toISOString()), who });
}

await start({ title: "desk.title_report", areas: ["desk", "clauses", "terms", ...AREAS], show });
