// Sealing what this server writes into a vault (docs/formats.md, "Sealed box"): it knows the vault's recipient and holds
// nothing that could open the box again. Nothing but a post-quantum recipient is sealed to.
import { randomBytes } from 'node:crypto';

/** Where a text belongs; it opens nowhere else. */
export interface BoxContext {
  kind: string;
  field: string;
  sealId: string;
}

/** @returns an age file in base64, which shows the length of the text in steps of 256 bytes */
export type SealBox = (text: string, context: BoxContext) => Promise<string>;

const BLOCK = 256;

/** A new row's seal number: 16 random bytes, base64url. */
export const newSealId = (): string => randomBytes(16).toString('base64url');

/** @returns null for a recipient that nothing can be sealed to: clients may send what they like for one */
export async function sealerTo(recipient: string): Promise<SealBox | null> {
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  try {
    if (!recipient.startsWith('age1pq1')) return null;
    encrypter.addRecipient(recipient);
    await encrypter.encrypt('');
  } catch {
    return null;
  }
  return async (text, context) =>
    Buffer.from(await encrypter.encrypt(insideOf(text, context))).toString('base64');
}

/** Canonical JSON, then one byte 0x80 and zeros up to a multiple of 256 bytes. */
function insideOf(text: string, { kind, field, sealId }: BoxContext): Uint8Array {
  const json = JSON.stringify({ field, kind, sealId, text: text.toWellFormed(), v: 1 });
  const inside = Buffer.alloc(Math.ceil((Buffer.byteLength(json) + 1) / BLOCK) * BLOCK);
  inside[inside.write(json)] = 0x80;
  return inside;
}
