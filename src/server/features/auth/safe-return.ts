// Where to go after signing in. Only a page of this server is believed; anything else means home.

/** It travels in a cookie, which has no room for more. */
const LONGEST = 1000;

/** A path such as `/settings`; never another site, whatever slashes and tricks stand in it, and never a call. */
export function safeReturn(wanted: string | undefined): string {
  if (!wanted?.startsWith('/')) return '/';
  try {
    const base = 'http://house.invalid';
    const url = new URL(wanted, base);
    const isPage = !url.pathname.startsWith('//') && !url.pathname.startsWith('/api/');
    const path = `${url.pathname}${url.search}`;
    return url.origin === base && isPage && path.length <= LONGEST ? path : '/';
  } catch {
    return '/';
  }
}
