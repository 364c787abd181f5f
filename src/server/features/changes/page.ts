// One page of a vault's changes: which rows, how heavy they are, and what their lists answer. A row that is changed once more
// while a page is read is left out: its newest change stands behind the page.
import type { Change } from '../../../shared/nouns/changes.ts';
import type { KindName } from '../../../shared/sealed-kinds.ts';
import type { ChangedKinds, ChangedRows } from '../../changes/changed-rows.ts';
import { type Noted, type Range, readChanges } from '../../changes/changes-store.ts';
import type { Deps } from '../../deps.ts';
import { PAGE_WEIGHT, ROW_WEIGHT, rowsWithin } from '../../http/pages.ts';

/** How far a client has read. */
export interface Place {
  /** It knows every change up to this one. */
  n: number;
  /** Which change was the newest when it began with the first row: what was gone by then it never had. */
  from: number;
}

export interface AskedPage {
  accountId: number;
  place: Place;
  /** The number of the vault's newest change, as it was before. */
  newest: number;
  limit: number;
  /** Called before rows of this weight are read (http/pages.ts). */
  beforeRows: (weight: number) => Promise<void>;
}

export interface ReadPage {
  changes: Change[];
  /** Every change up to this one is in the page, or in those before it. */
  reached: number;
  weight: number;
}

type Reading = Pick<Deps, 'db' | 'now' | 'rules'>;

/** As many changes behind a place as are asked for, and as are no heavier than a page may be: one at least. */
export async function readPage(
  deps: Reading,
  kinds: ChangedKinds,
  { accountId, place, newest, limit, beforeRows }: AskedPage,
): Promise<ReadPage> {
  if (newest <= place.n) return { changes: [], reached: place.n, weight: 0 };
  const noted = await readChanges(deps.db, { accountId, after: place.n, limit });
  const [last] = noted.slice(-1);
  if (!last) return { changes: [], reached: newest, weight: 0 };
  const weights = await weigh(deps, kinds, noted, { accountId, after: place.n, upTo: last.n });
  const fitting = Math.max(rowsWithin(weights, PAGE_WEIGHT), 1);
  const fits = noted.slice(0, fitting);
  const isAll = fitting === noted.length && noted.length < limit;
  const cut = fits.at(-1)?.n ?? last.n;
  const weight = weights.slice(0, fitting).reduce((all, one) => all + one, 0);
  await beforeRows(weight);
  const rows = await readRows(deps, kinds, fits, { accountId, after: place.n, upTo: cut });
  return {
    changes: fits.flatMap((one) => toChange(one, place, rows)),
    reached: isAll ? Math.max(newest, cut) : cut,
    weight,
  };
}

/** The kinds of rows that are there. */
const kindsOf = (noted: readonly Noted[]) =>
  new Set(noted.flatMap(({ kind, endedAt }) => (endedAt === null ? [kind] : [])));

async function weigh(
  { db }: Reading,
  kinds: ChangedKinds,
  noted: readonly Noted[],
  range: Range,
): Promise<number[]> {
  const found = new Map<string, number>();
  for (const kind of kindsOf(noted)) {
    const sizes = (await kinds[kind].sizes?.(db, range)) ?? [];
    for (const { id, size } of sizes) found.set(`${kind} ${id}`, Number(size));
  }
  return noted.map(({ kind, id }) => ROW_WEIGHT + (found.get(`${kind} ${id}`) ?? 0));
}

type Rows = ReadonlyMap<KindName, ReadonlyMap<number, unknown>>;

/** Those that are still as they were noted; null for one that no list answers. */
async function readRows(
  deps: Reading,
  kinds: ChangedKinds,
  noted: readonly Noted[],
  range: Range,
): Promise<Rows> {
  const found = new Map<KindName, Map<number, unknown>>();
  for (const kind of kindsOf(noted)) {
    const rows = await (kinds[kind] as ChangedRows<unknown>).rows(deps, range);
    found.set(kind, new Map(rows.map(({ id, row }) => [id, row])));
  }
  return found;
}

function toChange({ n, kind, id, sealId, endedAt }: Noted, { from }: Place, rows: Rows): Change[] {
  const row = endedAt === null ? rows.get(kind)?.get(id) : null;
  if (row === undefined) return [];
  // The reader of a kind answers its own rows.
  if (row !== null) return [{ n, kind, row } as Change];
  return n > from ? [{ n, kind, ended: { id: id === 0 ? null : id, sealId } }] : [];
}
