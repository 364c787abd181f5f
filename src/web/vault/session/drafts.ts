// What somebody was writing when the page went away: kept in this browser, sealed under the vault's key. Each form that stands
// open writes to a slot of its own (draft-slots.ts): the second one of a memory is `memory~2`.
import { newSealId, open, seal } from '../../../crypto/seal.ts';
import { isLeftForGood } from '../device/left-for-good.ts';

const SLOT = 'latebra.draft';

const prefixOf = (uid: string) => `${SLOT}:${uid}:`;
const slotOf = (uid: string, name: string) => `${prefixOf(uid)}${name}`;

/** The name of a form's nth slot, from 1 on. */
export const slotName = (form: string, n: number) => (n === 1 ? form : `${form}~${n}`);

/** The form that a slot belongs to, such as `memory`; that of a change to an entry has its seal number behind it. */
export const formOf = (slot: string) => slot.split('~')[0] ?? slot;

/** Which entry a form changes; null for that of a new one. */
export function changeOfForm(form: string): { noun: string; sealId: string } | null {
  const [, noun, sealId] = /^(.+)-([\w-]{22})$/.exec(form) ?? [];
  return noun !== undefined && sealId !== undefined ? { noun, sealId } : null;
}

const numberOf = (slot: string) => Number(slot.split('~')[1] ?? 1);

/** How often each slot was written or emptied by this tab: sealing takes a moment, and what comes later counts. */
const turns = new Map<string, number>();

function nextTurn(slot: string): number {
  const turn = (turns.get(slot) ?? 0) + 1;
  turns.set(slot, turn);
  return turn;
}

const listeners = new Set<() => void>();

/** Calls back when a draft was kept or dropped, in this tab or another. @returns ends it */
export function watchDrafts(uid: string, changed: () => void): () => void {
  const hear = ({ key }: StorageEvent) => {
    if (key === null || key.startsWith(prefixOf(uid))) changed();
  };
  listeners.add(changed);
  window.addEventListener('storage', hear);
  return () => {
    listeners.delete(changed);
    window.removeEventListener('storage', hear);
  };
}

function tellAll(): void {
  for (const changed of listeners) changed();
}

/**
 * Seals and keeps a draft, unless a later one was kept, it was dropped, or its vault was destroyed meanwhile. A browser without
 * room or storage, or that cannot seal, keeps what it had.
 * @returns whether this very draft is kept now
 */
export async function keepDraft(uid: string, name: string, key: CryptoKey, draft: unknown): Promise<boolean> {
  const slot = slotOf(uid, name);
  const turn = nextTurn(slot);
  try {
    const sealId = newSealId();
    const sealed = await seal(JSON.stringify(draft), key, { kind: 'draft', field: name, sealId });
    if (turns.get(slot) !== turn || isLeftForGood(uid)) return false;
    localStorage.setItem(slot, `${sealId}.${sealed}`);
    tellAll();
    return true;
  } catch {
    // The draft lives on in the open form.
    return false;
  }
}

/**
 * The draft that was kept, or null: also when no key opens it.
 * @param olderKeys asked only when there is a draft that the present key does not open: another tab may have gone on
 * writing under the old key while the key was changed
 */
export async function loadDraft<T>(
  uid: string,
  name: string,
  key: CryptoKey,
  olderKeys: () => Promise<CryptoKey[]> = async () => [],
): Promise<T | null> {
  try {
    if (localStorage.getItem(slotOf(uid, name)) === null) return null;
    const draft = await openDraft<T>(uid, name, key);
    if (draft !== null) return draft;
    for (const older of await olderKeys()) {
      const found = await openDraft<T>(uid, name, older);
      if (found !== null) return found;
    }
  } catch {
    // No storage, or the older keys are out of reach just now.
  }
  return null;
}

async function openDraft<T>(uid: string, name: string, key: CryptoKey): Promise<T | null> {
  const [sealId = '', sealed = ''] = (localStorage.getItem(slotOf(uid, name)) ?? '').split('.');
  try {
    return JSON.parse(await open(sealed, key, { kind: 'draft', field: name, sealId })) as T;
  } catch {
    return null;
  }
}

/** Seals every draft of this browser that the old key opens under the new one. */
export async function resealDrafts(uid: string, from: CryptoKey, to: CryptoKey): Promise<void> {
  for (const name of draftNames(uid)) {
    const draft = await openDraft<unknown>(uid, name, from);
    if (draft !== null) await keepDraft(uid, name, to, draft);
  }
}

/** The names of all drafts of an account in this browser, those of one form in the order of their slots. */
export function draftNames(uid: string): string[] {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(prefixOf(uid)));
    return names.map((name) => name.slice(prefixOf(uid).length)).sort((a, b) => numberOf(a) - numberOf(b));
  } catch {
    return [];
  }
}

/** The drafts of one form, in the order of their slots. */
export const draftsOf = (uid: string, form: string): string[] =>
  draftNames(uid).filter((slot) => formOf(slot) === form);

const LAST = 'latebra.form-slot';

/** The slot that a form of this tab had last, so that a reload brings back its own words among several drafts; or null. */
export function lastSlot(uid: string, form: string): string | null {
  try {
    return sessionStorage.getItem(`${LAST}:${uid}:${form}`);
  } catch {
    return null;
  }
}

/** Notes in this tab which slot a form has. */
export function noteSlot(uid: string, form: string, slot: string): void {
  try {
    sessionStorage.setItem(`${LAST}:${uid}:${form}`, slot);
  } catch {
    // A reload then brings back the first draft that nobody holds.
  }
}

/** Drops every draft of a form, as of a change to an entry that is gone for good. */
export function dropDrafts(uid: string, form: string): void {
  for (const slot of draftsOf(uid, form)) dropDraft(uid, slot);
}

export function dropDraft(uid: string, name: string): void {
  const slot = slotOf(uid, name);
  nextTurn(slot);
  try {
    localStorage.removeItem(slot);
    tellAll();
  } catch {
    // Nothing was kept.
  }
}
