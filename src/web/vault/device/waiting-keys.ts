// Keys that wait beside the present one, while the vault is locked. They were set aside, not given up, and none of them may
// have a recovery method: so they stay in this browser, sealed under the key that leaves, and come back with it.
import { fromHex } from '../../../crypto/base64.ts';
import { type KeyRing, openKeyRing, sealKeyRing } from '../../../crypto/key-ring.ts';
import { deriveContentKey, fingerprintOf, vaultKeyToHex } from '../../../crypto/vault-key.ts';
import { isStoredAs, readSlot, readTabSlot, writeSlot, writeTabSlot } from './account-slot.ts';
import { areNextKeysStored, keepNextKey, loadKey, loadNextKeys } from './key-slot.ts';
import { oneTabAtATime } from './one-tab.ts';

const SLOT = 'latebra.keys-aside';

/** Keys in the form of a key ring (docs/formats.md), and the fingerprint of the key that opens it. */
interface Aside {
  under: string;
  ring: KeyRing;
}

function read(text: () => string | null): Aside[] {
  try {
    return JSON.parse(text() ?? '[]') as Aside[];
  } catch {
    return [];
  }
}

const load = (uid: string): Aside[] => read(() => readSlot(SLOT, uid));

/** What this tab alone keeps. */
const loadOfTab = (uid: string): Aside[] => read(() => readTabSlot(SLOT, uid));

const textOf = (all: readonly Aside[]): string | null => (all.length > 0 ? JSON.stringify(all) : null);

/** What a tab has of an account when its key is to leave: raw keys in hexadecimal. */
export interface Leaving {
  present: string | null;
  /** Beside it. */
  waiting: readonly string[];
}

/**
 * Seals the keys that wait under the present one, before a lock takes both away. What another tab has sealed under the same key
 * stays with them.
 * @param leaving what leaves; this browser's keys unless told
 * @param going this tab is about to go, and keeps them for itself until the whole browser has them, or where that has no room
 * @throws where they could not be sealed, as without a present key, or not be written down: they would be lost
 */
export async function sealWaitingKeys(
  uid: string,
  leaving: Leaving = { present: loadKey(uid), waiting: loadNextKeys(uid) },
  going = false,
): Promise<void> {
  const { present } = leaving;
  const waiting = leaving.waiting.filter((hex) => hex !== present);
  if (waiting.length === 0) return;
  if (!present) throw new Error('there is no key to seal under');
  const key = fromHex(present);
  // What it kept when it followed before may be sealed under another key.
  const before = readTabSlot(SLOT, uid);
  if (going) await sealForTab(uid, key, waiting);
  await oneTabAtATime(uid, () => sealUnder(uid, key, waiting), 'keys-aside');
  if (going) writeTabSlot(SLOT, uid, before);
}

/** Seals keys for this tab alone. */
async function sealForTab(uid: string, key: Uint8Array, waiting: readonly string[]): Promise<void> {
  const [under, contentKey] = [await fingerprintOf(key), await deriveContentKey(key)];
  const keys = waiting.map((hex) => ({ key: fromHex(hex), stayed: [] }));
  const ring = await sealKeyRing(keys, contentKey);
  writeTabSlot(SLOT, uid, textOf([...loadOfTab(uid), { under, ring }]));
}

async function sealUnder(uid: string, key: Uint8Array, waiting: readonly string[]): Promise<void> {
  const contentKey = await deriveContentKey(key);
  const under = await fingerprintOf(key);
  const others: Aside[] = [];
  const all = new Set(waiting);
  for (const aside of load(uid)) {
    const ring = aside.under === under ? await openKeyRing(aside.ring, contentKey).catch(() => null) : null;
    if (ring === null) others.push(aside);
    for (const one of ring ?? []) all.add(vaultKeyToHex(one.key));
  }
  const keys = [...all].map((hex) => ({ key: fromHex(hex), stayed: [] }));
  const text = textOf([...others, { under, ring: await sealKeyRing(keys, contentKey) }]);
  const before = readSlot(SLOT, uid);
  writeSlot(SLOT, uid, text);
  if (isStoredAs(SLOT, uid, text)) return;
  // What memory alone has is gone with the page.
  writeSlot(SLOT, uid, before);
  throw new Error('the keys that wait could not be stored');
}

/**
 * Lets those wait again that were sealed under a key which was just brought back. What does not open stays sealed, and so does
 * what would then stand in memory alone: where this device keeps no key, and where it has no room. A tab that is closed would
 * have been the last that had it.
 */
export const returnWaitingKeys = (uid: string, key: Uint8Array): Promise<void> =>
  oneTabAtATime(uid, () => returnFrom(uid, key), 'keys-aside');

async function returnFrom(uid: string, key: Uint8Array): Promise<void> {
  const stay = await letWait(uid, load(uid), key);
  writeSlot(SLOT, uid, textOf(stay));
  const inTab = loadOfTab(uid);
  if (inTab.length > 0) writeTabSlot(SLOT, uid, textOf(await letWait(uid, inTab, key)));
}

/** Lets those wait that a key opens. @returns those that stay sealed */
async function letWait(uid: string, all: readonly Aside[], key: Uint8Array): Promise<Aside[]> {
  const under = await fingerprintOf(key);
  const stay: Aside[] = [];
  for (const aside of all) {
    const ring =
      aside.under === under
        ? await openKeyRing(aside.ring, await deriveContentKey(key)).catch(() => null)
        : null;
    const back = (ring ?? []).map((one) => vaultKeyToHex(one.key));
    for (const hex of back) keepNextKey(uid, hex);
    if (ring === null || !areNextKeysStored(uid, back)) stay.push(aside);
  }
  return stay;
}
