// A list of which only the rows near the window stand in the page, so that ten thousand scroll like ten.
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useRowFocus } from './row-focus.ts';
import { Sigil } from './sigil.tsx';
import { Tooltip, TooltipProvider } from './tooltip.tsx';

/** After so many frames a row that is gone to has the focus, or never gets it. */
const FRAMES_TO_SETTLE = 20;

interface VirtualRowsProps<T> {
  items: readonly T[];
  row: (item: T) => ReactNode;
  /** The row that is shown and gets the focus, whenever this is another object; null for none. */
  goTo?: { id: number } | null;
  /** A first guess, in pixels; each row is measured once it stands. */
  rowHeight?: number;
}

export function VirtualRows<T extends { id: number }>({
  items,
  row,
  goTo = null,
  rowHeight = 81,
}: VirtualRowsProps<T>) {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  const focus = useRowFocus(list, items);
  useLayoutEffect(() => {
    setTop(list.current?.offsetTop ?? 0);
  }, []);
  const rows = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollMargin: top,
    getItemKey: (index) => items[index]?.id ?? index,
  });
  const isAt = useRef(goTo);
  useEffect(() => {
    if (!goTo || goTo === isAt.current) return;
    const index = items.findIndex(({ id }) => id === goTo.id);
    if (index < 0) return;
    isAt.current = goTo;
    rows.scrollToIndex(index, { align: 'start' });
    let frame = 0;
    // The row stands in the page once the window has been scrolled to it, and a dialog that led here gives the focus back to
    // its button first.
    const settle = (left: number, wasFocused: boolean) => {
      frame = requestAnimationFrame(() => {
        const control = list.current?.querySelector<HTMLElement>(
          `li[data-index="${index}"] :is(a[href], button)`,
        );
        const isFocused = control != null && document.activeElement === control;
        if (!isFocused) control?.focus({ preventScroll: true });
        if (left > 0 && !(isFocused && wasFocused)) settle(left - 1, isFocused);
      });
    };
    settle(FRAMES_TO_SETTLE, false);
    return () => cancelAnimationFrame(frame);
  }, [goTo, items, rows]);
  return (
    <TooltipProvider>
      <ul ref={list} className="relative" style={{ height: rows.getTotalSize() }} {...focus}>
        {rows.getVirtualItems().map(({ key, index, start }) => {
          const item = items[index];
          if (!item) return null;
          return (
            <li
              key={key}
              ref={rows.measureElement}
              data-index={index}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0 border-b border-line/60"
              style={{ transform: `translateY(${start - top}px)` }}
            >
              {row(item)}
            </li>
          );
        })}
      </ul>
    </TooltipProvider>
  );
}

/** The quiet button at the end of a row that deletes what stands in it. Within a `TooltipProvider`. */
export function DeleteButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Tooltip label="Delete">
      <button
        type="button"
        aria-label={label}
        onClick={onClick}
        className="grid size-11 shrink-0 cursor-pointer place-items-center text-shade opacity-60 transition hover:text-blood hover:opacity-100 focus-visible:opacity-100"
      >
        <Sigil name="bin" className="size-6" />
      </button>
    </Tooltip>
  );
}
