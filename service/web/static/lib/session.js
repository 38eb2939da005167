// Who reads: nobody, or somebody who has signed in with a key or at the platform's identity provider.

import { called, remember, sent } from "./api.js";

let found = null;

/** The session as the service tells it: principal, player, roles, expires_at, oidc. Asked for once a page. */
export async function session() {
  found ??= taken(await (await called("/session")).json());
  return found;
}

/** Whether the reader has one of the roles, such as "clerk". */
export const has = async (...roles) => (await session()).roles.some((role) => roles.includes(role));

/** Signs in with what `POST /session` takes: {key}, or a code of the identity provider. `ApiError` for a bad one. */
export async function signIn(credentials) {
  found = taken(await (await sent("/session", credentials)).json());
  return found;
}

/** Ends the session. */
export async function signOut() {
  await called("/session", { method: "DELETE" });
  found = null;
  remember(null);
}

function taken(answer) {
  remember(answer.csrf_token);
  return answer;
}
