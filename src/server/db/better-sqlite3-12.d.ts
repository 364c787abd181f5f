// The same package under another name (package.json).
declare module 'better-sqlite3-12' {
  import BetterSqlite3 = require('better-sqlite3');
  export default BetterSqlite3;
}
