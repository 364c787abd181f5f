// Putting a newer key back where a server shows an older one, as after a backup was restored. Its owner has asked for it:
// what lies under the older key now counts as theirs.
import { openKeyRing, type RingKey, sealKeyRing } from '../../../crypto/key-ring.ts';
import { deriveContentKey, fingerprintOf, vaultKeyToHex } from '../../../crypto/vault-key.ts';
import type { User } from '../../../shared/nouns/account.ts';
import { type ClientKeyRecord, type KeyRingRecord, vaultKey } from '../../../shared/nouns/vault-key.ts';
import type { ApiClient } from '../../../vault/api/api-client.ts';
import { isSealNumber, listSeals } from '../../../vault/entries/seal-numbers.ts';
import { loadPin, loadRecord, savePin } from '../device/key-pin.ts';
import { setDeviceLock } from '../device/key-slot.ts';
import { rememberKey } from '../device/remember-key.ts';
import { findKey } from './next-key.ts';

/** The newer key, with what a server had of it; null where this browser has not kept enough to put it back. */
export async function keyToPutBack(uid: string): Promise<{ key: Uint8Array; ring: RingKey[] } | null> {
  const pin = loadPin(uid);
  const record = loadRecord(uid);
  const key = pin && (await findKey(uid, pin.fingerprint));
  if (!key || !record) return null;
  const contentKey = await deriveContentKey(key);
  return { key, ring: record.keyRing ? await openKeyRing(record.keyRing, contentKey) : [] };
}

/**
 * Gives the server the newer key's envelope again, with its ring and no recovery methods.
 * @param shown the envelope that the server shows instead, or null for none: it is replaced, and no other one
 * @throws ApiError or TypeError; OpenError when what was kept of the ring does not open
 */
export async function putKeyBack(
  api: ApiClient,
  { id: uid }: User,
  shown: ClientKeyRecord | null,
): Promise<void> {
  const [pin, found] = [loadPin(uid), await keyToPutBack(uid)];
  if (!pin || !found) throw new Error('There is no key to be put back');
  const { key, ring } = found;
  const { createClientKey } = await import('../../../crypto/client-key.ts');
  const standing = shown?.generation ?? 0;
  // Where the server shows another key under the same number, this one goes on from there.
  const generation = Math.max(pin.generation, standing + 1);
  const before = generation === standing + 1 ? await keyOf(ring, shown?.fingerprint) : null;
  const clientKey = await createClientKey(key, { generation, before });
  const keyRing = await ringWithAll(api, ring, await deriveContentKey(key));
  // It has no recovery method from now on: this browser must keep it.
  setDeviceLock(uid, false);
  const body = { clientKey, previousFingerprint: shown?.fingerprint ?? null, keyRing };
  const kept = await api.send(vaultKey.put, { body });
  savePin(uid, { clientKey, keyRing: kept.keyRing });
  rememberKey(uid, vaultKeyToHex(key));
}

async function keyOf(ring: RingKey[], fingerprint: string | undefined): Promise<Uint8Array | null> {
  for (const { key } of ring) if ((await fingerprintOf(key)) === fingerprint) return key;
  return null;
}

/** The ring once more: every row that lies under one of its keys now is noted there. */
async function ringWithAll(
  api: ApiClient,
  ring: RingKey[],
  contentKey: CryptoKey,
): Promise<KeyRingRecord | null> {
  if (ring.length === 0) return null;
  const rows = await listSeals(api);
  const keys = ring.map(async ({ key, stayed }) => {
    const fingerprint = await fingerprintOf(key);
    const under = rows.filter((row) => row.keyFingerprint === fingerprint).map(({ sealId }) => sealId);
    return { key, stayed: [...stayed, ...under.filter(isSealNumber)] };
  });
  return sealKeyRing(await Promise.all(keys), contentKey);
}
