// The one place in which toasts appear: the lower right corner, for which dialogs and pages keep room (toast-room.ts). Radix
// gives the announcement, the pause on hover, F8 and the swipe.
import * as Radix from '@radix-ui/react-toast';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { Button } from './button.tsx';
import { classes } from './classes.ts';
import { Sigil } from './sigil.tsx';
import { keepRoom } from './toast-room.ts';
import {
  type ToastEntry,
  type ToastTone,
  toastActionDuration,
  toastDuration,
  toasts,
} from './toast-store.ts';

const edges: Record<ToastTone, string> = {
  plain: 'border-l-ember',
  info: 'border-l-moon',
  destructive: 'border-l-blood',
};

/** F8 moves the focus there. */
export default function ToastCorner() {
  const entries = useSyncExternalStore(toasts.subscribe, toasts.entries, toasts.entries);
  const corner = useRef<HTMLOListElement>(null);
  const shows = entries.some(({ open }) => open);
  useEffect(() => (shows && corner.current ? keepRoom(corner.current) : undefined), [shows]);
  return (
    <Radix.Provider duration={toastDuration} swipeDirection="right" swipeThreshold={50} label="Notification">
      {entries.map((entry) => (
        <Passing key={entry.id} entry={entry} />
      ))}
      <Radix.Viewport
        ref={corner}
        hotkey={['F8']}
        label="Notifications ({hotkey})"
        className="pointer-events-none fixed right-0 bottom-[var(--bar,0px)] z-50 max-h-[45dvh] w-full max-w-[420px] overflow-x-clip overflow-y-auto p-4 outline-hidden sm:p-6 sm:[body:has([data-veil][data-state=open])_&]:max-w-[360px]"
      />
    </Radix.Provider>
  );
}

function Passing({ entry }: { entry: ToastEntry }) {
  // Radix closes the newest layer by Escape, which is this one. A dialog that has the focus takes the key itself (Veil).
  const isForDialog = useRef(false);

  function close() {
    if (!isForDialog.current) toasts.dismiss(entry.id);
    isForDialog.current = false;
  }

  return (
    <Radix.Root
      type={entry.tone === 'destructive' ? 'foreground' : 'background'}
      open={entry.open}
      duration={entry.action ? toastActionDuration : toastDuration}
      onEscapeKeyDown={({ target }) => {
        isForDialog.current = target instanceof Element && target.closest('[data-veil]') !== null;
      }}
      onOpenChange={(open) => !open && close()}
      className={classes(
        'pointer-events-auto relative grid touch-pan-y gap-1 border border-l-2 border-line bg-ink-2 py-4 pr-13 pl-5.5',
        'data-[state=closed]:animate-unfade data-[state=open]:animate-arrive',
        'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform data-[swipe=end]:translate-x-(--radix-toast-swipe-end-x)',
        edges[entry.tone],
      )}
    >
      <Radix.Title
        className={classes(
          'font-display text-[1.25rem]/[1.2] font-medium wrap-anywhere',
          entry.tone === 'destructive' && 'text-blood',
        )}
      >
        {entry.title}
      </Radix.Title>
      {entry.description && (
        <Radix.Description className="line-clamp-12 text-note text-dust wrap-anywhere">
          {entry.description}
        </Radix.Description>
      )}
      {entry.action && (
        <Radix.Close asChild>
          <Button tone="caps" className="mt-1 justify-self-start" onClick={entry.action.run}>
            {entry.action.label}
          </Button>
        </Radix.Close>
      )}
      <Radix.Close
        aria-label="Dismiss"
        className="absolute top-2 right-1.5 grid size-11 cursor-pointer place-items-center text-dust transition-colors hover:text-bone"
      >
        <Sigil name="close" className="size-5" />
      </Radix.Close>
    </Radix.Root>
  );
}
