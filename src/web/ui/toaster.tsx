// Where toasts appear. Mounted once, at the root; `toast()` speaks to it from anywhere. Most visits begin without one, so the
// corner itself is fetched when somebody first touches the page, or when there is something to say.
import { useEffect, useSyncExternalStore } from 'react';
import { later } from './later.tsx';
import { toasts } from './toast-store.ts';

export { toast } from './toast-store.ts';

const Corner = later(() => import('./toast-corner.tsx'));
const TOUCHES = ['pointerdown', 'keydown'] as const;

export function Toaster() {
  const entries = useSyncExternalStore(toasts.subscribe, toasts.entries, toasts.entries);
  useEffect(() => {
    const touched = () => {
      leave();
      // One that fails is tried again, and told, when there is a toast.
      Corner.preload().catch(() => {});
    };
    const leave = () => {
      for (const name of TOUCHES) window.removeEventListener(name, touched, { capture: true });
    };
    for (const name of TOUCHES) window.addEventListener(name, touched, { capture: true, passive: true });
    return leave;
  }, []);
  // A dialog hides from screen readers whatever is outside of it and not live: so this is there before any dialog, and live. What it
  // holds is announced by Radix, so it stays "off". One that has been dismissed stays in the list for a long while.
  return (
    <div data-toasts="" aria-live="off">
      {entries.length > 0 && <Corner />}
    </div>
  );
}
