// Where this browser keeps the raw vault key: one local-storage entry per account, or memory alone if its owner
// wants no key on the device. No other file touches it; nothing here is ever sent.

const SLOT = 'latebra.vault-key';
const DEVICE_LOCK = 'latebra.device-lock';

const inMemory = new Map<string, string>();

function storage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    // Some browsers forbid storage altogether; the key then lives in memory.
    return null;
  }
}

const slotOf = (uid: string) => `${SLOT}:${uid}`;
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

/** Takes an account's key out of this browser. */
export function forgetKey(uid: string): void {
  inMemory.delete(uid);
  storage()?.removeItem(slotOf(uid));
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

/** Calls back when another tab adds or removes this account's key, or turns the device lock on or off. */
export function watchKey(uid: string, changed: () => void): () => void {
  const listen = (event: StorageEvent) => {
    if (event.key !== null && event.key !== slotOf(uid) && event.key !== lockOf(uid)) return;
    // What another tab has forgotten must not live on in this one's memory, unless memory is where it belongs.
    if (!isDeviceLocked(uid) && storage()?.getItem(slotOf(uid)) == null) inMemory.delete(uid);
    changed();
  };
  window.addEventListener('storage', listen);
  return () => window.removeEventListener('storage', listen);
}
