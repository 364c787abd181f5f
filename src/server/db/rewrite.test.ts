import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { DAY, HOUR } from '../../shared/time.ts';
import { foundInFiles } from '../../testing/data-folder.ts';
import { openTestHouse, type TestHouse } from '../../testing/instance.ts';
import { deleteExpired } from '../expiry.ts';
import { openEmbedded } from './open.ts';
import { requestVacuum, rewriteDatabase } from './rewrite.ts';

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
  await requestVacuum(house.deps.db, house.deps);
  house.clock.advance(DAY);
  await rewriteDatabase(house.deps);
  expect(foundInFiles(house, deleted)).toEqual([]);
  expect(foundInFiles(house, kept)).toHaveLength(kept.length);
  await house.close();
});

it('one that is too large is not rewritten, and its keeper is told once', async () => {
  const house = await openTestHouse();
  await requestVacuum(house.deps.db, house.deps);
  for (let n = 0; n < 3; n += 1) {
    house.clock.advance(DAY);
    await rewriteDatabase(house.deps, 1);
  }
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
async function destroySomething({ deps }: TestHouse, ask = true): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const values = { uid: randomUUID(), auth_hash: 'A'.repeat(100_000), is_admin: 0 as const, created_at: 0 };
    await tx.insertInto('accounts').values(values).execute();
  });
  await deps.db.transaction().execute(async (tx) => {
    await tx.deleteFrom('accounts').execute();
    if (ask) await requestVacuum(tx, deps);
  });
}

/** Hour after hour, as the sweep does. @returns at which hours of the day the file was rewritten */
async function sweepFor(house: TestHouse, hours: number): Promise<number[]> {
  const rewritten: number[] = [];
  for (let n = 0; n < hours; n += 1) {
    const before = await freePages(house);
    await deleteExpired(house.deps);
    if ((await freePages(house)) < before) rewritten.push(new Date(house.clock.now()).getHours());
    house.clock.advance(HOUR);
  }
  return rewritten;
}

it('is written anew once in a night, however often somebody asks, and not unless somebody does', async () => {
  const house = await openTestHouse();
  house.clock.advance(HOUR - (house.clock.now() % HOUR));
  await destroySomething(house);
  expect(await freePages(house)).toBeGreaterThan(0);
  expect(await sweepFor(house, 24)).toEqual([3]);
  const rewritten: number[] = [];
  for (let n = 0; n < 48; n += 1) {
    await destroySomething(house);
    rewritten.push(...(await sweepFor(house, 1)));
  }
  expect(rewritten).toEqual([3, 3]);
  // The last wish is done in the night after.
  await sweepFor(house, 24);
  await destroySomething(house, false);
  expect(await sweepFor(house, 48)).toEqual([]);
  await house.close();
});

it('what was asked for outlives a restart, and the first sweep after the night does it', async () => {
  const house = await openTestHouse();
  await destroySomething(house);
  house.clock.advance(DAY);
  const again = await openEmbedded(house.database.file ?? '');
  await deleteExpired({ ...house.deps, db: again.db });
  expect(await freePages(house)).toBe(0);
  await again.db.destroy();
  await house.close();
});

it('one that fails is logged, and tried again an hour later', async () => {
  const house = await openTestHouse();
  await destroySomething(house);
  house.clock.advance(DAY);
  const other = await openEmbedded(house.database.file ?? '');
  await sql`pragma busy_timeout = 0`.execute(house.deps.db);
  await other.db.transaction().execute(async (tx) => {
    await tx.updateTable('accounts').set({ is_admin: 0 }).execute();
    await rewriteDatabase(house.deps);
  });
  expect(house.log.at(-1)).toMatchObject({ msg: 'rewriting failed' });
  await other.db.destroy();
  house.clock.advance(HOUR - 1);
  await rewriteDatabase(house.deps);
  expect(await freePages(house)).toBeGreaterThan(0);
  house.clock.advance(1);
  await rewriteDatabase(house.deps);
  expect(await freePages(house)).toBe(0);
  await house.close();
});
