// Standard Notes: opening an encrypted backup with the key that its account's passphrase gives (protocol 004: Argon2id,
// XChaCha20-Poly1305; docs.standardnotes.com, "Encryption"). It must never let an item through that does not authenticate.
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { fromBase64 } from '../../../crypto/base64.ts';
import { type Bytes, fromUtf8, utf8 } from '../../../crypto/encoding.ts';
import { isObject, type Json, Locked, objectsIn, Refused, textOf } from '../imported-entry.ts';

const VERSION = '004';

/** Whether some of the items of a backup are sealed. */
export const hasSealedItems = (backup: Json): boolean => objectsIn(backup.items).some(isSealed);

const isSealed = (item: Json) => typeof item.content === 'string';

/**
 * The backup with its items opened. Items that do not open stay sealed; notes among them are counted as encrypted later.
 * @param masterKey the 32 bytes that a passphrase gives; null where none was given
 * @throws Locked with the salt where there is no key, or another passphrase's
 * @throws Refused `encrypted-backup` for another protocol than 004
 */
export async function openBackup(backup: Json, masterKey: Uint8Array | null): Promise<Json> {
  const params = isObject(backup.keyParams) ? backup.keyParams : {};
  const [identifier, nonce] = [textOf(params.identifier), textOf(params.pw_nonce)];
  if (params.version !== VERSION || identifier === '' || nonce === '') throw new Refused('encrypted-backup');
  const salt = await saltOf(identifier, nonce);
  if (!masterKey) throw new Locked(salt, false);
  const items = objectsIn(backup.items);
  const opened = new Map<Json, unknown>();
  const itemsKeys = new Map<string, Uint8Array>();
  for (const item of items) {
    if (item.content_type !== 'SN|ItemsKey' || !isSealed(item)) continue;
    const content = openItem(item, masterKey);
    const key = hexBytes(isObject(content) ? textOf(content.itemsKey) : '');
    if (key) itemsKeys.set(textOf(item.uuid), key);
    if (content !== undefined) opened.set(item, content);
  }
  if (itemsKeys.size === 0) throw new Locked(salt, true);
  for (const item of items) {
    const key = itemsKeys.get(textOf(item.items_key_id));
    const content = key && isSealed(item) ? openItem(item, key) : undefined;
    if (content !== undefined) opened.set(item, content);
  }
  return { ...backup, items: items.map((item) => ({ ...item, content: opened.get(item) ?? item.content })) };
}

/** 16 bytes: the beginning of SHA-256 over account and nonce. */
async function saltOf(identifier: string, nonce: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(`${identifier}:${nonce}`))).slice(0, 16);
}

/** What an item says: its own key is sealed under `key`, and its content under that. Undefined where either does not open. */
function openItem(item: Json, key: Uint8Array): unknown {
  const itemKey = hexBytes(openText(item, textOf(item.enc_item_key), key));
  if (!itemKey) return undefined;
  try {
    return JSON.parse(openText(item, textOf(item.content), itemKey));
  } catch {
    return undefined;
  }
}

/** `004:nonce:ciphertext:additional data`, bound to the item's own number. Empty where it does not open. */
function openText(item: Json, sealed: string, key: Uint8Array): string {
  const [version, nonce = '', ciphertext = '', additional = ''] = sealed.split(':');
  const nonceBytes = hexBytes(nonce, 24);
  if (version !== VERSION || !nonceBytes) return '';
  try {
    const said: unknown = JSON.parse(fromUtf8(fromBase64(additional)));
    if (!isObject(said) || textOf(said.u).toLowerCase() !== textOf(item.uuid).toLowerCase()) return '';
    return fromUtf8(xchacha20poly1305(key, nonceBytes, utf8(additional)).decrypt(fromBase64(ciphertext)));
  } catch {
    return '';
  }
}

function hexBytes(hex: string, length = 32): Bytes | null {
  if (hex.length !== 2 * length || !/^[0-9a-f]+$/i.test(hex)) return null;
  return Uint8Array.from({ length }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16));
}
