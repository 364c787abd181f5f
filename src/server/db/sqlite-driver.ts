// The embedded database's driver, in the version that runs in this Node: better-sqlite3 13 needs Node 22, and 12, compiled
// for Node 24.19 or later, ends the process when a statement is collected (docs/architecture.md, "The build").
import type BetterSqlite3 from 'better-sqlite3';

export type SqliteDriver = typeof BetterSqlite3;

export async function loadSqlite(): Promise<SqliteDriver> {
  const isOldNode = Number.parseInt(process.versions.node, 10) < 22;
  const { default: driver } = isOldNode ? await import('better-sqlite3-12') : await import('better-sqlite3');
  return driver;
}
