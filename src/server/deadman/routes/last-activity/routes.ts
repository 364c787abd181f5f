// Proof of life, the warning address, and what is pressed in a mail.
import type { Hono } from 'hono';
import { normaliseAddress } from '../../../../shared/nouns/scroll-recipients.ts';
import { confirmations, warningAddress } from '../../../../shared/nouns/switch.ts';
import { proofOfLife } from '../../../../shared/nouns/switch-state.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../errors.ts';
import { route } from '../../../http/route.ts';
import { readLinkToken } from '../../delivery/link-token.ts';
import { lookAtConfirmation, press } from './confirmation-store.ts';
import { askWarningAddress, giveProofOfLife, readWarningAddress, removeWarningAddress } from './store.ts';

export function lastActivityRoutes(app: Hono, deps: Deps): void {
  route(app, deps, proofOfLife.give, async ({ caller }) => ({
    lastActivity: await giveProofOfLife(deps, caller.accountId),
  }));

  route(app, deps, warningAddress.get, ({ caller }) => readWarningAddress(deps.db, caller.accountId));

  route(app, deps, warningAddress.put, ({ body, caller }) =>
    askWarningAddress(deps, caller, normaliseAddress('email', body.address)),
  );

  route(app, deps, warningAddress.remove, ({ caller }) => removeWarningAddress(deps, caller.accountId));

  route(app, deps, confirmations.look, async ({ body }) => {
    const publicId = readLinkToken(deps.digests, body.token);
    const found = publicId && (await lookAtConfirmation(deps, publicId));
    if (!found) throw new AppError('not-found');
    return found;
  });

  route(app, deps, confirmations.press, async ({ body }) => {
    const publicId = readLinkToken(deps.digests, body.token);
    const pressed = publicId ? await press(deps, publicId) : 'not-found';
    if (typeof pressed === 'string') throw new AppError(pressed);
    return pressed;
  });
}
