// Whoever comes back from paying is told how it went, and whether the plan is on. The payment provider tells the server in a
// message of its own, which may come later than the browser: meanwhile the page asks a few times.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type Billing, billing } from '../../../shared/nouns/billing.ts';
import { SECOND } from '../../../shared/time.ts';
import { refreshUser } from '../../hooks/use-user.ts';
import type { ToastWords } from '../../ui/toast-store.ts';
import { toast } from '../../ui/toaster.tsx';
import { forgetPaymentReturn, type PaymentReturn, paymentReturn } from '../../vault/plan/payment-return.ts';
import { BILLING } from '../../vault/plan/use-billing.ts';
import { useVault } from '../../vault/session/vault-context.ts';

/** How often the page asks by itself while the server has not heard of the payment, and how many times. */
export const ASK_EVERY = 5 * SECOND;
export const ASK_TIMES = 12;

const words: Record<PaymentReturn, ToastWords> = {
  succeeded: { title: 'Payment Successful', description: 'Welcome to your enhanced vault!' },
  processing: {
    title: 'Payment in progress',
    description: 'Your bank has not decided yet. You need not wait here.',
    tone: 'info',
  },
  failed: {
    title: 'Payment Failed',
    description: 'The payment did not go through, and the plan did not begin. You can try again.',
    tone: 'destructive',
  },
};

export interface PaymentReturned {
  /** Null where nobody comes back from paying. */
  outcome: PaymentReturn | null;
  billing: Billing | undefined;
  isError: boolean;
  isFetching: boolean;
  /** Whether it asks again by itself. */
  isLooking: boolean;
  askAgain: () => void;
}

export function usePaymentReturn(): PaymentReturned {
  const { api, user } = useVault();
  const queryClient = useQueryClient();
  const [outcome] = useState(paymentReturn);
  const [asked, setAsked] = useState(0);
  const told = useRef(false);
  const { data, isPending, isError, isFetching, refetch } = useQuery({
    queryKey: BILLING,
    queryFn: () => api.send(billing.get, {}),
    // Most accounts have nothing at the provider, and ask nothing.
    enabled: outcome !== null || user.stripeSubscriptionId !== null,
    refetchOnMount: 'always',
  });
  const isExpected = outcome === 'succeeded' || outcome === 'processing';
  const waits = isExpected && !isPending && (data === undefined || data.plan === 'free');
  const isLooking = waits && asked < ASK_TIMES;

  useEffect(forgetPaymentReturn, []);
  useEffect(() => {
    if (outcome === null || isPending || told.current) return;
    told.current = true;
    if (data?.checkout !== 'none') toast(words[outcome]);
  }, [outcome, isPending, data]);
  useEffect(() => {
    if (!isLooking) return;
    const timer = setInterval(() => {
      setAsked((times) => times + 1);
      void refetch();
    }, ASK_EVERY);
    return () => clearInterval(timer);
  }, [isLooking, refetch]);
  // Other screens look at the user for the number of the subscription.
  const isOn = outcome !== null && data?.plan === 'enhanced';
  useEffect(() => {
    if (isOn) void refreshUser({ queryClient });
  }, [isOn, queryClient]);

  return {
    outcome,
    billing: data,
    isError,
    isLooking,
    isFetching,
    askAgain: () => void refetch(),
  };
}
