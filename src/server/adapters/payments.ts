// What the server asks of a payment provider, in its own words. Nothing that a provider says of a person comes through here:
// an account is known there by its random number alone.
import type { SubscriptionStatus } from '../../shared/nouns/billing.ts';

export interface Price {
  /** The provider's id of it. */
  id: string;
  /** In the currency's smallest unit, such as cents. */
  amount: number;
  /** ISO 4217, in lower case. */
  currency: string;
}

/** A subscription as the provider has it. Times are epoch milliseconds. */
export interface SubscriptionState {
  id: string;
  customerId: string;
  /** The account that it was made for, as it was told when it was made; null for one that this product did not make. */
  accountUid: string | null;
  status: SubscriptionStatus;
  priceId: string | null;
  createdAt: number;
  currentPeriodEnd: number | null;
  /** When it ends by itself; null while it goes on. */
  cancelAt: number | null;
}

/** One that waits for its first payment, with what lets a browser make it; null where nothing is to be paid. */
export interface BegunSubscription extends SubscriptionState {
  clientSecret: string | null;
}

/** What a webhook is about. */
export interface PaymentEvent {
  id: string;
  type: string;
  customerId: string | null;
  /** Of a dispute, which names no customer. */
  chargeId: string | null;
}

/** Why a provider did not do what it was asked. Its words are not passed on: they can hold what people typed. */
export class PaymentsError extends Error {
  override readonly name = 'PaymentsError';
  /** `away`: not now. `gone`: what was named is not there. `refused`: for good, as far as anybody knows. */
  readonly reason: 'away' | 'gone' | 'refused';
  /** The provider's own code, or the kind of its error. */
  readonly code: string;

  constructor(reason: PaymentsError['reason'], code: string) {
    super(`The payment provider ${reason === 'away' ? 'could not be asked' : 'refused'}.`);
    this.reason = reason;
    this.code = code;
  }
}

export interface HostedCheckout {
  customerId: string;
  accountUid: string;
  priceId: string;
  successUrl: string;
  cancelUrl: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/**
 * A payment provider. Every function throws `PaymentsError`, and nothing else. `key` is an idempotency key: asked twice with
 * the same one, the provider does a thing once.
 */
export interface Payments {
  readonly publishableKey: string;
  /**
   * What the plan costs. The provider is asked once an hour, and once at a time.
   * @param fresh asks also where it was asked lately
   */
  readPrice(fresh?: boolean): Promise<Price>;
  /** Makes whom a subscription belongs to, and returns its id. */
  createCustomer(accountUid: string, key: string): Promise<string>;
  /** Ends every subscription and every open checkout of a customer, and removes it. One that is gone is no error. */
  removeCustomer(customerId: string): Promise<void>;
  /**
   * Every customer that was made for an account. The provider finds new ones after a minute, and after an hour when it has
   * trouble: this is not for what was made just now.
   */
  customersOf(accountUid: string): Promise<string[]>;
  /**
   * Ends a subscription that waits for its first payment, and that payment with it.
   * @returns false where it was paid meanwhile, and goes on
   */
  endBegun(subscriptionId: string): Promise<boolean>;
  /** Ends a subscription at once, beside which its account has another one. Nothing is refunded. */
  endSubscription(subscriptionId: string): Promise<void>;
  /** A subscription that waits for its first payment. */
  beginSubscription(
    wanted: { customerId: string; accountUid: string; priceId: string },
    key: string,
  ): Promise<BegunSubscription>;
  /** @throws PaymentsError `gone` */
  readBegun(subscriptionId: string): Promise<BegunSubscription>;
  /** All that a customer ever had, the newest first; none of a customer that is gone. */
  subscriptionsOf(customerId: string): Promise<SubscriptionState[]>;
  /** Every subscription that has not ended, of everybody, by pages. */
  everySubscription(): AsyncIterable<SubscriptionState[]>;
  /** Whose a charge is; null where that is not known. */
  customerOfCharge(chargeId: string): Promise<string | null>;
  /**
   * The address of a page of the provider's own that takes the first payment; null where that has been made. The customer's
   * other pages are closed.
   */
  hostedCheckout(wanted: HostedCheckout, key: string): Promise<string | null>;
  /** The address of a page on which a customer manages a subscription. */
  portal(customerId: string, returnUrl: string): Promise<string>;
  /** Whether a signature may be one of ours at this time, before anything that it signs was received. */
  mayBeSigned(signature: string, at: number): boolean;
  /**
   * Reads a webhook.
   * @param signature the header of that name
   * @param at epoch milliseconds
   * @returns null where the signature is another's, or more than five minutes from that time, either way
   */
  readEvent(raw: Buffer, signature: string, at: number): Promise<PaymentEvent | null>;
}
