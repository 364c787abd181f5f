// What a book's entries say of the past: who has written which row, and what each change has done. Pure.
import { type BookRow, DELETED } from '../../../crypto/book-entry.ts';
import type { PastEntry } from '../../../crypto/book-history.ts';
import { counted } from '../../../shared/counted.ts';
import { countedKind, type Origin } from './finding-words.ts';

/** By whom a row was written last, and by whom it was deleted or removed. */
export interface RowPast {
  written?: Origin;
  removed?: Origin;
}

/** What an entry makes of rows: not what it says of their earlier versions, nor a row that it names again as it stood. */
const madeBy = ({ put, isCheckpoint }: PastEntry, before: ReadonlyMap<string, BookRow>): BookRow[] =>
  [...new Map(put.map((row) => [row.sealId, row])).values()].filter(({ sealId, kind, leaf }) => {
    const was = before.get(sealId);
    return isCheckpoint || was?.kind !== kind || was.leaf !== leaf;
  });

/** @param past the newest entry first */
export function rowPasts(past: readonly PastEntry[]): Map<string, RowPast> {
  const rows = new Map<string, RowPast>();
  const standing = new Map<string, BookRow>();
  for (const entry of [...past].reverse()) {
    const { removed, device, at, isCheckpoint } = entry;
    const origin = { at, device, ...(isCheckpoint && { isSummary: true }) };
    for (const row of madeBy(entry, standing)) {
      const { sealId, kind } = row;
      standing.set(sealId, row);
      const known = rows.get(sealId) ?? {};
      const isDeleted = kind.startsWith(DELETED);
      // A summary says nothing of when; what was read before it does.
      if (isCheckpoint && (isDeleted ? known.removed : known.written)) continue;
      rows.set(sealId, { ...known, ...(isDeleted ? { removed: origin } : { written: origin }) });
    }
    for (const sealId of removed) {
      standing.delete(sealId);
      rows.set(sealId, { ...rows.get(sealId), removed: origin });
    }
  }
  return rows;
}

export interface PastChange {
  n: number;
  at: number;
  device: string;
  /** Such as "Wrote 1 memory". */
  what: string;
}

/** The deeds of an entry, in the order in which they are told. */
const DEEDS = ['wrote', 'changed', 'restored', 'deleted', 'removed'] as const;
type Deed = (typeof DEEDS)[number];

/** What each change has done, the newest first. @param past as of `rowPasts` */
export function pastChanges(past: readonly PastEntry[]): PastChange[] {
  /** The rows by the time. */
  const rows = new Map<string, BookRow>();
  return [...past]
    .reverse()
    .map((entry) => {
      const what = deedsOf(entry, rows);
      if (entry.isCheckpoint) rows.clear();
      for (const row of entry.put) rows.set(row.sealId, row);
      for (const sealId of entry.removed) rows.delete(sealId);
      return { n: entry.n, at: entry.at, device: entry.device, what };
    })
    .reverse();
}

function deedsOf(entry: PastEntry, rows: ReadonlyMap<string, BookRow>): string {
  const { put, removed, isCheckpoint, abandons } = entry;
  if (abandons) return 'Accepted what the server had then';
  if (isCheckpoint) return `Summed up everything: ${counted(put.length, 'entry', 'entries')}`;
  const counts = new Map<string, { deed: Deed; kind: string; count: number }>();
  const add = (deed: Deed, kind: string) => {
    const one = counts.get(`${deed} ${kind}`) ?? { deed, kind, count: 0 };
    counts.set(`${deed} ${kind}`, { ...one, count: one.count + 1 });
  };
  for (const { sealId, kind } of madeBy(entry, rows)) {
    const before = rows.get(sealId)?.kind;
    if (kind.startsWith(DELETED)) add('deleted', kind.slice(DELETED.length));
    else if (before?.startsWith(DELETED)) add('restored', kind);
    else add(before === undefined ? 'wrote' : 'changed', kind);
  }
  for (const sealId of removed) add('removed', rows.get(sealId)?.kind ?? '');
  const said = [...counts.values()]
    .sort((a, b) => DEEDS.indexOf(a.deed) - DEEDS.indexOf(b.deed))
    .map(({ deed, kind, count }) => `${deed} ${countedKind(count, kind)}`)
    .join(', ');
  if (said === '' && put.length > 0) return 'Took in what had been changed before';
  // Only what arrived from outside is sealed anew without being in the book.
  return said === '' ? 'Sealed what had arrived from outside' : `${said[0]?.toUpperCase()}${said.slice(1)}`;
}
