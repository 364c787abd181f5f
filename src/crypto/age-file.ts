// Sealing a text to a vault that is not ours to open, as an age file (C2SP age), and opening one. Heavy: load it lazily.
// It must never seal to anything but a post-quantum recipient.
import { Decrypter, Encrypter } from 'age-encryption';
import { fromBase64, toBase64 } from './base64.ts';
import { type Bytes, fromUtf8, utf8 } from './encoding.ts';
import { OpenError, SealError } from './errors.ts';

/**
 * Seals `text` to a recipient `age1pq1…`. Returns the binary age file in base64; its length shows the text's.
 * Throws a SealError if the recipient is malformed or of another type.
 */
export async function sealTo(recipient: string, text: string): Promise<string> {
  try {
    if (!recipient.startsWith('age1pq1')) throw new SealError();
    const encrypter = new Encrypter();
    encrypter.addRecipient(recipient);
    return toBase64(await encrypter.encrypt(utf8(text)));
  } catch {
    throw new SealError();
  }
}

/** Opens what `sealTo` made. Throws an OpenError, which tells nothing, if anything at all is wrong. */
export async function openFrom(ageIdentity: string, sealed: string): Promise<string> {
  try {
    return fromUtf8(await openBytesFrom(ageIdentity, sealed));
  } catch {
    throw new OpenError();
  }
}

/** The payload of an age file in base64. Throws an OpenError, which tells nothing, if anything at all is wrong. */
export async function openBytesFrom(ageIdentity: string, sealed: string): Promise<Bytes> {
  try {
    const decrypter = new Decrypter();
    decrypter.addIdentity(ageIdentity);
    return new Uint8Array(await decrypter.decrypt(fromBase64(sealed)));
  } catch {
    throw new OpenError();
  }
}
