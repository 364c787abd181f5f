// Keeping an opened key, and saying so when this browser would not store it.
import { toast } from '../../ui/toaster.tsx';
import { noteUse } from './device.ts';
import { isDeviceLocked, keepKey } from './key-slot.ts';

/** As `keepKey`; a key that could only be kept in memory is announced, because a reload will ask for it again. */
export function rememberKey(uid: string, hex: string): void {
  // Somebody has just brought it: the vault has not been idle.
  noteUse(uid, Date.now());
  if (keepKey(uid, hex)) {
    if (!isDeviceLocked(uid)) void keepStorage();
    return;
  }
  toast({
    title: 'This browser keeps nothing',
    description:
      'It stores no data for this site, so your key leaves when this page does. Keep your recovery methods at hand.',
    tone: 'info',
  });
}

/** Asks the browser not to clear what this site keeps when it needs room. Whatever it says, nothing else changes. */
async function keepStorage(): Promise<void> {
  try {
    if (!(await navigator.storage.persisted())) await navigator.storage.persist();
  } catch {
    // Not every browser can, and not every origin may.
  }
}
