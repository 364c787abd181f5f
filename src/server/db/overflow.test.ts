// What is buried stands on pages that SQLite overwrites when it lets go of them, and on no page that rows share.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openTestDatabase } from '../../testing/engines.ts';
import { padToOverflow, unpadOverflow } from './overflow.ts';
import { truncateLog } from './truncate-log.ts';

const PAGE = 4096;
/** How the pages begin that rows and indexes share; one that carries the rest of a single row begins with a zero. */
const SHARED = new Set([2, 5, 10, 13]);

/** How many of these words, kept in one way or the other, stand on shared pages, and how many on others. */
async function placesOf(all: string[], keep: (words: string) => string) {
  const database = await openTestDatabase('sqlite');
  const { db, file } = database;
  const account = { uid: 'somebody', is_admin: 0 as const, created_at: 0 };
  const { id } = await db.insertInto('accounts').values(account).returning('id').executeTakeFirstOrThrow();
  for (const [i, words] of all.entries()) {
    const reserved = {
      account_id: id,
      entry_type: 'memory' as const,
      entry_id: 1,
      expires_at: 0,
      created_at: 0,
    };
    await db
      .insertInto('shareable_keys')
      .values({ ...reserved, key_id: `${i}` })
      .execute();
    const sealed = { encrypted_content: keep(words), door_hash: 'd', encrypted_secret: 's'.repeat(i * 10) };
    await db.updateTable('shareable_keys').set(sealed).where('key_id', '=', `${i}`).execute();
  }
  await truncateLog(database);
  const bytes = readFileSync(file ?? '');
  await database.close();
  const pages = Array.from({ length: bytes.length / PAGE }, (_, i) =>
    bytes.subarray(i * PAGE, (i + 1) * PAGE),
  );
  const shared = pages.filter((page, i) => SHARED.has(page[i === 0 ? 100 : 0] ?? 0));
  const on = (some: Buffer[]) =>
    all.filter((words) =>
      some.some((page) => page.includes(words.slice(0, 20)) || page.includes(words.slice(-20))),
    );
  return { shared: on(shared).length, alone: on(pages.filter((page) => !shared.includes(page))).length };
}

it('what was buried comes back as it was', () => {
  for (const text of ['', ' ', '  a', 'dA==']) expect(unpadOverflow(padToOverflow(text))).toBe(text);
});

it('words of every length stand on pages of their own when they are buried, and would not otherwise', async () => {
  const words = Array.from({ length: 120 }, (_, i) => randomBytes(30 + i * 60).toString('base64'));
  expect(await placesOf(words, padToOverflow)).toEqual({ shared: 0, alone: 120 });
  expect((await placesOf(words, (text) => text)).shared).toBeGreaterThan(60);
});
