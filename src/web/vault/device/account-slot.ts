// What this browser remembers of an account that is no secret: kept by account, and in memory where it stores nothing.

const inMemory = new Map<string, string>();

const slotOf = (name: string, uid: string) => `${name}:${uid}`;

/** What was written under a name for an account; null for nothing. */
export function readSlot(name: string, uid: string): string | null {
  const slot = slotOf(name, uid);
  try {
    return window.localStorage.getItem(slot) ?? inMemory.get(slot) ?? null;
  } catch {
    return inMemory.get(slot) ?? null;
  }
}

/** Whether this browser stores something under a name for an account: also where another tab has done that, or undone it. */
export function isStored(name: string, uid: string): boolean {
  try {
    return window.localStorage.getItem(slotOf(name, uid)) !== null;
  } catch {
    return false;
  }
}

/** Whether this browser stores just this under a name for an account, so that it is there after the page is closed. */
export function isStoredAs(name: string, uid: string, text: string | null): boolean {
  try {
    return window.localStorage.getItem(slotOf(name, uid)) === text;
  } catch {
    return false;
  }
}

/** @param text null takes away what was there */
export function writeSlot(name: string, uid: string, text: string | null): void {
  const slot = slotOf(name, uid);
  if (text === null) inMemory.delete(slot);
  else inMemory.set(slot, text);
  try {
    if (text === null) window.localStorage.removeItem(slot);
    else window.localStorage.setItem(slot, text);
  } catch {
    // A browser that keeps nothing knows it only while the page is open.
  }
}

/** What this tab alone keeps under a name for an account, through whatever it shows next; null for nothing. */
export function readTabSlot(name: string, uid: string): string | null {
  try {
    return window.sessionStorage.getItem(slotOf(name, uid));
  } catch {
    return null;
  }
}

/** @param text null takes away what was there */
export function writeTabSlot(name: string, uid: string, text: string | null): void {
  try {
    if (text === null) window.sessionStorage.removeItem(slotOf(name, uid));
    else window.sessionStorage.setItem(slotOf(name, uid), text);
  } catch {
    // A browser that stores nothing keeps nothing for a tab either.
  }
}

/** Forgets all that memory has of an account. What is stored goes with everything else of it (key-slot.ts). */
export function forgetSlots(uid: string): void {
  for (const slot of inMemory.keys()) if (slot.endsWith(`:${uid}`)) inMemory.delete(slot);
}
