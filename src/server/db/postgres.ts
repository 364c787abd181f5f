// PostgreSQL behind Kysely, directly or through PgBouncer in transaction mode: the next statement can meet another
// session there, so nothing is left in one. A session of our own keeps statements prepared, and their plans. No call waits
// without end, and no broken connection is used again.
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  PostgresDriver,
  type PostgresPool,
  type PostgresPoolClient,
  type TransactionSettings,
} from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { codeOf, DatabaseAway, saysAway } from './away.ts';
import { createLendingTurns, type LendingTurns } from './lending-turns.ts';
import { createPreparedNames, type PreparedNames } from './prepared-names.ts';

export interface PostgresLimits {
  poolSize: number;
  /** Milliseconds until a database that cannot be reached, or a pool that is busy, counts as away. */
  connectWithin: number;
  /** Milliseconds that one statement may take. */
  queryWithin: number;
}

/** After so much silence a connection is asked whether it is still there, in milliseconds. */
const KEEP_ALIVE_AFTER = 10_000;
/** PostgreSQL gives up by itself first, so that the connection survives a statement that takes too long. */
const PATIENCE = 1.2;

/** So many connections are always left for others than the one who has most. */
const FOR_OTHERS = 2;

const INT8 = 20;

export async function openPool(url: string, limits: PostgresLimits): Promise<PostgresPool> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    max: limits.poolSize,
    connectionTimeoutMillis: limits.connectWithin,
    query_timeout: Math.ceil(limits.queryWithin * PATIENCE),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER,
    types: {
      // Row numbers and epoch milliseconds stay far below 2^53.
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
    } as typeof pg.types,
  });
  // A connection that breaks (a restarted server) must not end the process, whether it was idle or stood between
  // two statements of a transaction. The statement that meets it fails; the next one reconnects.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const turns = createLendingTurns({
    all: limits.poolSize,
    each: Math.max(1, limits.poolSize - FOR_OTHERS),
    patience: limits.connectWithin,
  });
  const sessions: Sessions = { areShared: false };
  return { connect: () => lend(pool, turns, sessions), end: () => pool.end() };
}

/** What is known of all sessions of a pool. */
interface Sessions {
  /** Whether one had another's statements, or had lost its own: then a pooler stands between, whatever it says. */
  areShared: boolean;
}

/** By connection; null where the next statement can meet another session. */
const prepared = new WeakMap<PoolClient, PreparedNames | null>();

/** A pooler between tells its clients another number than that of the session they meet. */
async function namesOf(client: PoolClient): Promise<PreparedNames | null> {
  const known = prepared.get(client);
  if (known !== undefined) return known;
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const names = rows[0]?.pid === (client as { processID?: unknown }).processID ? createPreparedNames() : null;
  prepared.set(client, names);
  return names;
}

async function lend(pool: Pool, turns: LendingTurns, sessions: Sessions): Promise<PostgresPoolClient> {
  let giveBack: (() => void) | undefined;
  try {
    giveBack = await turns.take();
    const client = await pool.connect();
    try {
      return onLoan(client, await namesOf(client), { giveBack, sessions });
    } catch (error) {
      client.release(true);
      throw error;
    }
  } catch (error) {
    giveBack?.();
    throw asAway(error) ?? error;
  }
}

/** A connection of the pool for as long as somebody has it. Once it is lost, it answers nothing and never goes back. */
function onLoan(
  client: PoolClient,
  names: PreparedNames | null,
  { giveBack, sessions }: { giveBack: () => void; sessions: Sessions },
): PostgresPoolClient {
  let lost: DatabaseAway | null = null;
  async function query(text: string, parameters: readonly unknown[]) {
    if (lost) throw lost;
    try {
      const name = sessions.areShared ? undefined : names?.of(text);
      return await client.query({ text, values: [...parameters], ...(name && { name }) });
    } catch (error) {
      const away = asAway(error);
      if (!away) throw error;
      if (saysShared(codeOf(error))) sessions.areShared = true;
      if (!survives(error)) lost = away;
      throw away;
    }
  }
  // Kysely would hand a cursor to the same method; the app uses none.
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: () => {
      try {
        client.release(lost ?? names?.isFull);
      } finally {
        giveBack();
      }
    },
  };
}

/** An answer of PostgreSQL or PgBouncer, as against a connection that broke. */
const isAnswer = (error: unknown): error is Error & { severity: string } =>
  error instanceof Error && 'severity' in error;

function asAway(error: unknown): DatabaseAway | null {
  if (isAnswer(error)) return saysAway(codeOf(error)) || isStale(error) ? new DatabaseAway(error) : null;
  // A value that cannot be sent is a mistake of ours.
  return error instanceof TypeError || error instanceof RangeError ? null : new DatabaseAway(error);
}

/** A prepared statement is gone, or stands where this client has prepared none: no session of ours alone says that. */
const saysShared = (code: string | undefined): boolean => code === '26000' || code === '42P05';

/**
 * Whether a session answers to a statement's name something else than was prepared: also where a table was changed, as by a newer
 * server, so that it would answer other columns. The code of that has many causes, and the message is in the server's language.
 */
export const isStale = (error: Error & { routine?: unknown }): boolean =>
  saysShared(codeOf(error)) || (codeOf(error) === '0A000' && error.routine === 'RevalidateCachedQuery');

/** Whether the connection can go on. One to a server that is no primary any more has to be made anew. */
function survives(error: unknown): boolean {
  const code = codeOf(error);
  if (!isAnswer(error) || isStale(error)) return false;
  return error.severity === 'ERROR' && code !== '25006' && !code?.startsWith('08');
}

/** Every transaction has its limits from its first statement on. `set local` is the one way that PgBouncer leaves. */
class LimitedDriver extends PostgresDriver {
  readonly #begin: CompiledQuery;

  constructor(pool: PostgresPool, { queryWithin }: PostgresLimits) {
    super({ pool });
    this.#begin = CompiledQuery.raw(
      `begin; set local statement_timeout = ${queryWithin}; set local idle_in_transaction_session_timeout = ${queryWithin}`,
    );
  }

  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    if (settings.isolationLevel || settings.accessMode) {
      throw new Error('A transaction has the isolation that its database gives it.');
    }
    await connection.executeQuery(this.#begin);
  }
}

export class LimitedPostgresDialect extends PostgresDialect {
  readonly #pool: PostgresPool;
  readonly #limits: PostgresLimits;

  constructor(pool: PostgresPool, limits: PostgresLimits) {
    super({ pool });
    this.#pool = pool;
    this.#limits = limits;
  }

  override createDriver(): Driver {
    return new LimitedDriver(this.#pool, this.#limits);
  }
}
