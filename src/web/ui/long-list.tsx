// A list of which only the rows near the window stand in the page, so that ten thousand scroll like ten.
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';

interface LongListProps<T> {
  items: readonly T[];
  keyOf: (item: T) => number | string;
  /** About how high a row is, in pixels, before it is measured. */
  rowHeight: number;
  children: (item: T) => ReactNode;
}

/** Rows divided by hairlines, scrolled by the window. */
export function LongList<T>({ items, keyOf, rowHeight, children }: LongListProps<T>) {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    setTop(list.current?.offsetTop ?? 0);
  }, []);
  const rows = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollMargin: top,
    getItemKey: (index) => {
      const item = items[index];
      return item === undefined ? index : keyOf(item);
    },
  });
  return (
    <ul ref={list} className="relative" style={{ height: rows.getTotalSize() }}>
      {rows.getVirtualItems().map(({ key, index, start }) => {
        const item = items[index];
        if (item === undefined) return null;
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
            {children(item)}
          </li>
        );
      })}
    </ul>
  );
}
