// The service's own API. Documents are sent by their ids: the service knows its pages' documents and no others of ours.

import documents from "../documents.js";
import { problem } from "./words.js";

/** What went wrong with a call: `code` is stable, `message` is for people, `retry` the seconds to wait, if any,
 * `details` what else helps, such as a place in what was sent. */
export class ApiError extends Error {
  constructor(code, message, retry = null, details = {}) {
    super(message);
    this.code = code;
    this.retry = retry;
    this.details = details;
  }
}

let token = null; // of the session, against pages of other sites
let credentials = "same-origin";

/** Asks as nobody from here on: an embedded page shows what everybody may see. */
export function forget() {
  credentials = "omit";
}

/** Remembers the token of the session that was opened. */
export function remember(csrf) {
  token = csrf;
}

/**
 * The data of a document in service/web/documents, by its name. `ApiError` for what the service refuses as a whole;
 * what can be expected to go wrong is in the data, as `Problem`s. `signal` gives the call up.
 */
export async function ask(name, variables = {}, { signal } = {}) {
  const answer = await sent("/graphql", { documentId: documents[name], variables }, { signal });
  const { data, errors } = await answer.json();
  if (errors?.length) throw told(errors[0]);
  return data;
}

/** The answer to a JSON body; `ApiError` where it is no success. */
export const sent = (path, body, options = {}) =>
  called(path, { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" }, ...options });

/** The answer of a route; `ApiError` where it is no success. */
export async function called(path, { headers = {}, ...options } = {}) {
  const csrf = token === null ? {} : { "x-csrf-token": token };
  let answer;
  try {
    answer = await fetch(path, { credentials, headers: { ...headers, ...csrf }, ...options });
  } catch {
    throw new ApiError("AWAY", "");
  }
  if (answer.ok) return answer;
  throw await refusal(answer);
}

async function refusal(answer) {
  const retry = Number(answer.headers.get("retry-after")) || null;
  try {
    const { errors } = await answer.json();
    return told(errors[0], retry);
  } catch {
    return new ApiError("UNEXPECTED", String(answer.status), retry);
  }
}

const told = ({ message, extensions: { code = "UNEXPECTED", ...details } = {} }, retry = null) =>
  new ApiError(code, problem(code, message), retry, details);
