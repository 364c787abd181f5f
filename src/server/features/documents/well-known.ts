// What programs ask for at fixed addresses (RFC 8615): whom to tell of a weakness, and where a passphrase is changed.
import type { Hono } from 'hono';
import { PASSPHRASE_PATH } from '../../../shared/addresses.ts';
import { SIGN_IN_QUERY } from '../../../shared/screens.ts';
import { DAY } from '../../../shared/time.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { nameRoute } from '../../http/observe.ts';
import { readSession } from '../../http/session.ts';

const SECURITY_TXT = '/.well-known/security.txt';
const CHANGE_PASSWORD = '/.well-known/change-password';
/** For how long an answer is said to hold. RFC 9116, 2.5.5 recommends less than a year. */
const HOLDS = 180 * DAY;

export function wellKnownRoutes(app: Hono, deps: Deps): void {
  const { config, now } = deps;

  /** As RFC 9116 has it. It is made for each request, so that it cannot have expired. */
  app.get(SECURITY_TXT, (c) => {
    nameRoute(c, SECURITY_TXT);
    const { securityContact, publicUrl } = config;
    if (!securityContact) throw new AppError('not-found');
    // The same for a whole day: nobody learns the second of this clock.
    const expires = new Date(Math.floor((now() + HOLDS) / DAY) * DAY);
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${expires.toISOString()}`,
      'Preferred-Languages: en',
      ...(publicUrl ? [`Canonical: ${publicUrl.origin}${SECURITY_TXT}`] : []),
    ];
    return c.text(`${lines.join('\n')}\n`);
  });

  /** Where password managers send a browser (w3c, "A Well-Known URL for Changing Passwords"). Visitors sign in first. */
  app.get(CHANGE_PASSWORD, async (c) => {
    nameRoute(c, CHANGE_PASSWORD);
    const isIn = (await readSession(deps, c)) !== null;
    return c.redirect(isIn ? PASSPHRASE_PATH : `${PASSPHRASE_PATH}?${SIGN_IN_QUERY}`, 302);
  });
}
