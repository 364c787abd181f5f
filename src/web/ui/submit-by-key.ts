// Ctrl+Enter, or Command+Enter, sends a form from wherever somebody writes in it, as a plain Enter in a text of several
// lines cannot.
import type { KeyboardEvent } from 'react';

/** The same as pressing its button: one that cannot be pressed does nothing. For `onKeyDown` of a form. */
export function submitByKey(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
  if (event.defaultPrevented || event.repeat || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.querySelector<HTMLButtonElement>('button[type="submit"]')?.click();
}

/** For `aria-keyshortcuts` of the button that sends the form. */
export const SUBMIT_KEYS = 'Control+Enter Meta+Enter';
