// Beginning a subscription. Reloads, two tabs and two servers come to the same one: what the customer has is asked first, and
// what is made is made under a key that follows from it.
import { inUsualUnit, isFinal } from '../../../shared/nouns/billing.ts';
import { type Payments, PaymentsError, type Price, type SubscriptionState } from '../../adapters/payments.ts';
import type { Deps } from '../../deps.ts';
import { AppError, accountGone } from '../../errors.ts';
import {
  beginReading,
  expectCustomer,
  findSubscription,
  keepCustomer,
  keepReading,
  replaceCustomer,
  type Store,
} from './store.ts';
import { currentOf } from './sync.ts';

export type BeginDeps = Store & Pick<Deps, 'log' | 'payments'>;

/** Who pays. */
export interface Payer {
  accountId: number;
  uid: string;
}

/** A customer, and what its next subscription is to be told apart by. */
interface Ready {
  customerId: string;
  /** What waits for a first payment, the newest first. */
  waiting: SubscriptionState[];
  /** The newest subscription it ever had, or itself: what is begun after the same one is the same. */
  after: string;
}

/** @throws AppError `payments-off` */
export function expectPayments({ payments }: Pick<Deps, 'payments'>): Payments {
  if (!payments) throw new AppError('payments-off');
  return payments;
}

/**
 * Asks the provider, and logs what it would not do: its reason and code, never its words.
 * @throws AppError `payment-setup-failed`
 */
export async function orFail<T>({ log }: Pick<Deps, 'log'>, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error;
    log.warn({ reason: error.reason, code: error.code }, 'the payment provider did not do what it was asked');
    throw new AppError('payment-setup-failed');
  }
}

/**
 * What the plan costs today.
 * @param amount what the page has shown, such as 9.99
 * @throws AppError `wrong-amount`
 */
export async function expectAmount(payments: Payments, amount: number): Promise<Price> {
  const matches = ({ amount: minor, currency }: Price) => inUsualUnit(minor, currency) === amount;
  const known = await payments.readPrice();
  if (matches(known)) return known;
  const price = await payments.readPrice(true);
  if (matches(price)) return price;
  throw new AppError('wrong-amount');
}

/** One that neither has ended nor still waits for its first payment: it is managed, and none is begun beside it. */
const isTaken = ({ status }: Pick<SubscriptionState, 'status'>) =>
  status !== 'incomplete' && !isFinal(status);

/** @throws AppError `already-subscribed`, by what this server knows */
export async function expectNoSubscription({ db }: Pick<Deps, 'db'>, accountId: number): Promise<void> {
  const row = await findSubscription(db, accountId);
  if (row?.status && isTaken({ status: row.status })) throw new AppError('already-subscribed');
}

/**
 * A subscription that waits for its first payment: the one that waits already, or a new one.
 * @returns what lets a browser pay it
 */
export async function beginPayment(deps: BeginDeps, payer: Payer, price: Price): Promise<string> {
  const payments = expectPayments(deps);
  return withCustomer(deps, payer, async ({ customerId, waiting, after }) => {
    const [newest] = waiting;
    const goesOn = newest?.priceId === price.id ? newest : undefined;
    await endWaiting(
      payments,
      waiting.filter((one) => one !== goesOn),
    );
    if (goesOn) {
      const { status, clientSecret } = await payments.readBegun(goesOn.id);
      if (status === 'incomplete' && clientSecret) return clientSecret;
      if (isTaken({ status })) throw new AppError('already-subscribed');
    }
    const begun = await payments.beginSubscription(
      { customerId, accountUid: payer.uid, priceId: price.id },
      `subscription after ${after} at ${price.id}`,
    );
    if (!begun.clientSecret) throw new PaymentsError('refused', 'nothing-to-pay');
    return begun.clientSecret;
  });
}

/**
 * Ends subscriptions that wait for a first payment, so that no other page can make it: at an earlier price, or beside a page
 * of the provider's own.
 * @throws AppError `already-subscribed` where one was paid meanwhile
 */
async function endWaiting(payments: Payments, waiting: readonly SubscriptionState[]): Promise<void> {
  for (const { id } of waiting) {
    if (!(await payments.endBegun(id))) throw new AppError('already-subscribed');
  }
}

/** How long one page of the provider's takes payments; it allows no less. */
const HOSTED_LASTS = 30 * 60 * 1000;

/** The address of the provider's own page. Within half an hour it is the same one, and an earlier one is closed. */
export async function beginHosted(
  deps: BeginDeps,
  payer: Payer,
  price: Price,
  urls: { successUrl: string; cancelUrl: string },
): Promise<string> {
  const payments = expectPayments(deps);
  return withCustomer(deps, payer, async ({ customerId, waiting, after }) => {
    await endWaiting(payments, waiting);
    const window = Math.floor(deps.calendar() / HOSTED_LASTS);
    const url = await payments.hostedCheckout(
      {
        customerId,
        accountUid: payer.uid,
        priceId: price.id,
        // At least half an hour from now, wherever in the window this is.
        expiresAt: (window + 2) * HOSTED_LASTS,
        ...urls,
      },
      `checkout after ${after} at ${price.id} in ${window}`,
    );
    // It was paid a moment ago.
    if (url === null) throw new AppError('already-subscribed');
    return url;
  });
}

/**
 * Does something for the account's customer, who is made where there is none, and once more where the provider's operator has
 * removed it.
 * @throws AppError `already-subscribed`
 */
async function withCustomer<T>(
  deps: BeginDeps,
  payer: Payer,
  work: (ready: Ready) => Promise<T>,
): Promise<T> {
  const payments = expectPayments(deps);
  const customerId = await ensureCustomer(deps, payments, payer);
  try {
    return await work(await readyOf(deps, payments, customerId));
  } catch (error) {
    if (!(error instanceof PaymentsError) || error.reason !== 'gone') throw error;
    const made = await makeCustomer(deps, payments, payer, `customer ${payer.uid} after ${customerId}`);
    const row = await replaceCustomer(deps, payer.accountId, { gone: customerId, customerId: made });
    if (!row) throw accountGone();
    return work(await readyOf(deps, payments, row.customer_id));
  }
}

async function ensureCustomer(
  deps: BeginDeps,
  payments: Payments,
  { accountId, uid }: Payer,
): Promise<string> {
  const known = await findSubscription(deps.db, accountId);
  if (known) return known.customer_id;
  const made = await makeCustomer(deps, payments, { accountId, uid }, `customer ${uid}`);
  const row = await keepCustomer(deps, accountId, made);
  if (!row) throw accountGone();
  return row.customer_id;
}

/** Makes a customer that is found again whatever becomes of this request, and of the account meanwhile. */
async function makeCustomer(deps: BeginDeps, payments: Payments, payer: Payer, key: string): Promise<string> {
  if (!(await expectCustomer(deps, payer))) throw accountGone();
  return payments.createCustomer(payer.uid, key);
}

/** Asks what the customer has: a webhook may not have come yet. */
async function readyOf(deps: BeginDeps, payments: Payments, customerId: string): Promise<Ready> {
  const reading = await beginReading(deps.db, customerId);
  const subscriptions = await payments.subscriptionsOf(customerId);
  const current = currentOf(subscriptions);
  await keepReading(deps, { customerId, reading: reading ?? 0 }, current);
  if (current && isTaken(current)) throw new AppError('already-subscribed');
  // One that an operator has made by hand is left alone.
  const waiting = subscriptions.filter(
    ({ status, accountUid }) => status === 'incomplete' && accountUid !== null,
  );
  return { customerId, waiting, after: subscriptions[0]?.id ?? customerId };
}
