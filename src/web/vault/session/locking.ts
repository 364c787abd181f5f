// Locking: the key leaves this browser, and every text that was opened leaves every tab of it.
import type { User } from '../../../shared/nouns/user.ts';
import type { Services } from '../../api/services.tsx';
import { knownUser, refreshUser } from '../../hooks/use-user.ts';
import { toasts } from '../../ui/toast-store.ts';
import { type WhyStays, whyStays } from '../device/ways-back.ts';
import { KeysNotSealed, lockAway, mayLockByItself } from './lock-away.ts';

/** How long the server may take to say whether a way back still exists, in milliseconds. */
const PATIENCE = 5_000;

/** Why a vault was not locked: `not-sealed` for keys that wait beside its own, and would be lost. */
export type WhyOpen = WhyStays | 'not-sealed';

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
 * @returns why it stays open; null where it is closed
 */
export async function closeVault(
  services: Services,
  uid: string,
  idle: number | null,
): Promise<'not-sealed' | null> {
  try {
    await lockAway(uid, idle);
  } catch (error) {
    if (error instanceof KeysNotSealed) return 'not-sealed';
    throw error;
  }
  forgetOpened(services);
  void reopenVault(services);
  return null;
}

/** What the server says of the user by now. The last way back may have been removed on another device since the page came. */
async function userByNow(services: Services): Promise<User | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise((resolve) => {
    timer = setTimeout(resolve, PATIENCE);
  });
  await Promise.race([refreshUser(services), patience]);
  clearTimeout(timer);
  return knownUser(services);
}

/**
 * Locks the vault in every tab of this browser, because somebody wants it locked.
 * @param sure they have said that they have a recovery method, although none is known here
 * @returns why the key stays: it may be the only copy. Null where it is gone
 */
export async function lockVault(
  services: Services,
  user: User,
  { sure = false }: { sure?: boolean } = {},
): Promise<WhyOpen | null> {
  const now = await userByNow(services);
  // Signed out meanwhile, or as another account: this page is about to begin anew.
  if (now === null || now.id !== user.id) return null;
  const why = whyStays(now);
  if (why === 'only-copy' || (why === 'unproved' && !sure)) return why;
  return closeVault(services, user.id, null);
}

/**
 * Locks a vault that was left alone, unless no way back is known (`hasStayedOpen` says so then).
 * @param idle for how long, in milliseconds
 * @returns why it stays open all the same; null for nothing else
 */
export async function lockIdleVault(
  services: Services,
  user: User,
  idle: number,
): Promise<'not-sealed' | null> {
  const now = await userByNow(services);
  if (now === null || now.id !== user.id || !mayLockByItself(now)) return null;
  return closeVault(services, user.id, idle);
}
