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

/** How long to wait before each further question, and so how many there are. */
export const PAUSES = [2, 4, 8, 15, 30].map((seconds) => seconds * SECOND);

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
  /** Asking, or about to ask again by itself. */
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
  const pause = waits ? PAUSES[asked] : undefined;

  useEffect(forgetPaymentReturn, []);
  useEffect(() => {
    if (outcome === null || isPending || told.current) return;
    told.current = true;
    if (data?.checkout !== 'none') toast(words[outcome]);
  }, [outcome, isPending, data]);
  useEffect(() => {
    if (pause === undefined || isFetching) return;
    const timer = setTimeout(() => {
      setAsked((times) => times + 1);
      void refetch();
    }, pause);
    return () => clearTimeout(timer);
  }, [pause, isFetching, refetch]);
  // Other screens look at the user for the number of the subscription.
  const isOn = outcome !== null && data?.plan === 'enhanced';
  useEffect(() => {
    if (isOn) void refreshUser({ queryClient });
  }, [isOn, queryClient]);

  return {
    outcome,
    billing: data,
    isError,
    isLooking: isFetching || pause !== undefined,
    isFetching,
    askAgain: () => void refetch(),
  };
}
