// The second way through the gate: a name and a key that the browser made of a passphrase.
// The passphrase never comes here; its auth key is already stretched, so a plain hash of it is enough.
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Hono } from 'hono';
import { gate, normaliseName, passphrase, proof } from '../../../shared/account.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { addressBucket, clientAddress } from '../../http/client-address.ts';
import {
  countAttempt,
  forgiveAttempts,
  GATE_BY_NAME,
  GATE_BY_NAME_AND_ADDRESS,
} from '../../http/rate-limit.ts';
import { route } from '../../http/route.ts';
import { markProved, startSession } from '../../http/session.ts';
import { createAccount, findByName, findByUid } from './account-store.ts';
import { removePassphrase, setPassphrase } from './passphrase-store.ts';
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
    const accountId = await createAccount(deps, {
      uid,
      name,
      authHash: hashAuthKey(uid, body.authKey),
      // The browser's own word counts: between the two calls another server may have answered, with another secret.
      passphraseSalt: body.salt ?? deps.digests.salt(name),
    });
    if (accountId === null) throw new AppError('name-taken');
    await startSession(deps, c, accountId, 'passphrase');
    return loadUser(deps, accountId, { way: 'passphrase', provedAt: deps.now() });
  });

  route(app, deps, gate.passphraseEnter, async ({ body, c }) => {
    const name = normaliseName(body.name);
    // Two counters: a stranger who guesses from one address is stopped early without shutting the owner out.
    const near = `name ${name} from ${addressBucket(clientAddress(deps.config, c))}`;
    await countAttempt(deps, near, GATE_BY_NAME_AND_ADDRESS);
    await countAttempt(deps, `name ${name}`, GATE_BY_NAME);
    const account = await findByName(deps, name);
    if (!matches(account?.uid ?? '', body.authKey, account?.auth_hash) || !account) {
      throw new AppError('wrong-passphrase');
    }
    await forgiveAttempts(deps, near);
    await startSession(deps, c, account.id, 'passphrase');
    return loadUser(deps, account.id, { way: 'passphrase', provedAt: deps.now() });
  });

  route(app, deps, proof.passphrase, async ({ body, caller }) => {
    await countAttempt(deps, `proof ${caller.uid}`, GATE_BY_NAME_AND_ADDRESS);
    const account = await findByUid(deps, caller.uid);
    if (!matches(caller.uid, body.authKey, account?.auth_hash)) throw new AppError('wrong-passphrase');
    return { provedUntil: new Date(await markProved(deps, caller)).toISOString() };
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
        'wrap.params: this house stretches passphrases by other parameters.',
      );
    }
    const outcome = await setPassphrase(deps, caller, {
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
    if (!(await removePassphrase(deps, caller.accountId))) throw new AppError('last-way-in');
    return loadUser(deps, caller.accountId, caller);
  });
}
