// What a book's entries say of the past: who has written which row, and what each change has done. Pure.
import { DELETED } from '../../../crypto/book-entry.ts';
import type { PastEntry } from '../../../crypto/book-history.ts';
import { counted } from '../../../shared/counted.ts';
import { countedKind, type Origin } from './finding-words.ts';

/** By whom a row was written last, and by whom it was deleted or removed. */
export interface RowPast {
  written?: Origin;
  removed?: Origin;
}

/** @param past the newest entry first */
export function rowPasts(past: readonly PastEntry[]): Map<string, RowPast> {
  const rows = new Map<string, RowPast>();
  for (const { put, removed, device, at, isCheckpoint } of [...past].reverse()) {
    const origin = { at, device, ...(isCheckpoint && { isSummary: true }) };
    for (const { sealId, kind } of put) {
      const known = rows.get(sealId) ?? {};
      const isDeleted = kind.startsWith(DELETED);
      // A summary says nothing of when; what was read before it does.
      if (isCheckpoint && (isDeleted ? known.removed : known.written)) continue;
      rows.set(sealId, { ...known, ...(isDeleted ? { removed: origin } : { written: origin }) });
    }
    for (const sealId of removed) rows.set(sealId, { ...rows.get(sealId), removed: origin });
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
  /** The kind of each row by the time. */
  const kinds = new Map<string, string>();
  return [...past]
    .reverse()
    .map((entry) => {
      const what = deedsOf(entry, kinds);
      if (entry.isCheckpoint) kinds.clear();
      for (const { sealId, kind } of entry.put) kinds.set(sealId, kind);
      for (const sealId of entry.removed) kinds.delete(sealId);
      return { n: entry.n, at: entry.at, device: entry.device, what };
    })
    .reverse();
}

function deedsOf(
  { put, removed, isCheckpoint, abandons }: PastEntry,
  kinds: ReadonlyMap<string, string>,
): string {
  if (abandons) return 'Accepted what the server had then';
  if (isCheckpoint) return `Summed up everything: ${counted(put.length, 'entry', 'entries')}`;
  const counts = new Map<string, { deed: Deed; kind: string; count: number }>();
  const add = (deed: Deed, kind: string) => {
    const one = counts.get(`${deed} ${kind}`) ?? { deed, kind, count: 0 };
    counts.set(`${deed} ${kind}`, { ...one, count: one.count + 1 });
  };
  for (const { sealId, kind } of put) {
    const before = kinds.get(sealId);
    if (kind.startsWith(DELETED)) add('deleted', kind.slice(DELETED.length));
    else if (before?.startsWith(DELETED)) add('restored', kind);
    else add(before === undefined ? 'wrote' : 'changed', kind);
  }
  for (const sealId of removed) add('removed', kinds.get(sealId) ?? '');
  const said = [...counts.values()]
    .sort((a, b) => DEEDS.indexOf(a.deed) - DEEDS.indexOf(b.deed))
    .map(({ deed, kind, count }) => `${deed} ${countedKind(count, kind)}`)
    .join(', ');
  // Only what arrived from outside is sealed anew without being in the book.
  return said === '' ? 'Sealed what had arrived from outside' : `${said[0]?.toUpperCase()}${said.slice(1)}`;
}
