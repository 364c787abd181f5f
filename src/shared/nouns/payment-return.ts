// What the address says of a browser that comes back from paying. Apart from the plan (billing.ts), as every page asks it.

/**
 * What a payment may add to the query of its return address, which is the site root. Part of it is secret: the page takes
 * all of it out of its address (`history.replaceState`).
 */
export const paymentReturnParameters = [
  'redirect_status',
  'payment_intent',
  'payment_intent_client_secret',
  'setup_intent',
  'setup_intent_client_secret',
] as const;

/**
 * What a browser that returns from paying says; null where it does not come from there. It only chooses words: webhooks
 * alone turn the plan on, before or after this.
 * @param status the parameter `redirect_status` of the site root's query
 */
export function readPaymentReturn(status: string | null): 'succeeded' | 'processing' | 'failed' | null {
  if (status === null) return null;
  return status === 'succeeded' || status === 'processing' ? status : 'failed';
}
