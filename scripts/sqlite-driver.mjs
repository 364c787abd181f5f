// The embedded database's driver for scripts: as src/server/db/sqlite-driver.ts, which says why there are two.
const isOldNode = Number.parseInt(process.versions.node, 10) < 22;
const { default: BetterSqlite3 } = isOldNode
  ? await import('better-sqlite3-12')
  : await import('better-sqlite3');

export default BetterSqlite3;
