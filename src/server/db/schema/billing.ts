// The Enhanced plan: what each account has at the payment provider, which webhooks came, and what its plan counts.
import type { Generated } from 'kysely';
import type { SubscriptionStatus } from '../../../shared/nouns/billing.ts';

/** What an account has at the payment provider: one row from the first checkout on. */
export interface SubscriptionsTable {
  account_id: number;
  /** The provider's ids. */
  customer_id: string;
  subscription_id: string | null;
  /** As the provider says; null before it has said anything. */
  status: SubscriptionStatus | null;
  price_id: string | null;
  current_period_end: number | null;
  cancel_at: number | null;
  /** How often the provider was asked, and which of the answers stands here: a later question wins. */
  readings: Generated<number>;
  reading_kept: Generated<number>;
  updated_at: number;
}

/** The payment provider's webhooks that came lately, so that each counts once. */
export interface PaymentEventsTable {
  id: string;
  customer_id: string | null;
  charge_id: string | null;
  received_at: number;
}

/** How many stories were made for an account in one month. */
export interface StoriesMadeTable {
  account_id: number;
  /** `2026-11`, in UTC. */
  month: string;
  count: number;
}
