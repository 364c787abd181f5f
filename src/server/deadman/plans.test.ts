// What the work of each minute asks of the embedded database: it reads what is due, however much waits for later.
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { aWatchedInstance } from '../../testing/switch.ts';
import { openEmbedded } from '../db/open.ts';
import { takeJob } from '../jobs/queue-store.ts';
import { endWaits } from './watch/date-store.ts';
import { remindToRehearse } from './watch/rehearsal-reminder-store.ts';
import { endSilences } from './watch/silence-store.ts';

/** By these SQLite finds what is due. */
const BY_TIME = /using (?:covering )?index (?:legacy_scrolls_(?:by_silence|by_day|to_rehearse)|jobs_due) \(/i;
const BY_NUMBER = /using integer primary key/i;

it('is found by an index of what is due, of jobs as of scrolls', async () => {
  const watched = await aWatchedInstance();
  const asked = new Map<string, readonly unknown[]>();
  const { db } = await openEmbedded(watched.instance.database.file ?? '', ({ query }) => {
    if (/legacy_scrolls|jobs/.test(query.sql)) asked.set(query.sql, query.parameters);
  });
  const deps = { ...watched.deps, db };
  const clock = await watched.clock();
  await endSilences(deps, clock);
  await endWaits(deps, { clock, isProved: true, mayBeAheadBy: 0 });
  await remindToRehearse(deps, clock);
  await takeJob(deps, { deliver: { backoff: [0] }, 'follow-up': { backoff: [0] } }, clock.counted_time);
  const plans: string[] = [];
  for (const [text, parameters] of [...asked]) {
    const explained = sql.raw<{ detail: string }>(`explain query plan ${text}`).compile(db);
    const { rows } = await db.executeQuery({ ...explained, parameters } as typeof explained);
    plans.push(
      ...rows
        .map(({ detail }) => detail)
        .filter((detail) => /^(?:scan|search) (?:scroll|legacy_scrolls|jobs|due)/i.test(detail)),
    );
  }
  await db.destroy();
  await watched.close();
  expect(plans.length).toBeGreaterThanOrEqual(6);
  expect(plans.filter((plan) => !BY_TIME.test(plan) && !BY_NUMBER.test(plan))).toEqual([]);
});
