// Errors that say "not now": the database cannot be reached, does not answer, could not run two transactions beside each
// other, or has a disk that takes nothing. None of them says anything about what was asked.

/** The database is away: its connection is gone, it did not answer in time, or it takes no work at the moment. */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway';
  readonly code: string | undefined;
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : 'no reason given', { cause });
    this.code = codeOf(cause);
  }
}

export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** PostgreSQL takes no work now, or has given up on this piece of it. Class 08 is the connection; PgBouncer says 08P01. */
const AWAY = new Set([
  '25006', // read-only: this server was the primary, and another one is by now
  '25P03', // idle in a transaction for too long
  '53300', // too many connections
  '55P03', // a lock was not to be had in time
  '57014', // a statement took too long
  '57P01', // an administrator shuts it down
  '57P02', // it recovers from a crash
  '57P03', // it cannot be connected to now
  '57P05', // idle for too long
]);

export const saysAway = (code: string | undefined): boolean =>
  code !== undefined && (AWAY.has(code) || code.startsWith('08'));

/** A write of the embedded database was undone because one that was to be committed with it has failed with the whole group. */
export class UndoneWithOthers extends Error {
  override readonly name = 'UndoneWithOthers';
  constructor(cause: unknown) {
    super('what was to be committed with it has failed', { cause });
  }
}

/** Whether a whole transaction may succeed when it is run once more: a deadlock, a failure to serialise, or another’s failure. */
export function isContention(error: unknown): boolean {
  if (error instanceof UndoneWithOthers) return true;
  const code = codeOf(error);
  return code === '40001' || code === '40P01';
}

/**
 * What is said where a disk is full, has a limit that is reached, or is read-only: by SQLite of its file, by PostgreSQL,
 * and by the system. EFBIG is the limit of one file (`ulimit -f`, FAT32).
 */
const NO_ROOM = new Set([
  'SQLITE_FULL',
  'SQLITE_IOERR_WRITE',
  'SQLITE_IOERR_FSYNC',
  'SQLITE_IOERR_TRUNCATE',
  'SQLITE_IOERR_SHMSIZE',
  '53100',
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EFBIG',
]);

/** Whether an error, or what has caused it, means that nothing can be stored until somebody makes room. */
export function isStorageFull(error: unknown): boolean {
  const code = codeOf(error);
  // A file that was moved away under the server is another trouble, which no room mends.
  const isReadOnly = code?.startsWith('SQLITE_READONLY') === true && code !== 'SQLITE_READONLY_DBMOVED';
  if (isReadOnly || (code !== undefined && NO_ROOM.has(code))) return true;
  return error instanceof Error && error.cause !== undefined && isStorageFull(error.cause);
}

/** Whether an error means that the same request may well succeed in a moment. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof DatabaseAway || isContention(error)) return true;
  const code = codeOf(error);
  return code === 'SQLITE_BUSY' || code?.startsWith('SQLITE_BUSY_') === true;
}
