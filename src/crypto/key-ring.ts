// The keys that came before, sealed under the present one (docs/formats.md, "Key ring"). It must never hand out some
// keys of a ring that is not whole: what they sealed would look lost.
import type { Bytes } from './encoding.ts';
import { OpenError, SealError } from './errors.ts';
import { newSealId, open, type SealContext, seal } from './seal.ts';
import { vaultKeyFromHex, vaultKeyToHex } from './vault-key.ts';

/** A sealed key ring, as the server keeps it. */
export type KeyRing = { sealId: string; sealed: string };

/**
 * Seals vault keys of 32 bytes each, in their order, under the content key of the present one.
 * Throws a SealError if one has another length or the content key may not encrypt.
 */
export async function sealKeyRing(keys: readonly Uint8Array[], contentKey: CryptoKey): Promise<KeyRing> {
  const sealId = newSealId();
  try {
    const text = JSON.stringify(keys.map(vaultKeyToHex));
    return { sealId, sealed: await seal(text, contentKey, contextOf(sealId)) };
  } catch {
    throw new SealError();
  }
}

/**
 * The keys of a ring, in the order they were sealed in. `ring` may be anything a server answered.
 * Throws an OpenError, which tells nothing, if anything at all is wrong.
 */
export async function openKeyRing(ring: unknown, contentKey: CryptoKey): Promise<Bytes[]> {
  try {
    const { sealId, sealed } = ring as KeyRing;
    const keys: unknown = JSON.parse(await open(sealed, contentKey, contextOf(sealId)));
    if (!Array.isArray(keys)) throw new OpenError();
    return keys.map((key: unknown) => {
      if (typeof key !== 'string') throw new OpenError();
      return vaultKeyFromHex(key);
    });
  } catch {
    throw new OpenError();
  }
}

function contextOf(sealId: string): SealContext {
  return { kind: 'vault', field: 'key-ring', sealId };
}
