// A server that sells the Enhanced plan by a stand-in for the payment provider, with its jobs run by hand and its webhooks
// delivered when a test says so.
import { expect } from 'vitest';
import type { Engine } from '../server/db/open.ts';
import { billingJobs } from '../server/features/billing/jobs.ts';
import { createJobRunner } from '../server/jobs/runner.ts';
import type { Billing } from '../shared/nouns/billing.ts';
import { type TestClock, testClock } from './clock.ts';
import { openTestInstance, type TestInstance } from './instance.ts';
import type { Person } from './people.ts';
import type { Event, Subscription } from './stripe/objects.ts';
import { openStripe, type StripeService, stripeEnv } from './stripe/service.ts';

export const PRICE = 9.99;

export interface SellingInstance extends TestInstance {
  stripe: StripeService;
  /** Runs what is due. */
  runJobs(): Promise<void>;
  /** Posts a webhook, as the vendor does. */
  deliver(event: Event, on?: TestInstance): Promise<Response>;
  /** Posts all webhooks that were not posted yet, and runs what they ask for. */
  catchUp(): Promise<void>;
}

export async function openSelling({
  engine,
  env = {},
  clock = testClock(),
}: {
  engine?: Engine;
  env?: Record<string, string>;
  clock?: TestClock;
} = {}): Promise<SellingInstance> {
  const stripe = await openStripe(clock.now);
  const instance = await openTestInstance({
    ...(engine && { engine }),
    clock,
    env: { ...stripeEnv(stripe), ...env },
  });
  const runJobs = runnerOf(instance);
  let delivered = 0;

  function deliver(event: Event, on: TestInstance = instance): Promise<Response> {
    const { body, headers } = stripe.signed(event, clock.now());
    return on.request('POST', '/api/stripe/webhook', { body, headers });
  }

  return {
    ...instance,
    stripe,
    runJobs,
    deliver,
    async catchUp() {
      for (; delivered < stripe.books.events.length; delivered += 1) {
        const event = stripe.books.events[delivered];
        if (event) expect((await deliver(event)).status).toBe(204);
      }
      await runJobs();
    },
    async close() {
      await instance.close();
      await stripe.close();
    },
  };
}

/** Runs the jobs of the plan that are due on a server. */
export const runnerOf = ({ deps }: Pick<TestInstance, 'deps'>) =>
  createJobRunner(deps, billingJobs(deps), {
    uptime: async () => deps.calendar(),
    calendar: async () => deps.calendar(),
  });

export const beginPaying = (person: Person, amount: unknown = PRICE) =>
  person.request('POST', '/api/create-payment-intent', { body: { amount, description: 'Enhanced Vault' } });

export async function clientSecretOf(person: Person): Promise<string> {
  const response = await beginPaying(person);
  expect(response.status).toBe(200);
  return ((await response.json()) as { clientSecret: string }).clientSecret;
}

export async function billingOf(person: Person): Promise<Billing> {
  const response = await person.request('GET', '/api/billing');
  expect(response.status).toBe(200);
  return (await response.json()) as Billing;
}

/** Lets somebody subscribe and pay, with every webhook delivered. */
export async function subscribe(instance: SellingInstance, person: Person): Promise<Subscription> {
  const secret = await clientSecretOf(person);
  instance.stripe.books.confirm(secret, '4242424242424242');
  await instance.catchUp();
  expect((await billingOf(person)).plan).toBe('enhanced');
  return newestSubscription(instance);
}

export function newestSubscription({ stripe }: Pick<SellingInstance, 'stripe'>): Subscription {
  const newest = [...stripe.books.subscriptions.values()].at(-1);
  if (!newest) throw new Error('nobody has subscribed');
  return newest;
}
