// What a kind of entry is: its rows, what is sealed of them, the calls that carry them, and how the trash, the palette, links
// and archives name it. Each kind fills it in a file of its own; what must treat all of them alike walks `entry-kinds.ts`.
import * as z from 'zod/mini';
import { type SealFacts, seal } from '../../crypto/seal.ts';
import type { Deletion } from '../../shared/nouns/entry-calls.ts';
import { type BoundFacts, boundNames, type ChangedFact } from '../../shared/sealed-facts.ts';
import type { RestorableKind, ShareableKind, VersionedKind } from '../../shared/sealed-kinds.ts';
import type { ApiClient, BookedClient } from '../api/api-client.ts';
import {
  type Arrival,
  type Details,
  happenedAt,
  membersOf,
  readArrival,
  readDetails,
} from '../entries/details.ts';
import type { SharedEntry } from '../sharing/share.ts';
import type { Vault } from '../vault.ts';

/** What every row of every list has. */
export interface SealedRow {
  id: number;
  version: number;
  createdAt: string;
  updatedAt: string;
  sealId: string | null;
  keyFingerprint: string | null;
  /** Ciphertext; null where there are none. */
  details: string | null;
}

/**
 * What every entry has, once its row was opened as far as it can be. Its times are its author's, from the seal, where it
 * opens.
 */
export interface OpenedEntry extends Omit<SealedRow, 'details'> {
  /** What it is found by: null when it cannot be opened. */
  name: string | null;
  /** Null when it cannot be opened, or is withheld. */
  content: string | null;
  /** Withheld by the server: the lock that was sealed in with it lies ahead. */
  withheld: boolean;
  /** The server leaves its words out, and has no lock to do so. */
  leftOut: boolean;
  /** When it happened and its tags, as far as they can be read. */
  details: Details;
  /** The same as they were opened: null for none, undefined where they cannot be opened or are withheld. */
  detailsText: string | null | undefined;
  /** Where it arrived from; null for what was written in this vault. */
  arrived: Arrival | null;
  /** When it happened, or else when it was written, in epoch milliseconds: what lists are sorted by. */
  at: number;
  /** Everything that can be searched, folded (search.ts). */
  folded: string;
  /** It lies under an older key that has not noted it (key-ring.ts): shown as such, and never sealed anew unasked. */
  outside: boolean;
  /** What the server shows otherwise than it was sealed, so that its texts are not here; null for nothing. */
  changed: readonly ChangedFact[] | null;
  /** A server has sealed it, and no browser has sealed it anew under the vault's own key yet (boxes.ts). */
  boxed: boolean;
  /** What the vault's book knows it by. */
  leaf: string;
}

/** The types of one noun. */
export interface EntryType {
  row: SealedRow;
  entry: OpenedEntry;
  /** The names of the sealed fields. */
  field: string;
  /** What is sent in the clear beside them. */
  clear: object;
  /** The name of its list in an archive, and one of them there. */
  part: string;
  exported: ExportedEntry;
}

/** What a writer gives. */
export interface EntryDraft<N extends EntryType> {
  /** Plain words. */
  texts: Texts<N>;
  clear: N['clear'];
  /** The numbers of files that it names anew, and of those that nothing names any more once it is kept. */
  files?: { added: readonly string[]; removed: readonly string[] };
  /** The clear part as it was chosen: the same choice, tried again, means the same bytes. */
  choice: string;
}

/** The texts by their names; `details` are null for none, and undefined where those that are there stay. */
export type Texts<N extends EntryType> = Record<N['field'], string> & { details: string | null | undefined };
export type SealedTexts<N extends EntryType> = Texts<N> & { keyFingerprint: string };

/** What every archive has of every entry (docs/formats.md, "Archive"), besides what its kind calls it. */
export const exportedFields = {
  /** The number of its seal: what a second import knows it by. */
  sealId: z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/)),
  content: z.string(),
  /** Details as JSON: of whatever version, with whatever keys (docs/formats.md, "Details"). */
  details: z.nullish(z.record(z.string(), z.unknown())),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
};
export type ExportedEntry = z.output<z.ZodMiniObject<typeof exportedFields>>;

/** An entry that an archive takes along. */
export type Readable<E extends OpenedEntry> = E & { name: string; content: string; sealId: string };

/** How a kind stands in an archive. */
export interface ArchivePart<N extends EntryType> {
  /** The name of its list in `entries.json`, and of its folder of readable files. */
  name: N['part'];
  schema: z.ZodMiniType<N['exported'], N['exported']>;
  /** How many there are, in words. */
  counted(count: number): string;
  /**
   * What the archive says besides the fields of every entry.
   * @param isHidden whether the server leaves the details out, which the vault's book knows of
   */
  toArchive(
    entry: Readable<N['entry']>,
    isHidden: boolean,
  ): Omit<N['exported'], Exclude<keyof ExportedEntry, 'details'>>;
  /** The entry as it is sealed anew. @param details as JSON text */
  toDraft(exported: N['exported'], details: string | null): Omit<EntryDraft<N>, 'choice'>;
  /** The heading of its readable file, and what stands below it before details and words. */
  heading(exported: N['exported']): string;
  facts(exported: N['exported']): string[];
}

/** How a kind is called. */
export interface EntryWords {
  /** At the head of a sentence or alone. */
  title: string;
  /** Counted, or as "a memory". */
  noun: string;
  nouns: string;
  /** By what else people may look for its chamber. */
  also: string;
  /** Where one is chosen for a link. */
  linked: { title: string; one: string; many: string };
  /** Over those that a search has found. */
  found: string;
  /** Before something that cannot be undone, and of what goes on under another key. */
  every: string;
  sealedAnew: string;
}

/** The kinds whose entries stand in lists. */
export type EntryKindName = RestorableKind & ShareableKind & VersionedKind;

/** One kind of entry. */
export interface EntryKind<N extends EntryType> extends EntryCalls<N> {
  /** The kind in a seal's context (docs/formats.md). */
  noun: EntryKindName;
  words: EntryWords;
  /** Whether a server may seal one of them itself: a delivery of a webhook, or a story. Boxes of others do not open. */
  arrives: boolean;
  /** The sealed fields by their names in the contract: the name first, then the content. */
  fields: readonly [name: N['field'] & keyof N['row'], content: N['field'] & keyof N['row']];
  /**
   * @param texts the opened fields in the order of `fields`; null where one cannot be opened
   * @param more what every noun has in common
   */
  opened(
    row: N['row'],
    texts: readonly (string | null)[],
    more: Pick<OpenedEntry, 'details' | 'detailsText' | 'arrived' | 'at'>,
  ): Omit<N['entry'], 'withheld' | 'leftOut' | 'outside' | 'boxed' | 'changed' | 'leaf'>;
  /** Until when its author has locked it; null where they have not. */
  lockedUntil(entry: N['entry']): string | null;
  /** What a list of entries of many kinds calls it; null where it cannot be opened. */
  label(entry: N['entry']): string | null;
  /** What is said beside its name where one is searched or chosen; null for nothing. */
  note(entry: N['entry']): string | null;
  /** The entry as the reader of a one-time link gets it. @param said what all nouns tell such a reader */
  shared(entry: N['entry'], name: string, said: Said): SharedEntry;
  archive: ArchivePart<N>;
}

/** The calls of one kind. */
export interface EntryCalls<N extends EntryType> {
  /** Of its list: what the queries of it are named by. */
  path: string;
  /** @param limit how many rows at most; left out: as many as a page may have */
  fetchPage(
    api: ApiClient,
    before: number | undefined,
    limit?: number,
  ): Promise<{ reply: N['row'][]; hasNext: boolean }>;
  /** The same page as it came, for a worker to read. */
  fetchText(api: ApiClient, before: number): Promise<{ text: string; hasNext: boolean }>;
  /** The rows of such a page, checked as `fetchPage` does. @throws what the contract's schema throws */
  rowsOf(parsed: unknown): N['row'][];
  fetchOne(api: ApiClient, id: number): Promise<N['row']>;
  create(api: BookedClient, body: SealedTexts<N> & N['clear'] & { sealId: string }): Promise<N['row']>;
  update(
    api: BookedClient,
    id: number,
    body: SealedTexts<N> & N['clear'] & { version: number },
  ): Promise<N['row']>;
  /** Deletes an entry; for a while it can be restored. */
  remove(api: BookedClient, id: number): Promise<void>;
  /** The calls for what was deleted. */
  deleted: {
    fetchPage(
      api: ApiClient,
      before: number | undefined,
    ): Promise<{ reply: (N['row'] & Deletion)[]; hasNext: boolean }>;
    restore(api: BookedClient, id: number): Promise<N['row']>;
    /** Erases a deleted entry before its time. */
    erase(api: BookedClient, id: number): Promise<void>;
  };
}

/** What the reader of a one-time link is told of every entry. Its tags are for its author, and do not go along. */
export interface Said {
  v: 1;
  content: string;
  createdAt: string;
  happenedOn?: string;
}

/** An entry for the reader of a one-time link; null while it cannot be read here. */
export function sharedEntry<N extends EntryType>(kind: EntryKind<N>, entry: N['entry']): SharedEntry | null {
  const { name, content, createdAt, details } = entry;
  if (name === null || content === null) return null;
  const { happenedOn } = details;
  const said = { v: 1 as const, content, createdAt, ...(happenedOn !== null && { happenedOn }) };
  // Whoever makes the link decides which of them go along (outbox/files-of-link.ts).
  const { files } = membersOf(entry.detailsText ?? null) ?? {};
  return { ...kind.shared(entry, name, said), ...(files !== undefined && { files }) };
}

/** The name under which an edit's draft is kept: by the number of the entry's seal, since a server may give it another id. */
export const draftOf = ({ noun }: { noun: string }, sealId: string | null) => `${noun}-${sealId ?? ''}`;

/**
 * The field in the context of what arrived from outside (docs/formats.md, "Sealed box"). The mark is bound to every seal of
 * such a row, so that no server can take it away by leaving the details out.
 */
export const arrivedField = (field: string) => `arrived/${field}`;

/** The facts of a row of a list, of which this file knows no more than their names. */
export type EntryFacts = BoundFacts<EntryKind<EntryType>['noun']>;
export const entryFacts = (row: object): EntryFacts => row as EntryFacts;

/** What a row or an entry says in the clear by its author's choice, and is sent again with every change. */
export function chosenOf<N extends EntryType>({ noun }: EntryKind<N>, row: object): N['clear'] {
  const names = boundNames(noun).filter((name) => name !== 'version');
  return Object.fromEntries(names.map((name) => [name, (row as Record<string, unknown>)[name]]));
}

/** Seals a row's texts, each with the facts. @throws SealError */
export async function sealTexts<N extends EntryType>(
  { noun }: EntryKind<N>,
  texts: Texts<N>,
  { contentKey, fingerprint }: Vault,
  sealId: string,
  facts: SealFacts,
): Promise<SealedTexts<N>> {
  const arrived = readArrival(texts.details ?? null) !== null;
  const sealed = Object.entries<string | null | undefined>(texts).map(async ([field, text]) => {
    const context = { kind: noun, field: arrived ? arrivedField(field) : field, sealId };
    return [field, typeof text === 'string' ? await seal(text, contentKey, context, facts) : text] as const;
  });
  const byField = Object.fromEntries(await Promise.all(sealed)) as Texts<N>;
  return { ...byField, keyFingerprint: fingerprint };
}

/** What every opened row has besides its texts. @param text the opened details, as `detailsText` */
export function detailsOfRow(row: Pick<SealedRow, 'createdAt'>, text: string | null | undefined) {
  const details = readDetails(text ?? null);
  const at = details.happenedOn === null ? null : happenedAt(details.happenedOn);
  const arrived = readArrival(text ?? null);
  return { details, detailsText: text, arrived, at: at ?? Date.parse(row.createdAt) };
}

/** Whether everything that was sealed of an entry is open: only then can it be sealed anew. */
export const isWhole = ({ name, content, detailsText }: OpenedEntry) =>
  name !== null && content !== null && detailsText !== undefined;
