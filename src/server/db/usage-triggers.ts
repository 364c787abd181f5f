// The triggers that keep `usage` exact: made for every counted table by one function from one list, so that no
// statement, sweep or cascade can forget to count. They also refuse what grows beyond a limit, and whatever is written
// for an account that is gone: its vault's row may still stand, and the row of `usage` does not. SQLite's own tool of
// Debian 12 (3.40) reads them before any statement, so they hold nothing newer: `octet_length` and an expression in
// `raise` are.
import { type Kysely, sql } from 'kysely';
import {
  ACCESS_BYTES,
  ACCESS_ROWS,
  type CountedTable,
  countedTables,
  NO_ACCOUNT,
  type Room,
  SLACK_BYTES,
  SLACK_ROWS,
} from './counted.ts';
import type { Engine } from './open.ts';

type Event = 'insert' | 'update' | 'delete';

/** PostgreSQL's code for what is beyond a limit; SQLite knows one code for every trigger that raises. */
export const OVER_QUOTA = 'LB001';

/** Creates the triggers. A migration that adds a counted table calls it for that table. */
export async function createUsageTriggers(
  db: Kysely<unknown>,
  engine: Engine,
  tables: readonly CountedTable[] = countedTables,
): Promise<void> {
  const statements = tables.flatMap(engine === 'postgres' ? forPostgres : forSqlite);
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** Creates the trigger that gives every account its row. */
export async function createUsageRowTrigger(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const statements =
    engine === 'postgres'
      ? [
          `create function usage_begin() returns trigger language plpgsql as $$
           begin insert into usage (account_id) values (new.id); return null; end $$`,
          'create trigger usage_begin after insert on accounts for each row execute function usage_begin()',
        ]
      : [
          `create trigger usage_begin after insert on accounts
           begin insert into usage (account_id) values (new.id); end`,
        ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** The bytes of a text, by engine. */
const bytesOf: Record<Engine, (text: string) => string> = {
  postgres: (text) => `octet_length(${text})`,
  sqlite: (text) => `length(cast(${text} as blob))`,
};

/** The bytes of one row. */
function sizeOf(engine: Engine, { text, bytes }: CountedTable, row: string): string {
  const sizes = text.map((column) => `coalesce(${bytesOf[engine](`${row}.${column}`)}, 0)`);
  if (bytes) sizes.push(`${row}.${bytes}`);
  return sizes.length === 0 ? '0' : `(${sizes.join(' + ')})`;
}

/** Rows of no size are counted when they come, go, or change hands. */
const eventsOf = ({ text, bytes, table }: CountedTable): Event[] =>
  text.length > 0 || bytes || table === 'messages' ? ['insert', 'update', 'delete'] : ['insert', 'delete'];

/** The columns of `usage` that a room's rows are added to. */
const columnsOf: Record<Room, readonly (readonly [bytes: string, rows: string])[]> = {
  content: [['bytes', 'row_count']],
  messages: [['bytes', 'row_count']],
  access: [
    ['bytes', 'row_count'],
    ['access_bytes', 'access_rows'],
  ],
  staged: [['staged_bytes', 'staged_rows']],
  book: [['book_bytes', 'book_rows']],
};

const adding = ({ room, tally }: CountedTable, bytes: string, rows: string, tallied: string) =>
  columnsOf[room]
    .flatMap(([b, n]) => [`${b} = usage.${b} + ${bytes}`, `${n} = usage.${n} + ${rows}`])
    .concat(tally ? `${tally.column} = usage.${tally.column} + ${tallied}` : [])
    .join(', ');

/** One row of a table's tally: 1, or 0 where it does not meet the condition. */
const tallyOf = ({ tally }: CountedTable, row: string) => {
  if (!tally) return '0';
  return tally.of ? `(case when ${tally.of(row)} then 1 else 0 end)` : '1';
};

/** What the error says, by the limit: the vault's own, or one beside it, of keys or of a regeneration's copies. */
export const refusals = { bytes: 'quota-bytes', rows: 'quota-rows', beside: 'quota-beside' } as const;

/** One way to be too much: the condition on the row of `usage` as it then is. */
interface Refusal {
  when: string;
  of: keyof typeof refusals;
}

/** @param grown the bytes that the statement has added @param more the rows that it has added */
function refusalsOf(room: Room, event: Event, grown: string, more: string): Refusal[] {
  // What may come into a book depends on what it is: the statement that writes decides.
  if (event === 'delete' || room === 'messages' || room === 'book') return [];
  const limits = {
    bytes: 'coalesce(u.bytes_max, q.bytes_max)',
    rows: 'coalesce(u.rows_max, q.rows_max)',
  };
  switch (room) {
    case 'content':
      return [
        {
          when: `${grown} > 0 and u.bytes > ${limits.bytes}${event === 'update' ? ` + ${SLACK_BYTES}` : ''}`,
          of: 'bytes',
        },
        { when: `${more} > 0 and u.row_count > ${limits.rows}`, of: 'rows' },
      ];
    case 'access':
      return [
        { when: `${grown} > 0 and u.access_bytes > ${ACCESS_BYTES}`, of: 'beside' },
        { when: `${more} > 0 and u.access_rows > ${ACCESS_ROWS}`, of: 'beside' },
      ];
    case 'staged':
      return [
        { when: `${grown} > 0 and u.staged_bytes > u.bytes + ${SLACK_BYTES}`, of: 'beside' },
        { when: `${more} > 0 and u.staged_rows > u.row_count + ${SLACK_ROWS}`, of: 'beside' },
      ];
  }
}

/** One trigger for each row: the embedded database knows no others, and its writers come one after the other. */
function forSqlite(counted: CountedTable): string[] {
  const { table, room, text, bytes, tally } = counted;
  const [before, after] = [sizeOf('sqlite', counted, 'old'), sizeOf('sqlite', counted, 'new')];
  const [talliedBefore, tallied] = [tallyOf(counted, 'old'), tallyOf(counted, 'new')];
  const take = `update usage set ${adding(counted, `-${before}`, '-1', `-${talliedBefore}`)} where account_id = old.account_id;`;
  const give = `update usage set ${adding(counted, after, '1', tallied)} where account_id = new.account_id;`;
  const refuse = (event: Event, grown: string, more: string) => {
    const cases = refusalsOf(room, event, grown, more).map(
      ({ when, of }) => `when ${when} then raise(abort, '${refusals[of]}')`,
    );
    return cases.length === 0
      ? ''
      : `select case ${cases.join(' ')} end from usage as u, quota as q where u.account_id = new.account_id;`;
  };
  const moved = 'old.account_id is not new.account_id';
  const orphan = (
    when: string,
  ) => `select raise(abort, '${NO_ACCOUNT}') where new.account_id is not null and ${when}
    and not exists (select 1 from usage where account_id = new.account_id);`;
  const bodies: Record<Event, string> = {
    insert: `after insert on ${table}
      begin ${give} ${orphan('true')} ${refuse('insert', after, '1')} end`,
    delete: `after delete on ${table} begin ${take} end`,
    update: `after update of ${['account_id', ...text, ...(bytes ? [bytes] : []), ...(tally?.by ?? [])].join(', ')} on ${table}
      when ${before} <> ${after} or ${moved} or ${talliedBefore} <> ${tallied}
      begin ${take} ${give} ${orphan(`(${moved} or ${after} > ${before})`)}
        ${refuse('update', `(${after} - ${before})`, `(${moved})`)} end`,
  };
  return eventsOf(counted).map((event) => `create trigger usage_${table}_${event} ${bodies[event]}`);
}

/**
 * One trigger for each statement: a thousand rows that one statement changes are one change of `usage`. Accounts are
 * taken in order, so that two sweeps cannot wait for each other.
 */
function forPostgres(counted: CountedTable): string[] {
  const { table, room } = counted;
  const came = `select account_id, ${sizeOf('postgres', counted, 'came')} as bytes, 1 as n, ${tallyOf(counted, 'came')} as t from came`;
  const went = `select account_id, -${sizeOf('postgres', counted, 'went')} as bytes, -1 as n, -${tallyOf(counted, 'went')} as t from went`;
  const changes: Record<Event, string> = {
    insert: came,
    delete: went,
    update: `${came} union all ${went}`,
  };
  const seen: Record<Event, string> = {
    insert: 'new table as came',
    delete: 'old table as went',
    update: 'old table as went new table as came',
  };
  return eventsOf(counted).flatMap((event) => {
    const name = `usage_${table}_${event}`;
    const refused = refusalsOf(room, event, 'd.bytes', 'd.n').map(
      ({ when, of }) =>
        `if ${when} then raise exception using errcode = '${OVER_QUOTA}', message = '${refusals[of]}'; end if;`,
    );
    const checks = refused.length === 0 ? '' : `select * into q from quota; ${refused.join(' ')}`;
    return [
      `create function ${name}() returns trigger language plpgsql as $$
       declare d record; u record; q record;
       begin
         if current_setting('latebra.uncounted', true) = 'on' then return null; end if;
         for d in
           select account_id, sum(bytes)::bigint as bytes, sum(n)::bigint as n, sum(t)::bigint as t
           from (${changes[event]}) as change
           where account_id is not null
           group by account_id having sum(bytes) <> 0 or sum(n) <> 0 or sum(t) <> 0 order by account_id
         loop
           update usage set ${adding(counted, 'd.bytes', 'd.n', 'd.t')} where account_id = d.account_id returning * into u;
           if not found then
             if d.n > 0 or d.bytes > 0 then
               raise exception using errcode = 'foreign_key_violation', message = '${NO_ACCOUNT}';
             end if;
             continue;
           end if;
           ${checks}
         end loop;
         return null;
       end $$`,
      `create trigger ${name} after ${event} on ${table} referencing ${seen[event]}
       for each statement execute function ${name}()`,
    ];
  });
}
