import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { DAY, HOUR } from '../../shared/time.ts';
import { foundInFiles } from '../../testing/data-folder.ts';
import { openTestInstance, type TestInstance } from '../../testing/instance.ts';
import { deleteExpired } from '../expiry.ts';
import { openEmbedded } from './open.ts';
import { requestVacuum, rewriteDatabase } from './rewrite.ts';

/** Three thousand names in random order, half of them deleted: enough for pages to be split, filled and joined. */
async function anInstanceWithGaps() {
  const instance = await openTestInstance();
  const { db } = instance.deps;
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
  return { instance, names, deleted, kept: names.filter((name) => !deleted.includes(name)) };
}

it('a database that was rewritten holds no trace of deleted rows, and all others', async () => {
  const { instance, kept, deleted } = await anInstanceWithGaps();
  await requestVacuum(instance.deps.db, instance.deps);
  instance.clock.advance(DAY);
  await rewriteDatabase(instance.deps);
  expect(foundInFiles(instance, deleted)).toEqual([]);
  expect(foundInFiles(instance, kept)).toHaveLength(kept.length);
  await instance.close();
});

it('one that is too large is not rewritten, and its administrator is told once', async () => {
  const instance = await openTestInstance();
  await requestVacuum(instance.deps.db, instance.deps);
  for (let n = 0; n < 3; n += 1) {
    instance.clock.advance(DAY);
    await rewriteDatabase(instance.deps, 1);
  }
  expect(instance.log.map(({ msg }) => msg)).toEqual([expect.stringMatching(/too large to be rewritten/)]);
  await instance.close();
});

/** Pages that nothing uses: a rewriting leaves none. */
async function freePages({ deps }: TestInstance): Promise<number> {
  const { rows } = await sql<{ n: number }>`select freelist_count as n from pragma_freelist_count`.execute(
    deps.db,
  );
  return rows[0]?.n ?? 0;
}

/** Leaves free pages behind, as a vault does that is destroyed. */
async function destroySomething({ deps }: TestInstance, ask = true): Promise<void> {
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
async function sweepFor(instance: TestInstance, hours: number): Promise<number[]> {
  const rewritten: number[] = [];
  for (let n = 0; n < hours; n += 1) {
    const before = await freePages(instance);
    await deleteExpired(instance.deps);
    if ((await freePages(instance)) < before) rewritten.push(new Date(instance.clock.now()).getHours());
    instance.clock.advance(HOUR);
  }
  return rewritten;
}

it('is written anew once in a night, however often somebody asks, and not unless somebody does', async () => {
  const instance = await openTestInstance();
  instance.clock.advance(HOUR - (instance.clock.now() % HOUR));
  await destroySomething(instance);
  expect(await freePages(instance)).toBeGreaterThan(0);
  expect(await sweepFor(instance, 24)).toEqual([3]);
  const rewritten: number[] = [];
  for (let n = 0; n < 48; n += 1) {
    await destroySomething(instance);
    rewritten.push(...(await sweepFor(instance, 1)));
  }
  expect(rewritten).toEqual([3, 3]);
  // The last wish is done in the night after.
  await sweepFor(instance, 24);
  await destroySomething(instance, false);
  expect(await sweepFor(instance, 48)).toEqual([]);
  await instance.close();
});

it('what was asked for outlives a restart, and the first sweep after the night does it', async () => {
  const instance = await openTestInstance();
  await destroySomething(instance);
  instance.clock.advance(DAY);
  const again = await openEmbedded(instance.database.file ?? '');
  await deleteExpired({ ...instance.deps, db: again.db });
  expect(await freePages(instance)).toBe(0);
  await again.db.destroy();
  await instance.close();
});

it('one that fails is logged, and tried again an hour later', async () => {
  const instance = await openTestInstance();
  await destroySomething(instance);
  instance.clock.advance(DAY);
  const other = await openEmbedded(instance.database.file ?? '');
  await sql`pragma busy_timeout = 0`.execute(instance.deps.db);
  await other.db.transaction().execute(async (tx) => {
    await tx.updateTable('accounts').set({ is_admin: 0 }).execute();
    await rewriteDatabase(instance.deps);
  });
  expect(instance.log.at(-1)).toMatchObject({ msg: 'rewriting failed' });
  await other.db.destroy();
  instance.clock.advance(HOUR - 1);
  await rewriteDatabase(instance.deps);
  expect(await freePages(instance)).toBeGreaterThan(0);
  instance.clock.advance(1);
  await rewriteDatabase(instance.deps);
  expect(await freePages(instance)).toBe(0);
  await instance.close();
});
