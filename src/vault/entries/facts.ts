// What is sealed in with a row beside its texts: its facts, and when its author wrote it by this device's clock.
import { OpenError } from '../../crypto/errors.ts';
import type { SealFacts } from '../../crypto/seal.ts';
import {
  type BoundFacts,
  boundNames,
  boundTexts,
  type ChangedFact,
  changedFacts,
} from '../../shared/sealed-facts.ts';
import type { KindName } from '../../shared/sealed-kinds.ts';

/** A moment as seals and the server have it. */
export const momentOf = (moment: string | number): string => new Date(moment).toISOString();

/**
 * The facts of a row that is written now.
 * @param createdAt when it was first written, if that was earlier
 */
export function factsNow<K extends KindName>(kind: K, row: BoundFacts<K>, createdAt?: string): SealFacts {
  const now = Date.now();
  const first = createdAt === undefined ? now : Math.min(Date.parse(createdAt), now);
  return { bound: boundTexts(kind, row), createdAt: momentOf(first), updatedAt: momentOf(now) };
}

/** The facts of a row that was opened and is sealed under another key: it is no new version, and nothing was written. */
export const factsAsOpened = <K extends KindName>(
  kind: K,
  row: BoundFacts<K> & Pick<SealFacts, 'createdAt' | 'updatedAt'>,
): SealFacts => ({
  bound: boundTexts(kind, row),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});

/**
 * Compares what a row says with what each of its fields was sealed with. Fields that were sealed at different moments are
 * parts of two versions of one number, which the server has put together.
 * @returns the facts of the first field, and what differs from the row or between the fields; null for nothing
 * @throws OpenError for facts of another kind of row
 */
export function judgeFacts<K extends KindName>(
  kind: K,
  row: BoundFacts<K>,
  sealed: readonly SealFacts[],
): { facts: SealFacts; changed: readonly ChangedFact[] | null } {
  const [first] = sealed;
  if (!first || sealed.some(({ bound }) => bound.length !== boundNames(kind).length)) throw new OpenError();
  const changed = sealed.flatMap(({ bound, updatedAt }) => [
    ...changedFacts(kind, row, bound),
    ...(updatedAt === first.updatedAt
      ? []
      : [{ fact: 'updatedAt', sealed: first.updatedAt, shown: updatedAt }]),
  ]);
  const onceEach = new Map(changed.map((one) => [`${one.fact} ${one.sealed} ${one.shown}`, one]));
  return { facts: first, changed: changed.length > 0 ? [...onceEach.values()] : null };
}
