// The gate and what belongs to a signed-in person: who they are, their sessions, leaving, becoming its administrator.
import type { Hono } from 'hono';
import { account, admin } from '../../../shared/nouns/account.ts';
import { sessions } from '../../../shared/nouns/session.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { route } from '../../http/route.ts';
import { listSessions, revokeOtherSessions, revokeSession } from '../../http/session-list-store.ts';
import { oidcRoutes } from './oidc.ts';
import { passkeyRoutes } from './passkey.ts';
import { passphraseRoutes } from './passphrase.ts';
import { claimSetupToken } from './setup-token-store.ts';
import { signUpRoutes } from './sign-up.ts';
import { loadUser } from './user-store.ts';
import { wordsRoutes } from './words.ts';

export function authRoutes(app: Hono, deps: Deps): void {
  oidcRoutes(app, deps);
  passkeyRoutes(app, deps);
  passphraseRoutes(app, deps);
  wordsRoutes(app, deps);
  signUpRoutes(app, deps);

  route(app, deps, account.user, ({ caller }) => loadUser(deps, caller.accountId, caller));

  route(app, deps, sessions.list, ({ caller }) => listSessions(deps, caller));

  route(app, deps, sessions.revoke, async ({ params, caller }) => {
    if (!(await revokeSession(deps, caller, params.id))) throw new AppError('not-found');
  });

  route(app, deps, sessions.revokeOthers, ({ caller }) => revokeOtherSessions(deps, caller));

  route(app, deps, admin.claim, async ({ body, caller }) => {
    const claimed = await claimSetupToken(deps, deps.digests.keyed('setup-token', body.token.trim()), caller);
    if (!claimed) throw new AppError('wrong-token');
    deps.forgetSetupToken();
    return loadUser(deps, caller.accountId, caller);
  });
}
