// Where a reader goes after signing in: an address may ask for a place of ours and for no other.

/** The address that a path of ours names, null for whatever could lead elsewhere: other sites, schemes, backslashes. */
export function destination(path) {
  if (path === null || !/^\/(?!\/)[^\\\p{Cc}]*$/u.test(path)) return null;
  const address = new URL(path, location.origin);
  return address.origin === location.origin ? address.href : null;
}
