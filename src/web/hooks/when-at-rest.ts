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
  let callOff = () => {};
  // By no clock, which may be set, and however busy the page is.
  const latest = setTimeout(() => {
    callOff();
    work();
  }, AT_MOST);
  function look(): void {
    if (queryClient.isFetching() === 0 && partsUnderway() === 0) {
      clearTimeout(latest);
      work();
    } else {
      const timer = setTimeout(() => {
        callOff = whenIdle(look);
      }, AGAIN_AFTER);
      callOff = () => clearTimeout(timer);
    }
  }
  callOff = whenIdle(look);
  return () => {
    clearTimeout(latest);
    callOff();
  };
}

function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const id = requestIdleCallback(work, { timeout: AT_MOST });
    return () => cancelIdleCallback(id);
  }
  const timer = setTimeout(work, SECOND);
  return () => clearTimeout(timer);
}
