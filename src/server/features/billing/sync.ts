// Asks the payment provider what an account has, and keeps the answer. Webhooks, the nightly reconciliation and a checkout
// that goes on all end here: nothing else writes down what an account has paid for.
import { isFinal, isPaidUp } from '../../../shared/nouns/billing.ts';
import type { Payments, SubscriptionState } from '../../adapters/payments.ts';
import type { LeasedJob } from '../../jobs/registry.ts';
import { beginReading, keepReading, replaceCustomer, type Store } from './store.ts';

/**
 * How much a subscription says of what its customer has: paid, then paid up although a renewal failed, then open, then
 * waiting for a first payment, then over.
 */
function rankOf({ status }: SubscriptionState): number {
  if (status === 'past_due') return 3;
  if (isPaidUp(status)) return 4;
  if (isFinal(status)) return 0;
  return status === 'incomplete' ? 1 : 2;
}

/** Which of an account's subscriptions counts: of those that say most, the newest. */
export function currentOf(subscriptions: readonly SubscriptionState[]): SubscriptionState | null {
  return subscriptions.reduce<SubscriptionState | null>((best, next) => {
    if (!best || rankOf(next) > rankOf(best)) return next;
    return rankOf(next) === rankOf(best) && next.createdAt > best.createdAt ? next : best;
  }, null);
}

/**
 * Asks what a customer has, and keeps it.
 * @param job is done in the transaction of the answer; one of a customer that nobody is, too
 * @throws PaymentsError
 */
export async function syncCustomer(
  deps: Store & { payments: Payments },
  customerId: string,
  job?: LeasedJob,
): Promise<void> {
  const reading = await beginReading(deps.db, customerId);
  const state = reading === null ? null : currentOf(await deps.payments.subscriptionsOf(customerId));
  await keepReading(deps, { customerId, reading: reading ?? 0 }, state, job);
}

/**
 * Leaves an account one subscription: the one that counts. Others that were made for it are ended, whichever of its
 * customers has them; one that an operator has made by hand is left alone.
 * @param row the account's, with the customer that it is known by
 * @param customers all that it has
 * @returns how many were ended
 * @throws PaymentsError
 */
export async function endSecondSubscriptions(
  deps: Store & { payments: Payments },
  row: { account_id: number; customer_id: string },
  customers: readonly string[],
): Promise<number> {
  const { payments } = deps;
  const found: SubscriptionState[] = [];
  for (const customer of customers) found.push(...(await payments.subscriptionsOf(customer)));
  const own = found.filter(({ accountUid }) => accountUid !== null);
  const kept = currentOf(own);
  const customerId = kept && !isFinal(kept.status) ? kept.customerId : row.customer_id;
  if (customerId !== row.customer_id) {
    await replaceCustomer(deps, row.account_id, { gone: row.customer_id, customerId });
  }
  let ended = 0;
  for (const { id, status } of own) {
    if (id === kept?.id || isFinal(status)) continue;
    // One that was paid a moment ago is found the next night.
    if (status === 'incomplete' && !(await payments.endBegun(id))) continue;
    if (status !== 'incomplete') await payments.endSubscription(id);
    ended += 1;
  }
  await syncCustomer(deps, customerId);
  return ended;
}
