// What appears in a form because its button was pressed may stand far from that button, or half beneath it.

/**
 * A ref of what has just appeared: brings it into sight, and moves nothing where it is in sight already. A toast that comes a
 * moment later finds it by its mark, and keeps it there (toast-room.ts).
 */
export function intoView(element: HTMLElement | null): void {
  if (!element) return;
  element.dataset.said = '';
  element.scrollIntoView({ block: 'nearest' });
}

/** The same in a dialog alone, whose buttons lie over its foot: a page is not moved under its reader. */
export const intoViewOfDialog = (element: HTMLElement | null): void => {
  if (element?.closest('[data-veil]')) intoView(element);
};
