// What Stripe's objects, events and errors are in our words. Nothing that they say of a person is taken.
import type { Stripe } from 'stripe';
import { type SubscriptionStatus, subscriptionStatuses } from '../../shared/nouns/billing.ts';
import {
  type BegunSubscription,
  type PaymentEvent,
  PaymentsError,
  type SubscriptionState,
} from './payments.ts';

/** The metadata by which Stripe's objects name an account. */
export const ACCOUNT = 'latebra_account';

export const idOf = (value: string | { id: string } | null | undefined): string | null =>
  typeof value === 'string' ? value : (value?.id ?? null);
const inMilliseconds = (seconds: number | null | undefined) => (seconds == null ? null : seconds * 1000);

/** The vendor may add statuses. One that nobody here knows has no plan, and is managed at the vendor's. */
const statusOf = ({ status }: Stripe.Subscription): SubscriptionStatus =>
  subscriptionStatuses.find((known) => known === status) ?? 'paused';

export function stateOf(subscription: Stripe.Subscription): SubscriptionState {
  const [item] = subscription.items.data;
  return {
    id: subscription.id,
    customerId: idOf(subscription.customer) ?? '',
    accountUid: subscription.metadata[ACCOUNT] ?? null,
    status: statusOf(subscription),
    priceId: item?.price.id ?? null,
    createdAt: subscription.created * 1000,
    currentPeriodEnd: inMilliseconds(item?.current_period_end),
    cancelAt: endOf(subscription, item),
  };
}

/** The portal cancels at the end of the period, by one field or the other. */
function endOf(
  { cancel_at, cancel_at_period_end }: Stripe.Subscription,
  item: Stripe.SubscriptionItem | undefined,
): number | null {
  return inMilliseconds(cancel_at ?? (cancel_at_period_end ? item?.current_period_end : null));
}

export function begun(subscription: Stripe.Subscription): BegunSubscription {
  const invoice = subscription.latest_invoice;
  const secret = typeof invoice === 'object' ? invoice?.confirmation_secret?.client_secret : null;
  return { ...stateOf(subscription), clientSecret: secret ?? null };
}

/**
 * What an event is about. Of its object only identifiers are taken.
 * @throws TypeError where it is signed, and no event
 */
export function eventOf({ id, type, data }: Stripe.Event): PaymentEvent {
  const { customer, charge } = data.object as { customer?: Reference; charge?: Reference };
  if (!isId(id) || typeof type !== 'string') throw new TypeError('not an event');
  return { id, type, customerId: idOrNull(customer), chargeId: idOrNull(charge) };
}

type Reference = string | { id: string } | null;

/** The vendor says that no identifier is longer, and none has had other characters. */
const isId = (value: unknown): value is string => typeof value === 'string' && /^[\w-]{1,255}$/.test(value);
const idOrNull = (value: Reference | undefined): string | null => {
  const id: unknown = idOf(value);
  return isId(id) ? id : null;
};

export const isSignatureProblem = (error: unknown) =>
  (error as { type?: unknown } | null)?.type === 'StripeSignatureVerificationError';

/** The library's errors in our words; any other one is a fault of ours, and stays what it is. */
export function asPaymentsError(error: unknown): unknown {
  const { type, code, statusCode, param } = (error ?? {}) as {
    type?: string;
    code?: string;
    statusCode?: number;
    param?: string;
  };
  if (!type?.startsWith('Stripe')) return error;
  const named = code ?? type;
  // A price is the configuration's: whom or what a call is about may be there still.
  if (code === 'resource_missing' && param?.endsWith('[price]')) return new PaymentsError('refused', named);
  if (code === 'resource_missing' || statusCode === 404) return new PaymentsError('gone', named);
  const isAway = statusCode === undefined || statusCode >= 500 || statusCode === 429 || statusCode === 409;
  return new PaymentsError(isAway ? 'away' : 'refused', named);
}
