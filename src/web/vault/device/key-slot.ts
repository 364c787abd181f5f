// Where this browser keeps the raw vault key: one local-storage entry per account, or memory alone if its owner
// wants no key on the device. Keys that may be about to take its place wait in a slot beside it. No other file touches
// them; nothing here is ever sent.
const SLOT = 'latebra.vault-key';
const NEXT = 'latebra.vault-key-next';
const DEVICE_LOCK = 'latebra.device-lock';
const LOCKED = 'latebra.locked';

const inMemory = new Map<string, string>();
const nextInMemory = new Map<string, string[]>();

function storage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    // Some browsers forbid storage altogether; the key then lives in memory.
    return null;
  }
}

const slotOf = (uid: string) => `${SLOT}:${uid}`;
const nextOf = (uid: string) => `${NEXT}:${uid}`;
const lockOf = (uid: string) => `${DEVICE_LOCK}:${uid}`;
const lockedOf = (uid: string) => `${LOCKED}:${uid}`;

/** The key of an account as 64 hex characters, or null when this browser has none. */
export function loadKey(uid: string): string | null {
  return inMemory.get(uid) ?? storage()?.getItem(slotOf(uid)) ?? null;
}

/** Whether this browser keeps the key of some account where the next page finds it. */
export const hasStoredKey = (): boolean =>
  Object.keys(storage() ?? {}).some((name) => name.startsWith(`${SLOT}:`));

/**
 * Keeps an account's key: in local storage, or in memory under device lock.
 * @returns false when the browser would not store it, so that it lives in memory only
 */
export function keepKey(uid: string, hex: string): boolean {
  inMemory.set(uid, hex);
  if (isDeviceLocked(uid)) return true;
  try {
    const store = storage();
    store?.setItem(slotOf(uid), hex);
    return store?.getItem(slotOf(uid)) === hex;
  } catch {
    return false;
  }
}

/** Takes an account's key out of this browser, and those that may wait beside it. */
export function forgetKey(uid: string): void {
  inMemory.delete(uid);
  nextInMemory.delete(uid);
  storage()?.removeItem(slotOf(uid));
  storage()?.removeItem(nextOf(uid));
}

/** Takes an account's key out of every tab of this browser, also out of those that keep it in memory alone. */
export function lockKey(uid: string): void {
  forgetKey(uid);
  try {
    // Another value each time: only what changes is heard by the other tabs.
    storage()?.setItem(lockedOf(uid), crypto.randomUUID());
  } catch {
    // Without storage each tab has a key of its own, and no tab hears another.
  }
}

/**
 * The keys that were sent to take the present one's place and are not known to have arrived, in any tab. Which of them
 * is the vault's, if one is, only its fingerprint says.
 */
export function loadNextKeys(uid: string): string[] {
  return [...new Set([...(nextInMemory.get(uid) ?? []), ...storedNextKeys(uid)])];
}

function storedNextKeys(uid: string): string[] {
  return (storage()?.getItem(nextOf(uid)) ?? '').split(' ').filter((hex) => hex !== '');
}

/** Whether keys that wait are written down in this browser, so that they are there after the page is closed. */
export function areNextKeysStored(uid: string, keys: readonly string[]): boolean {
  const stored = storedNextKeys(uid);
  return keys.every((hex) => stored.includes(hex));
}

/** The accounts of which this tab's memory alone has keys that wait: they would go with the page. */
export const uidsWaitingInMemory = (): string[] =>
  [...nextInMemory].filter(([uid, keys]) => !areNextKeysStored(uid, keys)).map(([uid]) => uid);

function storeNextKeys(uid: string, keys: string[]): void {
  try {
    if (keys.length > 0) storage()?.setItem(nextOf(uid), keys.join(' '));
    else storage()?.removeItem(nextOf(uid));
  } catch {
    // They stand in memory, and a recovery method to each was proved.
  }
}

/** Keeps a key beside the present one, before its envelope is sent: a lost answer must lose neither. */
export function keepNextKey(uid: string, hex: string): void {
  const keys = [...new Set([...loadNextKeys(uid), hex])];
  nextInMemory.set(uid, keys);
  storeNextKeys(uid, isDeviceLocked(uid) ? [] : keys);
}

/** Forgets a key that waits, and no other; only when it is certain that it did not become the vault's. */
export function forgetNextKey(uid: string, hex: string): void {
  const others = (keys: string[]) => keys.filter((other) => other !== hex);
  nextInMemory.set(uid, others(nextInMemory.get(uid) ?? []));
  storeNextKeys(uid, others(storedNextKeys(uid)));
}

/** A key that waited is the vault's: it takes the place of the present one. */
export function promoteNextKey(uid: string, hex: string): void {
  // Where the slot could not be written the key goes on waiting: the next visit finds it there.
  if (keepKey(uid, hex)) forgetNextKey(uid, hex);
}

/** Whether an account keeps no key on this device. */
export function isDeviceLocked(uid: string): boolean {
  return storage()?.getItem(lockOf(uid)) === 'on';
}

/** Turns "keep no key on this device" on or off; every key moves between storage and memory at once. */
export function setDeviceLock(uid: string, on: boolean): void {
  const key = loadKey(uid);
  const waiting = loadNextKeys(uid);
  nextInMemory.set(uid, waiting);
  if (on) {
    storage()?.setItem(lockOf(uid), 'on');
    storage()?.removeItem(slotOf(uid));
    storage()?.removeItem(nextOf(uid));
    if (key) inMemory.set(uid, key);
  } else {
    storage()?.removeItem(lockOf(uid));
    if (key) keepKey(uid, key);
    storeNextKeys(uid, waiting);
  }
}

/** Takes out of this tab's memory the keys that wait: they are sealed, or stand in no tab any more. */
export const forgetNextInMemory = (uid: string): void => void nextInMemory.delete(uid);

/**
 * Calls back when another tab adds, replaces or removes this account's key, locks the vault, or turns the device lock on
 * or off.
 * @param changed is told, where another tab has locked, what this tab had in memory: the keys that wait are still there, since
 *   this tab may be the only one that has them
 */
export function watchKey(
  uid: string,
  changed: (leaving: { present: string | null; waiting: readonly string[] } | null) => void,
): () => void {
  const listen = (event: StorageEvent) => {
    if (event.key !== null && ![slotOf(uid), lockOf(uid), lockedOf(uid)].includes(event.key)) return;
    // What another tab has forgotten or replaced must not live on in this one's memory, unless memory is where it
    // belongs. A lock takes it from there too.
    const isLock = event.key === lockedOf(uid);
    const leaving = { present: inMemory.get(uid) ?? null, waiting: nextInMemory.get(uid) ?? [] };
    if (!isDeviceLocked(uid) || isLock) inMemory.delete(uid);
    changed(isLock ? leaving : null);
  };
  window.addEventListener('storage', listen);
  return () => window.removeEventListener('storage', listen);
}
