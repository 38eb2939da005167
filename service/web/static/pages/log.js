import { start } from "../lib/shell.js";

await start({ title: "common.nav_games", show: () => {} });
