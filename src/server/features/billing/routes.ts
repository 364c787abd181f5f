// The Enhanced plan's calls. None of them turns it on: what the provider says, after a signed webhook or when it is asked,
// does.
import type { Context, Hono } from 'hono';
import {
  type Billing,
  billing,
  type CheckoutKind,
  inUsualUnit,
  priceText,
} from '../../../shared/nouns/billing.ts';
import { type Plan, planLimits } from '../../../shared/plans.ts';
import { MINUTE } from '../../../shared/time.ts';
import { calledOf } from '../../accounts/account-store.ts';
import { PaymentsError, type Price } from '../../adapters/payments.ts';
import { isoOrNull } from '../../db/times.ts';
import type { Deps } from '../../deps.ts';
import { randomToken } from '../../digests.ts';
import { planOf, quotaOfPlan } from '../../entitlements/plans.ts';
import { storiesThisMonth } from '../../entitlements/story-store.ts';
import { AppError } from '../../errors.ts';
import { consumeChallenge, issueChallenge } from '../../http/challenge-store.ts';
import { checkoutOrigin, PAY_PATH } from '../../http/checkout-origin.ts';
import { type Handler, route } from '../../http/route.ts';
import { origin } from '../../http/site.ts';
import {
  beginHosted,
  beginPayment,
  expectAmount,
  expectNoSubscription,
  expectPayments,
  orFail,
  type Payer,
} from './begin.ts';
import { keepEvent } from './event-store.ts';
import { createShownPrice } from './shown-price.ts';
import { findSubscription } from './store.ts';

/** How long a ticket to the payment document is good for. */
export const TICKET_LASTS = 10 * MINUTE;

const signatureOf = (c: Context) => c.req.header('stripe-signature') ?? '';

/** What other features know. */
export interface BillingParts {
  watchingScrolls(accountId: number): Promise<number>;
}

export function billingRoutes(app: Hono, deps: Deps, { watchingScrolls }: BillingParts): void {
  const { config, db, now, payments } = deps;
  const shownPrice = payments ? createShownPrice({ ...deps, payments }) : async () => null;

  route(app, deps, billing.get, async ({ caller: { accountId }, c }): Promise<Billing> => {
    const [plan, row, price, scrolls, stories] = await Promise.all([
      planOf(deps, accountId),
      findSubscription(db, accountId),
      shownPrice(),
      watchingScrolls(accountId),
      storiesThisMonth(db, accountId, now()),
    ]);
    return {
      checkout: kindOf(c),
      price: price && {
        amount: inUsualUnit(price.amount, price.currency),
        currency: price.currency,
        text: priceText(price.amount, price.currency),
      },
      plan,
      subscription: row?.status
        ? {
            status: row.status,
            currentPeriodEnd: isoOrNull(row.current_period_end),
            cancelAt: isoOrNull(row.cancel_at),
          }
        : null,
      used: { scrollsWatching: scrolls, storiesThisMonth: stories },
      plans: { free: limitsOf('free'), enhanced: limitsOf('enhanced') },
    };
  });

  route(app, deps, billing.createIntent, async ({ body, caller }) => {
    await expectNoSubscription(deps, caller.accountId);
    return { clientSecret: (await begin(deps, caller, body.amount)).clientSecret };
  });

  route(app, deps, billing.checkout, async ({ body, caller, c }) => {
    const { accountId, uid } = caller;
    const provider = expectPayments(deps);
    await expectNoSubscription(deps, accountId);
    const price = await orFail(deps, expectAmount(provider, body.amount));
    const vault = origin(config, c);
    const elsewhere = checkoutOrigin(config, c);
    if (elsewhere === null) {
      const urls = { successUrl: `${vault}/?redirect_status=succeeded`, cancelUrl: `${vault}/checkout` };
      return { url: await orFail(deps, beginHosted(deps, caller, price, urls)) };
    }
    const ticket = randomToken();
    const payload = { accountId, uid, amount: body.amount, until: now() + TICKET_LASTS };
    await issueChallenge(deps, 'checkout', ticket, payload, TICKET_LASTS);
    return { url: `${elsewhere}${PAY_PATH}#${ticket}` };
  });

  route(app, deps, billing.portal, async ({ caller, c }) => {
    const provider = expectPayments(deps);
    const row = await findSubscription(db, caller.accountId);
    if (!row?.subscription_id) throw new AppError('no-subscription');
    return { url: await orFail(deps, provider.portal(row.customer_id, `${origin(config, c)}/settings`)) };
  });

  exchangeRoute(app, deps);
  webhookRoute(app, deps);

  function kindOf(c: Context): CheckoutKind {
    if (!payments) return 'none';
    return checkoutOrigin(config, c) === null ? 'hosted' : 'document';
  }

  function limitsOf(plan: Plan) {
    const { entryBytes, scrollsWatching, storiesPerMonth } = planLimits[plan];
    return { ...quotaOfPlan(config, plan), entryBytes, scrollsWatching, storiesPerMonth };
  }
}

async function begin(
  deps: Deps,
  payer: Payer,
  amount: number,
): Promise<{ clientSecret: string; price: Price }> {
  const price = await orFail(deps, expectAmount(expectPayments(deps), amount));
  return { clientSecret: await orFail(deps, beginPayment(deps, payer, price)), price };
}

/** What the payment document is told for its ticket, once. */
function exchangeRoute(app: Hono, deps: Deps): void {
  const { config, now } = deps;
  route(app, deps, billing.exchange, async ({ body, c }) => {
    const provider = expectPayments(deps);
    const told = await consumeChallenge(deps, 'checkout', body.ticket);
    if (!told) throw new AppError('ticket-spent');
    const { accountId, uid, amount, until } = told as { [N in 'accountId' | 'amount' | 'until']: number } & {
      uid: string;
    };
    try {
      const { clientSecret, price } = await begin(deps, { accountId, uid }, amount);
      return {
        clientSecret,
        publishableKey: provider.publishableKey,
        priceText: priceText(price.amount, price.currency),
        returnUrl: `${origin(config, c)}/`,
        accountNumber: uid,
        accountName: await calledOf(deps, accountId),
      };
    } catch (error) {
      // Nothing came of it, so that it may be tried again.
      if (error instanceof AppError && error.code === 'payment-setup-failed') {
        await issueChallenge(deps, 'checkout', body.ticket, told, Math.max(0, until - now()));
      }
      // The vault was destroyed meanwhile.
      if (error instanceof AppError && error.code === 'not-signed-in') throw new AppError('ticket-spent');
      throw error;
    }
  });
}

/** What the provider tells unasked. */
function webhookRoute(app: Hono, deps: Deps): void {
  /** Nothing is received for nobody, nor from whoever does not even claim to be the provider. */
  async function beforeReceiving(c: Context): Promise<void> {
    if (!expectPayments(deps).mayBeSigned(signatureOf(c), deps.calendar())) {
      throw new AppError('wrong-signature');
    }
  }

  const receiveEvent: Handler<typeof billing.webhook> = async ({ raw, c }) => {
    const read = expectPayments(deps).readEvent(raw, signatureOf(c), deps.calendar());
    const event = await read.catch((error: unknown) => {
      if (error instanceof PaymentsError) throw new AppError('bad-request');
      throw error;
    });
    if (!event) throw new AppError('wrong-signature');
    if (event.customerId !== null || event.chargeId !== null) await keepEvent(deps, event);
  };
  route(app, deps, billing.webhook, receiveEvent, { beforeReceiving });
}
