// The sealed fields of one row that is no entry of a list: opened together, or not at all.
import { OpenError } from '../../../crypto/errors.ts';
import { open, seal } from '../../../crypto/seal.ts';
import { openingKey } from '../key/key-ring.ts';
import type { OpenVault } from '../session/vault-context.ts';

/** Texts by the names of their fields. */
type Fields = Record<string, string>;

async function eachField<F extends Fields>(
  fields: F,
  work: (field: string, text: string) => Promise<string>,
): Promise<F> {
  const done = Object.entries(fields).map(async ([field, text]) => [field, await work(field, text)] as const);
  return Object.fromEntries(await Promise.all(done)) as F;
}

/**
 * Opens the fields of one row. Null when one of them does not open.
 * @throws ApiError or TypeError when the ring cannot be fetched
 */
export async function openFields<F extends Fields>(
  kind: string,
  row: { sealId: string | null; keyFingerprint: string | null },
  sealed: F,
  vault: OpenVault,
): Promise<F | null> {
  const sealId = row.sealId ?? '';
  try {
    const key = await openingKey(vault, row.keyFingerprint);
    return await eachField(sealed, (field, text) => open(text, key, { kind, field, sealId }));
  } catch (error) {
    if (error instanceof OpenError) return null;
    throw error;
  }
}

/** What `openFields` opened, sealed under the key of `vault`; the row keeps its seal number. @throws SealError */
export function sealFields<F extends Fields>(
  kind: string,
  sealId: string | null,
  texts: F,
  { contentKey }: OpenVault,
): Promise<F> {
  return eachField(texts, (field, text) => seal(text, contentKey, { kind, field, sealId: sealId ?? '' }));
}
