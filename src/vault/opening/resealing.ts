// Entries that a key of the ring has opened, sealed under the present one.
import { type ResealedEntry, regeneration } from '../../shared/nouns/regeneration.ts';
import { whoseDetailsAreHidden } from '../book/hidden-details.ts';
import { inBook } from '../book/in-book.ts';
import { factsAsOpened } from '../entries/facts.ts';
import { isUnderOlderKey } from '../keys/key-ring.ts';
import {
  type EntryKind,
  type EntryType,
  entryFacts,
  isWhole,
  sealTexts,
  type Texts,
} from '../kinds/entry-kind.ts';
import type { Vault } from '../vault.ts';

/** Far below the most that one request may carry, whatever the entries' size, and few enough for one entry of the book. */
const BATCH = 40;
const BATCH_SIZE = 1_500_000;

/** An opened entry, sealed under the key of `vault`: its seal number, its facts and its times stay. @throws SealError */
export async function resealed<N extends EntryType>(
  kind: EntryKind<N>,
  entry: N['entry'],
  vault: Vault,
): Promise<ResealedEntry> {
  const [name, content] = kind.fields;
  const texts = {
    ...{ [name]: entry.name ?? '', [content]: entry.content ?? '' },
    details: entry.detailsText ?? null,
  } as Texts<N>;
  const { createdAt, updatedAt } = entry;
  const facts = factsAsOpened(kind.noun, { ...entryFacts(entry), createdAt, updatedAt });
  const { keyFingerprint: _, ...sealed } = await sealTexts(kind, texts, vault, entry.sealId ?? '', facts);
  // The contract spells the fields of both nouns out; they are those of `kind.fields`.
  return { kind: kind.noun, id: entry.id, version: entry.version, ...sealed } as unknown as ResealedEntry;
}

/** An entry sealed anew, and the seal number of its row. */
export interface ResealedRow {
  sealId: string | null;
  entry: ResealedEntry;
  /** The leaf of what it was made from. */
  over?: string;
}

/**
 * Seals entries of any kind anew that an older key had sealed. One that was changed meanwhile is passed over, or all are
 * refused, where the book would say something else.
 * @param taken whether their owner says that they are theirs: then the book takes them in as well
 */
export const sendResealed = (
  rows: readonly ResealedRow[],
  vault: Vault,
  taken: 'taken in' | null = null,
): Promise<unknown> => {
  const written = rows.map(({ sealId, entry, over }) => ({ kind: entry.kind, sealId, sealed: entry, over }));
  return inBook(vault, taken ? { put: written } : { resealed: written }).send(regeneration.reseal, {
    body: { keyFingerprint: vault.fingerprint, entries: rows.map(({ entry }) => entry) },
    // Nobody has pressed anything: a server that answers with a demand for a proof gets none.
    ...(taken === null && { isUnasked: true as const }),
  });
};

/**
 * Seals those of `all` anew that an older key had sealed and the ring has noted, so that the ring is needed less and
 * less. It is nobody's wish, so nobody is told; what fails is tried again at the next visit.
 * @returns whether any were
 */
export async function resealOld<N extends EntryType>(
  kind: EntryKind<N>,
  all: readonly N['entry'][],
  vault: Vault,
): Promise<boolean> {
  const old = all.filter(
    (entry) => isUnderOlderKey(entry, vault) && !entry.outside && !entry.boxed && isWhole(entry),
  );
  return (await sealSome(kind, old, vault)).size > 0;
}

/**
 * Seals those of `all` anew that a server had sealed: from then on they are as what this vault has written. Quiet, as
 * `resealOld`. Where two tabs do it, the first one counts.
 * @returns the entries as they now are
 */
export async function resealBoxes<N extends EntryType>(
  kind: EntryKind<N>,
  all: readonly N['entry'][],
  vault: Vault,
): Promise<N['entry'][]> {
  const boxed = all.filter((entry) => entry.boxed && !entry.outside && isWhole(entry));
  const sealed = await sealSome(kind, boxed, vault);
  const { fingerprint: keyFingerprint } = vault;
  return all.map((entry) => (sealed.has(entry) ? { ...entry, boxed: false, keyFingerprint } : entry));
}

/** Seals entries anew and sends them. @returns those that were; none where something could not be sent */
async function sealSome<N extends EntryType>(
  kind: EntryKind<N>,
  entries: readonly N['entry'][],
  vault: Vault,
): Promise<ReadonlySet<N['entry']>> {
  if (entries.length === 0) return new Set();
  try {
    let batch: ResealedRow[] = [];
    let size = 0;
    const flush = async () => {
      if (batch.length > 0) await sendResealed(batch, vault);
      batch = [];
      size = 0;
    };
    const hidden = await whoseDetailsAreHidden(vault, entries);
    // Sealed anew they would have none.
    const shown = entries.filter((entry) => !hidden.has(entry));
    for (const entry of shown) {
      const anew = await resealed(kind, entry, vault);
      const length = JSON.stringify(anew).length;
      if (batch.length === BATCH || size + length > BATCH_SIZE) await flush();
      batch.push({ sealId: entry.sealId, entry: anew, over: entry.leaf });
      size += length;
    }
    await flush();
    return new Set(shown);
  } catch {
    // The entries stay as they are, and open as they did.
    return new Set();
  }
}
