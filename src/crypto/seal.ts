// Sealing and opening one text under the content key (docs/formats.md, "Seal"). It must never open a text in
// another place than the one it was sealed for, and never tell why an opening failed.
import { fromBase64, toBase64, toBase64Url } from './base64.ts';
import { type Bytes, fromUtf8, lengthPrefixed, utf8 } from './encoding.ts';
import { OpenError, SealError } from './errors.ts';
import { LABELS } from './labels.ts';
import { pad, unpad } from './padding.ts';

/** Where a text belongs; it opens nowhere else. `sealId` is what `newSealId` made for the row. */
export type SealContext = { kind: string; field: string; sealId: string };

const IV_LENGTH = 12;

/** A new row's seal number: 16 random bytes as 22 characters of base64url. */
export function newSealId(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(16)));
}

/**
 * Seals `text` under an AES-256-GCM key (NIST SP 800-38D), bound to `context`.
 * Returns base64 of a random 12-byte IV, the ciphertext and its 16-byte tag; the text is padded to 256 bytes first.
 * Throws a SealError if the context is malformed or the key may not encrypt.
 */
export async function seal(text: string, key: CryptoKey, context: SealContext): Promise<string> {
  try {
    if (!isContext(context)) throw new SealError();
    const iv = crypto.getRandomValues(new Uint8Array(IV_LENGTH));
    const algorithm = { name: 'AES-GCM', iv, additionalData: additionalDataOf(context) };
    const ciphertext = new Uint8Array(await crypto.subtle.encrypt(algorithm, key, pad(utf8(text))));
    const sealed = new Uint8Array(IV_LENGTH + ciphertext.length);
    sealed.set(iv);
    sealed.set(ciphertext, IV_LENGTH);
    return toBase64(sealed);
  } catch {
    throw new SealError();
  }
}

/** Opens what `seal` made. Throws an OpenError, which tells nothing, if anything at all is wrong. */
export async function open(sealed: string, key: CryptoKey, context: SealContext): Promise<string> {
  try {
    const bytes = fromBase64(sealed);
    const iv = bytes.subarray(0, IV_LENGTH);
    const algorithm = { name: 'AES-GCM', iv, additionalData: additionalDataOf(context) };
    const padded = await crypto.subtle.decrypt(algorithm, key, bytes.subarray(IV_LENGTH));
    return fromUtf8(unpad(new Uint8Array(padded)));
  } catch {
    throw new OpenError();
  }
}

/** One record's outcome in `openMany`. */
export type Opened = { ok: true; text: string } | { ok: false };

/** What `openMany` is given, because this folder owns neither a clock nor a scheduler. */
export type Pace = {
  /** Resolves in a new task (not a microtask), so that the page can draw. */
  yieldTask: () => Promise<void>;
  /** A clock in milliseconds. */
  now: () => number;
  /** How many records are decrypted at once. */
  chunk?: number;
  /** After how many milliseconds of work a task is yielded. */
  frame?: number;
};

/**
 * Opens many records, in order, one outcome each; a record that cannot be opened does not disturb the others.
 * About 100 ms for 10,000 records. Throws only what `yieldTask` throws.
 */
export async function openMany(
  records: readonly { sealed: string; context: SealContext }[],
  key: CryptoKey,
  { yieldTask, now, chunk = 200, frame = 12 }: Pace,
): Promise<Opened[]> {
  const outcomes: Opened[] = [];
  let frameBegan = now();
  for (let at = 0; at < records.length; at += chunk) {
    const opening = records.slice(at, at + chunk).map(({ sealed, context }) => open(sealed, key, context));
    for (const settled of await Promise.allSettled(opening)) {
      outcomes.push(settled.status === 'fulfilled' ? { ok: true, text: settled.value } : { ok: false });
    }
    if (now() - frameBegan >= frame) {
      await yieldTask();
      frameBegan = now();
    }
  }
  return outcomes;
}

function isContext({ kind, field, sealId }: SealContext): boolean {
  return kind !== '' && field !== '' && /^[A-Za-z0-9_-]{22}$/.test(sealId);
}

function additionalDataOf({ kind, field, sealId }: SealContext): Bytes {
  return lengthPrefixed(LABELS.seal, kind, field, sealId);
}
