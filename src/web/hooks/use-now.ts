// The present, as often as a screen needs to notice it.
import { useSyncExternalStore } from 'react';

/** How old the present may be, in milliseconds: `calm` for days and hours, `ticking` for what counts down. */
const paces = { calm: clockOf(10_000), ticking: clockOf(1000) };

/** A clock that runs while somebody looks at it. */
function clockOf(every: number) {
  const listeners = new Set<() => void>();
  let now = Date.now();
  let timer: ReturnType<typeof setInterval> | undefined;

  function tick() {
    now = Date.now();
    for (const listener of listeners) listener();
  }

  return {
    now() {
      // Nobody has looked for a while: the first look must not see the past.
      if (listeners.size === 0 && Date.now() - now >= every) now = Date.now();
      return now;
    },
    subscribe(listener: () => void): () => void {
      if (listeners.size === 0) {
        now = Date.now();
        timer = setInterval(tick, every);
      }
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) clearInterval(timer);
      };
    },
  };
}

/** Epoch milliseconds, at most as old as its pace. All who use one pace see the same moment. */
export function useNow(pace: keyof typeof paces = 'calm'): number {
  const clock = paces[pace];
  return useSyncExternalStore(clock.subscribe, clock.now);
}
