// Entries that a key of the ring has opened, sealed under the present one.
import { type ResealedEntry, regeneration } from '../../../shared/nouns/regeneration.ts';
import { isUnderOlderKey } from '../key/key-ring.ts';
import type { OpenVault } from '../session/vault-context.ts';
import {
  type EntryCodec,
  type EntryType,
  entryFacts,
  isWhole,
  sealTexts,
  type Texts,
} from './entry-codec.ts';
import { factsAsOpened } from './facts.ts';

/** Far below the most that one request may carry, whatever the entries' size. */
const BATCH = 50;
const BATCH_SIZE = 1_500_000;

/** An opened entry, sealed under the key of `vault`: its seal number, its facts and its times stay. @throws SealError */
export async function resealed<N extends EntryType>(
  kind: EntryCodec<N>,
  entry: N['entry'],
  vault: OpenVault,
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

/** Seals entries of any kind anew that an older key had sealed; one that was changed meanwhile is passed over. */
export const sendResealed = (entries: ResealedEntry[], { api, fingerprint }: OpenVault): Promise<unknown> =>
  api.send(regeneration.reseal, { body: { keyFingerprint: fingerprint, entries } });

/**
 * Seals those of `all` anew that an older key had sealed and the ring has noted, so that the ring is needed less and
 * less. It is nobody's wish, so nobody is told; what fails is tried again at the next visit.
 * @returns whether any were
 */
export async function resealOld<N extends EntryType>(
  kind: EntryCodec<N>,
  all: readonly N['entry'][],
  vault: OpenVault,
): Promise<boolean> {
  const old = all.filter(
    (entry) => isUnderOlderKey(entry, vault) && !entry.outside && !entry.boxed && isWhole(entry),
  );
  return old.length > 0 && sealSome(kind, old, vault);
}

/**
 * Seals those of `all` anew that a server had sealed: from then on they are as what this vault has written. Quiet, as
 * `resealOld`. Where two tabs do it, the first one counts.
 * @returns the entries as they now are
 */
export async function resealBoxes<N extends EntryType>(
  kind: EntryCodec<N>,
  all: readonly N['entry'][],
  vault: OpenVault,
): Promise<N['entry'][]> {
  const boxed = new Set(all.filter((entry) => entry.boxed && !entry.outside && isWhole(entry)));
  if (boxed.size === 0 || !(await sealSome(kind, [...boxed], vault))) return [...all];
  const { fingerprint: keyFingerprint } = vault;
  return all.map((entry) => (boxed.has(entry) ? { ...entry, boxed: false, keyFingerprint } : entry));
}

/** Seals entries anew and sends them. @returns whether all were sent */
async function sealSome<N extends EntryType>(
  kind: EntryCodec<N>,
  entries: readonly N['entry'][],
  vault: OpenVault,
): Promise<boolean> {
  try {
    let batch: ResealedEntry[] = [];
    let size = 0;
    const flush = async () => {
      if (batch.length > 0) await sendResealed(batch, vault);
      batch = [];
      size = 0;
    };
    for (const entry of entries) {
      const sealed = await resealed(kind, entry, vault);
      const length = JSON.stringify(sealed).length;
      if (batch.length === BATCH || size + length > BATCH_SIZE) await flush();
      batch.push(sealed);
      size += length;
    }
    await flush();
    return true;
  } catch {
    // The entries stay as they are, and open as they did.
    return false;
  }
}
