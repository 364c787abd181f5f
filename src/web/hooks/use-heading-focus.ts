// Rooms that change under a press: what was pressed is gone then, and the focus belongs to what stands there instead.
import { type RefObject, useEffect, useRef } from 'react';

/**
 * @param room what the room is called; null before anything was shown, after which the focus stays where it is
 * @returns for the element that holds the room's heading
 */
export function useHeadingFocus(room: string | null): RefObject<HTMLDivElement | null> {
  const holder = useRef<HTMLDivElement>(null);
  const before = useRef(room);
  useEffect(() => {
    const left = before.current;
    before.current = room;
    if (left === null || left === room) return;
    const heading = holder.current?.querySelector<HTMLElement>('h1, h2');
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus();
  }, [room]);
  return holder;
}
