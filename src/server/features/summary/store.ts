// What the dashboard tells: counts, in one statement, and how near scrolls are to their release.
import { sql } from 'kysely';
import type { ReplyOf } from '../../../shared/http/call.ts';
import type { summary } from '../../../shared/nouns/summary.ts';
import { warningLadder } from '../../../shared/nouns/switch.ts';
import { ofVaultThatLeaves } from '../../db/vault-state.ts';
import { readHouseClock } from '../../deadman/clock/counted-time-store.ts';
import { heldBack } from '../../deadman/delivery/whisper-room-store.ts';
import { holdOf, type Moment, remainingOf } from '../../deadman/watch/hold.ts';
import type { Deps } from '../../deps.ts';

type Store = Pick<Deps, 'db' | 'now' | 'rules'>;
type Summary = ReplyOf<typeof summary.get>;

export async function summarise(deps: Store, accountId: number): Promise<Summary> {
  const counts = await countEntries(deps, accountId);
  const nearRelease = counts.legacyScrolls > 0 ? await findNearRelease(deps, accountId) : null;
  return { ...counts, nearRelease };
}

/** Scrolls that watch for silence and whose first warning is due, whether or not a mail says so. */
async function findNearRelease(
  { db, now, rules }: Store,
  accountId: number,
): Promise<Summary['nearRelease']> {
  const scrolls = await db
    .selectFrom('legacy_scrolls')
    .leftJoin('lives', 'lives.account_id', 'legacy_scrolls.account_id')
    .select([
      'state',
      'trigger_type',
      'period',
      'due_at',
      'watching_since',
      'warning',
      'warning_accepted',
      'date_ripe',
      'lives.house_time',
    ])
    .where('legacy_scrolls.account_id', '=', accountId)
    .where('state', '=', 'watching')
    .where('trigger_type', '=', 'inactivity')
    .execute();
  const clock = await readHouseClock(db);
  const near = scrolls.flatMap(({ house_time, ...scroll }) => {
    const life = house_time === null ? null : { house_time };
    const moment: Moment = { life, clock, now: now(), rules };
    const [remaining, hold] = [remainingOf(scroll, moment), holdOf(scroll, moment)];
    if (remaining === null) return [];
    const [firstRung = 0] = warningLadder(scroll.period ?? 0, rules);
    // A pause holds every scroll, however far it is; that the switch is paused is told elsewhere.
    return remaining <= firstRung || hold === 'after-outage' ? [{ remaining, hold }] : [];
  });
  const [nearest] = near.sort((a, b) => a.remaining - b.remaining);
  return nearest ? { scrolls: near.length, ...nearest } : null;
}

async function countEntries(
  { db, now }: Pick<Store, 'db' | 'now'>,
  accountId: number,
): Promise<Omit<Summary, 'nearRelease'>> {
  const time = now();
  const counts = await db
    .selectNoFrom((eb) => [
      eb
        .selectFrom('memory_entries')
        .select((q) => q.fn.countAll<number>().as('n'))
        .where('account_id', '=', accountId)
        .as('memories'),
      eb
        .selectFrom('relationship_entries')
        .select((q) => q.fn.countAll<number>().as('n'))
        .where('account_id', '=', accountId)
        .as('relationships'),
      eb
        .selectFrom('ghost_entries')
        .select((q) => q.fn.countAll<number>().as('n'))
        .where('account_id', '=', accountId)
        .where('expires_at', '>', time)
        .where(sql<boolean>`(max_reads is null or current_reads < max_reads)`)
        .as('ghosts'),
      eb
        .selectFrom('legacy_scrolls')
        .select((q) => q.fn.countAll<number>().as('n'))
        .where('account_id', '=', accountId)
        .where('state', '=', 'watching')
        .as('legacyScrolls'),
      eb
        .selectFrom('legacy_scrolls')
        .select((q) => q.fn.countAll<number>().as('n'))
        .where('recipient_account_id', '=', accountId)
        .where('legacy_scrolls.state', '=', 'released')
        .where('opened_at', 'is', null)
        .where((q) => q.not(heldBack()))
        .where(ofVaultThatLeaves('legacy_scrolls'))
        .as('whispers'),
      eb
        .selectFrom('legacy_scrolls')
        .select((q) => q.fn.countAll<number>().as('n'))
        .where('recipient_account_id', '=', accountId)
        .where('legacy_scrolls.state', '=', 'released')
        .where(heldBack())
        .as('whispersHeldBack'),
      eb
        .selectFrom('shareable_keys')
        .select((q) => q.fn.countAll<number>().as('n'))
        .where('account_id', '=', accountId)
        .where('opened_at', 'is', null)
        .as('shareableKeys'),
    ])
    .executeTakeFirstOrThrow();
  return {
    memories: Number(counts.memories),
    relationships: Number(counts.relationships),
    ghosts: Number(counts.ghosts),
    legacyScrolls: Number(counts.legacyScrolls),
    whispers: Number(counts.whispers),
    whispersHeldBack: Number(counts.whispersHeldBack),
    shareableKeys: Number(counts.shareableKeys),
  };
}
