// A payment provider in memory, for tests of what a page or a route does with its answers. What the real one's interface asks
// and answers is the affair of the adapter's own tests.
import { findByUid } from '../server/accounts/account-store.ts';
import { type Payments, PaymentsError, type SubscriptionState } from '../server/adapters/payments.ts';
import { keepCustomer } from '../server/features/billing/store.ts';
import { syncCustomer } from '../server/features/billing/sync.ts';
import type { TestInstance } from './instance.ts';

/** Turns payments on. The provider of the test stands where this configuration's would. */
export const PAYMENTS_ENV = {
  STRIPE_SECRET_KEY: 'sk_test_aStandIn',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_aStandIn',
  STRIPE_WEBHOOK_SECRET: 'whsec_aStandIn',
  STRIPE_PRICE: 'price_enhanced',
};

export interface PaymentsInMemory extends Payments {
  /** Answers nothing while it is away. */
  isAway: boolean;
  /** In cents. */
  amount: number;
  /** By their customers. */
  subscriptions: Map<string, SubscriptionState>;
}

export function paymentsInMemory(): PaymentsInMemory {
  const payments: PaymentsInMemory = {
    publishableKey: PAYMENTS_ENV.STRIPE_PUBLISHABLE_KEY,
    isAway: false,
    amount: 999,
    subscriptions: new Map(),
    readPrice: async () => {
      if (payments.isAway) throw new PaymentsError('away', 'none');
      return { id: PAYMENTS_ENV.STRIPE_PRICE, amount: payments.amount, currency: 'usd' };
    },
    createCustomer: async (accountUid) => `cus_${accountUid}`,
    removeCustomer: async (customerId) => void payments.subscriptions.delete(customerId),
    beginSubscription: async ({ customerId }) => ({
      ...aSubscription(customerId),
      clientSecret: 'pi_secret_1',
    }),
    readBegun: async (subscriptionId) => ({ ...aSubscription(subscriptionId), clientSecret: 'pi_secret_1' }),
    subscriptionsOf: async (customerId) => {
      const found = payments.subscriptions.get(customerId);
      return found ? [found] : [];
    },
    async *everySubscription() {
      yield [...payments.subscriptions.values()];
    },
    customerOfCharge: async () => null,
    hostedCheckout: async () => {
      if (payments.isAway) throw new PaymentsError('away', 'none');
      return 'https://checkout.stripe.example/c/pay/1';
    },
    portal: async () => {
      if (payments.isAway) throw new PaymentsError('away', 'none');
      return 'https://billing.stripe.example/p/session/1';
    },
    readEvent: async () => null,
  };
  return payments;
}

const aSubscription = (customerId: string): SubscriptionState => ({
  id: `sub_${customerId}`,
  customerId,
  accountUid: null,
  status: 'incomplete',
  priceId: PAYMENTS_ENV.STRIPE_PRICE,
  createdAt: 0,
  currentPeriodEnd: null,
  cancelAt: null,
});

/** Gives an account a subscription, as the server learns of it after a webhook. */
export async function subscribe(
  { deps }: Pick<TestInstance, 'deps'>,
  payments: PaymentsInMemory,
  accountUid: string,
  state: Partial<SubscriptionState>,
): Promise<void> {
  const account = await findByUid(deps, accountUid);
  if (!account) throw new Error('nobody has this number');
  const customerId = `cus_${accountUid}`;
  payments.subscriptions.set(customerId, { ...aSubscription(customerId), accountUid, ...state });
  await keepCustomer(deps, account.id, customerId);
  await syncCustomer({ ...deps, payments }, customerId);
}
