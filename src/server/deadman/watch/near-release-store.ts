// How near an account's scrolls are to their release, and how many watch: what its dashboard tells.
import { type Expression, sql } from 'kysely';
import type { ReplyOf } from '../../../shared/http/call.ts';
import type { summary } from '../../../shared/nouns/summary.ts';
import { warningLadder } from '../../../shared/nouns/switch-rules.ts';
import type { Database } from '../../db/open.ts';
import { ofVaultThatLeaves } from '../../db/vault-state.ts';
import type { Deps } from '../../deps.ts';
import { readInstanceClock } from '../clock/counted-time-store.ts';
import { heldBack } from '../delivery/whisper-room-store.ts';
import { holdOf, type Moment, remainingOf } from './hold.ts';
import { postponedUntil } from './postponement-store.ts';

/** Scrolls that watch for silence and whose first warning is due, whether or not a mail says so. */
export async function findNearRelease(
  { db, now, rules }: Pick<Deps, 'db' | 'now' | 'rules'>,
  accountId: number,
): Promise<ReplyOf<typeof summary.get>['nearRelease']> {
  const scrolls = await db
    .selectFrom('legacy_scrolls')
    .leftJoin('last_activity', 'last_activity.account_id', 'legacy_scrolls.account_id')
    .select([
      'state',
      'trigger_type',
      'period',
      'due_at',
      'watching_since',
      'warning',
      'warning_accepted',
      'contact_told_at',
      'releasable_at',
      'last_activity.counted_time',
    ])
    .select(postponedUntil('legacy_scrolls').as('postponedUntil'))
    .where('legacy_scrolls.account_id', '=', accountId)
    .where('state', '=', sql.lit('watching'))
    .where('trigger_type', '=', 'inactivity')
    .execute();
  if (scrolls.length === 0) return null;
  const clock = await readInstanceClock(db);
  const near = scrolls.flatMap(({ counted_time, postponedUntil, ...scroll }) => {
    const lastActivity = counted_time === null ? null : { counted_time };
    const moment: Moment = { lastActivity, postponedUntil, clock, now: now(), rules };
    const [remaining, hold] = [remainingOf(scroll, moment), holdOf(scroll, moment)];
    if (remaining === null) return [];
    const [firstStep = 0] = warningLadder(scroll.period ?? 0, rules);
    // A pause holds every scroll, however far it is; that the switch is paused is told elsewhere.
    return remaining <= firstStep || hold === 'after-outage' || hold === 'postponed'
      ? [{ remaining, hold }]
      : [];
  });
  const [nearest] = near.sort((a, b) => a.remaining - b.remaining);
  return nearest ? { scrolls: near.length, ...nearest } : null;
}

/** How many scrolls of an account watch. */
export const watchingScrolls = (db: Database, accountId: number | Expression<number>) =>
  db
    .selectFrom('legacy_scrolls')
    .where('account_id', '=', accountId)
    .where('state', '=', sql.lit('watching'))
    .select((q) => q.fn.countAll<number>().as('n'));

/** How many whispers lie in a vault that nobody has opened. */
export const unopenedWhispers = (db: Database, accountId: number | Expression<number>) =>
  db
    .selectFrom('scroll_recipients')
    .innerJoin('legacy_scrolls', 'legacy_scrolls.id', 'scroll_recipients.scroll_id')
    .where('scroll_recipients.recipient_account_id', '=', accountId)
    .where('scroll_recipients.released_at', 'is not', null)
    .where('scroll_recipients.opened_at', 'is', null)
    .where((q) => q.not(heldBack()))
    .where(ofVaultThatLeaves('legacy_scrolls'))
    .select((q) => q.fn.countAll<number>().as('n'));

/** How many whispers a vault has no room for yet. */
export const whispersHeldBack = (db: Database, accountId: number | Expression<number>) =>
  db
    .selectFrom('scroll_recipients')
    .where('scroll_recipients.recipient_account_id', '=', accountId)
    .where('scroll_recipients.released_at', 'is not', null)
    // Nobody can have opened it.
    .where('scroll_recipients.opened_at', 'is', null)
    .where(heldBack())
    .select((q) => q.fn.countAll<number>().as('n'));
