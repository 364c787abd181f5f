// What one noun of the vault's lists is: its rows, its entries, what is sealed of it, and the calls that carry it.
import { seal } from '../../../crypto/seal.ts';
import type { ShareableKind, VersionedKind } from '../../../shared/sealed-kinds.ts';
import type { ApiClient } from '../../api/client.ts';
import type { OpenVault } from '../vault-context.ts';

/** What every row of every list has. */
export interface SealedRow {
  id: number;
  version: number;
  createdAt: string;
  updatedAt: string;
  sealId: string | null;
  keyFingerprint: string | null;
}

/** What every entry has, once its row was opened as far as it can be. */
export interface OpenedEntry extends SealedRow {
  /** What it is found by: null when it cannot be opened. */
  name: string | null;
  /** Null when it cannot be opened, or is withheld. */
  content: string | null;
  /** Withheld by the server: its lock still holds there. */
  withheld: boolean;
  /** Everything that can be searched, folded (search.ts). */
  folded: string;
  /** It lies under an older key that has not noted it (key-ring.ts): shown as such, and never sealed anew unasked. */
  outside: boolean;
}

/** The types of one noun. */
export interface Noun {
  row: SealedRow;
  entry: OpenedEntry;
  /** The names of the sealed fields. */
  field: string;
  /** What is sent in the clear beside them. */
  clear: object;
}

/** What a writer gives. */
export interface EntryDraft<N extends Noun> {
  /** Plain words. */
  texts: Record<N['field'], string>;
  clear: N['clear'];
  /** The clear part as it was chosen: the same choice, tried again, means the same bytes. */
  choice: string;
}

export type SealedTexts<N extends Noun> = Record<N['field'], string> & { keyFingerprint: string };

/** One noun: its calls, its sealed fields, and what an opened row is called. */
export interface Kind<N extends Noun> {
  /** The noun in a seal's context (docs/formats.md). */
  noun: ShareableKind & VersionedKind;
  path: string;
  /** The sealed fields by their names in the contract: the name first, then the content. */
  fields: readonly [name: N['field'] & keyof N['row'], content: N['field'] & keyof N['row']];
  fetchPage(api: ApiClient, before: number | undefined): Promise<{ reply: N['row'][]; hasNext: boolean }>;
  fetchOne(api: ApiClient, id: number): Promise<N['row']>;
  create(api: ApiClient, body: SealedTexts<N> & N['clear'] & { sealId: string }): Promise<N['row']>;
  update(
    api: ApiClient,
    id: number,
    body: SealedTexts<N> & N['clear'] & { version: number },
  ): Promise<N['row']>;
  remove(api: ApiClient, id: number): Promise<void>;
  /** @param texts the opened fields in the order of `fields`; null where one cannot be opened */
  opened(row: N['row'], texts: readonly (string | null)[]): Omit<N['entry'], 'outside'>;
}

/** The name under which an edit's draft is kept. */
export const draftOf = ({ noun }: { noun: string }, id: number) => `${noun}-${id}`;

/** Seals a row's texts. @throws SealError */
export async function sealTexts<N extends Noun>(
  { noun }: Kind<N>,
  texts: Record<N['field'], string>,
  { contentKey, fingerprint }: OpenVault,
  sealId: string,
): Promise<SealedTexts<N>> {
  const sealed = Object.entries<string>(texts).map(
    async ([field, text]) => [field, await seal(text, contentKey, { kind: noun, field, sealId })] as const,
  );
  const byField = Object.fromEntries(await Promise.all(sealed)) as Record<N['field'], string>;
  return { ...byField, keyFingerprint: fingerprint };
}
