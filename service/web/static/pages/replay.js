// A stored game's replay.

import { stored } from "../lib/sources.js";
import { Problem } from "../lib/parts.js";
import { start } from "../lib/shell.js";
import { t } from "../lib/words.js";
import { addressOf, asked } from "../replay/address.js";
import { AREAS, viewer } from "../replay/viewer.js";

await start({ title: "replay.title", areas: AREAS, show });

async function show(main) {
  const game = new URLSearchParams(location.search).get("game");
  if (!game) throw Object.assign(new Problem(t("replay.no_game")), { code: "NO_GAME" });
  document.title = `${game} · ${document.title}`;
  const { place, faults } = asked(location.search);
  await viewer(main, stored(game), { at: place, faults, address: addressOf(game) });
}
