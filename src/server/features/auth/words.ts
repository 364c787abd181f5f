// The third way through the gate: the browser that knows the twenty-four words signs a nonce with the vault's key.
import type { Hono } from 'hono';
import { gate, proof } from '../../../shared/nouns/account.ts';
import type { Deps } from '../../deps.ts';
import { randomToken, sha256 } from '../../digests.ts';
import { AppError } from '../../errors.ts';
import { countFailure } from '../../http/activity-store.ts';
import { consumeChallenge, issueChallenge } from '../../http/challenge-store.ts';
import { deviceOf } from '../../http/device-name.ts';
import { forgiveGate } from '../../http/rate-limit.ts';
import { route } from '../../http/route.ts';
import { origin } from '../../http/site.ts';
import { recordProof, signIn } from './sign-in.ts';
import { loadUser } from './user-store.ts';
import { findByVerifyingKeyHash, verifyingKeyOf } from './verifying-key-store.ts';

// The verifier is a large library that few requests need.
const signatures = () => import('../../adapters/signatures.ts');

export function wordsRoutes(app: Hono, deps: Deps): void {
  route(app, deps, gate.wordsNonce, async () => {
    const nonce = randomToken();
    await issueChallenge(deps, 'words', nonce);
    return { nonce };
  });

  route(app, deps, gate.wordsEnter, async ({ body, c }) => {
    if (!(await consumeChallenge(deps, 'words', body.nonce))) throw new AppError('ceremony-expired');
    const vault = await findByVerifyingKeyHash(deps, sha256(body.verifyingKey));
    const { signInMessage, verifySignature } = await signatures();
    const message = signInMessage(origin(deps.config, c), body.nonce);
    // An unknown key is verified too, so that known and unknown take as long.
    const valid = verifySignature(body.verifyingKey, 'latebra/v1/sign-in', message, body.signature);
    if (!vault || !valid) {
      const failed = { kind: 'failed-sign-in', way: 'words', device: deviceOf(c) } as const;
      await countFailure(deps, vault?.account_id ?? null, failed, sha256(body.verifyingKey));
      throw new AppError('unknown-words');
    }
    await forgiveGate(c);
    await signIn(deps, c, vault.account_id, 'words');
    return loadUser(deps, vault.account_id, { way: 'words', provedAt: deps.now() });
  });

  // Nonces of the gate are counted by address, and a household shares one: a session has its own.
  route(app, deps, proof.wordsNonce, async ({ caller }) => {
    const nonce = randomToken();
    await issueChallenge(deps, 'words-proof', nonce, { uid: caller.uid });
    return { nonce };
  });

  route(app, deps, proof.words, async ({ body, caller, c }) => {
    const asked = await consumeChallenge(deps, 'words-proof', body.nonce);
    if (asked?.uid !== caller.uid) throw new AppError('ceremony-expired');
    const vault = await verifyingKeyOf(deps, caller.accountId);
    const { signInMessage, verifySignature } = await signatures();
    const message = signInMessage(origin(deps.config, c), body.nonce);
    if (!vault || !verifySignature(vault.verifying_key, 'latebra/v1/sign-in', message, body.signature)) {
      const failed = { kind: 'failed-proof', way: 'words', device: caller.device } as const;
      await countFailure(deps, caller.accountId, failed, caller.uid);
      throw new AppError('unknown-words');
    }
    return { provedUntil: new Date(await recordProof(deps, caller)).toISOString() };
  });
}
