// Where this browser keeps the raw vault key: one local-storage entry per account, or memory alone if its owner
// wants no key on the device. A key that is about to take its place waits in a slot beside it. No other file touches
// them; nothing here is ever sent.

const SLOT = 'latebra.vault-key';
const NEXT = 'latebra.vault-key-next';
const DEVICE_LOCK = 'latebra.device-lock';

const inMemory = new Map<string, string>();
const nextInMemory = new Map<string, string>();

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

/** The key of an account as 64 hex characters, or null when this browser has none. */
export function loadKey(uid: string): string | null {
  return inMemory.get(uid) ?? storage()?.getItem(slotOf(uid)) ?? null;
}

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

/** Takes an account's key out of this browser, and the one that may wait beside it. */
export function forgetKey(uid: string): void {
  inMemory.delete(uid);
  storage()?.removeItem(slotOf(uid));
  forgetNextKey(uid);
}

/** The key that was sent to take the present one's place and is not known to have arrived; null if there is none. */
export function loadNextKey(uid: string): string | null {
  return storage()?.getItem(nextOf(uid)) ?? nextInMemory.get(uid) ?? null;
}

/** Keeps a key beside the present one, before its envelope is sent: a lost answer must lose neither. */
export function keepNextKey(uid: string, hex: string): void {
  nextInMemory.set(uid, hex);
  if (isDeviceLocked(uid)) return;
  try {
    storage()?.setItem(nextOf(uid), hex);
  } catch {
    // It stands in memory, and a way back to it was proved.
  }
}

/** Forgets the key that waits; only when it is certain that it did not become the vault's. */
export function forgetNextKey(uid: string): void {
  nextInMemory.delete(uid);
  storage()?.removeItem(nextOf(uid));
}

/** The key that waited is the vault's: it takes the place of the present one. */
export function promoteNextKey(uid: string): void {
  const hex = loadNextKey(uid);
  // Where the slot could not be written the key goes on waiting: the next visit finds it there.
  if (hex && keepKey(uid, hex)) forgetNextKey(uid);
}

/** Whether an account keeps no key on this device. */
export function isDeviceLocked(uid: string): boolean {
  return storage()?.getItem(lockOf(uid)) === 'on';
}

/** Turns "keep no key on this device" on or off; the key moves between storage and memory at once. */
export function setDeviceLock(uid: string, on: boolean): void {
  const key = loadKey(uid);
  if (on) {
    storage()?.setItem(lockOf(uid), 'on');
    storage()?.removeItem(slotOf(uid));
    if (key) inMemory.set(uid, key);
  } else {
    storage()?.removeItem(lockOf(uid));
    if (key) keepKey(uid, key);
  }
}

/** Forgets everything that this browser keeps of an account whose vault is gone. */
export function forgetAccount(uid: string): void {
  forgetKey(uid);
  forgetNames(storage(), (name) => name.startsWith('latebra.') && name.split(':')[1] === uid);
  try {
    forgetNames(window.sessionStorage, (name) => name.startsWith('latebra.'));
  } catch {
    // A browser that forbids storage has kept nothing.
  }
}

function forgetNames(store: Storage | null, which: (name: string) => boolean): void {
  for (const name of Object.keys(store ?? {}).filter(which)) store?.removeItem(name);
}

/** Calls back when another tab adds, replaces or removes this account's key, or turns the device lock on or off. */
export function watchKey(uid: string, changed: () => void): () => void {
  const listen = (event: StorageEvent) => {
    if (event.key !== null && event.key !== slotOf(uid) && event.key !== lockOf(uid)) return;
    // What another tab has forgotten or replaced must not live on in this one's memory, unless memory is where it
    // belongs.
    if (!isDeviceLocked(uid)) inMemory.delete(uid);
    changed();
  };
  window.addEventListener('storage', listen);
  return () => window.removeEventListener('storage', listen);
}
