// A key that is to take the present one's place. It waits in this browser, beside the present key, from before its
// envelope is sent until the answer is certain: whichever of the two the vault has then, this browser can open it.
import { fromHex } from '../../../crypto/base64.ts';
import { deriveContentKey, fingerprintOf, vaultKeyToHex } from '../../../crypto/vault-key.ts';
import { regeneration } from '../../../shared/regeneration.ts';
import { vaultKey } from '../../../shared/vault-key.ts';
import { ApiError, send } from '../../api/client.ts';
import { resealDrafts } from '../drafts.ts';
import { forgetNextKey, keepNextKey, loadKey, loadNextKey, promoteNextKey } from '../key-slot.ts';

/** Nobody can say whether the new key is in place: the answer was lost, and asking again brought none either. */
export class AnswerLost extends Error {}

/** This browser's key of the vault that has `fingerprint`: the present one, or the one that waited beside it. */
export async function keyOfVault(uid: string, fingerprint: string): Promise<Uint8Array | null> {
  const present = await keyWith(loadKey(uid), fingerprint);
  if (present) return present;
  const next = await keyWith(loadNextKey(uid), fingerprint);
  if (next) await takeNextKey(uid);
  return next;
}

async function keyWith(hex: string | null, fingerprint: string): Promise<Uint8Array | null> {
  if (!hex) return null;
  const key = fromHex(hex);
  return (await fingerprintOf(key)) === fingerprint ? key : null;
}

/** Puts the key that waited in the present one's place; what was being written in this browser goes along. */
async function takeNextKey(uid: string): Promise<void> {
  const [old, next] = [loadKey(uid), loadNextKey(uid)];
  if (old && next) {
    const [from, to] = await Promise.all([old, next].map((hex) => deriveContentKey(fromHex(hex))));
    if (from && to) await resealDrafts(uid, from, to);
  }
  promoteNextKey(uid);
}

/**
 * Sends the envelope of a new key, and makes that key this browser's when it is certain that it is the vault's.
 * @param put sends the envelope
 * @throws what `put` threw, with nothing changed; AnswerLost when it is not certain
 */
export async function swapKey(uid: string, key: Uint8Array, put: () => Promise<unknown>): Promise<void> {
  keepNextKey(uid, vaultKeyToHex(key));
  try {
    await put();
  } catch (error) {
    // Only a refusal is certain. Whatever else was answered, the envelope may have arrived.
    const refused = error instanceof ApiError && error.status < 500 && error.code !== '';
    if (refused) forgetNextKey(uid);
    if (refused || !(await hasArrived(await fingerprintOf(key)))) throw error;
  }
  await takeNextKey(uid);
}

/**
 * Whether a key has become the vault's although its answer was lost. Giving up first makes "no" last: an envelope that
 * is still on its way finds no regeneration any more. The key goes on waiting in any case; it costs nothing.
 */
async function hasArrived(fingerprint: string): Promise<boolean> {
  try {
    await send(regeneration.abandon, {});
    return (await send(vaultKey.get, {}))?.clientKey.fingerprint === fingerprint;
  } catch {
    throw new AnswerLost();
  }
}
