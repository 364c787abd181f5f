// What the stand-in keeps, and what happens to it: subscriptions begin, are paid, fail, are refunded and end, and each step is
// told by events, as the vendor's documentation describes. Time is given.
import {
  aCharge,
  aCustomer,
  aDispute,
  anEvent,
  anId,
  anInvoice,
  aPrice,
  aSubscription,
  type Charge,
  type Customer,
  type Event,
  type Invoice,
  type PaymentIntent,
  type Price,
  type Session,
  type Subscription,
} from './objects.ts';

/** Numbers of the vendor's test cards, and what becomes of them. */
export const cards = {
  works: '4242424242424242',
  declined: '4000000000000002',
  /** Its bank asks its customer first (3-D Secure). */
  asks: '4000002500003155',
};

/** A session with what the subscription that comes of it will have. */
export type KeptSession = Session & { price: string; metadata: Record<string, string> };

export type Confirmation =
  | { intent: PaymentIntent }
  | { intent: PaymentIntent; error: { type: 'card_error'; code: string; message: string } };

/** @param now epoch milliseconds */
export function openBooks(now: () => number) {
  const customers = new Map<string, Customer & { deleted?: true }>();
  const prices = new Map<string, Price>();
  const subscriptions = new Map<string, Subscription>();
  const invoices = new Map<string, Invoice>();
  const intents = new Map<string, PaymentIntent>();
  const charges = new Map<string, Charge>();
  const sessions = new Map<string, KeptSession>();
  /** Which payment pays which invoice: the vendor's list of an invoice's payments. */
  const invoiceOf = new Map<string, string>();
  const events: Event[] = [];
  /** What was said when a subscription was cancelled. */
  const comments = new Map<string, string>();

  const seconds = () => Math.floor(now() / 1000);
  const tell = (type: string, object: object) => {
    const event = anEvent(seconds(), type, object);
    events.push(event);
    return event;
  };
  const keep = <T extends { id: string }>(where: Map<string, T>, thing: T): T => {
    where.set(thing.id, thing);
    return thing;
  };
  const must = <T>(thing: T | undefined): T => {
    if (thing === undefined) throw new Error('the stand-in has no such thing');
    return thing;
  };

  const price = keep(prices, aPrice());

  function bill(
    subscription: Subscription,
    reason: 'subscription_create' | 'subscription_cycle',
  ): PaymentIntent {
    const { invoice, intent } = anInvoice(seconds(), subscription, reason);
    keep(invoices, invoice);
    keep(intents, intent);
    invoiceOf.set(intent.id, invoice.id);
    subscription.latest_invoice = invoice.id;
    return intent;
  }

  function settle(intent: PaymentIntent): Charge {
    const charge = keep(charges, aCharge(seconds(), intent));
    Object.assign(intent, { status: 'succeeded', amount_received: intent.amount, last_payment_error: null });
    tell('payment_intent.succeeded', intent);
    tell('charge.succeeded', charge);
    const invoice = must(invoices.get(must(invoiceOf.get(intent.id))));
    Object.assign(invoice, { status: 'paid', amount_paid: invoice.amount_due });
    tell('invoice.paid', invoice);
    const subscription = must(subscriptions.get(invoice.parent.subscription_details.subscription));
    subscription.status = 'active';
    tell('customer.subscription.updated', subscription);
    return charge;
  }

  function fail(intent: PaymentIntent): { type: 'card_error'; code: string; message: string } {
    const error = { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' } as const;
    Object.assign(intent, { status: 'requires_payment_method', last_payment_error: error });
    tell('payment_intent.payment_failed', intent);
    tell('invoice.payment_failed', must(invoices.get(must(invoiceOf.get(intent.id)))));
    return error;
  }

  function begin(customer: string, of: Price, metadata: Record<string, string>): Subscription {
    const subscription = keep(subscriptions, aSubscription(seconds(), { customer, price: of, metadata }));
    bill(subscription, 'subscription_create');
    tell('customer.subscription.created', subscription);
    return subscription;
  }

  function cancelPayments(invoice: Invoice): void {
    for (const [intent, paid] of invoiceOf) {
      const one = must(intents.get(intent));
      if (paid === invoice.id && one.status !== 'succeeded') one.status = 'canceled';
    }
  }

  /** Nobody can pay it any more; one that was the first of its subscription ends that. */
  function voidInvoice(invoice: Invoice): Invoice {
    invoice.status = 'void';
    cancelPayments(invoice);
    const subscription = subscriptions.get(invoice.parent.subscription_details.subscription);
    if (subscription?.status === 'incomplete') {
      subscription.status = 'incomplete_expired';
      tell('customer.subscription.updated', subscription);
    }
    return invoice;
  }

  /** Its open invoice stays as it is, as the vendor documents: it is no longer collected, and could be paid. */
  function end(subscription: Subscription): Subscription {
    Object.assign(subscription, { status: 'canceled', canceled_at: seconds(), ended_at: seconds() });
    tell('customer.subscription.deleted', subscription);
    return subscription;
  }

  return {
    price,
    prices,
    customers,
    subscriptions,
    invoices,
    intents,
    charges,
    sessions,
    events,
    seconds,
    tell,
    begin,
    end,
    voidInvoice,
    comments,
    /** Whether the search finds nothing of late. */
    isSearchBehind: false,
    /** A subscription that the vendor will not cancel. */
    refusesToEnd: null as string | null,

    addCustomer: (metadata: Record<string, string>) => keep(customers, aCustomer(seconds(), metadata)),

    removeCustomer(id: string): void {
      must(customers.get(id)).deleted = true;
      for (const one of subscriptions.values())
        if (one.customer === id && one.status !== 'canceled') end(one);
    },

    /** The payment that a subscription's latest invoice waits for. */
    intentOf: (subscription: Subscription): PaymentIntent =>
      must(
        [...invoiceOf].flatMap(([intent, invoice]) =>
          invoice === subscription.latest_invoice ? [must(intents.get(intent))] : [],
        )[0],
      ),

    /** What the payment form does with a card. */
    confirm(clientSecret: string, card: string): Confirmation {
      const intent = must([...intents.values()].find((one) => one.client_secret === clientSecret));
      if (intent.status === 'canceled') {
        const code = 'payment_intent_unexpected_state';
        return { intent, error: { type: 'card_error', code, message: 'This payment was canceled.' } };
      }
      if (card === cards.declined) return { intent, error: fail(intent) };
      if (card === cards.asks) intent.status = 'requires_action';
      else settle(intent);
      return { intent };
    },

    /** What somebody says to a bank that asks. */
    answerBank(clientSecret: string, agrees: boolean): Confirmation {
      const intent = must([...intents.values()].find((one) => one.client_secret === clientSecret));
      if (!agrees) return { intent, error: fail(intent) };
      settle(intent);
      return { intent };
    },

    /** The next period begins. @param paid whether the card still works */
    renew(id: string, paid: boolean): void {
      const subscription = must(subscriptions.get(id));
      const [item] = subscription.items.data;
      if (item) {
        const length = item.current_period_end - item.current_period_start;
        Object.assign(item, {
          current_period_start: item.current_period_end,
          current_period_end: item.current_period_end + length,
        });
      }
      const intent = bill(subscription, 'subscription_cycle');
      if (paid) {
        settle(intent);
        return;
      }
      fail(intent);
      subscription.status = 'past_due';
      tell('customer.subscription.updated', subscription);
    },

    /** What the vendor does when it tries no more, by its settings. */
    giveUp(id: string, status: 'unpaid' | 'canceled'): void {
      const subscription = must(subscriptions.get(id));
      if (status === 'canceled') end(subscription);
      else tell('customer.subscription.updated', Object.assign(subscription, { status }));
    },

    /** Nobody has paid the first invoice for 23 hours. */
    expire(id: string): void {
      const subscription = Object.assign(must(subscriptions.get(id)), {
        status: 'incomplete_expired' as const,
      });
      tell('customer.subscription.updated', subscription);
    },

    /** What the portal's button does. */
    cancelAtPeriodEnd(id: string): void {
      const subscription = must(subscriptions.get(id));
      subscription.cancel_at_period_end = true;
      subscription.cancel_at = subscription.items.data[0]?.current_period_end ?? null;
      tell('customer.subscription.updated', subscription);
    },

    refund(charge: Charge): void {
      tell('charge.refunded', Object.assign(charge, { amount_refunded: charge.amount, refunded: true }));
    },

    dispute(charge: Charge, end: 'open' | 'won' | 'lost'): void {
      const dispute = aDispute(seconds(), charge);
      tell('charge.dispute.created', dispute);
      if (end !== 'open') tell('charge.dispute.closed', { ...dispute, status: end });
    },

    addSession(
      given: { customer: string; price: string; expires_at: number; success_url: string; cancel_url: string },
      metadata: Record<string, string>,
      base: string,
    ): KeptSession {
      const id = anId('cs_test');
      const { price: of, ...rest } = given;
      return keep(sessions, {
        id,
        object: 'checkout.session',
        created: seconds(),
        livemode: false,
        mode: 'subscription',
        payment_status: 'unpaid',
        status: 'open',
        subscription: null,
        url: `${base}/c/pay/${id}`,
        ...rest,
        price: of,
        metadata,
      });
    },

    /** What the vendor's own page does with a card that works. */
    paySession(id: string): KeptSession {
      const session = must(sessions.get(id));
      if (session.status !== 'open') throw new Error('this session is over');
      const subscription = begin(session.customer, must(prices.get(session.price)), session.metadata);
      Object.assign(session, {
        status: 'complete',
        payment_status: 'paid',
        subscription: subscription.id,
        url: null,
      });
      const intent = this.intentOf(subscription);
      settle(intent);
      tell('checkout.session.completed', session);
      return session;
    },
  };
}

export type Books = ReturnType<typeof openBooks>;
