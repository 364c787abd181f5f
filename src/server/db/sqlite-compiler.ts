// How a query becomes a statement of SQLite.
import { type LimitNode, SqliteQueryCompiler } from 'kysely';

/**
 * A limit that is a parameter alone would have SQLite plan the statement anew at each run, for the rows that it allows this
 * time. Of a sum it asks nothing.
 */
export class SqliteCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    super.visitLimit(node);
    this.append(' + 0');
  }
}
