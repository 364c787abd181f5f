// The present, as often as a screen needs to notice it.
import { useSyncExternalStore } from 'react';

const EVERY = 10_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function tick() {
  now = Date.now();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now();
    timer = setInterval(tick, EVERY);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

/** Epoch milliseconds, at most ten seconds old. All who use it see the same moment. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}
