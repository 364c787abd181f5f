// What every lock does to the key, and whether a vault may lock by itself.
import type { User } from '../../../shared/nouns/user.ts';
import { noteIdleLock, noteStayedOpen } from '../device/device.ts';
import { loadNextKeys, lockKey } from '../device/key-slot.ts';
import { hasWayBack, listsDiffer } from '../device/ways-back.ts';

/** Whether a vault that was left alone may lock. Where it may not, its owner is told so if they cannot know it already. */
export function mayLockByItself(user: User): boolean {
  noteStayedOpen(user.id, listsDiffer(user));
  return hasWayBack(user);
}

/**
 * Takes the key out of this browser, in every tab, and seals under it those that wait beside it.
 * @param idle after how many milliseconds without a touch it locks by itself; null where somebody locks it
 */
export async function lockAway(uid: string, idle: number | null): Promise<void> {
  if (loadNextKeys(uid).length > 0) {
    const { sealWaitingKeys } = await import('../device/waiting-keys.ts');
    await sealWaitingKeys(uid);
  }
  noteIdleLock(uid, idle);
  noteStayedOpen(uid, false);
  lockKey(uid);
}
