// A list of which only the rows near the window stand in the page, so that ten thousand scroll like ten.
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useRowFocus } from './row-focus.ts';
import { Sigil } from './sigil.tsx';
import { Tooltip, TooltipProvider } from './tooltip.tsx';

interface VirtualRowsProps<T> {
  items: readonly T[];
  row: (item: T) => ReactNode;
  /** A first guess, in pixels; each row is measured once it stands. */
  rowHeight?: number;
}

export function VirtualRows<T extends { id: number }>({ items, row, rowHeight = 81 }: VirtualRowsProps<T>) {
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
