// Keys that wait beside the present one, while the vault is locked. They were set aside, not given up, and none of them may
// have a recovery method: so they stay in this browser, sealed under the key that leaves, and come back with it.
import { fromHex } from '../../../crypto/base64.ts';
import { type KeyRing, openKeyRing, sealKeyRing } from '../../../crypto/key-ring.ts';
import { deriveContentKey, fingerprintOf, vaultKeyToHex } from '../../../crypto/vault-key.ts';
import { readSlot, writeSlot } from './account-slot.ts';
import { isDeviceLocked, keepNextKey, loadKey, loadNextKeys } from './key-slot.ts';

const SLOT = 'latebra.keys-aside';

/** Keys in the form of a key ring (docs/formats.md), and the fingerprint of the key that opens it. */
interface Aside {
  under: string;
  ring: KeyRing;
}

function load(uid: string): Aside[] {
  try {
    return JSON.parse(readSlot(SLOT, uid) ?? '[]') as Aside[];
  } catch {
    return [];
  }
}

const save = (uid: string, all: readonly Aside[]): void =>
  writeSlot(SLOT, uid, all.length > 0 ? JSON.stringify(all) : null);

/** Seals the keys that wait under the present one, before a lock takes both away. @throws SealError */
export async function sealWaitingKeys(uid: string): Promise<void> {
  const present = loadKey(uid);
  const waiting = loadNextKeys(uid).filter((hex) => hex !== present);
  if (!present || waiting.length === 0) return;
  const key = fromHex(present);
  const keys = waiting.map((hex) => ({ key: fromHex(hex), stayed: [] }));
  const ring = await sealKeyRing(keys, await deriveContentKey(key));
  const under = await fingerprintOf(key);
  const others = load(uid).filter((aside) => !isDeviceLocked(uid) || aside.under !== under);
  save(uid, [...others, { under, ring }]);
}

/**
 * Lets those wait again that were sealed under a key which was just brought back. What does not open stays sealed, and so does
 * everything where this device keeps no key: a tab that is closed would have been the last that had it.
 */
export async function returnWaitingKeys(uid: string, key: Uint8Array): Promise<void> {
  const under = await fingerprintOf(key);
  const stay: Aside[] = [];
  for (const aside of load(uid)) {
    const ring =
      aside.under === under
        ? await openKeyRing(aside.ring, await deriveContentKey(key)).catch(() => null)
        : null;
    if (ring === null || isDeviceLocked(uid)) stay.push(aside);
    for (const one of ring ?? []) keepNextKey(uid, vaultKeyToHex(one.key));
  }
  save(uid, stay);
}
