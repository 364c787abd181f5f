// The second way through the gate: a name and a key that the browser made of a passphrase.
// The passphrase never comes here; its auth key is already stretched, so a plain hash of it is enough.
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Hono } from 'hono';
import { gate, normaliseName, proof } from '../../../shared/nouns/account.ts';
import { passphrase } from '../../../shared/nouns/ways-to-sign-in.ts';
import { createAccount, findByName, findByUid } from '../../accounts/account-store.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { countFailure } from '../../http/activity-store.ts';
import { deviceOf } from '../../http/device-name.ts';
import { countGuess } from '../../http/guesses.ts';
import { GATE, gateBucket, sessionBucket } from '../../http/rate-limit.ts';
import { route } from '../../http/route.ts';
import { changePassphrase, removePassphrase } from './passphrase-store.ts';
import { recordProof, signIn } from './sign-in.ts';
import { signUp } from './sign-up.ts';
import { invitationFrom } from './sign-up-store.ts';
import { loadUser } from './user-store.ts';

/** What a browser stretches a passphrase by; it refuses to go lower (docs/formats.md, "Passphrase"). */
const STRETCHING = { memory: 64 * 1024, iterations: 3, parallelism: 1 };

function hashAuthKey(uid: string, authKey: string): string {
  return createHash('sha256').update(`${uid}\0${authKey}`).digest('hex');
}

function matches(uid: string, authKey: string, stored: string | null | undefined): boolean {
  const given = Buffer.from(hashAuthKey(uid, authKey), 'hex');
  const kept = Buffer.from(stored ?? '', 'hex');
  return kept.length === given.length && timingSafeEqual(kept, given);
}

export function passphraseRoutes(app: Hono, deps: Deps): void {
  route(app, deps, gate.passphraseSalt, async ({ body }) => {
    const name = normaliseName(body.name);
    const account = await findByName(deps, name);
    // Made for every name, so that known and unknown take as long.
    const made = deps.digests.salt(name);
    return { salt: account?.passphrase_salt ?? made, ...STRETCHING };
  });

  route(app, deps, gate.passphraseBegin, async ({ body, c }) => {
    const name = normaliseName(body.name);
    const uid = randomUUID();
    const accountId = await signUp(
      deps,
      c,
      { way: 'passphrase', brought: invitationFrom(deps, body.invitation) },
      (inside, isAdmin) =>
        createAccount(inside, {
          uid,
          name,
          authHash: hashAuthKey(uid, body.authKey),
          // The browser's own word counts: between the two calls another server may have answered, with another secret.
          passphraseSalt: body.salt ?? deps.digests.salt(name),
          isAdmin,
        }),
    );
    if (accountId === null) throw new AppError('name-taken');
    await signIn(deps, c, accountId, 'passphrase');
    return loadUser(deps, accountId, { way: 'passphrase', provedAt: deps.now() });
  });

  route(app, deps, gate.passphraseEnter, async ({ body, c }) => {
    const name = normaliseName(body.name);
    // A name that does not exist is counted like one that does.
    const guess = await countGuess(deps, { at: `name ${name}`, by: gateBucket(deps, c), allowance: GATE });
    const account = await findByName(deps, name);
    if (!matches(account?.uid ?? '', body.authKey, account?.auth_hash) || !account) {
      const failed = { kind: 'failed-sign-in', way: 'passphrase', device: deviceOf(c) } as const;
      await countFailure(deps, account?.id ?? null, failed, name);
      throw new AppError('wrong-passphrase');
    }
    await guess.forgive();
    await signIn(deps, c, account.id, 'passphrase');
    return loadUser(deps, account.id, { way: 'passphrase', provedAt: deps.now() });
  });

  route(app, deps, proof.passphrase, async ({ body, caller }) => {
    // By session: whoever has stolen another one, or guesses at the gate, uses up nothing of this one.
    const by = sessionBucket(caller.sessionHash);
    const guess = await countGuess(deps, { at: `proof ${caller.uid}`, by, allowance: GATE });
    const account = await findByUid(deps, caller.uid);
    if (!matches(caller.uid, body.authKey, account?.auth_hash)) {
      const failed = { kind: 'failed-proof', way: 'passphrase', device: caller.device } as const;
      await countFailure(deps, caller.accountId, failed, caller.uid);
      throw new AppError('wrong-passphrase');
    }
    await guess.forgive();
    return { provedUntil: new Date(await recordProof(deps, caller)).toISOString() };
  });

  route(app, deps, passphrase.set, async ({ body, caller }) => {
    if (body.wrap.method !== 'passphrase') {
      throw new AppError('invalid-input', 'wrap: this must be wrapped under the passphrase.');
    }
    const { salt, ...stretching } = body.wrap.params;
    // The gate tells every browser to stretch by these; a passphrase stretched by others would never enter again.
    if (!isDeepStrictEqual(stretching, STRETCHING)) {
      throw new AppError(
        'invalid-input',
        'wrap.params: this server stretches passphrases by other parameters.',
      );
    }
    const outcome = await changePassphrase(deps, caller, {
      name: normaliseName(body.name),
      authHash: hashAuthKey(caller.uid, body.authKey),
      salt,
      wrap: body.wrap,
      fingerprint: body.fingerprint,
    });
    if (outcome !== 'set') throw new AppError(outcome);
    return loadUser(deps, caller.accountId, caller);
  });

  route(app, deps, passphrase.remove, async ({ caller }) => {
    if (!(await removePassphrase(deps, caller))) throw new AppError('last-way-in');
    return loadUser(deps, caller.accountId, caller);
  });
}
