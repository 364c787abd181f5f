// Destroying a vault, and erasing it, beside everything else that locks rows of scrolls: nobody waits for anybody in a
// circle.
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, expect, it, vi } from 'vitest';
import { DAY } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { plantMessages } from '../../../testing/messages.ts';
import { signUpByPassphrase } from '../../../testing/people.ts';
import { accountIdOf } from '../../../testing/planting.ts';
import { aWatchedInstance, type Watched } from '../../../testing/switch.ts';
import { isOrphan } from '../../db/open.ts';
import { transact } from '../../db/transact.ts';
import { confirmSwitch, writeTick } from '../../deadman/clock/counted-time-store.ts';
import { instanceName } from '../../deadman/clock/instance.ts';
import { hashOfAuthor, roomOf } from '../../deadman/delivery/send-limits.ts';
import { releaseByHand } from '../../deadman/routes/scrolls/watch-store.ts';
import { endWaits } from '../../deadman/watch/date-store.ts';
import { recordActivity } from '../../deadman/watch/last-activity-store.ts';
import { endSilences } from '../../deadman/watch/silence-store.ts';
import { deleteExpired } from '../../expiry.ts';
import { eraseDestroyed } from './erase-store.ts';
import { destroyVault } from './store.ts';

/**
 * Where whispers are left without locking their scrolls first, one round in three has a deadlock. SQLite has one writer at a
 * time: there the rounds say that nothing else goes wrong.
 */
const ROUNDS = { postgres: 25, sqlite: 20 };
const MINUTES = 60_000;

let watched: Watched;
afterEach(async () => {
  vi.restoreAllMocks();
  await watched.close();
});

/** A tick that lets all warnings begin anew. */
const AFTER_OUTAGE = {
  counts: 0,
  ran: 0,
  proves: true,
  boot: { id: null, time: 0 },
  mayAdd: 0,
  holdFor: 0,
  holdFirmlyFor: 0,
  warnAnew: true,
  doubtFor: 0,
  forgetsReach: false,
  isPaused: false,
  told: {
    ...{ length: 0, credit: 0, owed: 0, holdFor: 0, holdFirmlyFor: 0 },
    ...{ isAnotherBoot: false, takesBack: null },
  },
  stoodStill: 0 as const,
  steadyFor: 0,
  movedBy: 0,
  setForwardBy: 0,
  endsWord: false,
  lost: 0,
};

/** Which statements PostgreSQL has undone because two waited for each other. */
function watchDeadlocks() {
  const found: unknown[] = [];
  const query = pg.Client.prototype.query as (...args: unknown[]) => Promise<unknown>;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const answer = query.apply(this, args);
    answer.catch((error: { code?: string }) => error.code === '40P01' && found.push(args[0]));
    return answer as never;
  });
  return found;
}

function orphan(error: unknown): void {
  if (!isOrphan(error)) throw error;
}

/**
 * Each leaves the next one a whisper that has arrived, and one that waits in the line for room.
 * @returns those that have arrived, and to which of these they were left
 */
async function leaveWhispers(ids: number[]): Promise<[reader: number, publicId: string][]> {
  const { deps } = watched;
  const arrived: [number, string][] = [];
  for (const [i, author] of ids.entries()) {
    const at = (i + 1) % ids.length;
    const reader = ids[at] ?? 0;
    const whisper = {
      state: 'released',
      released_at: deps.now(),
      access: 'vault',
      recipient_type: 'whisper',
      recipient_account_id: reader,
    } as const;
    const [lies] = await watched.recipients(await watched.aScroll(author, whisper));
    arrived.push([at, lies?.public_id ?? '']);
    const held = await watched.aScroll(author, whisper);
    const [waits] = await watched.recipients(held);
    await plantMessages(watched, author, 1, {
      channel: 'whisper',
      scroll_id: held,
      recipient_id: waits?.id ?? null,
      withheld: 'vault',
      waits_for: roomOf(deps.digests, reader),
      author_hash: hashOfAuthor(deps.digests, author),
    });
  }
  return arrived;
}

describeOnEachEngine('destroying with release', (engine) => {
  const rounds = ROUNDS[engine];
  it(`comes to its end beside due scrolls, releases by hand, signs of life, an outage and another vault that goes: ${rounds} times, without a deadlock`, {
    timeout: 5 * MINUTES,
  }, async () => {
    watched = await aWatchedInstance({ engine, alone: false });
    const { instance, deps } = watched;
    const deadlocks = watchDeadlocks();
    for (let round = 0; round < rounds; round += 1) {
      const people = [
        await signUpByPassphrase(instance),
        await signUpByPassphrase(instance),
        await signUpByPassphrase(instance),
      ];
      const ids = await Promise.all(people.map((person) => accountIdOf(instance, person)));
      const clock = await watched.clock();
      for (const [i, author] of ids.entries()) {
        for (const reader of [ids[(i + 1) % 3], null, ids[(i + 2) % 3]]) {
          await watched.aScroll(author, {
            state: 'watching',
            trigger_type: 'date',
            due_at: 0,
            releasable_at: 0,
            ...(reader ? { recipient_type: 'whisper', recipient_account_id: reader } : {}),
          });
        }
        // Its warning was counted, so that a sign of life changes it.
        await watched.watchSilence(author, 1, {
          warning_step: 1,
          watching_since: clock.counted_time - 2 * DAY,
        });
      }
      const whispers = await leaveWhispers(ids);
      const uids = await deps.db
        .selectFrom('accounts')
        .select(['id', 'uid'])
        .where('id', 'in', ids)
        .execute();
      const destroy = async (id: number) => {
        const uid = uids.find((account) => account.id === id)?.uid ?? '';
        await destroyVault(deps, { accountId: id, uid }, 'release');
        await eraseDestroyed(deps, id);
      };
      const [one, two, three] = ids as [number, number, number];
      const watching = await deps.db
        .selectFrom('legacy_scrolls')
        .select(['id', 'account_id'])
        .where('state', '=', sql.lit('watching'))
        .orderBy('id', 'desc')
        .execute();
      const later = { ...clock, counted_time: clock.counted_time + 2 * DAY };
      const ticked = { clock, isProved: true, mayBeAheadBy: 0 };
      await Promise.all([
        destroy(one),
        destroy(two),
        // It may have gone before.
        transact(deps.db, (tx) => recordActivity(deps, tx, three, 'person')).catch(orphan),
        transact(deps.db, (tx) => recordActivity(deps, tx, one, 'person')).catch(orphan),
        endWaits(deps, ticked),
        endWaits(deps, ticked),
        endSilences(deps, later),
        // An outage has ended, and their authors release some of them by hand.
        writeTick(deps.db, { ...AFTER_OUTAGE, after: clock.tick_number, at: deps.now() }),
        confirmSwitch(deps.db, { instance: instanceName(deps.digests), at: deps.now(), holdFor: 0 }),
        ...watching.map(({ id, account_id }) => releaseByHand(deps, account_id ?? 0, id)),
        ...whispers.map(async ([reader, publicId]) => {
          const gone = await people[reader]?.request('DELETE', `/api/whispers/${publicId}`);
          // Somebody's vault may have gone before.
          expect([204, 401, 404]).toContain(gone?.status);
        }),
        watched.server.deliver(),
        round % 2 ? destroy(three) : deleteExpired(deps),
      ]);
      const left = await deps.db.selectFrom('accounts').select('id').where('id', 'in', [one, two]).execute();
      expect(left).toEqual([]);
      await deleteExpired(deps);
      const vaults = deps.db.selectFrom('vaults').select('id').where('state', '!=', 'live');
      expect(await vaults.execute()).toEqual([]);
      const scrolls = await deps.db.selectFrom('legacy_scrolls').select('account_id').execute();
      // Of the third author, unless that one went as well.
      for (const { account_id } of scrolls) expect([null, three]).toContain(account_id);
      await deps.db.deleteFrom('legacy_scrolls').execute();
      await deps.db.deleteFrom('messages').execute();
      await deps.db.deleteFrom('jobs').execute();
      await deps.db.deleteFrom('attempts').execute();
    }
    expect(deadlocks).toEqual([]);
    expect(instance.log.filter(({ level }) => Number(level) >= 40)).toEqual([]);
  });
});
