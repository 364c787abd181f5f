// Where to go after the gate. The server has checked the path already; the address bar has not.

/** A path of this server; anything that could lead elsewhere means home. */
export function returnPath(wanted: string | null): string {
  return wanted && /^\/(?![/\\])[\w\-./?=&%]*$/.test(wanted) && !wanted.startsWith('/enter') ? wanted : '/';
}
