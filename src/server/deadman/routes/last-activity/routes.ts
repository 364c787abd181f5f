// Proof of life, the warning address, and what is pressed in a mail.
import type { Hono } from 'hono';
import { normaliseAddress } from '../../../../shared/nouns/scroll-recipients.ts';
import { confirmations, reminders, secondWarning, warningAddress } from '../../../../shared/nouns/switch.ts';
import { proofOfLife } from '../../../../shared/nouns/switch-state.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../errors.ts';
import { route } from '../../../http/route.ts';
import { readLinkToken, readPressToken } from '../../delivery/link-token.ts';
import { lookAtPostponement, pressPostponement } from '../trusted-contact/postpone-store.ts';
import { lookAtConfirmation, press } from './confirmation-store.ts';
import { lookAtReminders, stopReminders } from './stop-reminders-store.ts';
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
    const reminded = readLinkToken(deps.digests, token, 'stop-reminders');
    const link = readPressToken(deps.digests, token);
    const found = reminded
      ? await lookAtReminders(deps, reminded)
      : link && (await lookAtConfirmation(deps, link));
    if (!found) throw new AppError('not-found');
    return found;
  });

  route(app, deps, confirmations.press, async ({ body: { token } }) => {
    if (readLinkToken(deps.digests, token, 'postpone') !== null) {
      if (!(await pressPostponement(deps, token))) throw new AppError('press-over');
      return { kind: 'postpone' as const, confirmationsLeft: null };
    }
    const reminded = readLinkToken(deps.digests, token, 'stop-reminders');
    if (reminded !== null) {
      if (!(await stopReminders(deps, reminded))) throw new AppError('not-found');
      return { kind: 'reminders' as const, confirmationsLeft: null };
    }
    const link = readPressToken(deps.digests, token);
    const pressed = link ? await press(deps, link) : 'not-found';
    if (typeof pressed === 'string') throw new AppError(pressed);
    return pressed;
  });

  // Programs that look through mails follow links: following this one changes nothing.
  route(app, deps, reminders.page, async ({ c, params: { token } }) => {
    if (readLinkToken(deps.digests, token, 'stop-reminders') === null) throw new AppError('not-found');
    return c.redirect(`/still-here#${encodeURIComponent(token)}`, 302);
  });

  route(app, deps, reminders.stop, async ({ params }) => {
    const publicId = readLinkToken(deps.digests, params.token, 'stop-reminders');
    if (publicId === null || !(await stopReminders(deps, publicId))) throw new AppError('not-found');
  });
}
