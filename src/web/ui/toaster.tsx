// Where toasts appear. Mounted once, at the root; `toast()` speaks to it from anywhere. Our own, as Radix's adds 4 KB
// to the first load. It must never take the focus by itself, nor hide what it says from those who do not see it.
import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useSyncExternalStore } from 'react';
import { Passing } from './passing.tsx';
import { toasts } from './toast-store.ts';

export { toast } from './toast-store.ts';

/** The corner in which toasts appear. F8 moves the focus there, Esc or Tab moves it back. */
export function Toaster() {
  const [entry] = useSyncExternalStore(toasts.subscribe, toasts.entries, toasts.entries);
  const corner = useRef<HTMLElement>(null);
  const cameFrom = useRef<Element | null>(null);

  useEffect(() => {
    function listen(event: globalThis.KeyboardEvent) {
      if (event.key === 'F8') corner.current?.querySelector<HTMLElement>('[data-toast]')?.focus();
      // caught on its way down, as a dialog behind would take the same Esc for itself
      if (event.key !== 'Escape' || !corner.current?.contains(document.activeElement)) return;
      event.stopPropagation();
      toasts.dismiss();
      goBack();
    }
    function goBack() {
      const back = cameFrom.current;
      if (back instanceof HTMLElement && back.isConnected) back.focus({ preventScroll: true });
    }
    window.addEventListener('keydown', listen, true);
    const leave = toasts.subscribe(() => {
      const open = toasts.entries().some((one) => one.open);
      if (!open && corner.current?.contains(document.activeElement)) goBack();
    });
    return () => {
      window.removeEventListener('keydown', listen, true);
      leave();
    };
  }, []);

  function remember(event: FocusEvent) {
    if (!corner.current?.contains(event.relatedTarget)) cameFrom.current = event.relatedTarget;
  }

  /** One button stands here: Tab from it leads back to where F8 was pressed, not to the end of the page. */
  function leaveByTab(event: KeyboardEvent) {
    const onButton = event.target instanceof HTMLButtonElement;
    if (event.key !== 'Tab' || (!onButton && !event.shiftKey)) return;
    if (!(cameFrom.current instanceof HTMLElement)) return;
    event.preventDefault();
    cameFrom.current.focus({ preventScroll: true });
  }

  const urgent = entry?.tone === 'destructive';
  const shown = entry && <Passing key={entry.id} entry={entry} onDismiss={() => toasts.dismiss(entry.id)} />;
  return (
    <section
      ref={corner}
      data-toasts=""
      aria-label="Notifications (F8)"
      onFocus={remember}
      onKeyDown={leaveByTab}
      className="pointer-events-none fixed right-0 bottom-0 z-50 max-h-dvh w-full max-w-[420px] overflow-x-clip overflow-y-auto p-4 sm:p-6"
    >
      {/* both stand here from the start, so that what enters is announced, and no open dialog hides them */}
      <div aria-live="polite">{!urgent && shown}</div>
      <div aria-live="assertive">{urgent && shown}</div>
    </section>
  );
}
