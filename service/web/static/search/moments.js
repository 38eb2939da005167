// Times of search fields: the address has a moment that is the same for every reader, the field the reader's own clock.

/** What a field of the type "datetime-local" shows for a moment (RFC 3339), "" where that is none. */
export function local(moment) {
  const found = new Date(moment);
  if (Number.isNaN(found.getTime())) return "";
  return new Date(found.getTime() - found.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The moment (RFC 3339, to a minute, in UTC) of what a field says, "" where it says nothing. */
export const moment = (text) => (text === "" ? "" : `${new Date(text).toISOString().slice(0, 16)}Z`);
