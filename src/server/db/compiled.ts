// Statements of the hot path: built and compiled once per database, then only run.
import type { Compilable, CompiledQuery, Expression } from 'kysely';
import { sql } from 'kysely';
import type { Database } from './open.ts';

/** Stands in a compiled statement where a value will be. */
class Slot<Name> {
  readonly name: Name;
  constructor(name: Name) {
    this.name = name;
  }
}

type Build<Values, Row> = (
  db: Database,
  value: <Name extends keyof Values>(name: Name) => Expression<Values[Name]>,
) => Compilable<Row>;

/**
 * Prepares a statement whose text is always the same.
 * @param build makes the statement, with `value(name)` where a value will stand; called once per database
 * @returns runs it with its values and answers all rows
 */
export function compiled<Values extends object>() {
  return <Row>(build: Build<Values, Row>): ((db: Database, values: Values) => Promise<Row[]>) => {
    // A transaction is an object of its own, and has this of its database.
    const known = new WeakMap<object, CompiledQuery<Row>>();
    const compile = (db: Database): CompiledQuery<Row> => {
      const statement = build(db, (name) => sql.val(new Slot(name) as never)).compile() as CompiledQuery<Row>;
      known.set(db.getExecutor().adapter, statement);
      return statement;
    };
    return async (db, values) => {
      const executor = db.getExecutor();
      const kept = known.get(executor.adapter);
      // Plugins hear of each run, as of a query that is built anew, and change nothing of it.
      if (kept) executor.transformQuery(kept.query, kept.queryId);
      const statement = kept ?? compile(db);
      const parameters = statement.parameters.map((parameter) =>
        parameter instanceof Slot ? values[parameter.name as keyof Values] : parameter,
      );
      const { rows } = await db.executeQuery<Row>({ ...statement, parameters });
      return rows;
    };
  };
}
