// The sealed fields of one row that is no entry of a list: opened together, or not at all.
import { OpenError } from '../../crypto/errors.ts';
import { openWithFacts, type SealFacts, seal } from '../../crypto/seal.ts';
import type { BoundFacts, ChangedFact } from '../../shared/sealed-facts.ts';
import type { KindName } from '../../shared/sealed-kinds.ts';
import { openingKey, type SealedBy } from '../keys/key-ring.ts';
import type { Vault } from '../vault.ts';
import { judgeFacts } from './facts.ts';

/** Texts by the names of their fields. */
type Fields = Record<string, string>;

/** The fields of a row that opened. */
export interface OpenedFields<F extends Fields> {
  /** Null where the server shows other facts than were sealed. */
  texts: F | null;
  /** The texts all the same: shown only beside what was changed. */
  asSealed: F;
  /** The facts as they were sealed. */
  facts: SealFacts;
  /** Which of them the server shows otherwise; null for none. */
  changed: readonly ChangedFact[] | null;
}

/**
 * Opens the fields of one row. Null when one of them does not open.
 * @throws ApiError or TypeError when the ring cannot be fetched
 */
export async function openFields<K extends KindName, F extends Fields>(
  kind: K,
  row: BoundFacts<K> & SealedBy,
  sealed: F,
  vault: Vault,
): Promise<OpenedFields<F> | null> {
  try {
    const key = await openingKey(vault, row.keyFingerprint);
    const sealId = row.sealId ?? '';
    const opened = await Promise.all(
      Object.entries(sealed).map(async ([field, text]) => ({
        field,
        ...(await openWithFacts(text, key, { kind, field, sealId })),
      })),
    );
    const asSealed = Object.fromEntries(opened.map(({ field, text }) => [field, text])) as F;
    const { facts, changed } = judgeFacts(
      kind,
      row,
      opened.map((one) => one.facts),
    );
    return { texts: changed ? null : asSealed, asSealed, facts, changed };
  } catch (error) {
    if (error instanceof OpenError) return null;
    throw error;
  }
}

/** Texts of a row with its facts, sealed under the key of `vault`. @throws SealError */
export async function sealFields<F extends Fields>(
  kind: KindName,
  sealId: string | null,
  texts: F,
  facts: SealFacts,
  { contentKey }: Pick<Vault, 'contentKey'>,
): Promise<F> {
  const sealed = Object.entries(texts).map(
    async ([field, text]) =>
      [field, await seal(text, contentKey, { kind, field, sealId: sealId ?? '' }, facts)] as const,
  );
  return Object.fromEntries(await Promise.all(sealed)) as F;
}
