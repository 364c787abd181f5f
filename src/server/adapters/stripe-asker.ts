// Asks Stripe by its own library, which is loaded when it is first needed. No error repeats what Stripe says: its sentences can
// hold what people typed.
import type { Stripe } from 'stripe';
import type { Config } from '../config.ts';
import { PaymentsError } from './payments.ts';
import { asPaymentsError } from './stripe-objects.ts';

/** Milliseconds, for each try. */
const WITHIN = 10_000;

type PaymentsConfig = NonNullable<Config['payments']>;

export type StripeAsker = ReturnType<typeof createStripeAsker>;

/** @param retries how often the library repeats a request that did not come through */
export function createStripeAsker(payments: PaymentsConfig, retries: number) {
  let loading: Promise<Stripe> | undefined;
  const client = () => {
    loading ??= load(payments, retries);
    return loading;
  };

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
  async function unlessGone<T, U>(question: (stripe: Stripe) => Promise<T>, otherwise: U): Promise<T | U> {
    try {
      return await ask(question);
    } catch (error) {
      if (error instanceof PaymentsError && error.reason === 'gone') return otherwise;
      throw error;
    }
  }

  return { client, ask, unlessGone };
}

async function load({ secretKey, apiBase }: PaymentsConfig, retries: number): Promise<Stripe> {
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
