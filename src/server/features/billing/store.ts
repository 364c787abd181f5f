// What an account has at the payment provider. Its row is written from the provider's own answers alone, and a later question
// wins over an earlier one, however late the earlier answer comes.

import { sql } from 'kysely';
import { isPaidUp, type SubscriptionStatus, subscriptionStatuses } from '../../../shared/nouns/billing.ts';
import { HOUR } from '../../../shared/time.ts';
import { uidOf } from '../../accounts/account-store.ts';
import type { SubscriptionState } from '../../adapters/payments.ts';
import { lockAccount, lockReference } from '../../db/locks.ts';
import type { Database } from '../../db/open.ts';
import { setOwnQuota } from '../../db/own-quota.ts';
import { retried, transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { quotaOfPlan } from '../../entitlements/plans.ts';
import { ackJob, cancelJobs, enqueue } from '../../jobs/queue-store.ts';
import type { LeasedJob } from '../../jobs/registry.ts';
import type { Reading } from '../../metrics.ts';

export type Store = Pick<Deps, 'config' | 'db' | 'now' | 'calendar'>;

/** The kinds of jobs of this feature, by the names in the queue. */
export const SYNC = 'sync-subscription';

export const END = 'end-subscription';

export const CHECK = 'check-customers';

export const RECONCILE = 'reconcile-subscriptions';

/**
 * When an account's customers are looked for after one was asked for, or after the account was destroyed: later than the
 * provider finds new ones (an hour when it has trouble), and than any request can still be under way.
 */
export const CHECK_AFTER = 2 * HOUR;

const PAID_UP = subscriptionStatuses.filter(isPaidUp);

const rowOf = (db: Database) => db.selectFrom('subscriptions').selectAll();

export const findSubscription = (db: Database, accountId: number) =>
  rowOf(db).where('account_id', '=', accountId).executeTakeFirst();

export const findByCustomer = (db: Database, customerId: string) =>
  rowOf(db).where('customer_id', '=', customerId).executeTakeFirst();

export type SubscriptionRow = NonNullable<Awaited<ReturnType<typeof findSubscription>>>;

export async function isEnhanced(db: Database, accountId: number): Promise<boolean> {
  const row = await db
    .selectFrom('subscriptions')
    .select('account_id')
    .where('account_id', '=', accountId)
    .where('status', 'in', PAID_UP)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Writes down that a customer is about to be made. If nothing comes of it here, because this server stops or the account is
 * destroyed meanwhile, a job finds that customer.
 * @returns false where the account is gone, and none is to be made
 */
export async function expectCustomer(
  { db, calendar }: Pick<Store, 'db' | 'calendar'>,
  { accountId, uid }: { accountId: number; uid: string },
): Promise<boolean> {
  return transact(db, async (tx) => {
    if (!(await lockReference(tx, accountId))) return false;
    await enqueue(tx, CHECK, uid, calendar() + CHECK_AFTER);
    return true;
  });
}

/**
 * Keeps who an account is at the provider. The first answer wins.
 * @returns the account's row; null where the account is gone
 */
export async function keepCustomer(
  { db, now }: Pick<Store, 'db' | 'now'>,
  accountId: number,
  customerId: string,
): Promise<SubscriptionRow | null> {
  return transact(db, async (tx) => {
    if (!(await lockReference(tx, accountId))) return null;
    await tx
      .insertInto('subscriptions')
      .values({
        account_id: accountId,
        customer_id: customerId,
        subscription_id: null,
        status: null,
        price_id: null,
        current_period_end: null,
        cancel_at: null,
        updated_at: now(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return (await findSubscription(tx, accountId)) ?? null;
  });
}

/**
 * Puts a new customer in the place of one that is gone at the provider, unless another request has done so.
 * @returns the account's row; null where there is none any more
 */
export async function replaceCustomer(
  { db, now }: Pick<Store, 'db' | 'now'>,
  accountId: number,
  { gone, customerId }: { gone: string; customerId: string },
): Promise<SubscriptionRow | null> {
  await retried(db, () =>
    db
      .updateTable('subscriptions')
      .set({ ...columnsOf(null), customer_id: customerId, updated_at: now() })
      .where('account_id', '=', accountId)
      .where('customer_id', '=', gone)
      .execute(),
  );
  return (await findSubscription(db, accountId)) ?? null;
}

/**
 * Says that the provider is about to be asked of a customer.
 * @returns the number of the question, by which its answer is kept; null where nobody is that customer
 */
export async function beginReading(db: Database, customerId: string): Promise<number | null> {
  const row = await retried(db, () =>
    db
      .updateTable('subscriptions')
      .set({ readings: sql<number>`readings + 1` })
      .where('customer_id', '=', customerId)
      .returning('readings')
      .executeTakeFirst(),
  );
  return row?.readings ?? null;
}

/**
 * Keeps what the provider has answered, unless a later question was answered by now; the plan's limits follow.
 * @param state null: there is no subscription
 * @param job is done with it
 */
export async function keepReading(
  { config, db, now }: Pick<Store, 'config' | 'db' | 'now'>,
  { customerId, reading }: { customerId: string; reading: number },
  state: SubscriptionState | null,
  job?: LeasedJob,
): Promise<void> {
  await transact(db, async (tx) => {
    const owner = await findByCustomer(tx, customerId);
    if (owner && (await lockAccount(tx, owner.account_id))) {
      const kept = await tx
        .updateTable('subscriptions')
        .set({ ...columnsOf(state), reading_kept: reading, updated_at: now() })
        .where('customer_id', '=', customerId)
        .where('reading_kept', '<', reading)
        .returning('status')
        .executeTakeFirst();
      if (kept) await followPlan(tx, config, owner.account_id, kept.status);
    }
    if (job) await ackJob(tx, job);
  });
}

const columnsOf = (state: SubscriptionState | null) => ({
  subscription_id: state?.id ?? null,
  status: state?.status ?? null,
  price_id: state?.priceId ?? null,
  current_period_end: state?.currentPeriodEnd ?? null,
  cancel_at: state?.cancelAt ?? null,
});

/** An enhanced account has the server's own limits; another one has none of its own, and so those of everybody. */
async function followPlan(
  tx: Database,
  config: Store['config'],
  accountId: number,
  status: SubscriptionStatus | null,
): Promise<void> {
  const isPaid = status !== null && isPaidUp(status);
  const quota = isPaid ? quotaOfPlan(config, 'enhanced') : { bytes: null, rows: null };
  await setOwnQuota(tx, sql`(${accountId})`, quota);
}

/** Writes every subscriber's limits as this server is configured now. At the start, as the server's own are. */
export async function writePlanQuotas({ config, db }: Pick<Store, 'config' | 'db'>): Promise<void> {
  const paid = sql.join(PAID_UP);
  const none = { bytes: null, rows: null };
  const enhanced = config.payments ? quotaOfPlan(config, 'enhanced') : none;
  await setOwnQuota(db, sql`(select account_id from subscriptions where status in (${paid}))`, enhanced);
  await setOwnQuota(
    db,
    sql`(select account_id from subscriptions where status is null or status not in (${paid}))`,
    none,
  );
}

/**
 * What destroying a vault does to its subscription: jobs end it at the provider, which may be away for days. Their keys are
 * all that is left of it here. The second one looks again when every request that was under way has come to its end.
 */
export async function endWithAccount(
  tx: Database,
  { calendar }: Pick<Deps, 'calendar'>,
  accountId: number,
): Promise<void> {
  const uid = await uidOf({ db: tx }, accountId);
  const gone = await tx
    .deleteFrom('subscriptions')
    .where('account_id', '=', accountId)
    .returning('customer_id')
    .executeTakeFirst();
  if (uid === null) return;
  const wasExpected = await cancelJobs(tx, CHECK, sql`(${uid})`);
  if (gone) {
    await tx.deleteFrom('payment_events').where('customer_id', '=', gone.customer_id).execute();
    await enqueue(tx, END, `${gone.customer_id} ${uid}`, calendar());
  }
  // Of accounts that never came near a payment the provider is not told.
  if (gone || wasExpected) await enqueue(tx, CHECK, uid, calendar() + CHECK_AFTER);
}

/** The rows of some customers, by their ids. */
export async function rowsOfCustomers(
  db: Database,
  customerIds: readonly string[],
): Promise<Map<string, SubscriptionRow>> {
  if (customerIds.length === 0) return new Map();
  const rows = await rowOf(db).where('customer_id', 'in', customerIds).execute();
  return new Map(rows.map((row) => [row.customer_id, row]));
}

/** Customers whose subscription has not ended as far as this server knows, by pages. */
export async function unendedCustomers(db: Database, after: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select('customer_id')
    .where('customer_id', '>', after)
    .where('status', 'not in', ['canceled', 'incomplete_expired'])
    .orderBy('customer_id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.customer_id);
}

/** How many accounts have a subscription, by its status. */
export async function subscriptionReadings({ config, db }: Pick<Store, 'config' | 'db'>): Promise<Reading[]> {
  if (!config.payments) return [];
  const rows = await db
    .selectFrom('subscriptions')
    .select(['status', (eb) => eb.fn.countAll().as('count')])
    .groupBy('status')
    .execute();
  const counts = new Map(rows.map(({ status, count }) => [status, Number(count)]));
  return [
    {
      name: 'subscriptions',
      help: 'How many accounts have a subscription to the Enhanced plan, by its status.',
      labels: ['status'],
      values: subscriptionStatuses.map((status) => ({ labels: { status }, value: counts.get(status) ?? 0 })),
    },
  ];
}
