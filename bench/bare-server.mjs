// The reference: a Hono route with nothing around it that does the same Kysely statements on the same database file.
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { DatabaseSync } from '@photostructure/sqlite';
import { Hono } from 'hono';
import { Kysely, SqliteDialect, sql } from 'kysely';

const connection = new DatabaseSync(process.env.BENCH_DATABASE, { timeout: 5000 });
connection.exec(
  'pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma secure_delete = on',
);
/** As Kysely takes it. */
const database = {
  prepare(text) {
    const statement = connection.prepare(text);
    return {
      reader: statement.columns().length > 0,
      all: (parameters) => statement.all(...parameters),
      run: (parameters) => statement.run(...parameters),
    };
  },
  close: () => connection.close(),
};
const db = new Kysely({ dialect: new SqliteDialect({ database }) });
const accountId = Number(process.env.BENCH_ACCOUNT);

const columns = [
  'id',
  'title',
  'time_lock_until',
  'seal_id',
  'key_fingerprint',
  'version',
  'created_at',
  'updated_at',
];
const readable = (now) =>
  sql`case when time_lock_until > ${now} then null else encrypted_content end`.as('readable_content');

const app = new Hono();
app.post('/memories', async (c) => {
  const input = await c.req.json();
  const time = Date.now();
  const row = await db
    .insertInto('memory_entries')
    .values({
      account_id: accountId,
      title: input.title,
      encrypted_content: input.encryptedContent,
      time_lock_until: null,
      seal_id: null,
      key_fingerprint: null,
      version: 1,
      created_at: time,
      updated_at: time,
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'seal_id']).doNothing())
    .returning(columns)
    .returning(readable(time))
    .executeTakeFirst();
  return c.json(row, 201);
});
app.get('/memories/:id', async (c) => {
  const row = await db
    .selectFrom('memory_entries')
    .select(columns)
    .select(readable(Date.now()))
    .where('account_id', '=', accountId)
    .where('id', '=', Number(c.req.param('id')))
    .executeTakeFirst();
  return c.json(row);
});

const server = createServer(getRequestListener(app.fetch));
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://localhost:${server.address().port}\n`));
process.on('SIGTERM', () => process.exit(0));
