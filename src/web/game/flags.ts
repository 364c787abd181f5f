// What this browser remembers of the puzzle: two flags, kept for whoever sits before it, whichever account is open. They
// open no secret; the server asks for the phrase again.
import { useSyncExternalStore } from 'react';

export const FLAGS = {
  phase2Decoded: 'latebra.phase-2-decoded',
  shadowAccessed: 'latebra.shadow-accessed',
} as const;
export type Flag = keyof typeof FLAGS;

const SET = 'true';
const listeners = new Set<() => void>();
/** Set since the page was opened: a browser that stores nothing still lets its visitor go on. */
const inMemory = new Set<Flag>();

export function hasFlag(flag: Flag): boolean {
  if (inMemory.has(flag)) return true;
  try {
    return localStorage.getItem(FLAGS[flag]) === SET;
  } catch {
    return false;
  }
}

export function setFlag(flag: Flag): void {
  try {
    localStorage.setItem(FLAGS[flag], SET);
  } catch {
    inMemory.add(flag);
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** Whether a flag is set, also when it is set later, here or in another tab. */
export const useFlag = (flag: Flag): boolean => useSyncExternalStore(subscribe, () => hasFlag(flag));
