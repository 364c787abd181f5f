// Proof of life, the warning address, and what is pressed in a mail.
import type { Hono } from 'hono';
import { normaliseAddress } from '../../../../shared/nouns/scroll-recipients.ts';
import { confirmations, reminders } from '../../../../shared/nouns/switch.ts';
import { proofOfLife } from '../../../../shared/nouns/switch-state.ts';
import { secondWarning, warningAddress } from '../../../../shared/nouns/warning-addresses.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../errors.ts';
import { route } from '../../../http/route.ts';
import { readAccountToken, readLinkToken, readPressToken } from '../../delivery/link-token.ts';
import { decline, lookAtDeclining } from '../trusted-contact/decline-store.ts';
import { lookAtPostponement, pressPostponement } from '../trusted-contact/postpone-store.ts';
import { lookAtConfirmation, press } from './confirmation-store.ts';
import { lookAtRehearsals, stopRehearsals } from './stop-rehearsals-store.ts';
import { lookAtReminders, stopReminders } from './stop-reminders-store.ts';
import { lookAtYearly, stopYearly } from './stop-yearly-store.ts';
import {
  askSecondWarning,
  askWarningAddress,
  giveProofOfLife,
  readSecondWarning,
  readWarningAddress,
  removeSecondWarning,
  removeWarningAddress,
} from './store.ts';

export function lastActivityRoutes(app: Hono, deps: Deps): void {
  route(app, deps, proofOfLife.give, async ({ caller }) => ({
    lastActivity: await giveProofOfLife(deps, caller.accountId),
  }));

  route(app, deps, warningAddress.get, ({ caller }) => readWarningAddress(deps.db, caller.accountId));

  route(app, deps, warningAddress.put, ({ body, caller }) =>
    askWarningAddress(deps, caller, normaliseAddress('email', body.address)),
  );

  route(app, deps, warningAddress.remove, ({ caller }) => removeWarningAddress(deps, caller.accountId));

  route(app, deps, secondWarning.get, ({ caller }) => readSecondWarning(deps.db, caller.accountId));

  route(app, deps, secondWarning.put, ({ body: { wantedChannel: channel, address }, caller }) =>
    askSecondWarning(deps, caller, { channel, address: normaliseAddress(channel, address) }),
  );

  route(app, deps, secondWarning.remove, ({ caller }) => removeSecondWarning(deps, caller.accountId));

  route(app, deps, confirmations.look, async ({ body: { token } }) => {
    if (readLinkToken(deps.digests, token, 'postpone') !== null) return lookAtPostponement(deps, token);
    const stops = readStop(deps, token);
    const link = readPressToken(deps.digests, token);
    const found = stops ? await stops.look() : link && (await lookAtConfirmation(deps, link));
    if (!found) throw new AppError('not-found');
    return found;
  });

  route(app, deps, confirmations.press, async ({ body: { token } }) => {
    if (readLinkToken(deps.digests, token, 'postpone') !== null) {
      if (!(await pressPostponement(deps, token))) throw new AppError('press-over');
      return { kind: 'postpone' as const, confirmationsLeft: null };
    }
    const stops = readStop(deps, token);
    if (stops) {
      if (!(await stops.stop())) throw new AppError('not-found');
      return { kind: stops.kind, confirmationsLeft: null };
    }
    const link = readPressToken(deps.digests, token);
    const pressed = link ? await press(deps, link) : 'not-found';
    if (typeof pressed === 'string') throw new AppError(pressed);
    return pressed;
  });

  // Programs that look through mails follow links: following this one changes nothing.
  route(app, deps, reminders.page, async ({ c, params: { token } }) => {
    if (!readStop(deps, token)) throw new AppError('not-found');
    return c.redirect(`/still-here#${encodeURIComponent(token)}`, 302);
  });

  route(app, deps, reminders.stop, async ({ params: { token } }) => {
    if (!(await readStop(deps, token)?.stop())) throw new AppError('not-found');
  });
}

/** What a link stops, for somebody who need not sign in for that; null for another one. */
function readStop(deps: Deps, token: string) {
  const recipient = readLinkToken(deps.digests, token, 'stop-reminders');
  if (recipient !== null) {
    const look = () => lookAtReminders(deps, recipient);
    return { kind: 'reminders' as const, look, stop: () => stopReminders(deps, recipient) };
  }
  const rehearsed = readLinkToken(deps.digests, token, 'stop-rehearsals');
  if (rehearsed !== null) {
    const look = () => lookAtRehearsals(deps, rehearsed);
    return { kind: 'rehearsals' as const, look, stop: () => stopRehearsals(deps, rehearsed) };
  }
  const author = readAccountToken(deps.digests, token, 'stop-yearly');
  if (author !== null) {
    const look = () => lookAtYearly(deps, author);
    return { kind: 'yearly' as const, look, stop: () => stopYearly(deps, author) };
  }
  const contact = readLinkToken(deps.digests, token, 'decline-contact');
  if (contact === null) return null;
  const look = () => lookAtDeclining(deps, contact);
  return { kind: 'decline' as const, look, stop: () => decline(deps, contact) };
}
