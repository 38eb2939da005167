// Signing in at the platform's identity provider: the authorization code flow of OpenID Connect with PKCE (RFC 7636).
// What only this tab may know is kept in it until the provider sends the browser back, and is good once.

import { called } from "../lib/api.js";

const KEPT = "mingpai.sign-in";
const PATH = "/sign-in";

/** Where the provider lets people sign in; `ApiError` where it cannot be asked now. */
export async function endpoint() {
  return (await (await called("/session/provider")).json()).authorization_endpoint;
}

/** Sends the browser to the provider; `to` is where the reader wants to be afterwards, as the address has it. */
export async function leave(address, { client_id }, to) {
  const flow = { state: random(), nonce: random(), code_verifier: random(), redirect_uri: location.origin + PATH, to };
  sessionStorage.setItem(KEPT, JSON.stringify(flow));
  location.assign(await asked(address, client_id, flow));
}

/**
 * What the provider sent the browser back with, null where it did not: {isOurs, reason, issuer, credentials}.
 * `reason` is why it refused, null where it did not; `issuer` who it says it is, if it does (RFC 9207). Neither the
 * address nor this tab has any of it afterwards.
 */
export function returned() {
  const given = new URLSearchParams(location.search);
  if (!given.has("code") && !given.has("error")) return null;
  const flow = JSON.parse(sessionStorage.getItem(KEPT) ?? "{}");
  sessionStorage.removeItem(KEPT);
  clean(given, flow.to ?? null);
  const reason = given.get("error_description") ?? given.get("error");
  const isOurs = flow.state !== undefined && given.get("state") === flow.state;
  return { isOurs, reason, issuer: given.get("iss"), credentials: credentials(given.get("code"), flow) };
}

const credentials = (code, { code_verifier, redirect_uri, nonce }) => ({ code, code_verifier, redirect_uri, nonce });

function clean(given, to) {
  const left = new URLSearchParams(to === null ? [] : [["to", to]]);
  if (given.has("lang")) left.set("lang", given.get("lang"));
  history.replaceState(null, "", left.size === 0 ? PATH : `${PATH}?${left}`);
}

async function asked(address, client, { state, nonce, code_verifier, redirect_uri }) {
  const asking = new URL(address);
  const values = {
    response_type: "code",
    scope: "openid profile",
    client_id: client,
    redirect_uri,
    state,
    nonce,
    code_challenge: await challenge(code_verifier),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(values)) asking.searchParams.set(name, value);
  return asking;
}

const challenge = async (verifier) =>
  base64url(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier)));

const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

const base64url = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
