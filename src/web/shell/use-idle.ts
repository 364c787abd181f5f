// Notices that nobody has touched the page, or another tab of it, for a while. Only a person's own events count.
import { useEffect, useRef } from 'react';

const EVENTS = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;
const LOOK_EVERY = 15_000;

/** What the tabs of one browser tell each other. Both are stable. */
export interface Presence {
  /** Notes a touch. @param at epoch milliseconds */
  note: (at: number) => void;
  /** When any tab was touched last, in epoch milliseconds; null when that is not known. */
  last: () => number | null;
}

/**
 * Calls `onIdle` once nobody has touched any tab for as many milliseconds as `limit` says by then; also right after the
 * machine slept. While the page stays idle it is called again after as long.
 */
export function useIdle(presence: Presence, limit: () => number, onIdle: () => void): void {
  const latest = useRef({ limit, onIdle });
  useEffect(() => {
    latest.current = { limit, onIdle };
  });
  useEffect(() => {
    let touched = Date.now();
    let noted = Number.NEGATIVE_INFINITY;
    const look = () => {
      const now = Date.now();
      const since = now - Math.max(touched, presence.last() ?? touched);
      if (since < latest.current.limit()) return;
      touched = now;
      latest.current.onIdle();
    };
    const touch = () => {
      look();
      touched = Date.now();
      if (Math.abs(touched - noted) < LOOK_EVERY) return;
      noted = touched;
      presence.note(touched);
    };
    for (const event of EVENTS) window.addEventListener(event, touch, { capture: true, passive: true });
    document.addEventListener('visibilitychange', look);
    const timer = setInterval(look, LOOK_EVERY);
    return () => {
      for (const event of EVENTS) window.removeEventListener(event, touch, { capture: true });
      document.removeEventListener('visibilitychange', look);
      clearInterval(timer);
    };
  }, [presence]);
}
