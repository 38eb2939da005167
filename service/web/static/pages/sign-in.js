// Signing in: with a key, or at the platform's identity provider, and back to where the reader came from.

import { byProvider, completed } from "../access/account.js";
import { destination } from "../access/destination.js";
import { byKey } from "../access/key.js";
import { returned } from "../access/provider.js";
import { signedIn } from "../access/signed-in.js";
import { fill, h } from "../lib/dom.js";
import { session } from "../lib/session.js";
import { kept, start } from "../lib/shell.js";
import { t } from "../lib/words.js";

const back = returned(); // before anything else, for it takes the code out of the address
const to = new URLSearchParams(location.search).get("to");

async function show(main) {
  const who = await session();
  if (who.principal !== null && back === null) return fill(main, signedIn(who, aim() ?? kept("/")));
  const told = h("div");
  const parts = [byKey(arrive), who.oidc === null ? null : byProvider(who.oidc, to)];
  const head = [h("h1", null, t("access.title")), h("p", { class: "quiet" }, t("access.lead"))];
  fill(main, h("div", { class: "narrow" }, head, told, parts));
  if (back !== null && (await completed(back, who.oidc, told))) arrive();
}

const aim = () => destination(to);

// Where the address names no place, this page itself tells who is signed in and until when.
function arrive() {
  location.replace(aim() ?? kept("/sign-in"));
}

await start({ title: "access.title", areas: ["access"], show });
