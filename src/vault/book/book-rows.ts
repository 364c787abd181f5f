// The rows of a vault as its book has them: of what is sent, and of what the server shows.
import type { Change } from '../../crypto/book.ts';
import { type BookRow, DELETED, type Ending } from '../../crypto/book-entry.ts';
import { isSameLeaf } from '../../crypto/book-leaf.ts';
import { DELETED_LASTS } from '../../shared/nouns/entry-calls.ts';
import {
  type KindName,
  markNames,
  type SealedKind,
  sealedKinds,
  type Withholding,
} from '../../shared/sealed-kinds.ts';
import { leafOfRow } from './leaf-of-row.ts';
import { lockLiesAhead } from './lock-ahead.ts';
import type { KnownRow, RowVersion, Written, WrittenRow } from './written.ts';

/** How a row whose words the server may withhold goes without an entry: a locked one does not. */
const endings: Record<Withholding['when'], readonly Exclude<Ending['by'], 'expiry'>[]> = {
  locked: [],
  'until-read': ['reading'],
  // Its release comes with an entry.
  'until-burned': [],
};

type Fields = Record<string, string | null | undefined>;

/** How a row goes without an entry: by its kind, and by `expiresAt` where it has one. What may be read for ever is never read out. */
function endsOf(kind: KindName, { expiresAt, maxReads }: Fields): Ending[] {
  const { withheld } = sealedKinds[kind] as SealedKind;
  const byRule = (withheld && maxReads !== null ? endings[withheld.when] : []).map((by): Ending => ({ by }));
  return expiresAt ? [...byRule, { by: 'expiry', at: Date.parse(expiresAt) }] : byRule;
}

/** A row as it will be once it is sent. @param before as it is in the book */
export function putRow({ kind, sealId, sealed, version }: WrittenRow, before?: BookRow): BookRow[] {
  if (sealId === null) return [];
  const leaf = leafOfRow(kind, sealed, before?.leaf);
  return [{ sealId, kind, leaf, ends: endsOf(kind, sealed as Fields), versionNumber: version }];
}

/**
 * What a change does to the book. A row that is not in it yet is taken in where its owner deletes or restores it: another
 * browser may be about to take it in as it was.
 * @param rows what is in the book
 * @param now milliseconds since 1970
 * @returns null where it is about no row that a book can have. What does nothing else is written down all the same, so that
 * it comes before or behind what other browsers write
 */
export function changeOf(
  rows: Pick<ReadonlyMap<string, BookRow>, 'get'>,
  { put = [], resealed = [], deleted = [], restored = [], removed = [] }: Written,
  now: number,
): Required<Change> | null {
  const known = (sealId: string | null) => (sealId === null ? undefined : rows.get(sealId));
  const rowOf = ({ kind, sealId, leaf }: KnownRow): BookRow[] =>
    sealId === null ? [] : [known(sealId) ?? { sealId, kind, leaf, ends: [] }];
  const isTouched =
    [...put, ...resealed, ...deleted, ...restored].some(({ sealId }) => sealId !== null) ||
    removed.some((sealId) => sealId !== null);
  if (!isTouched) return null;
  return {
    put: [
      ...put.flatMap((row) => putRow(row, known(row.sealId))),
      ...resealed.flatMap((row) => {
        const before = known(row.sealId);
        // What is sealed anew keeps its number, so that nothing is said of that.
        const anew = { leaf: leafOfRow(row.kind, row.sealed, before?.leaf), versionNumber: undefined };
        return before ? { ...before, ...anew } : [];
      }),
      ...deleted.flatMap(rowOf).flatMap((row) => {
        const ends: Ending[] = [{ by: 'expiry', at: now + DELETED_LASTS }];
        return row.kind.startsWith(DELETED) ? [] : { ...row, kind: DELETED + row.kind, ends };
      }),
      ...restored.flatMap(rowOf).map((row) => ({ ...row, kind: livingKind(row.kind), ends: [] })),
    ],
    removed: removed.flatMap((sealId) => sealId ?? []),
  };
}

/** Rows of a change that were made from something else than what the book has. */
export const madeFromOthers = (
  rows: Pick<ReadonlyMap<string, BookRow>, 'get'>,
  { put = [], resealed = [] }: Written,
): { row: BookRow; over: string }[] =>
  [...put, ...resealed].flatMap(({ sealId, over }) => {
    const row = over === undefined || sealId === null ? undefined : rows.get(sealId);
    return row && over !== undefined && !isSameLeaf(row.leaf, over) ? [{ row, over }] : [];
  });

const livingKind = (kind: string) => (kind.startsWith(DELETED) ? kind.slice(DELETED.length) : kind);

/** A row that the server shows, as the book would have it. */
export interface ShownBookRow extends BookRow {
  isWithheld: boolean;
  /** Its words are gone, as the server says: whether they may be is said by how the row was to end. */
  isOver?: boolean;
  /** Which version it is, where it has versions. */
  version?: RowVersion | undefined;
}

/** A list of the server, to be compared with the book. */
export interface ShownList {
  /** The kinds of the book whose rows it has, all of them. */
  kinds: readonly string[];
  /** In the names of the queries that show it. */
  path: string;
  fetch(): Promise<ShownBookRow[]>;
}

/** The kind under which the book has rows of a list. */
export const bookKind = (kind: KindName, deleted = false): string => (deleted ? DELETED + kind : kind);

/**
 * A row of a list. Nothing where it has no seal number, which no browser has written.
 */
export function shownRow(
  kind: KindName,
  row: { sealId: string | null },
  { deleted = false, isOver = false } = {},
): ShownBookRow[] {
  const { sealId } = row;
  const fields = row as unknown as Fields;
  const [first] = markNames(kind);
  if (sealId === null) return [];
  if (isOver) return [{ sealId, kind: bookKind(kind), leaf: '', ends: [], isWithheld: false, isOver }];
  if (first !== undefined && fields[first] === null) return [];
  const rule = sealedKinds[kind].withheld?.when;
  const mayWithhold =
    rule === 'locked' ? lockLiesAhead(fields.timeLockUntil, Date.now()) : rule !== undefined;
  const isWithheld = mayWithhold && fields.encryptedContent === null;
  return [
    {
      ...{ sealId, kind: bookKind(kind, deleted), leaf: leafOfRow(kind, row), isWithheld },
      version: versionOf(row),
      ends: deleted ? [{ by: 'expiry', at: erasureOf(fields) }] : endsOf(kind, fields),
    },
  ];
}

/** Which version of itself a row is; undefined where it has none. */
export const versionOf = (row: object): RowVersion | undefined => {
  const { version: n, keyFingerprint = null } = row as { version?: number; keyFingerprint?: string | null };
  return n === undefined ? undefined : { n, keyFingerprint };
};

const erasureOf = ({ erasedAt }: Fields): number => Date.parse(erasedAt ?? '');
