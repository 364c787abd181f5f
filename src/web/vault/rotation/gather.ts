// Everything that this browser may fetch of a vault and can open, ready to be sealed under another key. What it cannot
// open is named, never silently passed over.

import { PAGE_MAX } from '../../../shared/http/wire.ts';
import { account } from '../../../shared/nouns/account.ts';
import { finalBreath } from '../../../shared/nouns/final-breath.ts';
import { ghostState, ghosts } from '../../../shared/nouns/ghost.ts';
import { importWebhooks } from '../../../shared/nouns/import-webhooks.ts';
import { legacyScrolls } from '../../../shared/nouns/legacy.ts';
import type { LeftEntry, ResealedEntry } from '../../../shared/nouns/regeneration.ts';
import { shareableKeys } from '../../../shared/nouns/sacred-key.ts';
import type { BoundFacts } from '../../../shared/sealed-facts.ts';
import {
  type FieldName,
  fieldNames,
  type KindList,
  type KindName,
  type Kinds,
  sealedKinds,
} from '../../../shared/sealed-kinds.ts';
import { everyPage } from '../../api/every-page.ts';
import { whoseDetailsAreHidden } from '../book/hidden-details.ts';
import { loadCollection } from '../entries/collection.ts';
import { loadDeleted } from '../entries/deleted.ts';
import { type EntryCodec, type EntryType, isWhole } from '../entries/entry-codec.ts';
import { openFields, sealFields } from '../entries/fields.ts';
import { memoryCodec } from '../entries/memories.ts';
import { mythCodec } from '../entries/myths.ts';
import { relationshipCodec } from '../entries/relationships.ts';
import { resealed } from '../entries/resealing.ts';
import { isSealNumber } from '../entries/seal-numbers.ts';
import { cameFromOutside, isUnderOlderKey, type SealedBy } from '../key/key-ring.ts';
import type { OpenVault } from '../session/vault-context.ts';

/** One entry that was opened. */
export interface Opened {
  entry: LeftEntry;
  sealId: string | null;
  /** Which version of it: the same again is the same text. */
  stamp: string;
  /** Seals it under the key of another vault; its seal number stays. @throws SealError */
  reseal(next: OpenVault): Promise<ResealedEntry>;
}

export interface Gathered {
  opened: Opened[];
  /** What was fetched and does not open. */
  left: LeftEntry[];
  /** What opens under an older key that has not noted it: nobody but its owner may say that it is theirs. */
  outside: LeftEntry[];
  /** What may not be fetched now, and stays under the key that it has: the next ring notes it. */
  stays: Stays[];
}

/** A row that stays under its key; null for the present one. */
export interface Stays {
  entry: LeftEntry;
  keyFingerprint: string | null;
  sealId: string;
}

export type Part = Partial<Gathered>;

/** How each kind is gathered; a kind of the list that is left out here does not compile. */
export type Gatherers<L extends KindList = Kinds> = {
  [K in KindName<L>]: (vault: OpenVault) => Promise<Part>;
};

export const gatherers: Gatherers = {
  memory: (vault) => gatherEntries(memoryCodec, vault),
  relationship: (vault) => gatherEntries(relationshipCodec, vault),
  myth: (vault) => gatherEntries(mythCodec, vault),
  onboarding: async (vault) => {
    const row = await vault.api.send(account.answers, {});
    return gatherRows('onboarding', row ? [{ ...row, id: null }] : [], vault);
  },
  'sacred-key': async (vault) => gatherRows('sacred-key', await allLinks(vault), vault),
  webhook: async (vault) => gatherRows('webhook', await vault.api.send(importWebhooks.list, {}), vault),
  'legacy-scroll': async (vault) => gatherRows('legacy-scroll', await allScrolls(vault), vault),
  ghost: gatherGhosts,
  breath: gatherBreath,
};

/** Fetches everything anew and opens it. @throws ApiError, TypeError, OpenError when the ring does not open */
export async function gather(vault: OpenVault): Promise<Gathered> {
  const parts = await Promise.all(Object.values(gatherers).map((part) => part(vault)));
  return {
    opened: parts.flatMap(({ opened = [] }) => opened),
    left: parts.flatMap(({ left = [] }) => left),
    outside: parts.flatMap(({ outside = [] }) => outside),
    stays: parts.flatMap(({ stays = [] }) => stays),
  };
}

/** What is noted of rows that cannot be fetched, and which of them lie there without having been noted before. */
async function staying(
  rows: readonly (SealedBy & { entry: LeftEntry })[],
  vault: OpenVault,
): Promise<Pick<Gathered, 'stays' | 'outside' | 'left'>> {
  const stays: Stays[] = [];
  const outside: LeftEntry[] = [];
  const left: LeftEntry[] = [];
  for (const row of rows) {
    const { entry, sealId, keyFingerprint } = row;
    // Without a seal number, or with one that no browser writes, nobody can open it.
    if (!isSealNumber(sealId)) left.push(entry);
    else if (await cameFromOutside(row, vault)) outside.push(entry);
    else stays.push({ entry, sealId, keyFingerprint: isUnderOlderKey(row, vault) ? keyFingerprint : null });
  }
  return { stays, outside, left };
}

async function gatherEntries<N extends EntryType>(kind: EntryCodec<N>, vault: OpenVault): Promise<Part> {
  // What was deleted can be restored, and must open then.
  const lists = await Promise.all([loadCollection(kind, vault), loadDeleted(kind, vault)]);
  const all = lists.flat();
  // Sealed anew it would have no details any more: it is sealed anew when they are shown.
  const hidden = await whoseDetailsAreHidden(vault, all);
  const cannotBe = (entry: N['entry']) => entry.withheld || entry.leftOut || hidden.has(entry);
  const entries = all.filter((entry) => !cannotBe(entry));
  const nameOf = ({ id }: N['entry']): LeftEntry => ({ kind: kind.noun, id });
  const own = entries.filter((entry) => isWhole(entry) && !entry.outside);
  const locked = all.filter(cannotBe).map((entry) => ({ ...seals(entry), entry: nameOf(entry) }));
  const { stays, outside, left } = await staying(locked, vault);
  return {
    opened: own.map((entry) => ({
      entry: nameOf(entry),
      sealId: entry.sealId,
      stamp: String(entry.version),
      reseal: (next) => resealed(kind, entry, next),
    })),
    left: [...entries.filter((entry) => !isWhole(entry)).map(nameOf), ...left],
    outside: [...entries.filter((entry) => isWhole(entry) && entry.outside).map(nameOf), ...outside],
    stays,
  };
}

const seals = ({ sealId, keyFingerprint }: SealedBy): SealedBy => ({ sealId, keyFingerprint });

async function gatherGhosts(vault: OpenVault): Promise<Part> {
  const rows = await everyPage((before) =>
    vault.api.sendForPage(ghosts.list, { query: { limit: PAGE_MAX, before } }),
  );
  const waiting = rows.filter((row) => ghostState(row, Date.parse(row.expiresAt), 0) === 'waiting');
  return staying(
    waiting.map((row) => ({ ...seals(row), entry: { kind: 'ghost', id: row.id } })),
    vault,
  );
}

async function gatherBreath(vault: OpenVault): Promise<Part> {
  const row = await vault.api.send(finalBreath.get, {});
  if (row?.releasedAt !== null) return {};
  return staying([{ ...seals(row), entry: { kind: 'breath', id: null } }], vault);
}

const allLinks = ({ api }: OpenVault) =>
  everyPage((before) => api.sendForPage(shareableKeys.list, { query: { limit: PAGE_MAX, before } }));

const allScrolls = ({ api }: OpenVault) =>
  everyPage((before) => api.sendForPage(legacyScrolls.list, { query: { limit: PAGE_MAX, before } }));

/** The kinds that stand in no list of entries: all their fields open, or none. */
type PlainKind = 'onboarding' | 'sacred-key' | 'webhook' | 'legacy-scroll';

/** Opens rows of one kind. What holds nothing under the vault's key, such as a link that is only reserved, is passed over. */
async function gatherRows<K extends PlainKind>(
  kind: K,
  rows: readonly (SealedBy &
    BoundFacts<K> & { id: number | null; version?: number } & {
      [F in FieldName<Kinds[K]>]: string | null;
    })[],
  vault: OpenVault,
): Promise<Part> {
  const gathered = { opened: [] as Opened[], left: [] as LeftEntry[], outside: [] as LeftEntry[] };
  for (const row of rows) {
    const { id, version } = row;
    const sealed = fieldNames(sealedKinds[kind]).map((field) => [field, row[field]] as const);
    if (sealed.some(([, text]) => text === null)) continue;
    const entry = { kind, id };
    const found = await openFields(kind, row, Object.fromEntries(sealed) as Record<string, string>, vault);
    // What the server shows otherwise than it was sealed stays as it is: sealed anew, it would look right.
    if (!found?.texts) {
      gathered.left.push(entry);
      continue;
    }
    if (await cameFromOutside(row, vault)) {
      gathered.outside.push(entry);
      continue;
    }
    const { texts, facts } = found;
    const reseal = async (next: OpenVault) => {
      const anew = await sealFields(kind, row.sealId, texts, facts, next);
      return {
        kind,
        ...(id !== null && { id }),
        ...(version && { version }),
        ...anew,
      } as unknown as ResealedEntry;
    };
    gathered.opened.push({
      entry,
      sealId: row.sealId,
      stamp: [version, ...sealed.map(([, text]) => text)].join(' '),
      reseal,
    });
  }
  return gathered;
}
