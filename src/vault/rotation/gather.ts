// Everything that this browser may fetch of a vault and can open, ready to be sealed under another key. What it cannot
// open is named, never silently passed over.

import { isSameLeaf } from '../../crypto/book-leaf.ts';
import type { LeftEntry, ResealedEntry } from '../../shared/nouns/regeneration.ts';
import type { RowOf } from '../../shared/nouns/sealed-rows.ts';
import type { BoundFacts } from '../../shared/sealed-facts.ts';
import {
  type FieldName,
  fieldNames,
  type KindName,
  type Kinds,
  kindNames,
  type ResealableKind,
  sealedKinds,
  type WithheldKind,
} from '../../shared/sealed-kinds.ts';
import { bookKind } from '../book/book-rows.ts';
import { compareWithBook, fetchCompared } from '../book/compare-with-book.ts';
import { whoseDetailsAreHidden } from '../book/hidden-details.ts';
import { leafOfRow } from '../book/leaf-of-row.ts';
import { openFields, sealFields } from '../entries/fields.ts';
import { isSealNumber } from '../entries/seal-numbers.ts';
import { cameFromOutside, hasKeyOf, isUnderOlderKey, type SealedBy } from '../keys/key-ring.ts';
import { type EntryKind, type EntryKindName, type EntryType, isWhole } from '../kinds/entry-kind.ts';
import { entryKinds } from '../kinds/entry-kinds.ts';
import type { VaultKind } from '../kinds/vault-kind.ts';
import { vaultKinds } from '../kinds/vault-kinds.ts';
import { resealed } from '../opening/resealing.ts';
import { readKit } from '../outbox/kit-writer.ts';
import { loadDeleted } from '../replica/deleted-rows.ts';
import { entryListOf } from '../replica/entry-list.ts';
import type { ListedVault } from '../replica/row-list.ts';
import type { Vault } from '../vault.ts';

/** One entry that was opened. */
export interface Opened {
  entry: LeftEntry;
  sealId: string | null;
  /** Which version of it: the same again is the same text, sealed as it was. */
  stamp: string;
  /** What the book knows it by. */
  leaf: string;
  /** What was sealed in its fields, where it is a guardians' kit: the next key is wrapped for just the secret that was judged here. */
  texts?: Readonly<Record<string, string>>;
  /** Seals it under the key of another vault; its seal number stays. @throws SealError */
  reseal(next: ListedVault): Promise<ResealedEntry>;
}

export interface Gathered {
  opened: Opened[];
  /** What was fetched and does not open. */
  left: LeftEntry[];
  /** What opens under an older key that has not noted it: nobody but its owner may say that it is theirs. */
  outside: LeftEntry[];
  /** Guardians' kits that the book does not have as they are shown: no key is wrapped for their sheets. */
  unknownKits: LeftEntry[];
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

/** The kinds whose rows no list of entries opens, and that nothing withholds: all their fields open, or none. */
type PlainKind = Exclude<ResealableKind, EntryKindName | WithheldKind>;

/** What is gathered of one kind. */
export function gatherKind<K extends KindName>(name: K, vault: ListedVault): Promise<Part> {
  if (name in entryKinds)
    return gatherEntries(entryKinds[name as EntryKindName] as unknown as EntryKind<EntryType>, vault);
  const { fetch, isOver } = vaultKinds[name] as VaultKind<K>;
  const rows = async () => {
    const all = await fetch(vault.api);
    compareWithBook(vault, name, all);
    return all as (RowOf[K] & SealedBy & { id?: number })[];
  };
  const numbered = (row: { id?: number }) => (sealedKinds[name].rows === 'many' ? (row.id ?? null) : null);
  if (sealedKinds[name].withheld === null)
    return rows().then((all) =>
      gatherRows(
        name as PlainKind,
        all.map((row) => ({ ...row, id: numbered(row) })) as unknown as PlainRow<PlainKind>[],
        vault,
      ),
    );
  // Their words come to nobody's browser now. What the clock of this one says of them does not count.
  return rows().then((all) =>
    staying(
      all
        .filter((row) => !isOver(row, 0))
        .map((row) => ({ ...seals(row), entry: { kind: name, id: numbered(row) } as LeftEntry })),
      vault,
    ),
  );
}

/** Fetches everything anew and opens it. @throws ApiError, TypeError, OpenError when the ring does not open */
export async function gather(vault: ListedVault): Promise<Gathered> {
  const parts = await fetchCompared(() =>
    Promise.all(kindNames(sealedKinds).map((name) => gatherKind(name, vault))),
  );
  return {
    opened: parts.flatMap(({ opened = [] }) => opened),
    left: parts.flatMap(({ left = [] }) => left),
    outside: parts.flatMap(({ outside = [] }) => outside),
    unknownKits: parts.flatMap(({ unknownKits = [] }) => unknownKits),
    stays: parts.flatMap(({ stays = [] }) => stays),
  };
}

/** What is noted of rows that cannot be fetched, and which of them lie there without having been noted before. */
async function staying(
  rows: readonly (SealedBy & { entry: LeftEntry })[],
  vault: ListedVault,
): Promise<Pick<Gathered, 'stays' | 'outside' | 'left'>> {
  const stays: Stays[] = [];
  const outside: LeftEntry[] = [];
  const left: LeftEntry[] = [];
  for (const row of rows) {
    const { entry, sealId, keyFingerprint } = row;
    // Without a seal number, or with one that no browser writes, nobody can open it; nor without its key.
    if (!isSealNumber(sealId) || !(await hasKeyOf(row, vault))) left.push(entry);
    else if (await cameFromOutside(row, vault)) outside.push(entry);
    else stays.push({ entry, sealId, keyFingerprint: isUnderOlderKey(row, vault) ? keyFingerprint : null });
  }
  return { stays, outside, left };
}

async function gatherEntries<N extends EntryType>(kind: EntryKind<N>, vault: ListedVault): Promise<Part> {
  // What was deleted can be restored, and must open then.
  const lists = await Promise.all([vault.lists.load(entryListOf(kind)), loadDeleted(kind, vault)]);
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
      stamp: `${entry.version} ${entry.leaf}`,
      leaf: entry.leaf,
      reseal: (next) => resealed(kind, entry, next),
    })),
    left: [...entries.filter((entry) => !isWhole(entry)).map(nameOf), ...left],
    outside: [...entries.filter((entry) => isWhole(entry) && entry.outside).map(nameOf), ...outside],
    stays,
  };
}

const seals = ({ sealId, keyFingerprint }: SealedBy): SealedBy => ({ sealId, keyFingerprint });

type PlainRow<K extends PlainKind> = SealedBy &
  BoundFacts<K> & { id: number | null; version?: number } & { [F in FieldName<Kinds[K]>]: string | null };

/**
 * Whether the book has a row just as it is shown. A removed kit still opens under the vault's key: a server that shows it once
 * more must not be handed the next key for its sheets. A book that cannot be read has none.
 */
async function isInBook(vault: Vault, kind: KindName, sealId: string | null, leaf: string): Promise<boolean> {
  const rows = (await (await vault.loadBook()).known())?.rows;
  const known = rows?.get(sealId ?? '');
  return known !== undefined && known.kind === bookKind(kind) && isSameLeaf(known.leaf, leaf);
}

/** Opens rows of one kind. What holds nothing under the vault's key, such as a link that is only reserved, is passed over. */
async function gatherRows<K extends PlainKind>(
  kind: K,
  rows: readonly PlainRow<K>[],
  vault: ListedVault,
): Promise<Part> {
  const gathered = {
    ...{ opened: [] as Opened[], left: [] as LeftEntry[] },
    ...{ outside: [] as LeftEntry[], unknownKits: [] as LeftEntry[] },
  };
  const isKit = kind === 'guardian-kit';
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
    const leaf = leafOfRow(kind, row);
    if (isKit && !(readKit(texts) && (await isInBook(vault, kind, row.sealId, leaf)))) {
      gathered.unknownKits.push(entry);
      continue;
    }
    const reseal = async (next: ListedVault) => {
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
      leaf,
      ...(isKit && { texts }),
      reseal,
    });
  }
  return gathered;
}
