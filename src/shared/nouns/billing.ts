// The Enhanced plan: what it costs, what an account has of it, and the calls that pay and manage it. Price and plan are the
// server's; a card's number is typed on the payment document, which stands on another origin (docs/payments.md).
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear, credential, message, open } from '../http/field-classes.ts';
import { base64url, timestamp } from '../http/wire.ts';
import { paidPlans } from '../plans.ts';

export * from './payment-return.ts';

/** What the plan costs unless the server's price at the provider says otherwise, and how that is written. */
export const PRICE_DEFAULT = { amount: 9.99, text: '$9.99/month' };

/**
 * How a payment is made. `none`: payments are not configured, and every feature is open. `document`: on the payment
 * document of this server's second origin. `hosted`: on a page of the provider's own.
 */
export const checkoutKinds = ['none', 'document', 'hosted'] as const;
export type CheckoutKind = (typeof checkoutKinds)[number];

/** As the provider names them. `active`, `trialing` and `past_due` have the plan (`isPaidUp`). */
export const subscriptionStatuses = [
  'incomplete',
  'incomplete_expired',
  'trialing',
  'active',
  'past_due',
  'canceled',
  'unpaid',
  'paused',
] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** Whether a subscription of this status has the plan. A failed renewal keeps it until the provider gives it up. */
export const isPaidUp = (status: SubscriptionStatus): boolean =>
  status === 'active' || status === 'trialing' || status === 'past_due';

/** Whether nothing becomes of a subscription any more. */
export const isFinal = (status: SubscriptionStatus): boolean =>
  status === 'canceled' || status === 'incomplete_expired';

/** An amount of a currency's smallest unit, such as cents, in its usual one: 999 of `usd` is 9.99. */
export function inUsualUnit(minor: number, currency: string): number {
  return minor / 10 ** decimalsOf(currency);
}

/** As the plan's price is written on buttons: `$9.99/month`. */
export function priceText(minor: number, currency: string): string {
  const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
  const decimals = decimalsOf(currency);
  const format = new Intl.NumberFormat('en-US', {
    ...style,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return `${format.format(inUsualUnit(minor, currency))}/month`;
}

/**
 * Currencies that the provider counts in another unit than hundredths (https://docs.stripe.com/currencies). What `Intl` knows
 * is how people write them, which is not the same: of ISK, UGX and others it writes no fractions.
 */
const WHOLE = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '));
const THOUSANDTHS = new Set('bhd jod kwd omr tnd'.split(' '));

function decimalsOf(currency: string): number {
  if (WHOLE.has(currency)) return 0;
  return THOUSANDTHS.has(currency) ? 3 : 2;
}

const text = z.string().check(z.maxLength(100));
const address = z.string().check(z.maxLength(2000));
const number = z.int().check(z.minimum(0));

const limitsSchema = z.object({
  bytes: message('how many bytes a plan stores', number),
  rows: message('how many rows a plan stores', number),
  entryBytes: message('how large an entry may be under a plan', number),
  scrollsWatching: z.nullable(message('how many letters watch under a plan', number)),
  storiesPerMonth: z.nullable(message('how many stories a plan makes in a month', number)),
});

const subscriptionSchema = z.object({
  status: clear('the state of your subscription', z.enum(subscriptionStatuses)),
  /** Until when it is paid; null while nothing was paid. */
  currentPeriodEnd: z.nullable(clear('until when your subscription is paid', timestamp)),
  /** When it ends, if it was cancelled for the end of a period. */
  cancelAt: z.nullable(clear('when your subscription ends', timestamp)),
});

export const billingSchema = z.object({
  checkout: message('how payments are made here', z.enum(checkoutKinds)),
  /** Null where payments are not configured, and while the provider cannot be asked. */
  price: z.nullable(
    z.object({
      amount: message('what the plan costs', z.number().check(z.minimum(0))),
      currency: message('the currency of the plan’s price', z.string().check(z.maxLength(3))),
      text: message('what the plan costs, in words', text),
    }),
  ),
  plan: clear('which plan your account has', z.enum(['open', ...paidPlans])),
  subscription: z.nullable(subscriptionSchema),
  used: z.object({
    scrollsWatching: clear('how many of your letters watch', number),
    storiesThisMonth: clear('how many stories were made for you this month', number),
  }),
  plans: z.object({ free: limitsSchema, enhanced: limitsSchema }),
});
export type Billing = z.output<typeof billingSchema>;

const clientSecret = credential('what lets a browser finish one payment', text);

export const billing = {
  get: call({ method: 'GET', path: '/api/billing', access: 'signed-in', reply: billingSchema }),
  /**
   * Begins the subscription, or goes on with one that was begun. 400 `wrong-amount`, 409 `already-subscribed`,
   * 503 `payments-off`, 502 `payment-setup-failed`. The payment document needs none of it: its ticket does the same.
   */
  createIntent: call({
    method: 'POST',
    path: '/api/create-payment-intent',
    access: 'signed-in',
    limited: 'session',
    body: z.object({
      amount: clear('the price that your page showed', z.number().check(z.minimum(0), z.maximum(1_000_000))),
      /** Is not passed on. */
      description: z.nullish(
        clear('what the payment is for, as your page says', z.string().check(z.maxLength(200))),
      ),
    }),
    reply: z.object({ clientSecret }),
  }),
  /**
   * Where the payment is made: the payment document with a one-time ticket behind `#`, or the provider's own page. The
   * browser goes there. 400 `wrong-amount`, 409 `already-subscribed`, 503 `payments-off`, 502 `payment-setup-failed`.
   */
  checkout: call({
    method: 'POST',
    path: '/api/checkout',
    access: 'signed-in',
    limited: 'session',
    body: z.object({
      amount: clear('the price that your page showed', z.number().check(z.minimum(0), z.maximum(1_000_000))),
    }),
    reply: z.object({ url: credential('where the payment is made', address) }),
  }),
  /** Where the provider shows the subscription, its card and its invoices. 409 `no-subscription`. */
  portal: call({
    method: 'POST',
    path: '/api/billing-portal',
    access: 'signed-in',
    fresh: true,
    limited: 'session',
    reply: z.object({ url: credential('where the provider lets you manage your subscription', address) }),
  }),
  /** What the provider tells: signed, in any order, and perhaps more than once. */
  webhook: call({
    method: 'POST',
    path: '/api/stripe/webhook',
    access: 'anyone',
    status: 204,
    rawBody: {
      type: 'application/json',
      maxBytes: 512 * 1024,
      class: 'clear',
      says: 'that something about a subscription changed, as the payment provider tells',
    },
  }),
  /** Trades the one-time ticket of `checkout`, on the payment document's own origin. 410 `ticket-spent`. */
  exchange: call({
    method: 'POST',
    path: '/pay/ticket',
    access: 'anyone',
    checkoutOrigin: true,
    body: z.object({ ticket: credential('a one-time ticket to pay with', base64url(32)) }),
    reply: z.object({
      clientSecret,
      publishableKey: open(
        'which account of the payment provider is paid',
        z.string().check(z.maxLength(300)),
      ),
      priceText: message('what the plan costs, in words', text),
      /** The vault's own site root, where the payment leads back to. */
      returnUrl: message('where the payment leads back to', address),
      /** Whose vault is paid for. The number is what the provider knows; the name is shown before its script is there. */
      accountNumber: clear('a random account number', text),
      accountName: z.nullable(
        clear('what you are called, shown where you pay', z.string().check(z.maxLength(1000))),
      ),
    }),
  }),
};
