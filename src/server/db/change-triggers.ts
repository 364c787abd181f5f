// The triggers that give every change of a sealed row the next number of its vault, whoever writes it, and note it in
// `changes`: which row, and whether it is gone. They are made for every kind by one function from one list, as those of
// `usage` are (usage-triggers.ts), and hold nothing newer than SQLite 3.40 either. An account whose row of `usage` is gone
// has no numbers any more.
//
// On PostgreSQL the row of `usage` is locked from the number on until the transaction ends: an account's numbers are committed
// in their order, and a reader who has seen one has seen all before it.
import { type Kysely, sql } from 'kysely';
import { type ChangedTable, changedTables, shownOfRecipients } from './changed.ts';
import type { Engine } from './open.ts';

type Event = 'insert' | 'update' | 'delete';
const events: readonly Event[] = ['insert', 'update', 'delete'];

/** Creates the triggers. A migration that adds a kind calls it for that kind's table. */
export async function createChangeTriggers(
  db: Kysely<unknown>,
  engine: Engine,
  tables: readonly ChangedTable[] = changedTables,
): Promise<void> {
  for (const statement of tables.flatMap(engine === 'postgres' ? forPostgres : forSqlite)) {
    await sql.raw(statement).execute(db);
  }
}

/** Creates the trigger that counts what becomes of a scroll's recipients as changes of the scroll. */
export async function createRecipientTriggers(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const statements = engine === 'postgres' ? recipientsForPostgres() : recipientsForSqlite();
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** What is noted of a row that is gone: the sweep writes down when it saw that first. */
const endedAt = (event: Event) => (event === 'delete' ? '0' : 'null');

const KEY = '(account_id, kind, entry_id)';
const COLUMNS = '(account_id, kind, entry_id, n, seal_id, ended_at)';
/** A row is noted once, by its newest change. */
const ONCE = `on conflict ${KEY} do update set n = excluded.n, seal_id = excluded.seal_id, ended_at = excluded.ended_at`;

const differs = (columns: readonly string[], before: string, after: string, operator: string) =>
  columns.map((column) => `${before}.${column} ${operator} ${after}.${column}`).join(' or ');

/** One trigger for each row, as those of `usage`. */
function forSqlite({ kind, table, id, shown }: ChangedTable): string[] {
  const body = (row: 'old' | 'new', event: Event) => `
    update usage set last_change = last_change + 1 where account_id = ${row}.account_id;
    insert into changes ${COLUMNS}
      select account_id, '${kind}', ${id ? `${row}.${id}` : 0}, last_change, ${row}.seal_id, ${endedAt(event)}
      from usage where account_id = ${row}.account_id ${ONCE};`;
  const when: Record<Event, string> = {
    insert: `after insert on ${table}`,
    update: `after update of ${shown.join(', ')} on ${table} when ${differs(shown, 'old', 'new', 'is not')}`,
    delete: `after delete on ${table}`,
  };
  return events.map(
    (event) => `create trigger changes_${table}_${event} ${when[event]}
      begin ${body(event === 'delete' ? 'old' : 'new', event)} end`,
  );
}

function recipientsForSqlite(): string[] {
  const { shown } = shownOfRecipients;
  return [
    `create trigger changes_scroll_recipients_update after update of ${shown.join(', ')} on scroll_recipients
      when ${differs(shown, 'old', 'new', 'is not')}
      begin
        update usage set last_change = last_change + 1 where account_id = new.account_id;
        update changes set n = (select last_change from usage where account_id = new.account_id)
          where account_id = new.account_id and kind = 'legacy-scroll' and entry_id = new.scroll_id and ended_at is null
            and exists (select 1 from usage where account_id = new.account_id);
      end`,
  ];
}

const SEEN: Record<Event, string> = {
  insert: 'new table as came',
  update: 'old table as went new table as came',
  delete: 'old table as went',
};

interface Noting {
  table: string;
  event: Event;
  /** A query for the rows that were changed: account_id, entry_id and seal_id. */
  rows: string;
  /** What is written of those of an account. `numbered` has them, each with its number. */
  write: string;
}

/** One trigger for each statement, as those of `usage`: a thousand rows take one block of numbers. */
function noting({ table, event, rows, write }: Noting): string[] {
  const name = `changes_${table}_${event}`;
  return [
    `create function ${name}() returns trigger language plpgsql as $$
     declare d record; newest bigint;
     begin
       if current_setting('latebra.uncounted', true) = 'on' then return null; end if;
       for d in
         select account_id, count(*) as amount from (${rows}) as changed
         where account_id is not null group by account_id order by account_id
       loop
         update usage set last_change = last_change + d.amount where account_id = d.account_id
           returning last_change into newest;
         continue when not found;
         with numbered as (
           select changed.account_id, changed.entry_id, changed.seal_id,
             newest - d.amount + row_number() over (order by changed.entry_id) as n
           from (${rows}) as changed where changed.account_id = d.account_id
         ) ${write};
       end loop;
       return null;
     end $$`,
    `create trigger ${name} after ${event} on ${table} referencing ${SEEN[event]}
     for each statement execute function ${name}()`,
  ];
}

function forPostgres({ kind, table, id, shown }: ChangedTable): string[] {
  const columns = (row: string) =>
    `${row}.account_id, ${id ? `${row}.${id}` : '0'} as entry_id, ${row}.seal_id`;
  const key = id ?? 'account_id';
  const rows: Record<Event, string> = {
    insert: `select ${columns('came')} from came`,
    update: `select ${columns('came')} from came join went on went.${key} = came.${key}
      where ${differs(shown, 'went', 'came', 'is distinct from')}`,
    delete: `select ${columns('went')} from went`,
  };
  return events.flatMap((event) =>
    noting({
      table,
      event,
      rows: rows[event],
      write: `insert into changes ${COLUMNS}
        select account_id, '${kind}', entry_id, n, seal_id, ${endedAt(event)}::bigint from numbered ${ONCE}`,
    }),
  );
}

function recipientsForPostgres(): string[] {
  return noting({
    table: 'scroll_recipients',
    event: 'update',
    rows: `select distinct came.account_id, came.scroll_id as entry_id, null::text as seal_id
      from came join went on went.id = came.id
      where ${differs(shownOfRecipients.shown, 'went', 'came', 'is distinct from')}`,
    write: `update changes set n = numbered.n from numbered
      where changes.account_id = numbered.account_id and changes.kind = 'legacy-scroll'
        and changes.entry_id = numbered.entry_id and changes.ended_at is null`,
  });
}
