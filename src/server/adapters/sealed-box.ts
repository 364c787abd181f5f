// Sealing what the server itself must write into a vault: an age file to the vault's recipient, which the server cannot
// open again (docs/formats.md, "Sealed box").
import { Encrypter } from 'age-encryption';

/** Where a text belongs; it is believed nowhere else. */
export interface BoxContext {
  kind: string;
  field: string;
  sealId: string;
}

const BLOCK = 256;

/** @returns the age file in base64 @throws TypeError for a recipient that is not post-quantum */
export async function sealBox(
  recipient: string,
  { kind, field, sealId }: BoxContext,
  text: string,
): Promise<string> {
  if (!recipient.startsWith('age1pq1')) throw new TypeError('a sealed box goes to a post-quantum recipient');
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  const plain = pad(Buffer.from(JSON.stringify({ field, kind, sealId, text, v: 1 }), 'utf8'));
  return Buffer.from(await encrypter.encrypt(plain)).toString('base64');
}

/** ISO/IEC 7816-4 padding to a multiple of 256 bytes. */
function pad(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((bytes.length + 1) / BLOCK) * BLOCK);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  return padded;
}
