// How many entries wait on this device for their server (waiting-store.ts), as it is known without opening their store.
import { readSlot, writeSlot } from './account-slot.ts';

const WAITING = 'latebra.waiting';
const listeners = new Set<() => void>();

/** At least one wherever one waits. */
export const countWaiting = (uid: string): number => Number(readSlot(WAITING, uid) ?? 0);

/** Notes how many wait, and tells every tab. */
export function noteWaiting(uid: string, count: number): void {
  writeSlot(WAITING, uid, count === 0 ? null : String(count));
  for (const changed of listeners) changed();
}

/** Calls back when an entry waits, or does so no more, in this tab or another. @returns ends it */
export function watchWaiting(uid: string, changed: () => void): () => void {
  const hear = ({ key }: StorageEvent) => {
    if (key === null || key === `${WAITING}:${uid}`) changed();
  };
  listeners.add(changed);
  window.addEventListener('storage', hear);
  return () => {
    listeners.delete(changed);
    window.removeEventListener('storage', hear);
  };
}
