// One toast on its way past: it leaves by itself after five seconds, unless somebody rests on it, and can be pushed out
// to the right.
import { type PointerEvent, useEffect, useId, useRef, useState } from 'react';
import { classes } from './classes.ts';
import { Sigil } from './sigil.tsx';
import { type ToastEntry, type ToastTone, toastDuration } from './toast-store.ts';

/** How far a toast must be pushed to leave, in pixels. */
export const swipeThreshold = 50;

const edges: Record<ToastTone, string> = {
  plain: 'border-l-ember',
  info: 'border-l-moon',
  destructive: 'border-l-blood',
};

interface PassingProps {
  entry: ToastEntry;
  onDismiss: () => void;
}

export function Passing({ entry, onDismiss }: PassingProps) {
  const [gone, setGone] = useState(false);
  const rest = useLeaving(entry.open, onDismiss);
  const swipe = useSwipe(onDismiss);
  const titleId = useId();
  if (gone) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups form controls, and this holds words
    <div
      role="group"
      aria-labelledby={titleId}
      tabIndex={-1}
      data-toast={entry.tone}
      data-state={entry.open ? 'open' : 'closed'}
      {...rest}
      {...swipe}
      onAnimationEnd={() => !entry.open && setGone(true)}
      className={classes(
        'pointer-events-auto relative grid touch-pan-y gap-1 outline-ember focus-visible:outline-1 border border-l-2 border-line bg-ink-2 py-4 pr-13 pl-5.5 select-none',
        'data-[state=closed]:animate-unfade data-[state=open]:animate-arrive',
        edges[entry.tone],
      )}
    >
      <p
        id={titleId}
        className={classes(
          'font-display text-[1.25rem]/[1.2] font-medium wrap-anywhere',
          entry.tone === 'destructive' && 'text-blood',
        )}
      >
        {entry.title}
      </p>
      {entry.description && (
        <p className="line-clamp-12 text-note text-dust wrap-anywhere">{entry.description}</p>
      )}
      <button
        type="button"
        aria-label="Dismiss"
        onClick={onDismiss}
        className="absolute top-2 right-1.5 grid size-11 cursor-pointer place-items-center text-dust transition-colors hover:text-bone"
      >
        <Sigil name="close" className="size-5" />
      </button>
    </div>
  );
}

/** Counts the five seconds, and holds the count while a pointer or the focus rests here or the window is away. */
function useLeaving(open: boolean, onLeave: () => void) {
  const leave = useRef(onLeave);
  const left = useRef(toastDuration);
  const holds = useRef(new Set<string>());
  const timer = useRef<{ handle: ReturnType<typeof setTimeout>; since: number } | null>(null);

  function stop() {
    if (!timer.current) return;
    clearTimeout(timer.current.handle);
    left.current -= performance.now() - timer.current.since;
    timer.current = null;
  }
  function go() {
    if (timer.current || holds.current.size > 0) return;
    timer.current = { handle: setTimeout(() => leave.current(), left.current), since: performance.now() };
  }
  function hold(why: string) {
    holds.current.add(why);
    stop();
  }
  function release(why: string) {
    holds.current.delete(why);
    go();
  }

  const hand = useRef({ hold, release, go, stop });
  useEffect(() => {
    leave.current = onLeave;
    hand.current = { hold, release, go, stop };
  });
  useEffect(() => {
    if (!open) return;
    const away = () => hand.current.hold('window');
    const back = () => hand.current.release('window');
    hand.current.go();
    window.addEventListener('blur', away);
    window.addEventListener('focus', back);
    return () => {
      hand.current.stop();
      window.removeEventListener('blur', away);
      window.removeEventListener('focus', back);
    };
  }, [open]);

  return {
    onPointerEnter: () => hold('pointer'),
    onPointerLeave: () => release('pointer'),
    onFocus: () => hold('focus'),
    onBlur: () => release('focus'),
  };
}

/** Follows a finger to the right; past the threshold the toast leaves, short of it the toast comes back. */
function useSwipe(onLeave: () => void) {
  const start = useRef<number | null>(null);

  function end(event: PointerEvent<HTMLElement>) {
    if (start.current === null) return;
    const pushed = event.clientX - start.current;
    start.current = null;
    if (event.type === 'pointerup' && pushed >= swipeThreshold) onLeave();
    else event.currentTarget.style.translate = '';
  }

  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      const onButton = event.target instanceof Element && event.target.closest('button');
      if (event.button === 0 && !onButton) start.current = event.clientX;
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (start.current === null) return;
      const pushed = Math.max(0, event.clientX - start.current);
      if (pushed > 4) event.currentTarget.setPointerCapture(event.pointerId);
      event.currentTarget.style.translate = `${pushed}px`;
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}
