// Ending a watch from the list: at once, or after a question where it could not be activated again.
import { useRef, useState } from 'react';
import { planLimits } from '../../../shared/plans.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import type { OpenedScroll } from '../../../vault/legacy/scroll-list.ts';
import { StillKept } from '../../../vault/outbox/own-refusals.ts';
import { toast } from '../../ui/toaster.tsx';
import { useBilling } from '../../vault/plan/use-billing.ts';
import { rowId } from './scroll-rows.tsx';
import type { Scrolls } from './use-scrolls.ts';

/** @param ask asks first, as the plan lets no more than so many watch */
export function useDisarming(
  scrolls: Scrolls,
  watching: number,
  ask: (scroll: OpenedScroll, most: number) => void,
) {
  const [disarming, setDisarming] = useState<number | null>(null);
  /** Of which letters it was said that they end here alone. */
  const wasTold = useRef(new Set<number>());
  const roomToWatch = useRoomToWatch(watching);

  async function disarm(scroll: OpenedScroll) {
    setDisarming(scroll.id);
    try {
      await scrolls.disarm(scroll, wasTold.current.has(scroll.id));
      document.getElementById(rowId(scroll))?.focus({ preventScroll: true });
      toast({ title: 'Watch Disarmed', description: 'It is a draft again: nothing sends it.' });
    } catch (error) {
      if (error instanceof StillKept) wasTold.current.add(scroll.id);
      toast({ title: 'Failed to Disarm', description: sentenceOf(error), tone: 'destructive' });
    } finally {
      setDisarming(null);
    }
  }

  return {
    /** The scroll that is being disarmed, if one is. */
    disarming,
    disarm,
    async askOrDisarm(scroll: OpenedScroll): Promise<void> {
      setDisarming(scroll.id);
      const most = await roomToWatch();
      setDisarming(null);
      if (most === null) await disarm(scroll);
      else ask(scroll, most);
    },
  };
}

/**
 * Tells how many scrolls the account's plan lets watch, where more of them do: after a plan has lapsed. Else, and where
 * the server does not say, null.
 */
function useRoomToWatch(watching: number): () => Promise<number | null> {
  const { refetch } = useBilling(false);
  return async () => {
    if (watching <= (planLimits.free.scrollsWatching ?? Number.POSITIVE_INFINITY)) return null;
    const { data } = await refetch();
    const most = data?.plan === 'free' ? data.plans.free.scrollsWatching : null;
    return most !== null && watching > most ? most : null;
  };
}
