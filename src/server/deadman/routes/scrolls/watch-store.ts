// The watch of a scroll: activated, disarmed, released by hand, deleted. Each holds the account, then the life, then
// the scroll, in the order of everybody who holds more than one of them.

import { expressionBuilder, sql } from 'kysely';
import type { ActivateInput, Scroll } from '../../../../shared/nouns/legacy.ts';
import { DAY } from '../../../../shared/time.ts';
import { lockAccount, lockScrolls } from '../../../db/locks.ts';
import type { Database } from '../../../db/open.ts';
import type { Schema } from '../../../db/schema.ts';
import { transact } from '../../../db/transact.ts';
import type { Deps } from '../../../deps.ts';
import { type Limit, planLimit } from '../../../entitlements/plans.ts';
import { type Allowance, countAttempt } from '../../../http/rate-limit.ts';
import { countedNow } from '../../clock/counted-time-store.ts';
import { cancelFollowUps } from '../../delivery/message-store.ts';
import { unwarn } from '../../delivery/warned-scrolls-store.ts';
import { lockLastActivity, recordActivity } from '../../watch/last-activity-store.ts';
import { watchingScrolls } from '../../watch/near-release-store.ts';
import { remindedAt } from '../../watch/rehearsal-reminder-store.ts';
import { releaseScroll } from '../../watch/release-store.ts';
import { recipientsOf } from './recipient-rows-store.ts';
import { readRow, type ScrollRow, showScroll } from './rows-store.ts';
import { refuseUnhanded, watchOf } from './scroll-form.ts';
import { DORMANT } from './store.ts';

export type Store = Pick<Deps, 'db' | 'now' | 'rules' | 'digests'>;

/** A message to somebody leaves with each: nobody shall flood a stranger's mailbox from here. */
const RELEASES_BY_HAND: Allowance = { attempts: 20, window: DAY };

/** Runs a step with the account and its life held, and shows the row that it leaves. */
export async function step<Refusal extends string>(
  deps: Store,
  accountId: number,
  id: number,
  take: (tx: Database, row: ScrollRow) => Promise<ScrollRow | Refusal>,
): Promise<Scroll | Refusal | 'not-found'> {
  return transact(deps.db, async (tx) => {
    if (!(await lockAccount(tx, accountId))) return 'not-found';
    await lockLastActivity(tx, accountId);
    // All of them: a sign of life changes the others as well.
    await lockScrolls(tx, (eb) => eb('account_id', '=', accountId));
    const row = await readRow(tx, accountId, id);
    if (!row) return 'not-found';
    const taken = await take(tx, row);
    return typeof taken === 'string' ? taken : showScroll({ ...deps, db: tx }, accountId, taken);
  });
}

/**
 * Lets a dormant scroll watch, from the next tick on. Whoever does it lives.
 * @param allowed how many may watch at a time under the account's plan
 * @throws AppError `invalid-input` with a sentence, or `plan-limit`
 */
export function activateScroll(
  deps: Store,
  accountId: number,
  id: number,
  asked: ActivateInput,
  allowed: Limit<'scrollsWatching'> = { plan: 'open', max: null },
) {
  const { now, rules } = deps;
  return step(deps, accountId, id, async (tx, row) => {
    if (row.state === 'released') return 'scroll-released';
    if (row.state === 'watching') return row;
    // The account is held, so nobody changes it between here and the guard below.
    if (asked.version != null && asked.version !== row.version) return 'stale-version';
    if (!asked.handedOver) {
      const recipients = await recipientsOf(tx, [id]);
      refuseUnhanded(recipients.map(({ access }) => access));
    }
    const { period, due_at } = watchOf(row);
    if (due_at !== null && due_at <= now()) return 'date-passed';
    const warning = period !== null && asked.warning === 'mail' ? 'mail' : 'dashboard';
    if (warning === 'mail' && !(await hasWarningAddress(tx, accountId))) return 'warning-unproved';
    await expectRoomToWatch(tx, accountId, allowed);
    await recordActivity(deps, tx, accountId, 'person');
    const watching = await tx
      .updateTable('legacy_scrolls')
      .set({
        ...DORMANT,
        state: 'watching',
        period,
        due_at,
        watching_since: countedNow(rules),
        rehearse_at: remindedAt(rules),
        armed_at: now(),
        label: asked.label ?? null,
        warning,
        ...(asked.handedOver ? { handed_over_at: now() } : {}),
      })
      .where('id', '=', id)
      .where('state', '=', sql.lit('dormant'))
      .where('version', '=', row.version)
      .returningAll()
      .executeTakeFirst();
    // The account is held, and nothing but its owner wakes a dormant scroll.
    return watching ?? 'scroll-released';
  });
}

/** The account is held, so nobody activates another one between the count and the guard. */
async function expectRoomToWatch(
  tx: Database,
  accountId: number,
  { plan, max }: Limit<'scrollsWatching'>,
): Promise<void> {
  if (max === null) return;
  const watching = await watchingScrolls(tx, accountId).executeTakeFirstOrThrow();
  if (Number(watching.n) >= max) throw planLimit('scrollsWatching', plan, max);
}

async function hasWarningAddress(tx: Database, accountId: number): Promise<boolean> {
  const proved = await tx
    .selectFrom('warning_addresses')
    .select('account_id')
    .where('account_id', '=', accountId)
    .where('address', 'is not', null)
    .where('proved_at', 'is not', null)
    .executeTakeFirst();
  return proved !== undefined;
}

/** Ends the watch. Said once more, it changes nothing. */
export function disarmScroll(deps: Store, accountId: number, id: number) {
  return step(deps, accountId, id, async (tx, row) => {
    if (row.state === 'dormant') return row;
    const dormant = await tx
      .updateTable('legacy_scrolls')
      .set(DORMANT)
      .where('id', '=', id)
      .where('state', '=', sql.lit('watching'))
      .returningAll()
      .executeTakeFirst();
    if (!dormant) return 'scroll-released';
    await unwarn(tx, id);
    return dormant;
  });
}

/**
 * Releases a watching scroll by its author's own hand.
 * @throws AppError `too-many`
 */
export function releaseByHand(deps: Store, accountId: number, id: number) {
  const mine = expressionBuilder<Schema, 'legacy_scrolls'>()('account_id', '=', accountId);
  return step(deps, accountId, id, async (tx, row) => {
    if (row.state === 'dormant') return 'not-watching';
    if (!(await releaseScroll(deps, tx, id, mine))) return 'scroll-released';
    // Counted here, so that only releases count; thrown here, it undoes the release.
    await countAttempt({ ...deps, db: tx }, `release by hand ${accountId}`, RELEASES_BY_HAND);
    return (await readRow(tx, accountId, id)) ?? 'scroll-released';
  });
}

/**
 * Deletes a scroll in any state. What has not left yet never does, nor what the administrator might have tried again. Only a
 * dormant one goes without a fresh proof.
 * @returns why not, or null
 */
export function deleteScroll(
  { db }: Pick<Store, 'db'>,
  accountId: number,
  { id, fresh }: { id: number; fresh: boolean },
): Promise<'not-found' | 'proof-needed' | null> {
  return transact(db, async (tx) => {
    if (!(await lockAccount(tx, accountId))) return 'not-found';
    await lockLastActivity(tx, accountId);
    const held = await tx
      .updateTable('legacy_scrolls')
      .set({ state: sql`state` })
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .returning('state')
      .executeTakeFirst();
    if (!held) return 'not-found';
    if (held.state !== 'dormant' && !fresh) return 'proof-needed';
    await unwarn(tx, id, ['waiting', 'failed']);
    await tx
      .updateTable('messages')
      .set({ state: 'cancelled' })
      .where('scroll_id', '=', id)
      .where('state', 'in', ['waiting', 'failed'])
      .execute();
    await cancelFollowUps(tx, sql`scroll_id = ${id}`);
    await tx.deleteFrom('legacy_scrolls').where('id', '=', id).execute();
    return null;
  });
}
