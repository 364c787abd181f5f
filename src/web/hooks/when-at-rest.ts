// When a page has come to rest, so that what nobody waits for takes no line from what somebody does.
import type { QueryClient } from '@tanstack/react-query';
import { SECOND } from '../../shared/time.ts';
import { partsUnderway } from '../ui/later.tsx';

/** What is always under way keeps nobody waiting for longer, in milliseconds. */
const AT_MOST = 10 * SECOND;
/** How often a busy page is looked at, in milliseconds. */
const AGAIN_AFTER = SECOND / 10;

/**
 * Calls back when the page has nothing else to do, and has fetched what it shows: in ten seconds at the latest. Returns how to call
 * that off.
 */
export function whenAtRest(queryClient: QueryClient, work: () => void): () => void {
  const latest = Date.now() + AT_MOST;
  let callOff = () => {};
  function look(): void {
    const isBusy = queryClient.isFetching() > 0 || partsUnderway() > 0;
    if (isBusy && Date.now() < latest) {
      const timer = setTimeout(() => {
        callOff = whenIdle(look);
      }, AGAIN_AFTER);
      callOff = () => clearTimeout(timer);
    } else work();
  }
  callOff = whenIdle(look);
  return () => callOff();
}

function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const id = requestIdleCallback(work, { timeout: AT_MOST });
    return () => cancelIdleCallback(id);
  }
  const timer = setTimeout(work, SECOND);
  return () => clearTimeout(timer);
}
