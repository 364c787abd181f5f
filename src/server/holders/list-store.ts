// The list of holders in the database, where one server writes it for all. Rows are written only when they changed:
// most readings find the same ones.
import { webcrypto } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { type HolderReading, ROW_BYTES } from '../adapters/holder-reading.ts';
import type { Database } from '../db/open.ts';
import type { Reading } from '../metrics.ts';

/** What is known of the last readings, without the list itself. */
export interface ReadingState {
  /** Null before the first. */
  digest: string | null;
  readAt: number | null;
  failures: number;
}

/** What tells one list from another, in hex. It is made in a thread of its own: the list may have megabytes. */
export async function digestOf({ rows, decimals }: HolderReading): Promise<string> {
  const sum = new Uint8Array(await webcrypto.subtle.digest('SHA-256', rows));
  const of = Buffer.concat([sum, Buffer.from([decimals])]);
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', of)).toString('hex');
}

export async function readState(db: Database, mint: string): Promise<ReadingState | null> {
  const row = await db
    .selectFrom('holder_lists')
    .select(['digest', 'read_at as readAt', 'failures'])
    .where('mint', '=', mint)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Bytes that are fetched at a time: the driver of PostgreSQL gets them as hex, and whoever waits for the server waits while
 * it reads that. A multiple of a row.
 */
const PIECE = 2500 * ROW_BYTES;

/** The list of this digest; null where another one has taken its place meanwhile. */
export async function readList(db: Database, mint: string, digest: string): Promise<HolderReading | null> {
  const pieces: Buffer[] = [];
  for (;;) {
    const row = await db
      .selectFrom('holder_lists')
      .select([
        'decimals',
        sql<number>`length("rows")`.as('size'),
        // SQLite takes nothing of nothing for null.
        sql<Buffer | null>`substr("rows", ${sql.lit(pieces.length * PIECE + 1)}, ${sql.lit(PIECE)})`.as(
          'piece',
        ),
      ])
      .where('mint', '=', mint)
      .where('digest', '=', digest)
      .executeTakeFirst();
    if (!row) return null;
    pieces.push(row.piece ?? Buffer.alloc(0));
    if (pieces.length * PIECE >= row.size) {
      return { rows: new Uint8Array(Buffer.concat(pieces)), decimals: row.decimals };
    }
    // The embedded database answers without giving anybody else a turn.
    await setImmediate();
  }
}

/** Writes down a reading. What was read of other tokens, with which this server was configured before, goes. */
export async function keepReading(
  tx: Database,
  mint: string,
  reading: HolderReading & { digest: string },
  at: number,
): Promise<void> {
  const { rows, decimals, digest } = reading;
  const told = { read_at: at, tried_at: at, failure: null, failures: 0 };
  const same = await tx
    .updateTable('holder_lists')
    .set(told)
    .where('mint', '=', mint)
    .where('digest', '=', digest)
    .returning('mint')
    .executeTakeFirst();
  if (same) return;
  await tx.deleteFrom('holder_lists').where('mint', '<>', mint).execute();
  const changed = { rows: Buffer.from(rows.buffer, rows.byteOffset, rows.length), decimals, digest, ...told };
  await tx
    .insertInto('holder_lists')
    .values({ mint, ...changed })
    .onConflict((conflict) => conflict.column('mint').doUpdateSet(changed))
    .execute();
}

/**
 * Writes down a try that failed. The list stays.
 * @returns how many have failed in a row
 */
export async function keepFailure(tx: Database, mint: string, failure: string, at: number): Promise<number> {
  const told = { tried_at: at, failure };
  const row = await tx
    .insertInto('holder_lists')
    .values({ mint, rows: null, decimals: 0, digest: null, read_at: null, ...told, failures: 1 })
    .onConflict((conflict) =>
      conflict
        .column('mint')
        .doUpdateSet((eb) => ({ ...told, failures: eb('holder_lists.failures', '+', 1) })),
    )
    .returning('failures')
    .executeTakeFirstOrThrow();
  return row.failures;
}

/** How old the list is, how many it names, and how often reading it has failed since. Nothing without a token. */
export async function holderReadings(db: Database, mint: string | null, now: number): Promise<Reading[]> {
  if (mint === null) return [];
  const row = await db
    .selectFrom('holder_lists')
    // Bytes, on both engines.
    .select(['read_at', 'failures', sql<number | null>`length("rows")`.as('bytes')])
    .where('mint', '=', mint)
    .executeTakeFirst();
  const readAt = row?.read_at ?? null;
  const one = (name: string, help: string, value: number): Reading => ({
    name,
    help,
    labels: [],
    values: [{ value }],
  });
  return [
    one('holders', 'How many holders of the token there are.', Number(row?.bytes ?? 0) / ROW_BYTES),
    one(
      'holders_failures',
      'How many readings of the holders have failed since the last that succeeded.',
      row?.failures ?? 0,
    ),
    ...(readAt === null
      ? []
      : [one('holders_age_seconds', 'How old the list of holders is.', (now - readAt) / 1000)]),
  ];
}
