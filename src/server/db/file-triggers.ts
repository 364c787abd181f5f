// The triggers that erase files: with the entry, the letter or the one-time link that they belong to, whoever erases it, and the
// bytes in the store with the row, which they write down for the sweep in the same transaction, where the store may have any. Files of a letter that a destroyed
// vault leaves are left with it. They hold nothing newer than SQLite 3.40, as those of `usage` do (usage-triggers.ts).
import { type Kysely, sql } from 'kysely';
import { restorableKinds, sealedKinds } from '../../shared/sealed-kinds.ts';
import type { Engine } from './open.ts';
import { sealedTables } from './sealed-tables.ts';

/** The tables whose rows may have files. Each has `account_id` and `seal_id`. */
export const tablesWithFiles = [...restorableKinds(sealedKinds), 'legacy-scroll' as const].map(
  (kind) => sealedTables[kind].table,
);

/** What becomes of a letter's files when its vault lets go of it: the sweep has seen that they belong to something. */
const LEAVE = `update files set account_id = null, left_with = new.id, is_claimed = 1
  where account_id = old.account_id and seal_id = old.seal_id`;
const LETS_GO = 'old.account_id is not null and new.account_id is null';

/**
 * Numbers of entries are their browsers' choice: what has a letter's number as well, and is erased by whoever has a session, must not
 * take files away from a letter that only a fresh proof takes them from (features/files/store.ts).
 */
const NO_LETTERS = `files.left_with is null and not exists (select 1 from legacy_scrolls as letter
  where letter.account_id = files.account_id and letter.seal_id = files.seal_id)`;

const ANEW = 'old.store_key <> new.store_key and old.is_in_store = 1';
const NOTE = 'insert into files_to_erase (store_key)';
const ONCE = 'on conflict (store_key) do nothing';

/** Creates the triggers of `files` and `link_files`, and those of every table whose rows may have some. */
export async function createFileTriggers(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const statements = engine === 'postgres' ? forPostgres() : forSqlite();
  for (const statement of statements) await sql.raw(statement).execute(db);
}

function forSqlite(): string[] {
  const note = `begin ${NOTE} values (old.store_key) ${ONCE}; end`;
  return [
    `create trigger files_delete after delete on files when old.is_in_store = 1 ${note}`,
    `create trigger files_begun_anew after update of store_key on files
      when ${ANEW} ${note}`,
    `create trigger link_files_delete after delete on link_files when old.seal_id is not null
      begin delete from files where id = old.file and seal_id = old.seal_id and ${NO_LETTERS}; end`,
    `create trigger files_are_left after update of account_id on legacy_scrolls when ${LETS_GO}
      begin ${LEAVE}; end`,
    ...tablesWithFiles.map(
      (
        table,
      ) => `create trigger attached_files_of_${table} after delete on ${table} when old.seal_id is not null
        begin delete from files where account_id = old.account_id and seal_id = old.seal_id and ${NO_LETTERS}; end`,
    ),
  ];
}

/** One trigger for each statement. Files that begin anew and letters that are left are few, and have one for each row. */
function forPostgres(): string[] {
  return [
    `create function files_delete() returns trigger language plpgsql as $$
     begin
       ${NOTE} select store_key from went where is_in_store = 1 order by store_key ${ONCE};
       return null;
     end $$`,
    `create trigger files_delete after delete on files referencing old table as went
     for each statement execute function files_delete()`,
    `create function files_begun_anew() returns trigger language plpgsql as $$
     begin ${NOTE} values (old.store_key) ${ONCE}; return null; end $$`,
    `create trigger files_begun_anew after update of store_key on files
     for each row when (${ANEW}) execute function files_begun_anew()`,
    `create function link_files_delete() returns trigger language plpgsql as $$
     begin
       delete from files using went where files.id = went.file and files.seal_id = went.seal_id and ${NO_LETTERS};
       return null;
     end $$`,
    `create trigger link_files_delete after delete on link_files referencing old table as went
     for each statement execute function link_files_delete()`,
    `create function files_are_left() returns trigger language plpgsql as $$
     begin ${LEAVE}; return null; end $$`,
    `create trigger files_are_left after update of account_id on legacy_scrolls
     for each row when (${LETS_GO}) execute function files_are_left()`,
    `create function attached_files() returns trigger language plpgsql as $$
     begin
       delete from files using went
         where files.account_id = went.account_id and files.seal_id = went.seal_id and ${NO_LETTERS};
       return null;
     end $$`,
    // Their names come before those of the triggers that count, and so do they: files are held before `usage`, as by
    // whoever removes one by itself.
    ...tablesWithFiles.map(
      (
        table,
      ) => `create trigger attached_files_of_${table} after delete on ${table} referencing old table as went
        for each statement execute function attached_files()`,
    ),
  ];
}
