import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { foundInFiles } from '../testing/data-folder.ts';
import { openTestHouse } from '../testing/house.ts';
import { rewriteDatabase } from './rewrite.ts';

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
  await rewriteDatabase(house.deps);
  expect(foundInFiles(house, deleted)).toEqual([]);
  expect(foundInFiles(house, kept)).toHaveLength(kept.length);
  await house.close();
});

it('one that is too large is not rewritten, and its keeper is told', async () => {
  const house = await openTestHouse();
  await rewriteDatabase(house.deps, 1);
  expect(house.log.at(-1)?.msg).toMatch(/too large to be rewritten/);
  await house.close();
});
