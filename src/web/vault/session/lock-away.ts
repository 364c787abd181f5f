// What every lock does to the key, and whether a vault may lock by itself.
import type { User } from '../../../shared/nouns/user.ts';
import { noteIdleLock, noteStayedOpen } from '../device/device.ts';
import { forgetNextInMemory, loadNextKeys, lockKey } from '../device/key-slot.ts';
import { hasWayBack, listsDiffer } from '../device/ways-back.ts';

/** Whether a vault that was left alone may lock. Where it may not, its owner is told so if they cannot know it already. */
export function mayLockByItself(user: User): boolean {
  noteStayedOpen(user.id, listsDiffer(user));
  return hasWayBack(user);
}

/** Keys that wait beside the one that leaves could not be sealed, and would be lost: nothing was taken out of this browser. */
export class KeysNotSealed extends Error {}

/**
 * Seals the keys that wait beside the present one, so that it can leave.
 * @param leaving as `sealWaitingKeys` has it
 * @param going as `sealWaitingKeys` has it
 * @throws KeysNotSealed
 */
export async function sealAside(
  uid: string,
  leaving?: { present: string | null; waiting: readonly string[] },
  going?: boolean,
): Promise<void> {
  if ((leaving?.waiting ?? loadNextKeys(uid)).length === 0) return;
  try {
    const { sealWaitingKeys } = await import('../device/waiting-keys.ts');
    await sealWaitingKeys(uid, leaving, going);
  } catch (cause) {
    throw new KeysNotSealed('keys that wait could not be sealed', { cause });
  }
}

/**
 * Another tab has locked: what this one had in memory of keys that wait is sealed as well, and stays there where it cannot be, as
 * where the key that it is sealed under has gone before.
 */
export async function followLock(
  uid: string,
  leaving: { present: string | null; waiting: readonly string[] },
): Promise<void> {
  if (leaving.present === null) return;
  const sealed = await sealAside(uid, leaving).then(
    () => true,
    () => false,
  );
  if (sealed) forgetNextInMemory(uid);
}

/**
 * Takes the key out of this browser, in every tab, and seals under it those that wait beside it.
 * @param idle after how many milliseconds without a touch it locks by itself; null where somebody locks it
 * @throws KeysNotSealed
 */
export async function lockAway(uid: string, idle: number | null): Promise<void> {
  await sealAside(uid);
  noteIdleLock(uid, idle);
  noteStayedOpen(uid, false);
  lockKey(uid);
}
