// Leaving means every tab: what was opened must not stay readable in another one, nor come back by the back button.
import type { logout } from '../../../shared/nouns/user.ts';
import { forgetAccount, forgetKey, forgetLists, isDeviceLocked } from '../device/key-slot.ts';
import { sealAside } from './lock-away.ts';

const CHANNEL = 'latebra.leaving';
/** As the contract has it; the compiler sees to that. */
const LOGOUT: (typeof logout)['path'] = '/api/logout';

/**
 * The sentences with which a visit ends. The landing page has no script: it shows the one that its address names
 * (chambers/landing/endings.tsx). The server's redirect keeps what stands behind `#`.
 */
export type Ending =
  | 'signed-out'
  | 'signed-out-without-key'
  | 'signed-out-elsewhere'
  | 'vault-destroyed'
  | 'vault-destroyed-elsewhere';

const endingAt = (path: string, ending: Ending) => `${path}#${ending}`;

let channel: BroadcastChannel | null = null;

/** One for the page: what it says is heard by other tabs, and not by itself. */
function tabs(): BroadcastChannel | null {
  if ('BroadcastChannel' in window) channel ??= new BroadcastChannel(CHANNEL);
  return channel;
}

/**
 * Ends the session, here and in every other tab.
 * @param uid the account; null where it is not known
 * @param takesKey whether its key leaves this browser
 * @throws KeysNotSealed where a key that waits would be lost; nothing has ended then
 */
export async function leave(uid: string | null, takesKey: boolean): Promise<void> {
  // What memory alone has is gone with the page, whether it is to leave or not.
  if (uid && (takesKey || isDeviceLocked(uid))) await sealAside(uid);
  if (uid && takesKey) {
    forgetKey(uid);
    forgetLists();
  }
  tabs()?.postMessage('signed-out-elsewhere' satisfies Ending);
  window.location.assign(endingAt(LOGOUT, takesKey ? 'signed-out-without-key' : 'signed-out'));
}

const leftForGood = new Set<string>();

/** Whether this page has left the vault of an account for good: what was on its way then must not be kept behind it. */
export const isLeftForGood = (uid: string): boolean => leftForGood.has(uid);

/** Leaves a vault that was destroyed: nothing of it stays in this browser. */
export function leaveForGood(uid: string): void {
  leftForGood.add(uid);
  forgetAccount(uid);
  tabs()?.postMessage('vault-destroyed-elsewhere' satisfies Ending);
  window.location.assign(endingAt('/', 'vault-destroyed'));
}

/** Makes this tab follow when another one leaves, and forget itself when it is brought back from the page cache. */
export function watchLeaving(): void {
  tabs()?.addEventListener('message', ({ data }: MessageEvent<Ending>) =>
    window.location.assign(endingAt(LOGOUT, data)),
  );
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) window.location.reload();
  });
}
