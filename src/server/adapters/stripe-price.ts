// What the plan costs, as Stripe says: known for an hour, and asked for by one question at a time.
import type { Stripe } from 'stripe';
import { HOUR } from '../../shared/time.ts';
import { type Payments, PaymentsError, type Price } from './payments.ts';
import type { StripeAsker } from './stripe-asker.ts';

/** How long a price counts as known. */
const PRICE_LASTS = HOUR;

/** @param wanted the id of a price, or its lookup key */
export function createPriceReader(
  { ask }: Pick<StripeAsker, 'ask'>,
  wanted: string,
  now: () => number,
): Pick<Payments, 'readPrice'> {
  let known: { price: Price; at: number } | null = null;
  let reading: Promise<Price> | null = null;
  let following: Promise<Price> | null = null;

  function readNow(): Promise<Price> {
    reading ??= ask((stripe) => findPrice(stripe, wanted))
      .then((price) => {
        known = { price, at: now() };
        return price;
      })
      .finally(() => {
        reading = null;
      });
    return reading;
  }

  return {
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
  };
}

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
