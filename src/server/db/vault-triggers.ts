// The triggers that give every account its vault, and mark that vault when the account goes, whoever deletes it: what it
// held is unreachable from then on, and the sweep erases it.
import { type Kysely, sql } from 'kysely';
import type { Engine } from './open.ts';

export async function createVaultTriggers(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const begin = 'insert into vaults (id) values (new.id);';
  const end = "update vaults set state = 'erasing' where id = old.id and state = 'live';";
  const statements =
    engine === 'postgres'
      ? [
          `create function vault_begin() returns trigger language plpgsql as $$
           begin ${begin} return null; end $$`,
          `create function vault_end() returns trigger language plpgsql as $$
           begin ${end} return null; end $$`,
          'create trigger vault_begin after insert on accounts for each row execute function vault_begin()',
          'create trigger vault_end after delete on accounts for each row execute function vault_end()',
        ]
      : [
          `create trigger vault_begin after insert on accounts begin ${begin} end`,
          `create trigger vault_end after delete on accounts begin ${end} end`,
        ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
