// A key that is to take the present one's place. It waits in this browser, beside the present key, from before its
// envelope is sent until the answer is certain: whichever of the two the vault has then, this browser can open it.
import { fromHex } from '../../../crypto/base64.ts';
import { OpenError } from '../../../crypto/errors.ts';
import { deriveContentKey, fingerprintOf, vaultKeyToHex } from '../../../crypto/vault-key.ts';
import { vaultKey } from '../../../shared/nouns/vault-key.ts';
import type { ApiClient } from '../../../vault/api/api-client.ts';
import { ApiError, answerIsLost } from '../../../vault/api/api-error.ts';
import { olderKeys } from '../../../vault/keys/key-ring.ts';
import { forgetNextKey, keepNextKey, loadKey, loadNextKeys, promoteNextKey } from '../device/key-slot.ts';
import { oneTabAtATime } from '../device/one-tab.ts';
import { countWaiting } from '../device/waiting-count.ts';
import { resealDrafts } from '../session/drafts.ts';
import type { OpenVault } from '../session/vault-context.ts';

/** Nobody can say whether the new key is in place, or will be: the answer was lost. Both keys are kept. */
export class AnswerLost extends Error {
  /** The server could be asked again: the key is not in place so far. */
  readonly notYet: boolean;

  constructor(notYet: boolean) {
    super();
    this.notYet = notYet;
  }
}

/** This browser's key with `fingerprint`: the present one, or one that waits beside it. Nothing is moved. */
export async function findKey(uid: string, fingerprint: string): Promise<Uint8Array | null> {
  for (const hex of [loadKey(uid), ...loadNextKeys(uid)]) {
    const found = await keyWith(hex, fingerprint);
    if (found) return found;
  }
  return null;
}

async function keyWith(hex: string | null, fingerprint: string): Promise<Uint8Array | null> {
  if (!hex) return null;
  const key = fromHex(hex);
  return (await fingerprintOf(key)) === fingerprint ? key : null;
}

/** Seals under another key what was being written in this browser and what waits in it, as far as one opens it. */
async function resealHere(uid: string, from: CryptoKey, to: CryptoKey): Promise<void> {
  await resealDrafts(uid, from, to);
  if (countWaiting(uid) === 0) return;
  const [{ resealWaiting }, { waitingStoreOf }] = await Promise.all([
    import('../../../vault/outbox/waiting.ts'),
    import('../device/waiting-store.ts'),
  ]);
  await resealWaiting(waitingStoreOf(uid), from, to);
}

/**
 * Puts a key in the present one's place; what was being written in this browser and what waits in it goes along: without the older
 * key, which no ring may have, it would never open again.
 */
export async function takeKey(uid: string, hex: string): Promise<void> {
  const old = loadKey(uid);
  if (old && old !== hex) {
    const [from, to] = await Promise.all([old, hex].map((one) => deriveContentKey(fromHex(one))));
    if (from && to) await resealHere(uid, from, to);
  }
  promoteNextKey(uid, hex);
}

/**
 * Seals under the present key what a key of the ring has sealed in this browser, as no ring may be left. A ring that does not open
 * opened none of it.
 * @throws ApiError or TypeError when the ring cannot be fetched
 */
export async function leaveRing(vault: OpenVault): Promise<void> {
  const older = await olderKeys(vault).catch((error: unknown) => {
    if (error instanceof OpenError) return [];
    throw error;
  });
  for (const key of older) await resealHere(vault.user.id, key, vault.contentKey);
}

/**
 * Sends the envelope of a new key, and makes that key this browser's when it is certain that it is the vault's.
 * @param put sends the envelope
 * @param arrived notes which key the vault has, once it is certain
 * @param giveUp sees to it that an envelope that is still on its way finds nothing any more, where that can be done
 * @throws what `put` threw, with nothing changed; AnswerLost when it is not certain. The key goes on waiting in either case
 */
export function swapKey(
  { api, user: { id: uid } }: Pick<OpenVault, 'api' | 'user'>,
  key: Uint8Array,
  put: () => Promise<unknown>,
  arrived: () => void,
  giveUp: (() => Promise<unknown>) | null = null,
): Promise<void> {
  return oneTabAtATime(uid, async () => {
    const hex = vaultKeyToHex(key);
    const fingerprint = await fingerprintOf(key);
    // An earlier try of this very key may have arrived, whatever this one is answered.
    const tried = loadNextKeys(uid).includes(hex);
    keepNextKey(uid, hex);
    try {
      await put();
    } catch (error) {
      if (error instanceof ApiError && !answerIsLost(error)) {
        // Whoever refuses an envelope has it all the same, and may show it later: the key goes on waiting, which costs nothing.
        if (!tried || !(await isInPlace(api, fingerprint).catch(() => false))) throw error;
      } else if (!(await hasArrived(api, fingerprint, giveUp))) throw error;
    }
    arrived();
    await takeKey(uid, hex);
    // The vault has gone on from the key that the others were to replace: none of them can become its key any more.
    for (const other of loadNextKeys(uid)) if (other !== hex) forgetNextKey(uid, other);
  });
}

const isInPlace = async (api: ApiClient, fingerprint: string) =>
  (await api.send(vaultKey.get, {}))?.clientKey.fingerprint === fingerprint;

/**
 * Whether a key has become the vault's although its answer was lost. Only giving up first makes "no" last. The key goes
 * on waiting in any case; it costs nothing.
 */
async function hasArrived(
  api: ApiClient,
  fingerprint: string,
  giveUp: (() => Promise<unknown>) | null,
): Promise<boolean> {
  let inPlace: boolean;
  try {
    await giveUp?.();
    inPlace = await isInPlace(api, fingerprint);
  } catch {
    throw new AnswerLost(false);
  }
  if (!inPlace && !giveUp) throw new AnswerLost(true);
  return inPlace;
}
