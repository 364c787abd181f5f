// When a page has come to rest, so that what nobody waits for takes no line from what somebody does.
import type { QueryClient } from '@tanstack/react-query';
import { SECOND } from '../../shared/time.ts';
import { partsUnderway, watchParts } from '../ui/later.tsx';

/** No answer is waited for longer, in milliseconds: as the book does (vault/api/in-background.ts), which the first load does without. */
const AT_MOST = 20 * SECOND;

/**
 * Calls back when the page has nothing else to do, and has fetched what it shows: in twenty seconds at the latest, by no clock that may
 * be set. Returns how to call that off.
 */
export function whenAtRest(queryClient: QueryClient, work: () => void): () => void {
  let callOff = () => {};
  const hear = () => {
    callOff();
    const isBusy = queryClient.isFetching() > 0 || partsUnderway() > 0;
    callOff = isBusy ? () => {} : whenIdle(rest);
  };
  const ends = [queryClient.getQueryCache().subscribe(hear), watchParts(hear)];
  const latest = setTimeout(rest, AT_MOST);
  function end(): void {
    callOff();
    clearTimeout(latest);
    for (const stop of ends) stop();
  }
  function rest(): void {
    end();
    work();
  }
  hear();
  return end;
}

function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const id = requestIdleCallback(work, { timeout: AT_MOST });
    return () => cancelIdleCallback(id);
  }
  const timer = setTimeout(work, SECOND);
  return () => clearTimeout(timer);
}
