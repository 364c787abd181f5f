// Stripe as the payment provider, by its own library, which is loaded when it is first needed. Nothing here logs, and no
// error repeats what Stripe says: its sentences can hold what people typed.
import type { Stripe } from 'stripe';
import { isFinal } from '../../shared/nouns/billing.ts';
import { HOUR } from '../../shared/time.ts';
import type { Config } from '../config.ts';
import { type Payments, PaymentsError, type Price } from './payments.ts';
import {
  ACCOUNT,
  asPaymentsError,
  begun,
  eventOf,
  idOf,
  isSignatureProblem,
  stateOf,
} from './stripe-objects.ts';

/** How long a price counts as known. */
const PRICE_LASTS = HOUR;
/** Milliseconds, for each try. */
const WITHIN = 10_000;
/** What an operator reads of one in Stripe's dashboard. */
const SECOND = 'A second subscription of the same vault, ended by its server. Nothing was refunded.';
/** Seconds by which a webhook's signature may be older or newer than now. */
const TOLERANCE = 5 * 60;

export interface StripeOptions {
  payments: NonNullable<Config['payments']>;
  now: () => number;
  /** How often the library repeats a request that did not come through; tests wait for nothing. */
  retries?: number;
}

export function createStripePayments({ payments, now, retries = 1 }: StripeOptions): Payments {
  let loading: Promise<Stripe> | undefined;
  const client = () => {
    loading ??= load(payments, retries);
    return loading;
  };
  let known: { price: Price; at: number } | null = null;
  let reading: Promise<Price> | null = null;
  let following: Promise<Price> | null = null;

  /** Asks, and turns whatever is thrown into our own error. */
  async function ask<T>(question: (stripe: Stripe) => Promise<T>): Promise<T> {
    const stripe = await client();
    try {
      return await question(stripe);
    } catch (error) {
      throw asPaymentsError(error);
    }
  }

  /** The same, where what is gone is an answer. */
  const unlessGone = async <T, U>(question: (stripe: Stripe) => Promise<T>, otherwise: U): Promise<T | U> => {
    try {
      return await ask(question);
    } catch (error) {
      if (error instanceof PaymentsError && error.reason === 'gone') return otherwise;
      throw error;
    }
  };

  function readNow(): Promise<Price> {
    reading ??= ask((stripe) => findPrice(stripe, payments.price))
      .then((price) => {
        known = { price, at: now() };
        return price;
      })
      .finally(() => {
        reading = null;
      });
    return reading;
  }

  /** Ends a subscription that waits for its first payment, so that this payment cannot be made any more. */
  async function endBegun(id: string): Promise<boolean> {
    const read = () =>
      unlessGone((stripe) => stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] }), null);
    const found = await read();
    if (!found) return true;
    if (found.status !== 'incomplete') return isFinal(stateOf(found).status);
    const { latest_invoice: invoice } = found;
    if (invoice && typeof invoice === 'object' && invoice.status === 'open') {
      try {
        // Of this and the payment one comes first: a paid invoice cannot be voided, nor a void one paid.
        await ask((stripe) => stripe.invoices.voidInvoice(invoice.id ?? ''));
      } catch (error) {
        const after = await read();
        if (after && after.status !== 'incomplete') return isFinal(stateOf(after).status);
        throw error;
      }
    }
    // Voiding has ended it already, or this does.
    await unlessGone((stripe) => stripe.subscriptions.cancel(id), null);
    return true;
  }

  /** What a customer could still pay for, or pays for. */
  async function endAll(customer: string): Promise<void> {
    for (const session of await unlessGone(openSessions(customer), [])) {
      await unlessGone((stripe) => stripe.checkout.sessions.expire(session.id), null);
    }
    const left = await unlessGone((stripe) => stripe.subscriptions.list({ customer, limit: 100 }), {
      data: [],
    });
    for (const { id, status } of left.data) {
      if (status === 'incomplete' && (await endBegun(id))) continue;
      await unlessGone((stripe) => stripe.subscriptions.cancel(id), null);
    }
  }

  return {
    publishableKey: payments.publishableKey,

    async readPrice(fresh = false) {
      if (known && !fresh && now() - known.at < PRICE_LASTS) return known.price;
      if (!reading || !fresh) return readNow();
      // Whoever must know whether it has changed does not take the answer to an earlier question, and waits for it: there
      // is one question at a time.
      following ??= reading
        .then(() => readNow())
        .finally(() => {
          following = null;
        });
      return following;
    },

    createCustomer: (accountUid, key) =>
      ask(async (stripe) => {
        const made = await stripe.customers.create(
          { metadata: { [ACCOUNT]: accountUid } },
          { idempotencyKey: key },
        );
        return made.id;
      }),

    async removeCustomer(customer) {
      await endAll(customer);
      await unlessGone((stripe) => stripe.customers.del(customer), null);
      // What was begun between the two.
      await endAll(customer);
    },

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

    endBegun,

    async endSubscription(id) {
      const params = { cancellation_details: { comment: SECOND } };
      await unlessGone((stripe) => stripe.subscriptions.cancel(id, params), null);
    },

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

    customerOfCharge: async (id) =>
      idOf((await unlessGone((stripe) => stripe.charges.retrieve(id), null))?.customer ?? null),

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
        async (stripe) =>
          (await stripe.billingPortal.sessions.create({ customer, return_url: returnUrl })).url,
      ),

    mayBeSigned,

    async readEvent(raw, signature, at) {
      if (!mayBeSigned(signature, at)) return null;
      const stripe = await client();
      for (const secret of payments.webhookSecrets) {
        try {
          const event = stripe.webhooks.constructEvent(raw, signature, secret, TOLERANCE, undefined, at);
          return eventOf(event);
        } catch (error) {
          if (!isSignatureProblem(error)) throw new PaymentsError('refused', 'unreadable-event');
        }
      }
      return null;
    },
  };
}

async function load({ secretKey, apiBase }: StripeOptions['payments'], retries: number): Promise<Stripe> {
  const { Stripe } = await import('stripe');
  return new Stripe(secretKey, {
    maxNetworkRetries: retries,
    timeout: WITHIN,
    telemetry: false,
    ...(apiBase && {
      protocol: apiBase.protocol === 'https:' ? 'https' : 'http',
      host: apiBase.hostname,
      port: apiBase.port,
    }),
  });
}

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

const openSessions = (customer: string) => async (stripe: Stripe) =>
  (await stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 })).data;

/** The configured price, by its id or its lookup key. It must be one that is paid each month. */
async function findPrice(stripe: Stripe, wanted: string): Promise<Price> {
  const price = wanted.startsWith('price_')
    ? await stripe.prices.retrieve(wanted)
    : (await stripe.prices.list({ lookup_keys: [wanted], active: true, limit: 1 })).data[0];
  const isMonthly = price?.recurring?.interval === 'month' && price.recurring.interval_count === 1;
  if (!price?.active || !isMonthly || price.unit_amount === null) {
    throw new PaymentsError('refused', price ? 'not-a-monthly-price' : 'no-such-price');
  }
  return { id: price.id, amount: price.unit_amount, currency: price.currency };
}
