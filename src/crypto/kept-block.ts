// What a browser keeps of a list between visits, in blocks sealed under the content key (docs/formats.md, "Kept block"). No
// other device reads them, and no server ever has them.
import { decrypt, encrypt } from './aes-gcm.ts';
import { type Bytes, fromUtf8, lengthPrefixed, utf8 } from './encoding.ts';
import { OpenError } from './errors.ts';
import { LABELS } from './labels.ts';

/** Where a block belongs: its list, and the name that it alone has. */
export interface BlockContext {
  list: string;
  name: string;
}

const additionalDataOf = ({ list, name }: BlockContext): Bytes =>
  lengthPrefixed(LABELS.keptBlock, list, name);

/** Seals a block. Its length on the disk is that of its text. */
export const sealBlock = (text: string, key: CryptoKey, context: BlockContext): Promise<Bytes> =>
  encrypt(utf8(text), key, additionalDataOf(context));

/** @throws OpenError for a block of another list, name or key, and for one that was changed */
export async function openBlock(sealed: Bytes, key: CryptoKey, context: BlockContext): Promise<string> {
  try {
    return fromUtf8(await decrypt(sealed, key, additionalDataOf(context)));
  } catch {
    throw new OpenError();
  }
}
