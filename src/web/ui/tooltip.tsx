// A word beside a control, after a pause. Our own, as Radix's brings 10 KB of positioning for what is two subtractions
// here. It repeats or adds to a control's name, and must never hold the only copy of something needed.
import {
  cloneElement,
  type FocusEvent,
  type HTMLAttributes,
  type PointerEvent,
  type ReactElement,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';

/** How long a pointer rests before the word appears, in milliseconds. */
export const tooltipDelay = 700;
/** Within this long after one has closed, the next appears at once. */
export const tooltipSkipDelay = 300;

let lastClosed = Number.NEGATIVE_INFINITY;
const gap = 8;
const edge = 8;

interface TooltipProps {
  label: string;
  /** One control that can be focused and takes ordinary element props. */
  children: ReactElement<HTMLAttributes<HTMLElement>>;
}

/** Shows `label` over its control on hover and on keyboard focus. Esc hides it and goes no further. */
export function Tooltip({ label, children }: TooltipProps) {
  const id = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function open(element: HTMLElement, delay: number) {
    clearTimeout(timer.current);
    timer.current = setTimeout(
      () => setAnchor(element),
      performance.now() - lastClosed < tooltipSkipDelay ? 0 : delay,
    );
  }

  function close(delay: number) {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setAnchor((shown) => {
        if (shown) lastClosed = performance.now();
        return null;
      });
    }, delay);
  }

  const own = children.props;
  const control = cloneElement(children, {
    'aria-describedby': anchor ? id : own['aria-describedby'],
    onPointerEnter(event: PointerEvent<HTMLElement>) {
      own.onPointerEnter?.(event);
      if (event.pointerType !== 'touch') open(event.currentTarget, tooltipDelay);
    },
    onPointerLeave(event: PointerEvent<HTMLElement>) {
      own.onPointerLeave?.(event);
      close(80);
    },
    onPointerDown(event: PointerEvent<HTMLElement>) {
      own.onPointerDown?.(event);
      close(0);
    },
    onFocus(event: FocusEvent<HTMLElement>) {
      own.onFocus?.(event);
      if (event.currentTarget.matches(':focus-visible')) open(event.currentTarget, 0);
    },
    onBlur(event: FocusEvent<HTMLElement>) {
      own.onBlur?.(event);
      close(0);
    },
  });

  return (
    <>
      {control}
      {anchor && (
        <Bubble id={id} anchor={anchor} onStay={() => clearTimeout(timer.current)} onLeave={close}>
          {label}
        </Bubble>
      )}
    </>
  );
}

interface BubbleProps {
  id: string;
  anchor: HTMLElement;
  onStay: () => void;
  onLeave: (delay: number) => void;
  children: string;
}

function Bubble({ id, anchor, onStay, onLeave, children }: BubbleProps) {
  const bubble = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const element = bubble.current;
    if (!element) return;
    const over = anchor.getBoundingClientRect();
    const own = element.getBoundingClientRect();
    const above = over.top - own.height - gap;
    const centred = over.left + over.width / 2 - own.width / 2;
    const furthest = document.documentElement.clientWidth - own.width - edge;
    element.style.top = `${above >= edge ? above : over.bottom + gap}px`;
    element.style.left = `${Math.max(edge, Math.min(centred, furthest))}px`;
  }, [anchor]);

  useEffect(() => {
    function dismiss(event: Event) {
      if (event instanceof KeyboardEvent) {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
      }
      onLeave(0);
    }
    window.addEventListener('keydown', dismiss, true);
    window.addEventListener('scroll', dismiss, true);
    return () => {
      window.removeEventListener('keydown', dismiss, true);
      window.removeEventListener('scroll', dismiss, true);
    };
  }, [onLeave]);

  return createPortal(
    <div
      ref={bubble}
      id={id}
      role="tooltip"
      onPointerEnter={onStay}
      onPointerLeave={() => onLeave(80)}
      className="pointer-events-auto fixed top-0 left-0 z-50 w-max max-w-[min(20rem,calc(100vw-1rem))] animate-fade border border-line bg-ink-2 px-3 py-2 text-small text-bone wrap-anywhere"
    >
      {children}
    </div>,
    document.body,
  );
}
