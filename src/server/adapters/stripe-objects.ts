// What Stripe's objects, events and errors are in our words. Nothing that they say of a person is taken.
import type { Stripe } from 'stripe';
import type { SubscriptionStatus } from '../../shared/nouns/billing.ts';
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

export function stateOf(subscription: Stripe.Subscription): SubscriptionState {
  const [item] = subscription.items.data;
  return {
    id: subscription.id,
    customerId: idOf(subscription.customer) ?? '',
    accountUid: subscription.metadata[ACCOUNT] ?? null,
    status: subscription.status as SubscriptionStatus,
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

/** What an event is about. Of its object only identifiers are taken. */
export function eventOf({ id, type, data }: Stripe.Event): PaymentEvent {
  const { customer, charge } = data.object as {
    customer?: string | { id: string } | null;
    charge?: string | { id: string } | null;
  };
  return { id, type, customerId: idOf(customer), chargeId: idOf(charge) };
}

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
