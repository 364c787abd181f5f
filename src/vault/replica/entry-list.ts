// The list of a kind of entry: fetched page by page and opened while the next are on their way.
import { compareEntriesWithBook } from '../book/compare-with-book.ts';
import { pagesBelow } from '../entries/pages-ahead.ts';
import { draftOf, type EntryKind, type EntryType, type OpenedEntry } from '../kinds/entry-kind.ts';
import { openRows } from '../opening/opening.ts';
import { resealBoxes, resealOld } from '../opening/resealing.ts';
import { isBoxed } from '../opening/row-opening.ts';
import { fetchDeleted } from './deleted-rows.ts';
import type { KeptList } from './kept-list.ts';
import type { ListedVault, Loading, RowList } from './row-list.ts';

/** What happened last comes first; where nobody says when it happened, when it was written counts. */
const byAge = (a: OpenedEntry, b: OpenedEntry) =>
  b.at - a.at || (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : b.id - a.id);

/** The list of a kind of entry. */
export const entryListOf = <N extends EntryType>(kind: EntryKind<N>): RowList<N['entry']> => ({
  path: kind.path,
  load: (vault, loading) => loadAll(kind, vault, loading),
  order: byAge,
  changed: (vault, rows) => {
    // A list that is on its way is kept once it is here.
    if (!vault.lists.isLoading(kind)) void keptHere(kind, vault).then((kept) => kept?.keepChanged(rows));
  },
  edited: {
    draftOf: (sealId) => draftOf(kind, sealId),
    fetchDeleted: (vault) => fetchDeleted(kind, vault),
  },
});

/** How many a page that shows no whole list has of each kind. */
export const NEWEST = 50;

/** The newest entries of a kind: a short page of its list, for a page that shows no whole one. */
export const newestListOf = <N extends EntryType>(kind: EntryKind<N>): RowList<N['entry']> => ({
  path: `${kind.path}?limit=${NEWEST}`,
  async load(vault) {
    const { reply, hasNext } = await kind.fetchPage(vault.api, undefined, NEWEST);
    const entries = await openRows(kind, reply, vault);
    // A page that is not full is the last one, whatever the server says.
    const isPart = hasNext && reply.length >= NEWEST;
    compareEntriesWithBook(vault, kind.noun, entries, { isPart });
    return entries;
  },
});

/** What a list has: what is open, and the rows that a server has sealed, which take long. */
interface Read<N extends EntryType> {
  entries: N['entry'][];
  boxes: N['row'][];
  /** The place among the vault's changes up to which this is known; null where the list is not kept. */
  place: string | null;
}

async function loadAll<N extends EntryType>(
  kind: EntryKind<N>,
  vault: ListedVault,
  loading: Loading<N['entry']>,
): Promise<N['entry'][]> {
  const kept = await keptHere(kind, vault);
  const { entries, boxes, place } =
    (kept && (await readKept(kind, vault, loading, kept))) ?? (await readPages(kind, vault, loading, kept));
  loading.signal.throwIfAborted();
  void refreshResealed(kind, entries, vault);
  const complete = await addBoxes(kind, entries, boxes, vault, loading);
  compareEntriesWithBook(vault, kind.noun, complete);
  complete.sort(byAge);
  if (place !== null) kept?.keep(place, complete);
  return complete;
}

/** The list as this device keeps it. Where that part cannot be loaded it is fetched as a whole, as anywhere else. */
async function keptHere<N extends EntryType>(
  kind: EntryKind<N>,
  vault: ListedVault,
): Promise<KeptList<N> | null> {
  if (!vault.keepsLists()) return null;
  return import('./kept-list.ts').then((part) => part.keptListOf(kind, vault)).catch(() => null);
}

const openHere = <N extends EntryType>(kind: EntryKind<N>, rows: readonly N['row'][], vault: ListedVault) =>
  openRows(
    kind,
    rows.filter((row) => !isBoxed(kind, row)),
    vault,
  );

/** What this device keeps, and what has changed since; null where the list has to be fetched. */
async function readKept<N extends EntryType>(
  kind: EntryKind<N>,
  vault: ListedVault,
  { show, shownAsOf }: Loading<N['entry']>,
  kept: KeptList<N>,
): Promise<Read<N> | null> {
  const isFirst = vault.lists.rows(entryListOf(kind)) === undefined;
  const known = await kept.bringUpToDate((entries, at) => {
    if (isFirst) show(() => entries.sort(byAge));
    if (at !== undefined) shownAsOf(at);
  });
  if (!known) return null;
  const { entries, rows, place } = known;
  const opened = await openHere(kind, rows, vault);
  return { entries: entries.concat(opened), boxes: rows.filter((row) => isBoxed(kind, row)), place };
}

/** Fetches and opens every page. A list of one page is opened here; what follows it is a worker's, while this page draws. */
async function readPages<N extends EntryType>(
  kind: EntryKind<N>,
  vault: ListedVault,
  { signal, show }: Loading<N['entry']>,
  kept: KeptList<N> | null,
): Promise<Read<N>> {
  const place = kept && (await kept.placeNow());
  const { reply, hasNext } = await kind.fetchPage(vault.api, undefined);
  const following = hasNext ? loadFollowing(kind, vault, reply, signal) : null;
  // If opening fails, what is on its way must not become an unhandled rejection.
  following?.catch(() => {});
  const first = await openHere(kind, reply, vault);
  if (following) show(() => first);
  const { entries, left } = (await following) ?? { entries: [], left: [] };
  return {
    entries: first.concat(entries, await openHere(kind, left, vault)),
    boxes: [...reply, ...left].filter((row) => isBoxed(kind, row)),
    place,
  };
}

/** What follows a row: opened, or left as it came where that is for `openRows`. */
interface Following<N extends EntryType> {
  entries: N['entry'][];
  left: N['row'][];
}

/** Fetches every page after the first one and has it read and opened elsewhere, while the next are on their way. */
async function loadFollowing<N extends EntryType>(
  kind: EntryKind<N>,
  { api, contentKey, fingerprint, openElsewhere }: ListedVault,
  page: readonly N['row'][],
  signal: AbortSignal,
): Promise<Following<N>> {
  const opener = await openElsewhere();
  signal.addEventListener('abort', opener.close, { once: true });
  /** Where nobody else can, the rows are left to this page. */
  const open = async (text: string): Promise<Following<N>> => {
    const opened = await opener.ask({ noun: kind.noun, text, contentKey, fingerprint }).catch(() => null);
    signal.throwIfAborted();
    return (opened as Following<N> | null) ?? { entries: [], left: kind.rowsOf(JSON.parse(text)) };
  };
  try {
    const opening: Promise<Following<N>>[] = [];
    const [first, last] = [page[0]?.id ?? 0, page.at(-1)?.id ?? 0];
    for await (const text of pagesBelow((before) => kind.fetchText(api, before), last, first - last + 1)) {
      signal.throwIfAborted();
      const opened = open(text);
      opened.catch(() => {});
      opening.push(opened);
    }
    const pages = await Promise.all(opening);
    const known = new Set<number>();
    const isNew = ({ id }: { id: number }) => !known.has(id) && known.add(id);
    return {
      entries: pages.flatMap(({ entries }) => entries.filter(isNew)),
      left: pages.flatMap(({ left }) => left.filter(isNew)),
    };
  } finally {
    opener.close();
  }
}

/** How many rows of sealed boxes are opened before what they are is shown, and sealed anew: a quarter of a second. */
const BOXES_AT_ONCE = 20;

/**
 * Opens what a server has sealed, which takes a hundred times as long as what this vault has: the list is there before,
 * and grows. What is open is sealed anew at once, so that a page that is left half-way has less to do the next time.
 */
async function addBoxes<N extends EntryType>(
  kind: EntryKind<N>,
  all: N['entry'][],
  boxes: readonly N['row'][],
  vault: ListedVault,
  { signal, show }: Loading<N['entry']>,
): Promise<N['entry'][]> {
  let entries = all;
  for (let at = 0; at < boxes.length; at += BOXES_AT_ONCE) {
    const shown = [...entries].sort(byAge);
    // What stands there already is not taken away for a moment, nor what was changed meanwhile.
    show((before) => {
      const known = new Set(before?.map(({ id }) => id));
      if (before) return [...before, ...shown.filter(({ id }) => !known.has(id))].sort(byAge);
      // An empty list would say that nothing is kept.
      return shown.length > 0 ? shown : undefined;
    });
    const opened = await openRows(kind, boxes.slice(at, at + BOXES_AT_ONCE), vault);
    signal.throwIfAborted();
    entries = entries.concat(await resealBoxes(kind, opened, vault));
  }
  return entries;
}

/** Seals anew what an older key had sealed; what is shown is then fetched again. */
export async function refreshResealed<N extends EntryType>(
  kind: EntryKind<N>,
  all: readonly N['entry'][],
  vault: ListedVault,
): Promise<void> {
  if (await resealOld(kind, all, vault)) await vault.lists.refresh(entryListOf(kind));
}
