// What has changed in a vault since a place, with what its book has. No lock is held while it is read: that something was
// changed meanwhile is found at the end, and told.
import type { Hono } from 'hono';
import { CHANGES_MAX, changes, NOW } from '../../../shared/nouns/changes.ts';
import { readBook } from '../../book/book-store.ts';
import type { ChangedKinds } from '../../changes/changed-rows.ts';
import { type Numbers, readNumbers } from '../../changes/changes-store.ts';
import type { Database } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';
import { accountGone } from '../../errors.ts';
import { readInTurn } from '../../http/heavy-reading.ts';
import { lightRows } from '../../http/pages.ts';
import { route } from '../../http/route.ts';
import { type Place, readPage } from './page.ts';

/** What this feature asks of others. */
interface Others {
  kinds: ChangedKinds;
  /** Which history the database has: what a client knows of another one is worth nothing. */
  readHistory(db: Database): Promise<string>;
}

export function changesRoutes(app: Hono, deps: Deps, { kinds, readHistory }: Others): void {
  route(app, deps, changes.list, async ({ query, caller, c }) => {
    const { db, digests } = deps;
    const { accountId } = caller;
    const history = digests
      .keyed('changes', `${accountId} ${await readHistory(db)}`)
      .slice(0, HISTORY_LENGTH);
    return readInTurn(deps, { caller, c }, async (beforeRows) => {
      const before = await numbersOf(db, accountId);
      const since = readSince(query.since, before, history);
      const anew = since === null || isLost(since, before);
      const place = anew ? { n: 0, from: before.newest } : since;
      const asked = {
        accountId,
        place,
        newest: before.newest,
        limit: query.limit ?? CHANGES_MAX,
        beforeRows,
      };
      const page = await readPage(deps, kinds, asked);
      const fit = lightRows((weight) => beforeRows(page.weight + weight));
      const book =
        query.book === undefined ? null : await readBook(db, accountId, query.book || undefined, fit);
      // What was changed while this was read may have its entry in the book by now, and is not among the rows.
      const after = await numbersOf(db, accountId);
      if (isLost(place, after)) {
        const first = { n: 0, from: after.newest };
        return { changes: [], next: writePlace(first, history), anew: true, more: true, book };
      }
      const next = { n: page.reached, from: Math.max(place.from, page.reached) };
      return {
        changes: page.changes,
        next: writePlace(next, history),
        anew,
        more: after.newest > page.reached,
        book,
      };
    });
  });
}

async function numbersOf(db: Database, accountId: number): Promise<Numbers> {
  const numbers = await readNumbers(db, accountId);
  if (!numbers) throw accountGone();
  return numbers;
}

/** Whether this vault has not come so far, or has forgotten that a row is gone which the client may have. */
const isLost = ({ n, from }: Place, { newest, forgotten }: Numbers) =>
  n > newest || Math.max(n, from) < forgotten;

const HISTORY_LENGTH = 32;

const writePlace = ({ n, from }: Place, history: string) => `${n}.${from}.${history}`;

/** @returns null where a client has nothing yet that is worth something */
function readSince(since: string | undefined, { newest }: Numbers, history: string): Place | null {
  if (since === NOW) return { n: newest, from: newest };
  return since === undefined ? null : readPlace(since, history);
}

/** @returns null for a place of another history */
function readPlace(text: string, history: string): Place | null {
  const [n, from, itsHistory] = text.split('.');
  return itsHistory === history ? { n: Number(n), from: Number(from) } : null;
}
