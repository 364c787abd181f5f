// What becomes of a member's subscription at the payment provider, and how the server learns of it.
import {
  clientSecretOf,
  newestSubscription,
  type SellingInstance,
  subscribe as subscribePerson,
} from '../../testing/billing.ts';
import { asPerson, type Member } from './member.ts';

/** Pays with a card that works; the server has heard of it. Returns the subscription's id. */
export const subscribe = async (instance: SellingInstance, member: Member): Promise<string> =>
  (await subscribePerson(instance, asPerson(instance, member))).id;

/** Begins a payment and does not finish it. Returns what finishes it in a browser. */
export const beginPayment = (instance: SellingInstance, member: Member): Promise<string> =>
  clientSecretOf(asPerson(instance, member));

type Become = 'begun' | 'active' | 'trialing' | 'cancelled' | 'past_due' | 'unpaid' | 'canceled';

/** Brings a member's subscription into a state, as its webhooks tell the server. */
export async function bringInto(instance: SellingInstance, member: Member, state: Become): Promise<void> {
  const { books } = instance.stripe;
  if (state === 'begun') await beginPayment(instance, member);
  else {
    const id = await subscribe(instance, member);
    if (state === 'cancelled') books.cancelAtPeriodEnd(id);
    if (state === 'past_due' || state === 'unpaid') books.renew(id, false);
    if (state === 'unpaid' || state === 'canceled') books.giveUp(id, state);
    if (state === 'trialing') {
      books.tell(
        'customer.subscription.updated',
        Object.assign(newestSubscription(instance), { status: state }),
      );
    }
  }
  await instance.catchUp();
}
