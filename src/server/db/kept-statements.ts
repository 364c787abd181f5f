// Keeps the compiled form of every statement that SQLite has seen, so that it is compiled once and not per query.
import type { SqliteDatabase, SqliteStatement } from 'kysely';

/** The app has some hundred statements; lists of values make a few more. Beyond this, all are compiled anew. */
const KEPT = 500;

/**
 * The same database with a memory for its statements. A statement is done before the next query can begin. Pragmas are
 * never kept: some of them do their work while they are compiled.
 */
export function keepStatements(database: SqliteDatabase): SqliteDatabase {
  const kept = new Map<string, SqliteStatement>();
  return {
    prepare(sql) {
      const known = kept.get(sql);
      if (known) return known;
      const statement = database.prepare(sql);
      if (/^\s*pragma\b/i.test(sql)) return statement;
      if (kept.size >= KEPT) kept.clear();
      kept.set(sql, statement);
      return statement;
    },
    close: () => database.close(),
  };
}
