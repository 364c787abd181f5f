// Regenerating the vault's key: everything is sealed anew and staged, then put in place at once together with the new
// key. Whatever fails before that has changed nothing.
import { OpenError } from '../../../crypto/errors.ts';
import { sealKeyRing } from '../../../crypto/key-ring.ts';
import {
  deriveContentKey,
  fingerprintOf,
  generateVaultKey,
  vaultKeyToHex,
} from '../../../crypto/vault-key.ts';
import type { Wrap } from '../../../crypto/wrap.ts';
import { regeneration } from '../../../shared/regeneration.ts';
import { vaultKey } from '../../../shared/vault-key.ts';
import { ApiError, send } from '../../api/client.ts';
import { setUser } from '../../hooks/use-user.ts';
import { keyInHand } from '../key-in-hand.ts';
import { keysOfTheRing } from '../key-ring.ts';
import type { OpenVault } from '../vault-context.ts';
import { type Gathered, gather } from './gather.ts';
import { swapKey } from './next-key.ts';
import { type Progress, type Staged, stage } from './stage.ts';

/** A key that was made here and is not the vault's yet, as the vault it will open. */
export interface NextKey {
  key: Uint8Array;
  vault: OpenVault;
}

/** The proved ways back to a new key. */
export interface NewWays {
  wraps: Wrap[];
  wordsKept: boolean;
}

/** What was found before anything was changed. */
export interface Survey extends Gathered {
  id: string;
  withheld: { lockedMemories: number; ghosts: number; breath: number; whispers: number };
}

/** Others keep writing into the vault faster than it can be sealed anew. */
export class VaultTooBusy extends Error {}

/** The keys that came before cannot be opened, so they cannot be handed on. */
export class RingUnreadable extends Error {}

const ATTEMPTS = 5;

/** Makes a new key; nobody knows of it yet. */
export async function makeNextKey({ user }: OpenVault): Promise<NextKey> {
  const key = generateVaultKey();
  const [contentKey, fingerprint] = await Promise.all([deriveContentKey(key), fingerprintOf(key)]);
  return { key, vault: { user, contentKey, fingerprint } };
}

/** Begins, and finds out what can be sealed anew. @throws ApiError, TypeError */
export async function beginRegeneration(vault: OpenVault): Promise<Survey> {
  const { id, withheld } = await send(regeneration.begin, { body: { fingerprint: vault.fingerprint } });
  return { id, withheld, ...(await gather(vault)) };
}

/** Gives up, as far as the house can be told; what was staged counts for nothing in any case. */
export function abandonRegeneration(): void {
  send(regeneration.abandon, {}).catch(() => {});
}

/**
 * Seals everything anew and puts the new key in place.
 * @returns how many entries do not open and were left as they are
 * @throws with nothing changed; AnswerLost when that is not certain
 */
export async function resealEverything(
  vault: OpenVault,
  next: NextKey,
  ways: NewWays,
  survey: Survey,
  progress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<number> {
  const envelope = { ...(await envelopeOf(next, ways)), keyRing: await nextRing(vault, next) };
  const staged: Staged = new Map();
  let gathered: Gathered = survey;
  for (let attempt = 1; ; attempt++) {
    await stage(survey.id, gathered, next.vault, staged, progress, signal);
    const { opened, left } = gathered;
    progress({ done: opened.length, all: opened.length, finishing: true });
    try {
      const body = { id: survey.id, previousFingerprint: vault.fingerprint, ...envelope };
      await swapKey(
        vault.user.id,
        next.key,
        () => send(regeneration.finish, { body }),
        // An envelope that is still on its way finds no regeneration any more.
        () => send(regeneration.abandon, {}),
      );
      tellTheHouse(vault, next, ways);
      return left.length;
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'entries-changed')) throw error;
      if (attempt === ATTEMPTS) throw new VaultTooBusy();
      // Something was written meanwhile: what is new is staged as well, and nothing else again.
      gathered = await gather(vault);
    }
  }
}

/** Puts the new key in place and lets everything under the old ones burn. @throws as `resealEverything` */
export async function letBurn(vault: OpenVault, next: NextKey, ways: NewWays): Promise<void> {
  const { clientKey } = await envelopeOf(next, ways);
  await swapKey(vault.user.id, next.key, () =>
    send(vaultKey.put, { body: { clientKey, previousFingerprint: vault.fingerprint } }),
  );
  if (ways.wordsKept) {
    // If this fails the words are asked for once more, on the dashboard; they open the vault either way.
    await send(vaultKey.keepWords, { body: { fingerprint: next.vault.fingerprint } }).catch(() => {});
  }
  tellTheHouse(vault, next, ways);
}

async function envelopeOf({ key }: NextKey, { wraps, wordsKept }: NewWays) {
  const { createClientKey } = await import('../../../crypto/client-key.ts');
  return { clientKey: { ...(await createClientKey(key)), wraps }, wordsKept };
}

/** The keys of the ring and the present one, sealed under the next. @throws RingUnreadable */
async function nextRing(vault: OpenVault, next: NextKey) {
  try {
    const keys = [...(await keysOfTheRing(vault)), await keyInHand(vault)];
    const distinct = new Map(keys.map((key) => [vaultKeyToHex(key), key]));
    return await sealKeyRing([...distinct.values()], next.vault.contentKey);
  } catch (error) {
    if (error instanceof OpenError) throw new RingUnreadable();
    throw error;
  }
}

/** Shows the vault under its new key at once. Asking the house instead could fail just now. */
function tellTheHouse({ user }: OpenVault, next: NextKey, { wraps, wordsKept }: NewWays): void {
  const passkeys = wraps.filter(({ method }) => method === 'passkey').length;
  setUser({
    ...user,
    keyFingerprint: next.vault.fingerprint,
    wordsKeptAt: wordsKept ? new Date().toISOString() : null,
    wayBackPasskeys: passkeys,
    wayBackPassphrase: wraps.length > passkeys,
  });
}
