// The book of a vault: read from an entry on, and appended to without a change. Entries that come with a change go the way
// of that change (book/recording.ts).
import type { Hono } from 'hono';
import type { ActivityKind } from '../../../shared/nouns/activity.ts';
import { book, type FindingKind } from '../../../shared/nouns/book.ts';
import {
  appendCheckpoint,
  appendEntry,
  entrySizes,
  lastCheckpoint,
  readEntries,
} from '../../book/book-store.ts';
import { lockAccount, lockKey } from '../../db/locks.ts';
import { transact, transactAlone } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { AppError, accountGone } from '../../errors.ts';
import { countActivity } from '../../http/activity-store.ts';
import { addHeader } from '../../http/answer.ts';
import { LIGHT_WEIGHT, rowsWithin } from '../../http/pages.ts';
import { inTurn, route } from '../../http/route.ts';

/** The most entries in one page: those of a write are so short that as many weigh less than a page may. */
const ENTRIES_MAX = 2000;

const HAPPENINGS: Record<FindingKind, ActivityKind> = {
  'went-back': 'book-went-back',
  'other-history': 'book-other-history',
  'other-rows': 'book-other-rows',
};

export function bookRoutes(app: Hono, deps: Deps): void {
  route(app, deps, book.list, async ({ query, caller, c }) => {
    const { db } = deps;
    const { accountId } = caller;
    const { entries, more } = await inTurn(deps, { caller, c }, async (beforeRows) => {
      const first = query.from ?? (await lastCheckpoint(db, accountId)) ?? 1;
      const sizes = await entrySizes(db, accountId, first, ENTRIES_MAX);
      // One is read however large it is.
      const fitting = Math.max(rowsWithin(sizes, LIGHT_WEIGHT), 1);
      await beforeRows(sizes.slice(0, fitting).reduce((all, one) => all + one, 0));
      const more = fitting < sizes.length || sizes.length === ENTRIES_MAX;
      return { entries: await readEntries(db, accountId, first, fitting), more };
    });
    const last = entries.at(-1);
    if (last && more) addHeader(c, 'Link', `<${book.list.path}?from=${last.n + 1}>; rel="next"`);
    return entries;
  });

  route(app, deps, book.append, async ({ body, caller: { accountId } }) => {
    const begin = body.isCheckpoint ? transactAlone : transact;
    const append = body.isCheckpoint ? appendCheckpoint : appendEntry;
    await begin(deps.db, async (tx) => {
      if (!(await lockAccount(tx, accountId))) throw accountGone();
      const key = await lockKey(tx, accountId);
      if (key?.fingerprint !== body.keyFingerprint) throw new AppError('key-changed');
      const refusal = await append(tx, accountId, body);
      if (refusal) throw new AppError(refusal);
    });
  });

  route(app, deps, book.report, ({ body, caller: { accountId, device } }) =>
    countActivity(deps, deps.db, accountId, { kind: HAPPENINGS[body.kind], device }),
  );
}
