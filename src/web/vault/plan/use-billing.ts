// What this account's plan is, and the way to the pages on which it is paid and managed. Those are not this origin's: the
// browser leaves for them, and no script of theirs ever runs here.
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Billing, billing } from '../../../shared/nouns/billing.ts';
import { pageAddress } from '../../../vault/api/page-address.ts';
import { useApi } from '../../api/services.tsx';
import { planState } from './plan-words.ts';

export const BILLING = [billing.get.path];

/** @param wanted false while nobody asks */
export function useBilling(wanted = true): UseQueryResult<Billing> {
  const { send } = useApi();
  return useQuery({
    queryKey: BILLING,
    queryFn: () => send(billing.get, {}),
    enabled: wanted,
    refetchOnMount: 'always',
  });
}

/** Whether this server sells a plan; false until it has said so. It is asked once a page. */
export function useSelling(): boolean {
  const { send } = useApi();
  const { data } = useQuery({ queryKey: BILLING, queryFn: () => send(billing.get, {}) });
  return data !== undefined && planState(data) !== 'open';
}

export interface Departure {
  /** Also while the browser is on its way to the other page. */
  busy: boolean;
  /**
   * Asks the server for an address and goes there.
   * @param named whether the other page may learn from which origin it was opened: the payment document asks
   * @throws ApiError, TypeError as the call does
   */
  leaveFor(ask: () => Promise<{ url: string }>, named?: boolean): Promise<void>;
}

export function useDeparture(): Departure {
  const [busy, setBusy] = useState(false);

  async function leaveFor(ask: () => Promise<{ url: string }>, named = false): Promise<void> {
    setBusy(true);
    try {
      const { url } = await ask();
      pageAddress(url);
      if (named) withOrigin(() => window.location.assign(url));
      else window.location.assign(url);
    } catch (error) {
      setBusy(false);
      throw error;
    }
  }

  return { busy, leaveFor };
}

/** Lets a navigation tell this page's origin, and no address: pages of the vault tell nothing otherwise. */
function withOrigin(navigate: () => void): void {
  const policy = document.createElement('meta');
  policy.name = 'referrer';
  policy.content = 'origin';
  document.head.append(policy);
  navigate();
  // The navigation has begun, with the policy of that moment.
  policy.content = 'no-referrer';
  policy.remove();
}
