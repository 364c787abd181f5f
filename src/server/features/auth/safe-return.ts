// Where to go after signing in. Only a path of this house is believed; anything else means home.

/** A path such as `/settings`; never another site, whatever slashes and tricks stand in it. */
export function safeReturn(wanted: string | undefined): string {
  if (!wanted?.startsWith('/')) return '/';
  try {
    const base = 'http://house.invalid';
    const url = new URL(wanted, base);
    return url.origin === base && !url.pathname.startsWith('//') ? `${url.pathname}${url.search}` : '/';
  } catch {
    return '/';
  }
}
