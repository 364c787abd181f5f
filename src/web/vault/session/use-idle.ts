// Notices that nobody has touched the page for a while. Only a person's own events count.
import { useEffect, useRef } from 'react';

const EVENTS = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;
const LOOK_EVERY = 15_000;

/**
 * Calls `onIdle` once nobody has touched the page for `limit` milliseconds; also right after the machine slept.
 */
export function useIdle(limit: number, onIdle: () => void): void {
  const latest = useRef(onIdle);
  useEffect(() => {
    latest.current = onIdle;
  });
  useEffect(() => {
    let touched = Date.now();
    const touch = () => {
      look();
      touched = Date.now();
    };
    const look = () => {
      if (Date.now() - touched < limit) return;
      touched = Date.now();
      latest.current();
    };
    for (const event of EVENTS) window.addEventListener(event, touch, { capture: true, passive: true });
    document.addEventListener('visibilitychange', look);
    const timer = setInterval(look, LOOK_EVERY);
    return () => {
      for (const event of EVENTS) window.removeEventListener(event, touch, { capture: true });
      document.removeEventListener('visibilitychange', look);
      clearInterval(timer);
    };
  }, [limit]);
}
