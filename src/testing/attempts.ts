// Floods without their water: what was tried once counts as if it had been tried many times.
import type { TestInstance } from './instance.ts';

/**
 * Makes the counters of attempts (http/attempt-store.ts) stand as if something had been done so many times. It is done
 * once, and whatever it has added to a counter counts so often; what it adds to none, it adds to none however often. What
 * a limit then lets through or refuses is asked of the server itself. Pauses that grow with each attempt stay those of one.
 * @returns what doing it once has answered
 */
export async function countedAs<T>(
  { deps: { db } }: Pick<TestInstance, 'deps'>,
  times: number,
  once: () => Promise<T>,
): Promise<T> {
  const counters = async () => {
    const rows = await db.selectFrom('attempts').select(['bucket', 'count']).execute();
    return new Map(rows.map(({ bucket, count }) => [bucket, count]));
  };
  const before = await counters();
  const answer = await once();
  for (const [bucket, count] of await counters()) {
    const earlier = before.get(bucket) ?? 0;
    if (count <= earlier) continue;
    await db
      .updateTable('attempts')
      .set({ count: earlier + (count - earlier) * times })
      .where('bucket', '=', bucket)
      .execute();
  }
  return answer;
}
