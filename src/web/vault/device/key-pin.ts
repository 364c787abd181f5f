// Which of its keys a vault was last seen with in this browser. It says nothing of the key itself, so it stays when the
// key leaves: no older key may be shown in the newer one's place unnoticed.

import type { KeyRingRecord, VaultKeyRecord } from '../../../shared/nouns/vault-key.ts';
import type { KeyPin } from '../../../vault/keys/succession.ts';
import { isStored, readSlot, writeSlot } from './account-slot.ts';

const PIN = 'latebra.key-pin';
const RECORD = 'latebra.key-record';
/** In characters. A record that is larger is not kept: it must not take the room that drafts need. */
const RECORD_MAX = 512 * 1024;

/** What a server had of the pinned key when it was last seen whole: enough to put it back. Wraps are not kept here. */
export interface KeptRecord {
  fingerprint: string;
  keyRing: KeyRingRecord | null;
}

/** The newest key that this browser has seen of an account, or null when it has seen none. */
export function loadPin(uid: string): KeyPin | null {
  try {
    const pin = JSON.parse(readSlot(PIN, uid) ?? 'null') as KeyPin | null;
    return pin && Number.isSafeInteger(pin.generation) && typeof pin.verifyingKey === 'string' ? pin : null;
  } catch {
    return null;
  }
}

/** Whether this browser stores which key it has seen of an account: it does until the account is forgotten, locked or not. */
export const storesPin = (uid: string): boolean => isStored(PIN, uid);

/**
 * Notes a key that was recomputed from its secret, or made here, and is known to be the vault's. A ring that was seen with it
 * stays where the server shows none any more.
 */
export function savePin(uid: string, { clientKey, keyRing }: Pick<VaultKeyRecord, 'clientKey' | 'keyRing'>) {
  const { generation, fingerprint, verifyingKey } = clientKey;
  const pin: KeyPin = { generation, fingerprint, verifyingKey };
  const before = loadRecord(uid);
  writeSlot(PIN, uid, JSON.stringify(pin));
  const known = before?.fingerprint === fingerprint ? before.keyRing : null;
  const kept: KeptRecord = { fingerprint, keyRing: keyRing ?? known };
  const text = JSON.stringify(kept);
  writeSlot(RECORD, uid, text.length <= RECORD_MAX ? text : null);
}

/** What a server had of the pinned key, or null when that is not known here. */
export function loadRecord(uid: string): KeptRecord | null {
  try {
    const kept = JSON.parse(readSlot(RECORD, uid) ?? 'null') as KeptRecord | null;
    return kept?.fingerprint === loadPin(uid)?.fingerprint ? kept : null;
  } catch {
    return null;
  }
}
