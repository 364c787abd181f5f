// What a plan is and allows, in plain words.
import { type Billing, isFinal, isPaidUp } from '../../../shared/nouns/billing.ts';
import { formatBytes } from '../../../shared/nouns/usage.ts';
import { formatDay } from '../../ui/moments.ts';

type Plans = Billing['plans'];
type Subscription = NonNullable<Billing['subscription']>;

/**
 * `open`: nothing is sold here. `granted`: enhanced without a subscription. `begun`: a payment waits to be finished.
 * `failed`: a renewal failed, and the provider tries again. `lapsed`: the plan has ended.
 */
export type PlanState =
  | 'open'
  | 'free'
  | 'begun'
  | 'active'
  | 'trial'
  | 'ending'
  | 'failed'
  | 'lapsed'
  | 'granted';

export function planState({
  checkout,
  plan,
  subscription,
}: Pick<Billing, 'checkout' | 'plan' | 'subscription'>) {
  return (checkout === 'none' || plan === 'open' ? 'open' : stateOf(plan, subscription)) satisfies PlanState;
}

function stateOf(plan: 'free' | 'enhanced', subscription: Subscription | null): PlanState {
  const status = subscription?.status;
  if (status && isPaidUp(status)) {
    if (status === 'past_due') return 'failed';
    if (subscription.cancelAt !== null) return 'ending';
    return status === 'trialing' ? 'trial' : 'active';
  }
  if (plan === 'enhanced') return 'granted';
  if (status === 'incomplete') return 'begun';
  return !status || status === 'incomplete_expired' ? 'free' : 'lapsed';
}

/** Whether there is a subscription to be managed at the provider: one that was paid once and is not over. */
export const canManage = (subscription: Subscription | null): boolean =>
  subscription !== null && subscription.status !== 'incomplete' && !isFinal(subscription.status);

const STAYS =
  'Everything that you have stays as it is: you can read and export it, and active letters stay active. Only what is new waits while it is beyond the limits of the free plan.';

/** A name for the state, and what it means for whoever is in it. */
export function planWords(
  state: PlanState,
  subscription: Subscription | null,
): { title: string; says: string } {
  const { currentPeriodEnd: paidUntil = null, cancelAt = null } = subscription ?? {};
  switch (state) {
    case 'open':
      return {
        title: 'Every feature is open',
        says: 'Payments are not configured on this server. Every feature is open.',
      };
    case 'free':
      return { title: 'The free plan', says: 'It costs nothing and does not end.' };
    case 'begun':
      return {
        title: 'The free plan',
        says: 'A payment for the Enhanced plan was begun and is not finished. You can go on with it.',
      };
    case 'active':
      return {
        title: 'Enhanced',
        says: paidUntil
          ? `Paid until ${formatDay(paidUntil)}. It then renews by itself, month by month, until you cancel it.`
          : 'It renews by itself, month by month, until you cancel it.',
      };
    case 'trial':
      return {
        title: 'Enhanced, on trial',
        says: paidUntil
          ? `Nothing is charged before ${formatDay(paidUntil)}. It then renews by itself, month by month, until you cancel it.`
          : 'Nothing is charged yet.',
      };
    case 'ending':
      return {
        title: cancelAt ? `Enhanced until ${formatDay(cancelAt)}` : 'Enhanced, and ending',
        says: `It was cancelled, and nothing more is charged. ${STAYS}`,
      };
    case 'failed':
      return {
        title: 'Enhanced. The last payment failed',
        says: `Nothing changes yet: Stripe tries again within the next days. Under Manage Subscription you can give another card. If no payment succeeds, the plan ends. ${STAYS}`,
      };
    case 'lapsed':
      return { title: 'The Enhanced plan has ended', says: STAYS };
    case 'granted':
      return { title: 'Enhanced', says: 'This vault has the Enhanced plan without a subscription.' };
  }
}

const bytes = (count: number) => formatBytes(count).replace('.0 ', ' ');
const counted = (count: number) => count.toLocaleString('en-GB');
const orNoLimit = (count: number | null) => (count === null ? 'No limit' : counted(count));

export interface Feature {
  name: string;
  free: string;
  enhanced: string;
}

/** What each plan allows, a row for each limit. */
export function featuresOf({ free, enhanced }: Plans): Feature[] {
  const row = (name: string, say: (limits: Plans['free']) => string): Feature => ({
    name,
    free: say(free),
    enhanced: say(enhanced),
  });
  return [
    row('Space for what you seal', (limits) => bytes(limits.bytes)),
    row('Items in the vault', (limits) => counted(limits.rows)),
    row('The largest single entry', (limits) => bytes(limits.entryBytes)),
    row('Legacy scrolls that watch at a time', (limits) => orNoLimit(limits.scrollsWatching)),
    row('Stories made by the server in a month', (limits) => orNoLimit(limits.storiesPerMonth)),
  ];
}

interface Stored {
  bytes: number;
  bytesMax: number;
  rows: number;
  rowsMax: number;
}

/** How much of each limit is used. @param stored absent while it is not known */
export function usedOf({ plan, plans, used }: Billing, stored: Stored | undefined) {
  const limits = plans[plan === 'enhanced' ? 'enhanced' : 'free'];
  const of = (count: number, max: number | null) =>
    max === null ? `${counted(count)}, with no limit` : `${counted(count)} of ${counted(max)}`;
  return [
    ...(stored
      ? [
          { name: 'Space', says: `${bytes(stored.bytes)} of ${bytes(stored.bytesMax)}` },
          { name: 'Items', says: of(stored.rows, stored.rowsMax) },
        ]
      : []),
    { name: 'Letters watching', says: of(used.scrollsWatching, limits.scrollsWatching) },
    { name: 'Stories this month', says: of(used.storiesThisMonth, limits.storiesPerMonth) },
  ];
}
