// Opening a text that a server has sealed to this vault (docs/formats.md, "Sealed box"). It must never open a text in another
// place than the one it was sealed for. Nobody is known to have made it: whoever knows the recipient can.
import { fromUtf8 } from './encoding.ts';
import { OpenError } from './errors.ts';
import { unpad } from './padding.ts';
import type { SealContext } from './seal.ts';

/** Base64 of an age file's first line and of the beginning of the second. A seal begins with twelve random bytes. */
const AGE_FILE = 'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+';

/** Whether a field's ciphertext is a sealed box, and no seal under the vault's content key. It opens nothing. */
export const isSealedBox = (sealed: string): boolean => sealed.startsWith(AGE_FILE);

/**
 * Opens a sealed box with the vault's age identity. Loads the code for age files when it is first called.
 * Throws an OpenError, which tells nothing, if anything at all is wrong: also a box of another row, field or kind.
 */
export async function openSealedBox(
  ageIdentity: string,
  sealed: string,
  { kind, field, sealId }: SealContext,
): Promise<string> {
  const { openBytesFrom } = await import('./age-file.ts');
  try {
    const inside: unknown = JSON.parse(fromUtf8(unpad(await openBytesFrom(ageIdentity, sealed))));
    const box = inside as Record<string, unknown>;
    const belongs = box.v === 1 && box.kind === kind && box.field === field && box.sealId === sealId;
    if (!belongs || typeof box.text !== 'string') throw new OpenError();
    return box.text;
  } catch {
    throw new OpenError();
  }
}
