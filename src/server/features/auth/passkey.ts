// The first way through the gate: discoverable passkeys, with the person verified by their authenticator.
import { randomUUID } from 'node:crypto';
import type { Hono } from 'hono';
import { gate, passkeys, proof } from '../../../shared/account.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { issueChallenge, type Purpose } from '../../http/challenge-store.ts';
import { route } from '../../http/route.ts';
import { markProved, startSession } from '../../http/session.ts';
import { relyingParty } from '../../http/site.ts';
import { registrationOptions, takeChallenge, verifyNew, verifyUse, webauthn } from './passkey-ceremony.ts';
import { addPasskey, createAccountWithPasskey, listPasskeys, removePasskey } from './passkey-store.ts';
import { loadUser } from './user-store.ts';

/** Options are plain JSON by their own specification; the contract knows them as a record. */
const asRecord = (options: object) => ({ options: options as Record<string, unknown> });

export function passkeyRoutes(app: Hono, deps: Deps): void {
  async function askForUse(purpose: Purpose, payload: Record<string, unknown>, allowed?: string[]) {
    const { generateAuthenticationOptions } = await webauthn();
    const options = await generateAuthenticationOptions({
      rpID: relyingParty(deps.config),
      userVerification: 'required',
      ...(allowed ? { allowCredentials: allowed.map((id) => ({ id })) } : {}),
    });
    await issueChallenge(deps, purpose, options.challenge, payload);
    return asRecord(options);
  }

  route(app, deps, gate.passkeyBeginOptions, async () => {
    const uid = randomUUID();
    const options = await registrationOptions(deps, uid, []);
    await issueChallenge(deps, 'passkey-begin', options.challenge, { uid });
    return asRecord(options);
  });

  route(app, deps, gate.passkeyBegin, async ({ body, c }) => {
    const { challenge, payload } = await takeChallenge(deps, 'passkey-begin', body.response);
    const passkey = await verifyNew(deps, c, challenge, body.response);
    const accountId = await createAccountWithPasskey(deps, String(payload.uid), passkey);
    if (accountId === null) throw new AppError('passkey-known');
    await startSession(deps, c, accountId, 'passkey');
    return loadUser(deps, accountId, { way: 'passkey', provedAt: deps.now() });
  });

  route(app, deps, gate.passkeyEnterOptions, () => askForUse('passkey-enter', {}));

  route(app, deps, gate.passkeyEnter, async ({ body, c }) => {
    const { challenge } = await takeChallenge(deps, 'passkey-enter', body.response);
    const accountId = await verifyUse(deps, c, challenge, body.response);
    await startSession(deps, c, accountId, 'passkey');
    return loadUser(deps, accountId, { way: 'passkey', provedAt: deps.now() });
  });

  route(app, deps, proof.passkeyOptions, async ({ caller }) => {
    const mine = await listPasskeys(deps, caller.accountId);
    return askForUse(
      'passkey-proof',
      { uid: caller.uid },
      mine.map(({ id }) => id),
    );
  });

  route(app, deps, proof.passkey, async ({ body, caller, c }) => {
    const { challenge, payload } = await takeChallenge(deps, 'passkey-proof', body.response);
    if (payload.uid !== caller.uid) throw new AppError('unknown-passkey');
    const accountId = await verifyUse(deps, c, challenge, body.response);
    if (accountId !== caller.accountId) throw new AppError('unknown-passkey');
    return { provedUntil: new Date(await markProved(deps, caller)).toISOString() };
  });

  route(app, deps, passkeys.list, ({ caller }) => listPasskeys(deps, caller.accountId));

  route(app, deps, passkeys.options, async ({ caller }) => {
    const mine = await listPasskeys(deps, caller.accountId);
    const options = await registrationOptions(
      deps,
      caller.uid,
      mine.map(({ id }) => id),
    );
    await issueChallenge(deps, 'passkey-add', options.challenge, { uid: caller.uid });
    return asRecord(options);
  });

  route(app, deps, passkeys.add, async ({ body, caller, c }) => {
    const { challenge, payload } = await takeChallenge(deps, 'passkey-add', body.response);
    if (payload.uid !== caller.uid) throw new AppError('ceremony-expired');
    const passkey = await verifyNew(deps, c, challenge, body.response);
    if (!(await addPasskey(deps, caller.accountId, passkey))) throw new AppError('passkey-known');
    const added = (await listPasskeys(deps, caller.accountId)).find(({ id }) => id === passkey.id);
    if (!added) throw new AppError('not-found');
    return added;
  });

  route(app, deps, passkeys.remove, async ({ params, caller }) => {
    const outcome = await removePasskey(deps, caller.accountId, params.id);
    if (outcome !== 'removed') throw new AppError(outcome);
  });
}
