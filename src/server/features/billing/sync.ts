// Asks the payment provider what an account has, and keeps the answer. Webhooks, the nightly reconciliation and a checkout
// that goes on all end here: nothing else writes down what an account has paid for.
import { isFinal, isPaidUp } from '../../../shared/nouns/billing.ts';
import type { Payments, SubscriptionState } from '../../adapters/payments.ts';
import type { LeasedJob } from '../../jobs/registry.ts';
import { beginReading, keepReading, type Store } from './store.ts';

/** How much a subscription says of what its customer has: paid up, then open, then waiting for a first payment, then over. */
function rankOf({ status }: SubscriptionState): number {
  if (isPaidUp(status)) return 3;
  if (isFinal(status)) return 0;
  return status === 'incomplete' ? 1 : 2;
}

/** Which of a customer's subscriptions counts: of those that say most, the newest. */
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
