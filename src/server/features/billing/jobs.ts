// The background work of the Enhanced plan: what a webhook was about is read again from the provider, what a destroyed vault
// paid for is ended, and once a night everything is compared. All of it waits for a provider that is away.
import { isFinal } from '../../../shared/nouns/billing.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import { findByUid } from '../../accounts/account-store.ts';
import { type Payments, PaymentsError, type SubscriptionState } from '../../adapters/payments.ts';
import type { Deps } from '../../deps.ts';
import { ackJob, enqueue, rescheduleJob } from '../../jobs/queue-store.ts';
import type { JobRegistry, LeasedJob } from '../../jobs/registry.ts';
import { findEvent } from './event-store.ts';
import {
  CHECK,
  END,
  findSubscription,
  keepCustomer,
  RECONCILE,
  rowsOfCustomers,
  type Store,
  SYNC,
  unendedCustomers,
} from './store.ts';
import { endSecondSubscriptions, syncCustomer } from './sync.ts';

type BillingDeps = Store & Pick<Deps, 'log'> & { payments: Payments };

/** A fortnight, roughly: then an administrator sees it, and the reconciliation has done its work long before. */
const PATIENT = {
  clock: 'calendar',
  tries: 340,
  backoff: [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR],
  lease: 10 * MINUTE,
} as const;

/** How many rows are read at a time. */
const PAGE = 200;

/** The kinds of jobs; none where payments are off. Jobs from before then stay in the queue. */
export function billingJobs(deps: Omit<BillingDeps, 'payments'> & Pick<Deps, 'payments'>): JobRegistry {
  const { payments } = deps;
  if (!payments) return {};
  const ready = { ...deps, payments };
  return {
    [SYNC]: { ...PATIENT, run: (job) => syncEvent(ready, job) },
    [END]: { ...PATIENT, run: (job) => endCustomer(ready, job) },
    [CHECK]: { ...PATIENT, run: (job) => checkCustomers(ready, job) },
    [RECONCILE]: {
      clock: 'calendar',
      tries: Number.POSITIVE_INFINITY,
      backoff: [HOUR],
      lease: HOUR,
      run: (job) => reconcile(ready, job),
    },
  };
}

/** Sees to it that there is a reconciliation a day. One that is due already, or overdue after a pause, stays so. */
export async function beginReconciling({
  db,
  calendar,
  payments,
}: Pick<Deps, 'db' | 'calendar' | 'payments'>): Promise<void> {
  if (payments) await enqueue(db, RECONCILE, 'all', calendar() + DAY);
}

async function syncEvent(deps: BillingDeps, job: LeasedJob): Promise<void> {
  const event = await findEvent(deps.db, job.dedupe_key);
  const customerId =
    event?.customer_id ?? (event?.charge_id ? await deps.payments.customerOfCharge(event.charge_id) : null);
  // Of an event that was swept, or is about nothing of ours.
  if (customerId === null) return ackJob(deps.db, job);
  await syncCustomer(deps, customerId, job);
}

/** Ends what a destroyed vault paid for. Its account's other customers, too, as far as the provider finds them. */
async function endCustomer({ db, payments, log }: BillingDeps, job: LeasedJob): Promise<void> {
  const [customerId = '', uid = ''] = job.dedupe_key.split(' ');
  await payments.removeCustomer(customerId);
  for (const other of await payments.customersOf(uid)) await payments.removeCustomer(other);
  await ackJob(db, job);
  log.info('the subscription of a destroyed vault was ended');
}

/**
 * Looks for the customers of an account some time after one was asked for. Of an account that was destroyed they are removed;
 * of one that stands and does not know its customer, because a server stopped before it could write that down, it is kept.
 */
async function checkCustomers(deps: BillingDeps, job: LeasedJob): Promise<void> {
  const { db, log, payments } = deps;
  const uid = job.dedupe_key;
  const account = await findByUid(deps, uid);
  if (!account || !(await findSubscription(db, account.id))) {
    const [newest, ...others] = await payments.customersOf(uid);
    const row = account && newest ? await keepCustomer(deps, account.id, newest) : null;
    if (row) await syncCustomer(deps, row.customer_id);
    // Also where the account was destroyed a moment ago.
    else if (newest && !(await findByUid(deps, uid))) {
      for (const customer of [newest, ...others]) await payments.removeCustomer(customer);
      log.info('what a destroyed vault had left at the payment provider was ended');
    }
  }
  await ackJob(db, job);
}

/**
 * Compares everything: what the provider has and this server does not know, such as where a webhook never came, and what this
 * server has and the provider does not. Of two subscriptions of one account one is ended.
 */
async function reconcile(deps: BillingDeps, job: LeasedJob): Promise<void> {
  const { db, calendar, log, payments } = deps;
  const seen = new Set<string>();
  const several = new Map<number, { row: Row; customers: Set<string> }>();
  let unknown = 0;
  for await (const page of payments.everySubscription()) {
    const rows = await rowsOfCustomers(db, [...new Set(page.map(({ customerId }) => customerId))]);
    for (const found of page) {
      if (isFinal(found.status)) continue;
      const row = rows.get(found.customerId) ?? (await rowFromMetadata(deps, found));
      if (!row) {
        if (found.accountUid !== null) unknown += 1;
        continue;
      }
      const isFirst = !seen.has(found.customerId);
      seen.add(found.customerId);
      if (!isFirst || row.customer_id !== found.customerId) {
        const { account_id, customer_id } = row;
        const before = several.get(account_id)?.customers ?? [];
        several.set(account_id, { row, customers: new Set([customer_id, ...before, found.customerId]) });
      } else if (!isSame(row, found)) await syncCustomer(deps, found.customerId);
    }
  }
  // Afterwards: what is ended leaves the list while it is read.
  const ended = await endAllSeconds(deps, several.values());
  // The provider lists no ended ones: what it has not listed has ended.
  let after = '';
  for (;;) {
    const customers = await unendedCustomers(db, after, PAGE);
    for (const customer of customers) if (!seen.has(customer)) await syncCustomer(deps, customer);
    after = customers.at(-1) ?? '';
    if (customers.length < PAGE) break;
  }
  if (unknown > 0) {
    log.warn({ subscriptions: unknown }, 'subscriptions belong to accounts that this server does not have');
  }
  if (ended > 0) {
    log.warn({ subscriptions: ended }, 'second subscriptions of accounts were ended; nothing was refunded');
  }
  await rescheduleJob(db, job, calendar() + DAY);
}

/** One that the provider will not end does not keep the others. */
async function endAllSeconds(
  deps: BillingDeps,
  several: Iterable<{ row: Row; customers: Set<string> }>,
): Promise<number> {
  let ended = 0;
  for (const { row, customers } of several) {
    try {
      ended += await endSecondSubscriptions(deps, row, [...customers]);
    } catch (error) {
      if (!(error instanceof PaymentsError) || error.reason === 'away') throw error;
      deps.log.error(
        { reason: error.reason, code: error.code },
        'a second subscription of an account could not be ended',
      );
    }
  }
  return ended;
}

/** The account's row, of a subscription whose customer is not known. It may have another customer already. */
async function rowFromMetadata(deps: BillingDeps, { accountUid, customerId }: SubscriptionState) {
  const account = accountUid === null ? undefined : await findByUid(deps, accountUid);
  return account ? await keepCustomer(deps, account.id, customerId) : null;
}

type Row = NonNullable<Awaited<ReturnType<typeof rowFromMetadata>>>;

const isSame = (row: Row, found: SubscriptionState) =>
  row.subscription_id === found.id &&
  row.status === found.status &&
  row.current_period_end === found.currentPeriodEnd &&
  row.cancel_at === found.cancelAt &&
  row.price_id === found.priceId;
