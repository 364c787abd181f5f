// Locking: the key leaves this browser, and every text that was opened leaves every tab of it.
import { countRecoveryMethods } from '../../../shared/nouns/recovery-methods.ts';
import type { User } from '../../../shared/nouns/user.ts';
import type { Services } from '../../api/services.tsx';
import { knownUser, refreshUser } from '../../hooks/use-user.ts';
import { toasts } from '../../ui/toast-store.ts';
import { noteIdleLock } from '../device/device.ts';
import { lockKey } from '../device/key-slot.ts';

/** How long the server may take to say whether a way back still exists, in milliseconds. */
const PATIENCE = 5_000;

/** Looks into the key slot again: after unlocking, locking, or a change in another tab. */
export function reopenVault({ queryClient }: Services): Promise<void> {
  return queryClient.resetQueries({ queryKey: ['vault'] });
}

/** Forgets everything that was opened in this tab. */
export function forgetOpened(services: Services): void {
  services.queryClient.removeQueries({ queryKey: ['opened'] });
  toasts.dismiss();
}

/**
 * Forgets key and texts in this browser, whatever that means for the vault.
 * @param idle after how many milliseconds without a touch it locks by itself; null where somebody locks it
 */
export function closeVault(services: Services, uid: string, idle: number | null): void {
  noteIdleLock(uid, idle);
  lockKey(uid);
  forgetOpened(services);
  void reopenVault(services);
}

/**
 * Locks the vault in every tab of this browser.
 * @param idle as of `closeVault`
 * @returns false when there is no way back to the key: this browser's copy is the only one, and it stays
 */
export async function lockVault(
  services: Services,
  user: User,
  idle: number | null = null,
): Promise<boolean> {
  // The last way back may have been removed on another device since this page was loaded.
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise((resolve) => {
    timer = setTimeout(resolve, PATIENCE);
  });
  await Promise.race([refreshUser(services), patience]);
  clearTimeout(timer);
  const now = knownUser(services);
  // Signed out meanwhile, or as another account: this page is about to begin anew.
  if (now === null || now.id !== user.id) return true;
  if (countRecoveryMethods(now) === 0) return false;
  closeVault(services, user.id, idle);
  return true;
}
