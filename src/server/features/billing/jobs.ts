// The background work of the Enhanced plan: what a webhook was about is read again from the provider, what a destroyed vault
// paid for is ended, and once a night everything is compared. All of it waits for a provider that is away.
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import { findByUid } from '../../accounts/account-store.ts';
import type { Payments, SubscriptionState } from '../../adapters/payments.ts';
import type { Deps } from '../../deps.ts';
import { ackJob, enqueue, rescheduleJob } from '../../jobs/queue-store.ts';
import type { JobRegistry, LeasedJob } from '../../jobs/registry.ts';
import {
  END,
  findEvent,
  keepCustomer,
  RECONCILE,
  rowsOfCustomers,
  type Store,
  SYNC,
  unendedCustomers,
} from './store.ts';
import { syncCustomer } from './sync.ts';

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

async function endCustomer({ db, payments, log }: BillingDeps, job: LeasedJob): Promise<void> {
  await payments.removeCustomer(job.dedupe_key);
  await ackJob(db, job);
  log.info('the subscription of a destroyed vault was ended');
}

/**
 * Compares everything: what the provider has and this server does not know, such as where a webhook never came, and what this
 * server has and the provider does not.
 */
async function reconcile(deps: BillingDeps, job: LeasedJob): Promise<void> {
  const { db, calendar, log, payments } = deps;
  const seen = new Set<string>();
  let unknown = 0;
  for await (const page of payments.everySubscription()) {
    const rows = await rowsOfCustomers(db, [...new Set(page.map(({ customerId }) => customerId))]);
    for (const found of page) {
      const row = rows.get(found.customerId) ?? (await rowFromMetadata(deps, found));
      if (!row) {
        if (found.accountUid !== null) unknown += 1;
        continue;
      }
      const isFirst = !seen.has(found.customerId);
      seen.add(found.customerId);
      // A customer with several subscriptions is asked after as a whole.
      if (!isFirst || !isSame(row, found)) await syncCustomer(deps, found.customerId);
    }
  }
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
  await rescheduleJob(db, job, calendar() + DAY);
}

/** The row of a subscription whose customer is not known, by the account that it was made for. */
async function rowFromMetadata(deps: BillingDeps, { accountUid, customerId }: SubscriptionState) {
  const account = accountUid === null ? undefined : await findByUid(deps, accountUid);
  const row = account && (await keepCustomer(deps, account.id, customerId));
  return row?.customer_id === customerId ? row : null;
}

type Row = NonNullable<Awaited<ReturnType<typeof rowFromMetadata>>>;

const isSame = (row: Row, found: SubscriptionState) =>
  row.subscription_id === found.id &&
  row.status === found.status &&
  row.current_period_end === found.currentPeriodEnd &&
  row.cancel_at === found.cancelAt &&
  row.price_id === found.priceId;
