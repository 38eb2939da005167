// Signing in with an account of the platform's identity provider.

import { fill, h } from "../lib/dom.js";
import { choose } from "../lib/prefs.js";
import { signIn } from "../lib/session.js";
import { trouble } from "../lib/shell.js";
import { lang, t } from "../lib/words.js";
import { endpoint, leave } from "./provider.js";

/** The way to the provider; where it cannot be asked now, that is what stands there. */
export function byProvider(oidc, to) {
  const body = h("div", { role: "status" }, h("p", { class: "quiet" }, t("common.loading")));
  offer(body, oidc, to);
  const title = h("h2", { id: "by-provider" }, t("access.by_provider"));
  return h("section", { class: "panel", "aria-labelledby": "by-provider" }, title, body);
}

async function offer(body, oidc, to) {
  const host = hostOf(oidc);
  if (!isSecureContext) return fill(body, h("p", null, t("access.needs_https")));
  try {
    const address = await endpoint();
    const go = () => {
      choose("lang", lang); // the address that the provider sends back to is one for all languages
      return leave(address, oidc, to);
    };
    fill(body, h("button", { type: "button", class: "primary", onclick: go }, t("access.at_provider", { host })));
  } catch (error) {
    if (error.code === undefined) throw error;
    const again = h("button", { type: "button", onclick: () => offer(body, oidc, to) }, t("access.again"));
    fill(body, h("p", null, t("access.provider_away", { host })), again);
  }
}

/** Whether what the provider sent back opened a session; what was wrong with it is shown in `told`. */
export async function completed(back, oidc, told) {
  const host = oidc === null ? location.host : hostOf(oidc);
  const isFromIt = back.issuer === null || back.issuer === oidc?.issuer;
  if (!back.isOurs || !isFromIt) return refused(told, t("access.stranger"));
  if (back.reason !== null) return refused(told, t("access.refused", { host, reason: back.reason }));
  fill(told, h("p", { role: "status" }, t("access.returning")));
  try {
    await signIn(back.credentials);
    return true;
  } catch (error) {
    if (error.code === undefined) throw error;
    if (error.code === "UNAUTHENTICATED") return refused(told, t("access.not_let_in", { host }));
    fill(told, trouble(error));
    return false;
  }
}

function refused(told, sentence) {
  fill(told, h("div", { class: "trouble", role: "alert" }, h("p", null, sentence)));
  return false;
}

const hostOf = ({ issuer }) => new URL(issuer).host;
