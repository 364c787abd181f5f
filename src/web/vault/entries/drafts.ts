// What somebody was writing when the page went away: kept in this browser, sealed under the vault's key.
import { newSealId, open, seal } from '../../../crypto/seal.ts';
import { isLeftForGood } from '../session/leaving.ts';

const SLOT = 'latebra.draft';

const prefixOf = (uid: string) => `${SLOT}:${uid}:`;
const slotOf = (uid: string, name: string) => `${prefixOf(uid)}${name}`;

/** How often each slot was written or emptied by this tab: sealing takes a moment, and what comes later counts. */
const turns = new Map<string, number>();

function nextTurn(slot: string): number {
  const turn = (turns.get(slot) ?? 0) + 1;
  turns.set(slot, turn);
  return turn;
}

/**
 * Seals and keeps a draft, unless a later one was kept, it was dropped, or its vault was destroyed meanwhile. A browser without
 * room or storage, or that cannot seal, keeps what it had.
 */
export async function keepDraft(uid: string, name: string, key: CryptoKey, draft: unknown): Promise<void> {
  const slot = slotOf(uid, name);
  const turn = nextTurn(slot);
  try {
    const sealId = newSealId();
    const sealed = await seal(JSON.stringify(draft), key, { kind: 'draft', field: name, sealId });
    if (turns.get(slot) === turn && !isLeftForGood(uid)) localStorage.setItem(slot, `${sealId}.${sealed}`);
  } catch {
    // The draft lives on in the open form.
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

/** The names of all drafts of an account in this browser. */
export function draftNames(uid: string): string[] {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(prefixOf(uid)));
    return names.map((name) => name.slice(prefixOf(uid).length));
  } catch {
    return [];
  }
}

export function dropDraft(uid: string, name: string): void {
  const slot = slotOf(uid, name);
  nextTurn(slot);
  try {
    localStorage.removeItem(slot);
  } catch {
    // Nothing was kept.
  }
}
