// The keys that came before, sealed under the present one, each with the numbers of the seals that stayed under it
// (docs/formats.md, "Key ring"). It must never hand out a part of a ring that is not whole: what is missing would look
// lost, or planted.
import { fromBase64Url, toBase64Url } from './base64.ts';
import type { Bytes } from './encoding.ts';
import { OpenError, SealError } from './errors.ts';
import { newSealId, open, type SealContext, seal } from './seal.ts';
import { vaultKeyFromHex, vaultKeyToHex } from './vault-key.ts';

/** A sealed key ring, as the server keeps it. */
export type KeyRing = { sealId: string; sealed: string };

/** One key of a ring: its 32 bytes, and the seal numbers (`newSealId`) that were known to stay under it. */
export type RingKey = { key: Bytes; stayed: ReadonlySet<string> };

const SEAL_ID_BYTES = 16;

/**
 * Seals keys in their order, with their seal numbers, under the content key of the present one.
 * Throws a SealError if a key or a number has another length or the content key may not encrypt.
 */
export async function sealKeyRing(
  keys: readonly { key: Uint8Array; stayed: Iterable<string> }[],
  contentKey: CryptoKey,
): Promise<KeyRing> {
  const sealId = newSealId();
  try {
    const text = JSON.stringify(
      keys.map(({ key, stayed }) => ({ key: vaultKeyToHex(key), stayed: joined([...new Set(stayed)]) })),
    );
    return { sealId, sealed: await seal(text, contentKey, contextOf(sealId)) };
  } catch {
    throw new SealError();
  }
}

/**
 * The keys of a ring, in the order they were sealed in. `ring` may be anything a server answered.
 * Throws an OpenError, which tells nothing, if anything at all is wrong.
 */
export async function openKeyRing(ring: unknown, contentKey: CryptoKey): Promise<RingKey[]> {
  try {
    const { sealId, sealed } = ring as KeyRing;
    const keys: unknown = JSON.parse(await open(sealed, contentKey, contextOf(sealId)));
    if (!Array.isArray(keys)) throw new OpenError();
    return keys.map((one: unknown) => {
      const { key, stayed } = one as Record<string, unknown>;
      if (typeof key !== 'string' || typeof stayed !== 'string') throw new OpenError();
      return { key: vaultKeyFromHex(key), stayed: new Set(parted(stayed)) };
    });
  } catch {
    throw new OpenError();
  }
}

/** Seal numbers as one text: their bytes one after another, a third shorter than a list of them. */
function joined(sealIds: readonly string[]): string {
  const bytes = new Uint8Array(sealIds.length * SEAL_ID_BYTES);
  sealIds.forEach((sealId, i) => {
    const one = fromBase64Url(sealId);
    if (one.length !== SEAL_ID_BYTES) throw new SealError();
    bytes.set(one, i * SEAL_ID_BYTES);
  });
  return toBase64Url(bytes);
}

function parted(text: string): string[] {
  const bytes = fromBase64Url(text);
  if (bytes.length % SEAL_ID_BYTES !== 0) throw new OpenError();
  return Array.from({ length: bytes.length / SEAL_ID_BYTES }, (_, i) =>
    toBase64Url(bytes.subarray(i * SEAL_ID_BYTES, (i + 1) * SEAL_ID_BYTES)),
  );
}

function contextOf(sealId: string): SealContext {
  return { kind: 'vault', field: 'key-ring', sealId };
}
