// Ends subscriptions at Stripe, and payments that could still be made.
import type { Stripe } from 'stripe';
import { isFinal } from '../../shared/nouns/billing.ts';
import type { Payments } from './payments.ts';
import type { StripeAsker } from './stripe-asker.ts';
import { stateOf } from './stripe-objects.ts';

/** What an operator reads of one in Stripe's dashboard. */
const SECOND = 'A second subscription of the same vault, ended by its server. Nothing was refunded.';

export const openSessions = (customer: string) => async (stripe: Stripe) =>
  (await stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 })).data;

export function stripeEndings({
  ask,
  unlessGone,
}: StripeAsker): Pick<Payments, 'endBegun' | 'endSubscription' | 'removeCustomer'> {
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
    endBegun,

    async endSubscription(id) {
      const params = { cancellation_details: { comment: SECOND } };
      await unlessGone((stripe) => stripe.subscriptions.cancel(id, params), null);
    },

    async removeCustomer(customer) {
      await endAll(customer);
      await unlessGone((stripe) => stripe.customers.del(customer), null);
      // What was begun between the two.
      await endAll(customer);
    },
  };
}
