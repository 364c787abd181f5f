// Who may create an account: what the gate says of it, and what the administrator decides.

import type { Context, Hono } from 'hono';
import { INVITATION_DAYS, invitations } from '../../../shared/nouns/invitations.ts';
import { signUp as calls } from '../../../shared/nouns/sign-up.ts';
import { DAY } from '../../../shared/time.ts';
import type { SignInWay } from '../../db/schema/columns.ts';
import type { Deps } from '../../deps.ts';
import { randomToken, sha256 } from '../../digests.ts';
import { AppError } from '../../errors.ts';
import { addressBucket, clientAddress } from '../../http/client-address.ts';
import { deviceOf } from '../../http/device-name.ts';
import { countAttempt, SIGN_UPS_BY_ADDRESS } from '../../http/rate-limit.ts';
import { idParam, route } from '../../http/route.ts';
import {
  insertInvitation,
  listInvitations,
  revokeInvitation,
  revokeInvitations,
} from './invitation-store.ts';
import { hasAdministrator } from './setup-token-store.ts';
import {
  admitted,
  type Brought,
  expectAdmission,
  invitationFrom,
  setSignUpMode,
  signUpMode,
} from './sign-up-store.ts';

/**
 * Creates an account if this server lets it in, and makes it the administrator if it came by the set-up token.
 * @param create writes the account; returns null when its name, subject or passkey is taken
 * @param named whether the configuration names this person as an administrator
 * @returns the account's id, or null when something of it is taken
 * @throws AppError `sign-up-closed`, `invitation-needed`, `invitation-spent` or `too-many`
 */
export async function signUp(
  deps: Deps,
  c: Context,
  { way, brought, named = false }: { way: SignInWay; brought: Brought | null; named?: boolean },
  create: Parameters<typeof admitted>[2],
): Promise<number | null> {
  const address = addressBucket(clientAddress(deps.config, c));
  if (address !== '') await countAttempt(deps, `sign-up ${address}`, SIGN_UPS_BY_ADDRESS);
  const made = await admitted(deps, { brought, named, way, device: deviceOf(c) }, create);
  if (made?.isAdmin) deps.forgetSetupToken();
  return made?.accountId ?? null;
}

export function signUpRoutes(app: Hono, deps: Deps): void {
  const byConfiguration = deps.config.signUp !== null;

  route(app, deps, calls.get, async () => ({
    mode: await signUpMode(deps),
    provider: deps.config.oidc !== null,
    hasAdmin: await hasAdministrator(deps),
  }));

  route(app, deps, calls.check, ({ body }) => expectAdmission(deps, invitationFrom(deps, body.invitation)));

  route(app, deps, calls.settings, async () => ({ mode: await signUpMode(deps), byConfiguration }));

  route(app, deps, calls.put, async ({ body, caller }) => {
    if (byConfiguration) throw new AppError('set-by-configuration');
    await setSignUpMode(deps, caller, body.mode);
    return { mode: body.mode, byConfiguration };
  });

  route(app, deps, invitations.list, () => listInvitations(deps));

  route(app, deps, invitations.create, async ({ body, caller }) => {
    const secret = randomToken();
    const made = await insertInvitation(deps, caller, {
      secretHash: sha256(secret),
      lasts: (body.days ?? INVITATION_DAYS) * DAY,
      invited: body.invited ?? '',
    });
    if (!made) throw new AppError('invitations-full');
    return { ...made, secret };
  });

  route(app, deps, invitations.revoke, async ({ params, caller }) => {
    const outcome = await revokeInvitation(deps, caller, idParam(params.id));
    if (outcome !== 'revoked') throw new AppError(outcome);
  });

  route(app, deps, invitations.revokeAll, async ({ caller }) => ({
    revoked: await revokeInvitations(deps, caller),
  }));
}
