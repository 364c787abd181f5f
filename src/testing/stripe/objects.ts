// The vendor's objects, as far as this product meets them. The compiler holds their fields against the types that the vendor
// makes from its API description, and objects.test.ts against an extract of the vendor's own samples.
import { randomBytes } from 'node:crypto';
import type { Stripe } from 'stripe';

/** An identifier with the vendor's prefix. */
export const anId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`;

type Fields<T, Names extends keyof T> = Pick<T, Names>;
/** What is a reference here, although it may come whole when it is asked for. */
type Refers<T, Names extends keyof T> = { [N in Names]: string | null } & Omit<T, Names>;

export type Customer = Fields<
  Stripe.Customer,
  'id' | 'object' | 'created' | 'email' | 'livemode' | 'metadata' | 'name'
>;
export type Price = Fields<
  Stripe.Price,
  'id' | 'object' | 'active' | 'currency' | 'livemode' | 'lookup_key' | 'type' | 'unit_amount'
> & { recurring: Fields<Stripe.Price.Recurring, 'interval' | 'interval_count'> | null };
export type SubscriptionItem = Fields<
  Stripe.SubscriptionItem,
  'id' | 'object' | 'created' | 'current_period_start' | 'current_period_end' | 'subscription' | 'metadata'
> & { price: Price; quantity: number };
export type Subscription = Refers<
  Fields<
    Stripe.Subscription,
    | 'id'
    | 'object'
    | 'cancel_at'
    | 'cancel_at_period_end'
    | 'canceled_at'
    | 'collection_method'
    | 'created'
    | 'currency'
    | 'ended_at'
    | 'livemode'
    | 'metadata'
    | 'status'
    | 'latest_invoice'
    | 'customer'
  >,
  'latest_invoice' | 'customer'
> & { items: List<SubscriptionItem> };
export type Invoice = Fields<
  Stripe.Invoice,
  | 'id'
  | 'object'
  | 'amount_due'
  | 'amount_paid'
  | 'billing_reason'
  | 'created'
  | 'currency'
  | 'livemode'
  | 'status'
> & {
  customer: string;
  parent: {
    type: 'subscription_details';
    quote_details: null;
    subscription_details: { subscription: string; metadata: Record<string, string> };
  };
};
export type PaymentIntent = Fields<
  Stripe.PaymentIntent,
  | 'id'
  | 'object'
  | 'amount'
  | 'amount_received'
  | 'client_secret'
  | 'created'
  | 'currency'
  | 'livemode'
  | 'status'
> & { customer: string; last_payment_error: { code: string; message: string; type: 'card_error' } | null };
export type Charge = Fields<
  Stripe.Charge,
  | 'id'
  | 'object'
  | 'amount'
  | 'amount_refunded'
  | 'created'
  | 'currency'
  | 'livemode'
  | 'paid'
  | 'refunded'
  | 'status'
> & { customer: string; payment_intent: string };
export type Dispute = Fields<
  Stripe.Dispute,
  'id' | 'object' | 'amount' | 'created' | 'currency' | 'livemode' | 'reason' | 'status'
> & {
  charge: string;
  payment_intent: string;
};
export type Session = Fields<
  Stripe.Checkout.Session,
  | 'id'
  | 'object'
  | 'cancel_url'
  | 'created'
  | 'expires_at'
  | 'livemode'
  | 'mode'
  | 'payment_status'
  | 'status'
  | 'success_url'
  | 'url'
> & { customer: string; subscription: string | null };
export type PortalSession = Fields<
  Stripe.BillingPortal.Session,
  'id' | 'object' | 'created' | 'customer' | 'livemode' | 'return_url' | 'url'
>;
export type Event = Fields<
  Stripe.Event,
  'id' | 'object' | 'api_version' | 'created' | 'livemode' | 'pending_webhooks' | 'request'
> & { type: string; data: { object: object } };

export interface List<T> {
  object: 'list';
  url: string;
  has_more: boolean;
  data: T[];
}

export const listOf = <T>(url: string, data: T[], has_more = false): List<T> => ({
  object: 'list',
  url,
  has_more,
  data,
});

export function aPrice(given: Partial<Price> = {}): Price {
  return {
    id: anId('price'),
    object: 'price',
    active: true,
    currency: 'usd',
    livemode: false,
    lookup_key: 'enhanced_monthly',
    recurring: { interval: 'month', interval_count: 1 },
    type: 'recurring',
    unit_amount: 999,
    ...given,
  };
}

export const aCustomer = (created: number, metadata: Record<string, string>): Customer => ({
  id: anId('cus'),
  object: 'customer',
  created,
  email: null,
  livemode: false,
  metadata,
});

const MONTH = 30 * 24 * 60 * 60;

export function aSubscription(
  created: number,
  { customer, price, metadata }: { customer: string; price: Price; metadata: Record<string, string> },
): Subscription {
  const id = anId('sub');
  const item: SubscriptionItem = {
    id: anId('si'),
    object: 'subscription_item',
    created,
    current_period_start: created,
    current_period_end: created + MONTH,
    metadata: {},
    price,
    quantity: 1,
    subscription: id,
  };
  return {
    id,
    object: 'subscription',
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    collection_method: 'charge_automatically',
    created,
    currency: price.currency,
    customer,
    ended_at: null,
    items: listOf(`/v1/subscription_items?subscription=${id}`, [item]),
    latest_invoice: null,
    livemode: false,
    metadata,
    status: 'incomplete',
  };
}

/** What a subscription asks for, and how it is paid. */
export function anInvoice(
  created: number,
  { id: subscription, customer, currency, metadata, items }: Subscription,
  billing_reason: 'subscription_create' | 'subscription_cycle',
): { invoice: Invoice; intent: PaymentIntent } {
  const amount = items.data[0]?.price.unit_amount ?? 0;
  const intentId = anId('pi');
  return {
    invoice: {
      id: anId('in'),
      object: 'invoice',
      amount_due: amount,
      amount_paid: 0,
      billing_reason,
      created,
      currency,
      customer: customer ?? '',
      livemode: false,
      parent: {
        type: 'subscription_details',
        quote_details: null,
        subscription_details: { subscription, metadata },
      },
      status: 'open',
    },
    intent: {
      id: intentId,
      object: 'payment_intent',
      amount,
      amount_received: 0,
      client_secret: `${intentId}_secret_${randomBytes(12).toString('hex')}`,
      created,
      currency,
      customer: customer ?? '',
      last_payment_error: null,
      livemode: false,
      status: 'requires_payment_method',
    },
  };
}

export const aCharge = (created: number, { id, amount, currency, customer }: PaymentIntent): Charge => ({
  id: anId('ch'),
  object: 'charge',
  amount,
  amount_refunded: 0,
  created,
  currency,
  customer,
  livemode: false,
  paid: true,
  payment_intent: id,
  refunded: false,
  status: 'succeeded',
});

export const aDispute = (created: number, { id, amount, currency, payment_intent }: Charge): Dispute => ({
  id: anId('dp'),
  object: 'dispute',
  amount,
  charge: id,
  created,
  currency,
  livemode: false,
  payment_intent,
  reason: 'fraudulent',
  status: 'needs_response',
});

export const anEvent = (created: number, type: string, object: object): Event => ({
  id: anId('evt'),
  object: 'event',
  api_version: '2026-10-28.endive',
  created,
  data: { object: structuredClone(object) },
  livemode: false,
  pending_webhooks: 1,
  request: { id: anId('req'), idempotency_key: null },
  type,
});
