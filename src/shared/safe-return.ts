// Where to go after signing in. Only a page of this server is believed; anything else means home.

/** It travels in a cookie, which has no room for more. */
const LONGEST = 1000;

/** A path and a query in the characters of RFC 3986: no backslash, no space and nothing invisible that browsers drop. */
const PLAIN = /^\/(?!\/)[\w\-.~!$&'()*+,;=:@%/]*(?:\?[\w\-.~!$&'()*+,;=:@%/?]*)?$/;

/** Segments that lead elsewhere, as browsers read them: `.` and `..`, also escaped. */
const DOTS = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i;

/** Calls, and the gate itself. */
const NOT_A_PAGE = /^\/(?:api|enter)(?:\/|$)/;

/** A path such as `/settings`; never another site, whatever slashes and tricks stand in it, never a call or the gate. */
export function safeReturn(wanted: string | null | undefined): string {
  const [asked = ''] = (wanted ?? '').split('#');
  const [path = ''] = asked.split('?');
  return asked.length <= LONGEST && PLAIN.test(asked) && !DOTS.test(path) && !NOT_A_PAGE.test(path)
    ? asked
    : '/';
}
