// A replay inside another site's page. It asks as nobody, and shows what everybody may see.

import { forget } from "../lib/api.js";
import { fill, h, one } from "../lib/dom.js";
import { stored } from "../lib/sources.js";
import { start, trouble } from "../lib/shell.js";
import { t } from "../lib/words.js";
import { wayOut } from "../replay/about.js";
import { asked } from "../replay/address.js";
import { messages, targetOf } from "../replay/messages.js";
import { MOVES, ends } from "../replay/moves.js";
import { AREAS, viewer } from "../replay/viewer.js";

const LARGEST = 64 * 1024 * 1024; // characters or bytes of a log
const query = new URLSearchParams(location.search);
let shown = null;
let tell = () => {};

async function show(main) {
  const theme = query.get("theme");
  if (["light", "dark"].includes(theme)) document.documentElement.dataset.theme = theme;
  document.documentElement.classList.add("embedded");
  tell = messages(query.get("origin"), {
    go: (message) => going(targetOf(message, MOVES)),
    play: () => shown?.play(),
    pause: () => shown?.pause(),
    load: ({ log, game = null }) => loaded(main, log, game),
  });
  new ResizeObserver(() => tell("height", { height: Math.ceil(main.getBoundingClientRect().height) })).observe(main);
  const game = query.get("game");
  if (game === null) fill(main, h("h1", { class: "unseen" }, t("replay.title")), h("p", { class: "quiet" }, t("replay.embed_waits")));
  else await open(main, stored(game), asked(location.search));
  tell("ready", { game });
}

async function open(main, source, { place = {}, faults = [] } = {}) {
  try {
    const isPlain = query.get("controls") === "0";
    shown = await viewer(main, source, { at: place, faults, isPlain, ways: wayOut, arrived, refused });
  } catch (error) {
    refused(error);
    throw error;
  }
}

function going(target) {
  if (target?.by !== undefined) shown?.by(target.by);
  else if (target !== null) shown?.go(target);
}

// A log that the page around gives: audited and shown, and kept nowhere.
async function loaded(main, log, game) {
  const size = typeof log === "string" ? log.length : log instanceof ArrayBuffer ? log.byteLength : -1;
  if (size < 0 || size > LARGEST) return refused({ code: "BAD_LOG", message: t("replay.bad_log") });
  try {
    const { dropped } = await import("../log/source.js");
    await open(main, dropped(log, game));
  } catch (error) {
    fill(main, trouble(error));
  }
}

const arrived = ({ step, hand }) => tell("step", { game: shownGame(), hand: hand.hand, step, ...ends(hand) });
const refused = ({ code = "UNEXPECTED", message }) => tell("problem", { code, message });
const shownGame = () => one(".about h1").textContent;

forget();
await start({ title: "replay.title", areas: AREAS, isBare: true, show });
