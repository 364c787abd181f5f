// The first way through the gate: discoverable passkeys, with the person verified by their authenticator.
import { randomUUID } from 'node:crypto';
import type { Hono } from 'hono';
import { PASSKEYS_MAX } from '../../../shared/http/ceremony.ts';
import { gate, proof } from '../../../shared/nouns/account.ts';
import { passkeys } from '../../../shared/nouns/ways-to-sign-in.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { issueChallenge, type Purpose } from '../../http/challenge-store.ts';
import { forgiveGate } from '../../http/rate-limit.ts';
import { route } from '../../http/route.ts';
import {
  registrationOptions,
  requestOptionsFor,
  takeChallenge,
  verifyNew,
  verifyUse,
} from './passkey-ceremony.ts';
import {
  addPasskey,
  createAccountWithPasskey,
  listPasskeys,
  passkeyIds,
  removePasskey,
} from './passkey-store.ts';
import { recordProof, signIn } from './sign-in.ts';
import { signUp } from './sign-up.ts';
import { type Brought, expectAdmission, invitationFrom } from './sign-up-store.ts';
import { loadUser } from './user-store.ts';

export function passkeyRoutes(app: Hono, deps: Deps): void {
  async function askForUse(purpose: Purpose, payload: Record<string, unknown>, allowed?: string[]) {
    const options = requestOptionsFor(deps, allowed);
    await issueChallenge(deps, purpose, options.challenge, payload);
    return { options };
  }

  route(app, deps, gate.passkeyBeginOptions, async ({ body }) => {
    const brought = invitationFrom(deps, body.invitation);
    // Nobody shall make a passkey for nothing.
    await expectAdmission(deps, brought);
    const uid = randomUUID();
    const options = registrationOptions(deps, uid, []);
    await issueChallenge(deps, 'passkey-begin', options.challenge, { uid, brought });
    return { options };
  });

  route(app, deps, gate.passkeyBegin, async ({ body, c }) => {
    const { challenge, payload } = await takeChallenge(deps, 'passkey-begin', body.response);
    const passkey = await verifyNew(deps, c, challenge, body.response);
    const accountId = await signUp(
      deps,
      c,
      { way: 'passkey', brought: payload.brought as Brought | null },
      (inside, isAdmin) => createAccountWithPasskey(inside, { uid: String(payload.uid), isAdmin }, passkey),
    );
    if (accountId === null) throw new AppError('passkey-known');
    await signIn(deps, c, accountId, 'passkey');
    return loadUser(deps, accountId, { way: 'passkey', provedAt: deps.now() });
  });

  route(app, deps, gate.passkeyEnterOptions, () => askForUse('passkey-enter', {}));

  route(app, deps, gate.passkeyEnter, async ({ body, c }) => {
    const { challenge } = await takeChallenge(deps, 'passkey-enter', body.response);
    const accountId = await verifyUse(deps, c, 'failed-sign-in', challenge, body.response);
    await forgiveGate(c);
    await signIn(deps, c, accountId, 'passkey');
    return loadUser(deps, accountId, { way: 'passkey', provedAt: deps.now() });
  });

  route(app, deps, proof.passkeyOptions, async ({ caller }) => {
    const mine = await passkeyIds(deps.db, caller.accountId);
    return askForUse('passkey-proof', { uid: caller.uid }, mine);
  });

  route(app, deps, proof.passkey, async ({ body, caller, c }) => {
    const { challenge, payload } = await takeChallenge(deps, 'passkey-proof', body.response);
    if (payload.uid !== caller.uid) throw new AppError('unknown-passkey');
    const accountId = await verifyUse(deps, c, 'failed-proof', challenge, body.response);
    if (accountId !== caller.accountId) throw new AppError('unknown-passkey');
    return { provedUntil: new Date(await recordProof(deps, caller)).toISOString() };
  });

  route(app, deps, passkeys.list, ({ caller }) => listPasskeys(deps, caller.accountId));

  route(app, deps, passkeys.options, async ({ caller }) => {
    const mine = await passkeyIds(deps.db, caller.accountId);
    // Nobody shall make a passkey for nothing.
    if (mine.length >= PASSKEYS_MAX) throw new AppError('passkeys-full');
    const options = registrationOptions(deps, caller.uid, mine);
    await issueChallenge(deps, 'passkey-add', options.challenge, { uid: caller.uid });
    return { options };
  });

  route(app, deps, passkeys.add, async ({ body, caller, c }) => {
    const { challenge, payload } = await takeChallenge(deps, 'passkey-add', body.response);
    if (payload.uid !== caller.uid) throw new AppError('ceremony-expired');
    const passkey = await verifyNew(deps, c, challenge, body.response);
    const outcome = await addPasskey(deps, caller, passkey);
    if (outcome !== 'added') throw new AppError(outcome);
    const added = (await listPasskeys(deps, caller.accountId)).find(({ id }) => id === passkey.id);
    if (!added) throw new AppError('not-found');
    return added;
  });

  route(app, deps, passkeys.remove, async ({ params, caller }) => {
    const outcome = await removePasskey(deps, caller, params.id);
    if (outcome !== 'removed') throw new AppError(outcome);
  });
}
