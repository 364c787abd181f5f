// A browser that comes back from paying. What the provider wrote into the address, part of it secret, leaves it before
// anything else is done; how the payment went stays with this entry of the history, until a page has said it.
import { paymentReturnParameters, readPaymentReturn } from '../../../shared/nouns/payment-return.ts';

export type PaymentReturn = NonNullable<ReturnType<typeof readPaymentReturn>>;

const SLOT = 'payment';

/** Takes the parameters of a payment out of the address. Called first of all, on every page. */
export function keepPaymentReturn(): void {
  const url = new URL(window.location.href);
  if (!paymentReturnParameters.some((name) => url.searchParams.has(name))) return;
  const outcome = readPaymentReturn(url.searchParams.get('redirect_status'));
  for (const name of paymentReturnParameters) url.searchParams.delete(name);
  const state = outcome ? { ...window.history.state, [SLOT]: outcome } : window.history.state;
  window.history.replaceState(state, '', url.pathname + url.search + url.hash);
}

/** How the payment went from which this page was reached; null where it was reached otherwise. */
export function paymentReturn(): PaymentReturn | null {
  const outcome: unknown = window.history.state?.[SLOT];
  return typeof outcome === 'string' ? readPaymentReturn(outcome) : null;
}

/** It was said: a reload does not say it again. */
export function forgetPaymentReturn(): void {
  if (paymentReturn() === null) return;
  const { [SLOT]: _, ...rest } = window.history.state;
  window.history.replaceState(Object.keys(rest).length > 0 ? rest : null, '');
}
