// Keys of one letter or sign. They never fire while somebody writes, with modifiers, or behind a dialog, and they can be
// switched off: speech input presses letters nobody meant (WCAG 2.1.4).
import { createContext, useContext, useEffect, useEffectEvent } from 'react';

/** Whether they are on. Who keeps that stands above the kit. */
export const LetterKeys = createContext(true);

const WRITING = 'input, textarea, select, [contenteditable=""], [contenteditable="true"], [role="textbox"]';

/** Whether a dialog stands over the page. */
export const isCovered = (): boolean =>
  document.querySelector('[data-veil], [role="dialog"], [role="alertdialog"]') !== null;

/** The letter that was pressed to mean a command, or null. */
export function letterOf(event: KeyboardEvent): string | null {
  const { key, target } = event;
  // Shift stays out of it: on many keyboards a "?" or a "/" needs it.
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return null;
  if (event.defaultPrevented || key.length !== 1) return null;
  if (target instanceof Element && target.closest(WRITING)) return null;
  return isCovered() ? null : key;
}

/** Acts when a letter is pressed that `act` knows; it answers whether it did. */
export function useLetterKeys(act: (letter: string) => boolean): void {
  const on = useContext(LetterKeys);
  const hear = useEffectEvent((event: KeyboardEvent) => {
    const letter = letterOf(event);
    if (letter !== null && act(letter)) event.preventDefault();
  });
  useEffect(() => {
    if (!on) return;
    window.addEventListener('keydown', hear);
    return () => window.removeEventListener('keydown', hear);
  }, [on]);
}

/** The `aria-keyshortcuts` of a control that a letter presses, while letters are keys. */
export function useLetterHint(letter: string): { 'aria-keyshortcuts'?: string } {
  return useContext(LetterKeys) ? { 'aria-keyshortcuts': letter } : {};
}
