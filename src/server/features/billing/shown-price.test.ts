// The price that pages show while the provider is silent, away or well.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MINUTE } from '../../../shared/time.ts';
import { billingOf, openSelling, type SellingInstance } from '../../../testing/billing.ts';
import { testClock } from '../../../testing/clock.ts';
import { failure } from '../../../testing/instance.ts';
import { type Person, signUpByPassphrase } from '../../../testing/people.ts';
import { aPrice } from '../../../testing/stripe/objects.ts';
import { PaymentsError, type Price } from '../../adapters/payments.ts';
import { createLog } from '../../log.ts';
import { createShownPrice } from './shown-price.ts';

const price: Price = { id: 'price_1', amount: 999, currency: 'usd' };

/** A provider whose answers a test gives. */
function aProvider() {
  const questions: { answer(given: Price): void; fail(error: Error): void }[] = [];
  const clock = testClock();
  let proceed = () => {};
  const read = createShownPrice(
    {
      payments: {
        readPrice: () =>
          new Promise<Price>((answer, fail) => {
            questions.push({ answer, fail });
          }),
      },
      now: clock.now,
      log: createLog('silent', { write: () => {} }),
    },
    () =>
      new Promise<void>((resolve) => {
        proceed = resolve;
      }),
  );
  return { questions, clock, read, waitNoLonger: () => proceed() };
}

it('shows nothing, and then the last price, to whoever has waited long enough', async () => {
  const { questions, clock, read, waitNoLonger } = aProvider();
  const first = read();
  waitNoLonger();
  expect(await first).toBeNull();
  // The question goes on; its answer is there for the next.
  questions[0]?.answer(price);
  await Promise.resolve();
  const second = read();
  questions[1]?.answer(price);
  expect(await second).toEqual(price);
  clock.advance(MINUTE);
  const third = read();
  waitNoLonger();
  expect(await third).toEqual(price);
});

it('has one question at a time, and keeps nobody else waiting who can be shown the last price', async () => {
  const { questions, read } = aProvider();
  const first = read();
  questions[0]?.answer(price);
  await first;
  const waits = read();
  expect(await Promise.all([read(), read()])).toEqual([price, price]);
  expect(questions).toHaveLength(2);
  questions[1]?.answer({ ...price, amount: 1299 });
  expect(await waits).toMatchObject({ amount: 1299 });
});

it('asks again a minute after a failure, and at once where there is nothing to show', async () => {
  const { questions, clock, read } = aProvider();
  const away = new PaymentsError('away', 'StripeConnectionError');
  const first = read();
  questions[0]?.fail(away);
  expect(await first).toBeNull();
  const second = read();
  questions[1]?.answer(price);
  expect(await second).toEqual(price);
  const third = read();
  questions[2]?.fail(away);
  expect(await third).toEqual(price);
  clock.advance(MINUTE - 1);
  expect(await read()).toEqual(price);
  expect(questions).toHaveLength(3);
  clock.advance(1);
  const again = read();
  questions[3]?.answer({ ...price, amount: 1299 });
  expect(await again).toMatchObject({ amount: 1299 });
});

it('shows no price that the provider refuses', async () => {
  const { questions, read } = aProvider();
  const good = read();
  questions[0]?.answer(price);
  expect(await good).toEqual(price);
  const bad = read();
  questions[1]?.fail(new PaymentsError('refused', 'no-such-price'));
  expect(await bad).toBeNull();
});

let instance: SellingInstance;
let person: Person;
beforeEach(async () => {
  instance = await openSelling();
  person = await signUpByPassphrase(instance);
});
afterEach(() => instance.close());

it('answers at once while the provider is silent, once its price is old', async () => {
  const { stripe, clock } = instance;
  expect((await billingOf(person)).price?.text).toBe('$9.99/month');
  clock.advance(61 * MINUTE);
  stripe.behave('silent');
  const first = billingOf(person);
  await expect.poll(() => stripe.waiting()).toBe(1);
  // While that one waits, and for a minute after it has failed, nobody else asks or waits.
  for (let i = 0; i < 3; i += 1) expect((await billingOf(person)).price?.text).toBe('$9.99/month');
  stripe.behave('away');
  expect((await first).price?.text).toBe('$9.99/month');
  stripe.behave('silent');
  expect((await billingOf(person)).price?.text).toBe('$9.99/month');
  expect(stripe.waiting()).toBe(0);
  stripe.behave('well');
  clock.advance(MINUTE);
  stripe.books.price.lookup_key = null;
  const dearer = aPrice({ unit_amount: 1299 });
  stripe.books.prices.set(dearer.id, dearer);
  expect((await billingOf(person)).price?.text).toBe('$12.99/month');
});

it('has one question at a time also of those who pay another price than the known one', async () => {
  const { stripe } = instance;
  await billingOf(person);
  stripe.behave('silent');
  const wrong = Array.from({ length: 5 }, () =>
    person.request('POST', '/api/create-payment-intent', { body: { amount: 1 } }),
  );
  await expect.poll(() => stripe.waiting()).toBe(1);
  const asked = stripe.asked.length;
  stripe.behave('well');
  for (const response of await Promise.all(wrong)) {
    expect(await failure(response)).toEqual({ status: 400, code: 'wrong-amount' });
  }
  // The one that was under way, and one for all who came after it.
  expect(stripe.asked.length - asked).toBeLessThanOrEqual(2);
});
