// Ghost entries in the database. Their words leave it by a counted reading alone, and the last one takes them away.
import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import { GHOST_LIFE_MAX, GHOST_REMAINS, type Ghost, type GhostInput } from '../../../shared/nouns/ghost.ts';
import type { ChangedRows } from '../../changes/changed-rows.ts';
import { changedIn } from '../../changes/changes-store.ts';
import { asNumber, asText } from '../../db/casts.ts';
import { compiled } from '../../db/compiled.ts';
import { contentsOf } from '../../db/contents.ts';
import { isAnotherKey, sealedUnderTheKey } from '../../db/key-guard.ts';
import { lockAccountRow } from '../../db/locks.ts';
import type { Database } from '../../db/open.ts';
import { padToOverflow, unpadOverflow } from '../../db/overflow.ts';
import type { GhostEntriesTable } from '../../db/schema/entries.ts';
import type { Schema } from '../../db/schema.ts';
import { withEach } from '../../db/steps.ts';
import { tallyOf } from '../../db/tallies.ts';
import { iso } from '../../db/times.ts';
import { transact } from '../../db/transact.ts';
import { truncateLog } from '../../db/truncate-log.ts';
import type { Deps } from '../../deps.ts';
import { type Asked, type Page, readPage, type Slice } from '../../http/pages.ts';

type Store = Pick<Deps, 'db' | 'engine' | 'now'>;
type Row = Omit<GhostEntriesTable, 'id' | 'current_reads' | 'account_id'> & {
  id: number;
  current_reads: number;
};

const columns = [
  'id',
  'max_reads',
  'current_reads',
  'seal_id',
  'key_fingerprint',
  'expires_at',
  'created_at',
] as const;

function toGhost(row: Row, encryptedContent: string | null = null): Ghost {
  return {
    id: row.id,
    encryptedContent,
    maxReads: row.max_reads,
    currentReads: row.current_reads,
    expiresAt: iso(row.expires_at),
    createdAt: iso(row.created_at),
    sealId: row.seal_id,
    keyFingerprint: row.key_fingerprint,
  };
}

/** A condition: some readings are left. */
function readingsLeft(): Expression<SqlBool> {
  const eb = expressionBuilder<Schema, 'ghost_entries'>();
  return eb.or([eb('max_reads', 'is', null), eb('current_reads', '<', eb.ref('max_reads'))]);
}

interface Shown extends Slice {
  accountId: number;
  time: number;
  since: number;
}

const shownGhosts = compiled<Shown>()((db, value) =>
  db
    .selectFrom('ghost_entries')
    .select(columns)
    .where('account_id', '=', value('accountId'))
    .where('id', '<', value('before'))
    .where('expires_at', '>', value('since'))
    .where((eb) => eb.or([eb('expires_at', '>', value('time')), readingsLeft()]))
    .orderBy('id', 'desc')
    .limit(value('limit')),
);

/** Newest first. The expired stay for a day, the vanished until they would have expired. */
export async function listGhosts({ db, now }: Store, accountId: number, asked: Asked): Promise<Page<Ghost>> {
  const time = now();
  const { rows, more } = await readPage(asked, {
    rows: (slice) => shownGhosts(db, { accountId, time, since: time - GHOST_REMAINS, ...slice }),
  });
  return { rows: rows.map((row) => toGhost(row)), more };
}

export const changedGhosts: ChangedRows<Ghost> = {
  async rows({ db, now }, range) {
    const time = now();
    const rows = await db
      .selectFrom('ghost_entries')
      .select(columns)
      .where('account_id', '=', range.accountId)
      .where(changedIn('ghost', range))
      .execute();
    return rows.map((row) => ({ id: row.id, row: isShown(row, time) ? toGhost(row) : null }));
  },
};

/** As `shownGhosts` has it. */
function isShown({ expires_at, max_reads, current_reads }: Row, time: number): boolean {
  const isReadable = max_reads === null || current_reads < max_reads;
  return expires_at > time - GHOST_REMAINS && (expires_at > time || isReadable);
}

interface NewGhost {
  accountId: number;
  maxReads: number | null;
  sealId: string | null;
  keyFingerprint: string | null;
  expiresAt: number;
  time: number;
}

const newGhost = compiled<NewGhost>()((db, value) => {
  const [account, key] = [asNumber(value('accountId')), asText(value('keyFingerprint'))];
  return db
    .insertInto('ghost_entries')
    .columns(['account_id', 'max_reads', 'seal_id', 'key_fingerprint', 'expires_at', 'created_at'])
    .expression(
      db
        .selectNoFrom([
          account.as('account_id'),
          sql<number | null>`cast(${value('maxReads')} as integer)`.as('max_reads'),
          asText(value('sealId')).as('seal_id'),
          key.as('key_fingerprint'),
          asNumber(value('expiresAt')).as('expires_at'),
          asNumber(value('time')).as('created_at'),
        ])
        .where(sealedUnderTheKey(db, account, key)),
    )
    .onConflict((conflict) => conflict.columns(['account_id', 'seal_id']).doNothing())
    .returning(columns);
});

const newWords = compiled<{ id: number; accountId: number; words: string }>()((db, value) =>
  db.insertInto('ghost_words').values({
    ghost_id: value('id'),
    account_id: value('accountId'),
    encrypted_content: value('words'),
  }),
);

export type CreateOutcome = Ghost | 'over-already' | 'too-long' | 'seal-reused' | 'key-changed';

/**
 * Keeps words for a while. Sending the same seal with the same fields again, as after a lost answer, keeps them
 * once; when they are gone by then, the seal counts as reused.
 */
export async function createGhost(
  { db, now }: Store,
  accountId: number,
  input: GhostInput,
): Promise<CreateOutcome> {
  const time = now();
  const expiresAt = Date.parse(input.expiresAt);
  if (expiresAt <= time) return 'over-already';
  if (expiresAt > time + GHOST_LIFE_MAX) return 'too-long';
  return transact(db, async (tx) => {
    // Nobody replaces the key meanwhile.
    await lockAccountRow(tx, accountId);
    const [row] = await newGhost(tx, {
      accountId,
      maxReads: input.maxReads ?? null,
      sealId: input.sealId ?? null,
      keyFingerprint: input.keyFingerprint ?? null,
      expiresAt,
      time,
    });
    if (!row) return keptOrRefused(tx, accountId, input);
    await newWords(tx, { id: row.id, accountId, words: padToOverflow(input.encryptedContent) });
    return toGhost(row);
  });
}

/** What an earlier try has kept; or words for a refusal that the statement has already made. */
async function keptOrRefused(tx: Database, accountId: number, input: GhostInput): Promise<CreateOutcome> {
  if (await isAnotherKey(tx, accountId, input.keyFingerprint)) return 'key-changed';
  return (await sameGhost(tx, accountId, input)) ?? 'seal-reused';
}

/** What an earlier try has kept, if it was this very one. */
async function sameGhost(tx: Database, accountId: number, input: GhostInput): Promise<Ghost | null> {
  const row = await tx
    .selectFrom('ghost_entries')
    .innerJoin('ghost_words', 'ghost_id', 'id')
    .select(columns)
    .where('ghost_entries.account_id', '=', accountId)
    .where('seal_id', '=', input.sealId ?? null)
    .where('encrypted_content', '=', padToOverflow(input.encryptedContent))
    .where('expires_at', '=', Date.parse(input.expiresAt))
    .where(sql<boolean>`coalesce(max_reads, -1) = ${input.maxReads ?? -1}`)
    .executeTakeFirst();
  return row ? toGhost(row) : null;
}

const countedReading = compiled<{ id: number; accountId: number; time: number }>()((db, value) =>
  db
    .updateTable('ghost_entries')
    .set({ current_reads: sql`current_reads + 1` })
    .where('id', '=', value('id'))
    .where('account_id', '=', value('accountId'))
    .where('expires_at', '>', value('time'))
    .where(readingsLeft())
    .returning(columns),
);

const takenWords = compiled<{ id: number }>()((db, value) =>
  db.deleteFrom('ghost_words').where('ghost_id', '=', value('id')).returning('encrypted_content'),
);

const seenWords = compiled<{ id: number }>()((db, value) =>
  db.selectFrom('ghost_words').where('ghost_id', '=', value('id')).select('encrypted_content'),
);

/**
 * Reads and counts in one guarded statement: it holds the row until the words are taken, so that of any number of
 * readers at once exactly as many succeed as were permitted.
 * @returns the words, or null where none are left for this caller
 */
export async function readGhost(deps: Store, accountId: number, id: number): Promise<Ghost | null> {
  const ghost = await transact(deps.db, async (tx) => {
    const [row] = await countedReading(tx, { id, accountId, time: deps.now() });
    if (!row) return null;
    const words = await wordsOf(tx, row);
    return words === undefined ? null : toGhost(row, words);
  });
  if (ghost && ghost.currentReads === ghost.maxReads) await truncateLog(deps);
  return ghost;
}

/** The words of a reading that was just counted. The last one takes them out of the database. */
async function wordsOf(tx: Database, { id, max_reads, current_reads }: Row): Promise<string | undefined> {
  const [words] = await (current_reads === max_reads ? takenWords : seenWords)(tx, { id });
  return words && unpadOverflow(words.encrypted_content);
}

/** Forgets an entry and its words, read or not. */
export async function deleteGhost(deps: Store, accountId: number, id: number): Promise<boolean> {
  const row = await deps.db
    .deleteFrom('ghost_entries')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returning('id')
    .executeTakeFirst();
  if (!row) return false;
  await truncateLog(deps);
  return true;
}

/** Words go when they expire. Their row follows a day later, or at once where its owner has read them to the end. */
export async function expireGhosts(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  signal?: AbortSignal,
): Promise<void> {
  const time = now();
  const expiring = contentsOf('ghost', ['expires_at', 'id']);
  const wordy = sql<SqlBool>`expires_at <= ${time}
    and exists (select 1 from ghost_words where ghost_id = ghost_entries.id)`;
  const eraseWords = (tx: Database, these: RawBuilder<SqlBool>) =>
    sql`delete from ghost_words where ghost_id in (select id from ghost_entries where ${these})`.execute(tx);
  await withEach(db, expiring, wordy, eraseWords, signal);
  const over = sql<SqlBool>`expires_at <= ${time}
    and (expires_at <= ${time - GHOST_REMAINS} or current_reads >= max_reads)`;
  const eraseRow = (tx: Database, these: RawBuilder<SqlBool>) =>
    sql`delete from ghost_entries where ${these}`.execute(tx);
  await withEach(db, expiring, over, eraseRow, signal);
}

/** How many ghosts of an account have words left: all that have words, but for those that no sweep has met yet. */
export const ghostsWithWords = (_: Database, accountId: Expression<number>, time: Expression<number>) =>
  sql<number>`(${tallyOf('ghosts', accountId)} - (
    select count(*) from ghost_entries
      where ghost_entries.account_id = ${accountId} and expires_at <= ${time} and ${readingsLeft()}
        and exists (select 1 from ghost_words where ghost_id = ghost_entries.id)))`;
