// What somebody was writing when the page went away: kept in this browser, sealed under the vault's key.
import { newSealId, open, seal } from '../../crypto/seal.ts';

const SLOT = 'latebra.draft';

const slotOf = (uid: string, name: string) => `${SLOT}:${uid}:${name}`;

/** Seals and keeps a draft; a browser without room or storage keeps none. */
export async function keepDraft(uid: string, name: string, key: CryptoKey, draft: unknown): Promise<void> {
  const sealId = newSealId();
  const sealed = await seal(JSON.stringify(draft), key, { kind: 'draft', field: name, sealId });
  try {
    localStorage.setItem(slotOf(uid, name), `${sealId}.${sealed}`);
  } catch {
    // The draft lives on in the open form.
  }
}

/** The draft that was kept, or null: also when it was sealed under another key. */
export async function loadDraft<T>(uid: string, name: string, key: CryptoKey): Promise<T | null> {
  try {
    const [sealId = '', sealed = ''] = (localStorage.getItem(slotOf(uid, name)) ?? '').split('.');
    return JSON.parse(await open(sealed, key, { kind: 'draft', field: name, sealId })) as T;
  } catch {
    return null;
  }
}

export function dropDraft(uid: string, name: string): void {
  try {
    localStorage.removeItem(slotOf(uid, name));
  } catch {
    // Nothing was kept.
  }
}
