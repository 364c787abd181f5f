// A row that goes takes the focus with it when one of its buttons had it. It belongs to the row that takes its place then,
// or to the heading where none does.
import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react';

interface Held {
  element: Element;
  id: number;
  /** Which row of the list it is. */
  index: number;
}

/** Of controls whose row has gone: those in their place. */
const successors = new WeakMap<Element, Element>();

/** The element itself while it stands in the page, else the one that has taken its place; null where none has. */
export function inPlaceOf(element: Element | null): Element | null {
  let standing = element;
  while (standing && !standing.isConnected) standing = successors.get(standing) ?? null;
  return standing;
}

const isInLayer = (element: Element | null | undefined) => element?.closest('[data-veil]') != null;

/**
 * @param list whose rows are `li` elements with the attribute `data-index`
 * @returns what the list hears
 */
export function useRowFocus(list: RefObject<HTMLElement | null>, items: readonly { id: number }[]) {
  const held = useRef<Held | null>(null);

  useLayoutEffect(() => {
    const was = held.current;
    if (!was || items.some(({ id }) => id === was.id)) return;
    held.current = null;
    const next = Math.min(was.index, items.length - 1);
    // What a row offers first does no harm.
    const control = list.current?.querySelector<HTMLElement>(`li[data-index="${next}"] :is(a[href], button)`);
    if (!control) return;
    const focused = document.activeElement;
    // The layer that has asked about the row looks for it when it closes.
    if (isInLayer(focused)) successors.set(was.element, control);
    else if (!focused || focused === document.body) control.focus();
  }, [items, list]);

  useLayoutEffect(() => {
    const element = list.current;
    return () => {
      if (!element?.contains(document.activeElement)) return;
      document.querySelector<HTMLElement>('main h1[tabindex]')?.focus({ preventScroll: true });
    };
  }, [list]);

  return {
    onFocus({ target }: FocusEvent) {
      const row = target.closest<HTMLElement>('li[data-index]');
      const index = Number(row?.dataset.index);
      const item = items[index];
      held.current = item ? { element: target, id: item.id, index } : null;
    },
    onBlur({ relatedTarget }: FocusEvent) {
      // A window that is left keeps its focus, and a layer gives it back.
      if (relatedTarget instanceof Element ? !isInLayer(relatedTarget) : document.hasFocus())
        held.current = null;
    },
  };
}
