import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { describeOnEachEngine, openTestDatabase } from '../../testing/engines.ts';
import { countedTables, uncountedTables } from './counted.ts';

/** Text that no client can make long: hashes, numbers of seals, words of a list, sentences of this server. */
const SHORT = [
  ...[
    'seal_id',
    'ring_seal_id',
    'key_fingerprint',
    'fingerprint',
    'verifying_key_hash',
    'public_id',
    'key_id',
  ],
  ...['door_hash', 'claim_hash', 'redemption_hash', 'scroll_public_id', 'asked_message'],
  ...[
    'event_type',
    'story_type',
    'entry_type',
    'access',
    'trigger_type',
    'recipient_type',
    'state',
    'warning',
    'method',
  ],
  ...['kind', 'channel', 'why', 'withheld', 'waits_for', 'author_hash'],
  'tell',
  'card_number',
  'place',
  'asked_channel',
  'link_number',
  'decline_number',
  'link_hash',
  'messages.author_name',
  'files.file_id',
  'files.store_key',
  'import_webhooks.token_hash',
  'import_webhooks.secret_salt',
  'import_webhooks.old_secret_salt',
  'import_webhooks.refused_reason',
  'guardian_kits.claim_hash',
  // The keyed part of a key's envelope, cut to 32 characters.
  'vault_keys.address',
];

describeOnEachEngine('what counts towards a quota', (engine) => {
  it('names every table that belongs to an account: counted, or with a reason why not', async () => {
    const { db, close } = await openTestDatabase(engine);
    const tables = await db.introspection.getTables();
    const owned = tables
      .filter(({ columns }) => columns.some(({ name }) => name === 'account_id'))
      .map(({ name }) => name);
    const named = [...countedTables.map(({ table }) => table), ...Object.keys(uncountedTables)];
    expect(owned.sort(), 'name a new table in db/counted.ts').toEqual(named.sort());
    await close();
  });

  it('counts every text of a counted table that a client can make long', async () => {
    const { db, close } = await openTestDatabase(engine);
    const tables = await db.introspection.getTables();
    for (const { table, text } of countedTables) {
      const columns = tables.find(({ name }) => name === table)?.columns ?? [];
      const texts = columns
        .filter(({ dataType }) => dataType.toLowerCase() === 'text')
        .map(({ name }) => name);
      const uncounted = texts.filter(
        (name) => !text.includes(name) && !SHORT.includes(name) && !SHORT.includes(`${table}.${name}`),
      );
      expect(uncounted, `${table}: count it, or say that it is short`).toEqual([]);
      expect(texts).toEqual(expect.arrayContaining([...text]));
    }
    await close();
  });

  it('has a trigger on every counted table for each way in which its rows change', async () => {
    const { db, close } = await openTestDatabase(engine);
    const { rows } =
      engine === 'postgres'
        ? await sql<{ name: string }>`
            select tgname as name from pg_trigger where tgname like 'usage_%'`.execute(db)
        : await sql<{ name: string }>`
            select name from sqlite_master where type = 'trigger' and name like 'usage_%'`.execute(db);
    const names = rows.map(({ name }) => name);
    for (const { table, text, bytes } of countedTables) {
      const events = text.length > 0 || bytes ? ['insert', 'update', 'delete'] : ['insert', 'delete'];
      expect(names).toEqual(expect.arrayContaining(events.map((event) => `usage_${table}_${event}`)));
    }
    await close();
  });
});
