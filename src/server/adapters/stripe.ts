// Stripe as the payment provider. Nothing here logs.
import type { Config } from '../config.ts';
import { type Payments, PaymentsError } from './payments.ts';
import { createStripeAsker, type StripeAsker } from './stripe-asker.ts';
import { openSessions, stripeEndings } from './stripe-ending.ts';
import { ACCOUNT, begun, eventOf, idOf, isSignatureProblem, stateOf } from './stripe-objects.ts';
import { createPriceReader } from './stripe-price.ts';

/** Seconds by which a webhook's signature may be older or newer than now. */
const TOLERANCE = 5 * 60;

export interface StripeOptions {
  payments: NonNullable<Config['payments']>;
  now: () => number;
  /** How often the library repeats a request that did not come through; tests wait for nothing. */
  retries?: number;
}

export function createStripePayments({ payments, now, retries = 1 }: StripeOptions): Payments {
  const asker = createStripeAsker(payments, retries);
  return {
    publishableKey: payments.publishableKey,
    ...createPriceReader(asker, payments.price, now),
    ...customers(asker),
    ...subscriptions(asker),
    ...stripeEndings(asker),
    ...stripePages(asker),
    ...events(asker, payments.webhookSecrets),
  };
}

type Customers = Pick<Payments, 'createCustomer' | 'customersOf' | 'customerOfCharge'>;

const customers = ({ ask, unlessGone }: StripeAsker): Customers => ({
  createCustomer: (accountUid, key) =>
    ask(async (stripe) => {
      const made = await stripe.customers.create(
        { metadata: { [ACCOUNT]: accountUid } },
        { idempotencyKey: key },
      );
      return made.id;
    }),

  async customersOf(accountUid) {
    const found: string[] = [];
    let page: string | undefined;
    do {
      const results = await ask((stripe) =>
        stripe.customers.search({
          query: `metadata['${ACCOUNT}']:'${accountUid}'`,
          limit: 100,
          ...(page === undefined ? {} : { page }),
        }),
      );
      found.push(...results.data.map(({ id }) => id));
      page = results.has_more ? (results.next_page ?? undefined) : undefined;
    } while (page !== undefined);
    return found;
  },

  customerOfCharge: async (id) =>
    idOf((await unlessGone((stripe) => stripe.charges.retrieve(id), null))?.customer ?? null),
});

type Subscriptions = Pick<
  Payments,
  'beginSubscription' | 'readBegun' | 'subscriptionsOf' | 'everySubscription'
>;

const subscriptions = ({ ask, unlessGone }: StripeAsker): Subscriptions => ({
  beginSubscription: ({ customerId, accountUid, priceId }, key) =>
    ask(async (stripe) =>
      begun(
        await stripe.subscriptions.create(
          {
            customer: customerId,
            items: [{ price: priceId }],
            payment_behavior: 'default_incomplete',
            payment_settings: { save_default_payment_method: 'on_subscription' },
            metadata: { [ACCOUNT]: accountUid },
            expand: ['latest_invoice.confirmation_secret'],
          },
          { idempotencyKey: key },
        ),
      ),
    ),

  readBegun: (id) =>
    ask(async (stripe) =>
      begun(await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice.confirmation_secret'] })),
    ),

  async subscriptionsOf(customer) {
    const list = await unlessGone(
      (stripe) => stripe.subscriptions.list({ customer, status: 'all', limit: 100 }),
      { data: [] },
    );
    return list.data.map(stateOf).sort((a, b) => b.createdAt - a.createdAt);
  },

  async *everySubscription() {
    let after: string | undefined;
    for (;;) {
      const page = await ask((stripe) =>
        stripe.subscriptions.list({
          limit: 100,
          ...(after === undefined ? {} : { starting_after: after }),
        }),
      );
      yield page.data.map(stateOf);
      after = page.data.at(-1)?.id;
      if (!page.has_more || after === undefined) return;
    }
  },
});

/** Stripe's own pages. */
const stripePages = ({ ask }: StripeAsker): Pick<Payments, 'hostedCheckout' | 'portal'> => ({
  async hostedCheckout({ customerId, accountUid, priceId, successUrl, cancelUrl, expiresAt }, key) {
    const session = await ask((stripe) =>
      stripe.checkout.sessions.create(
        {
          mode: 'subscription',
          customer: customerId,
          line_items: [{ price: priceId, quantity: 1 }],
          subscription_data: { metadata: { [ACCOUNT]: accountUid } },
          success_url: successUrl,
          cancel_url: cancelUrl,
          expires_at: Math.floor(expiresAt / 1000),
          custom_text: { submit: { message: ofVault(accountUid) } },
        },
        { idempotencyKey: key },
      ),
    );
    // One of an earlier half hour takes payments still, and would begin a second subscription. Where it has just been paid,
    // closing it is refused, and so this one is not opened.
    for (const { id } of await ask(openSessions(customerId))) {
      if (id !== session.id) await ask((stripe) => stripe.checkout.sessions.expire(id));
    }
    // A replayed answer shows the session as it was when it was made.
    const today = await ask((stripe) => stripe.checkout.sessions.retrieve(session.id));
    return today.status === 'open' ? today.url : null;
  },

  portal: (customer, returnUrl) =>
    ask(
      async (stripe) => (await stripe.billingPortal.sessions.create({ customer, return_url: returnUrl })).url,
    ),
});

/** What Stripe tells unasked. */
const events = (
  { client }: StripeAsker,
  secrets: readonly string[],
): Pick<Payments, 'mayBeSigned' | 'readEvent'> => ({
  mayBeSigned,

  async readEvent(raw, signature, at) {
    if (!mayBeSigned(signature, at)) return null;
    const stripe = await client();
    for (const secret of secrets) {
      try {
        const event = stripe.webhooks.constructEvent(raw, signature, secret, TOLERANCE, undefined, at);
        return eventOf(event);
      } catch (error) {
        if (!isSignatureProblem(error)) throw new PaymentsError('refused', 'unreadable-event');
      }
    }
    return null;
  },
});

/**
 * Whether a signature has Stripe's form and one time, neither old nor ahead. The library looks only at how old it is, and
 * takes the last of several times.
 */
function mayBeSigned(signature: string, at: number): boolean {
  const [, seconds] = /^t=(\d{1,12})(?:,(?!t=)[^,]*)*$/.exec(signature) ?? [];
  const hasProof = /,v1=[\da-f]{64}(?:,|$)/.test(signature);
  return hasProof && seconds !== undefined && Math.abs(at / 1000 - Number(seconds)) <= TOLERANCE;
}

/** Somebody may have been sent the address of a page that pays for another's vault. */
const ofVault = (accountUid: string) =>
  `You pay for the vault with the account number ${accountUid}. Your own is in your vault's Settings.`;
