// The book of a vault: read from an entry on, and appended to without a change. Entries that come with a change go the way
// of that change (book/recording.ts).
import type { Hono } from 'hono';
import type { ActivityKind } from '../../../shared/nouns/activity.ts';
import { book, type FindingKind } from '../../../shared/nouns/book.ts';
import { appendCheckpoint, appendEntry, readBook } from '../../book/book-store.ts';
import { lockAccount, lockKey } from '../../db/locks.ts';
import { transact, transactAlone } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { AppError, accountGone } from '../../errors.ts';
import { countActivity } from '../../http/activity-store.ts';
import { addHeader } from '../../http/answer.ts';
import { readInTurn } from '../../http/heavy-reading.ts';
import { lightRows } from '../../http/pages.ts';
import { route } from '../../http/route.ts';

const HAPPENINGS: Record<FindingKind, ActivityKind> = {
  'went-back': 'book-went-back',
  'other-history': 'book-other-history',
  'other-rows': 'book-other-rows',
};

export function bookRoutes(app: Hono, deps: Deps): void {
  route(app, deps, book.list, async ({ query, caller, c }) => {
    const { entries, more } = await readInTurn(deps, { caller, c }, (beforeRows) =>
      readBook(deps.db, caller.accountId, query.from, lightRows(beforeRows)),
    );
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
