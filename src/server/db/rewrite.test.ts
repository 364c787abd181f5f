import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { deleteExpired } from '../jobs/sweep-store.ts';
import { MINUTE } from '../testing/clock.ts';
import { foundInFiles } from '../testing/data-folder.ts';
import { openTestHouse, type TestHouse } from '../testing/house.ts';
import { openEmbedded } from './open.ts';
import { askForRewriting, rewriteDatabase } from './rewrite.ts';

/** Three thousand names in random order, half of them deleted: enough for pages to be split, filled and joined. */
async function aHouseWithGaps() {
  const house = await openTestHouse();
  const { db } = house.deps;
  const names = Array.from({ length: 3000 }, () => randomUUID());
  for (let from = 0; from < names.length; from += 300) {
    const values = names.slice(from, from + 300).map((name) => ({
      uid: randomUUID(),
      name,
      auth_hash: randomBytes(20 + randomInt(300)).toString('base64'),
      is_admin: 0 as const,
      created_at: 0,
    }));
    await db.insertInto('accounts').values(values).execute();
  }
  const deleted = names.filter(() => randomInt(2) === 0);
  await db.transaction().execute(async (tx) => {
    for (const name of deleted) await tx.deleteFrom('accounts').where('name', '=', name).execute();
  });
  return { house, names, deleted, kept: names.filter((name) => !deleted.includes(name)) };
}

it('a database that was rewritten holds no trace of deleted rows, and all others', async () => {
  const { house, kept, deleted } = await aHouseWithGaps();
  await askForRewriting(house.deps.db, 'sqlite');
  await rewriteDatabase(house.deps);
  expect(foundInFiles(house, deleted)).toEqual([]);
  expect(foundInFiles(house, kept)).toHaveLength(kept.length);
  await house.close();
});

it('one that is too large is not rewritten, and its keeper is told once', async () => {
  const house = await openTestHouse();
  await askForRewriting(house.deps.db, 'sqlite');
  await rewriteDatabase(house.deps, 1);
  house.clock.advance(10 * MINUTE);
  await rewriteDatabase(house.deps, 1);
  expect(house.log.map(({ msg }) => msg)).toEqual([expect.stringMatching(/too large to be rewritten/)]);
  await house.close();
});

/** Pages that nothing uses: a rewriting leaves none. */
async function freePages({ deps }: TestHouse): Promise<number> {
  const { rows } = await sql<{ n: number }>`select freelist_count as n from pragma_freelist_count`.execute(
    deps.db,
  );
  return rows[0]?.n ?? 0;
}

/** Leaves free pages behind, as a vault does that is destroyed. */
async function destroySomething({ deps }: TestHouse): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const values = { uid: randomUUID(), auth_hash: 'A'.repeat(100_000), is_admin: 0 as const, created_at: 0 };
    await tx.insertInto('accounts').values(values).execute();
  });
  await deps.db.transaction().execute(async (tx) => {
    await tx.deleteFrom('accounts').execute();
    await askForRewriting(tx, 'sqlite');
  });
}

it('nobody waits for it more than once in ten minutes; then the sweep sees to it, once', async () => {
  const house = await openTestHouse();
  await destroySomething(house);
  expect(await freePages(house)).toBeGreaterThan(0);
  await rewriteDatabase(house.deps);
  expect(await freePages(house)).toBe(0);

  await destroySomething(house);
  await rewriteDatabase(house.deps);
  house.clock.advance(10 * MINUTE - 1);
  await deleteExpired(house.deps);
  const gaps = await freePages(house);
  expect(gaps).toBeGreaterThan(0);
  house.clock.advance(1);
  await deleteExpired(house.deps);
  expect(await freePages(house)).toBe(0);

  house.clock.advance(10 * MINUTE);
  const values = { uid: randomUUID(), auth_hash: 'A'.repeat(100_000), is_admin: 0 as const, created_at: 0 };
  await house.deps.db.insertInto('accounts').values(values).execute();
  await house.deps.db.deleteFrom('accounts').execute();
  await deleteExpired(house.deps);
  expect(await freePages(house), 'nobody has asked').toBe(gaps);
  await house.close();
});

it('what was asked for outlives a restart, and the first sweep does it', async () => {
  const house = await openTestHouse();
  await destroySomething(house);
  await rewriteDatabase(house.deps);
  await destroySomething(house);
  const again = await openEmbedded(house.database.file ?? '');
  await deleteExpired({ ...house.deps, db: again.db });
  expect(await freePages(house)).toBe(0);
  await again.db.destroy();
  await house.close();
});

it('one that fails is logged, and tried again', async () => {
  const house = await openTestHouse();
  await destroySomething(house);
  const other = await openEmbedded(house.database.file ?? '');
  await sql`pragma busy_timeout = 0`.execute(house.deps.db);
  await other.db.transaction().execute(async (tx) => {
    await tx.updateTable('accounts').set({ is_admin: 0 }).execute();
    await rewriteDatabase(house.deps);
  });
  expect(house.log.at(-1)).toMatchObject({ msg: 'rewriting failed' });
  await other.db.destroy();
  house.clock.advance(10 * MINUTE);
  await rewriteDatabase(house.deps);
  expect(await freePages(house)).toBe(0);
  await house.close();
});
