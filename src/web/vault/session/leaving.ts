// Leaving means every tab: what was opened must not stay readable in another one, nor come back by the back button.
import type { logout } from '../../../shared/nouns/user.ts';
import { forgetAccount, forgetKeptApp, uidsWaitingInMemory } from '../device/key-slot.ts';
import { sealAside } from './lock-away.ts';

const CHANNEL = 'latebra.leaving';
/** As the contract has it; the compiler sees to that. */
const LOGOUT: (typeof logout)['path'] = '/api/logout';

/**
 * The sentences with which a visit ends. The landing page has no script: it shows the one that its address names
 * (chambers/landing/endings.tsx). The server's redirect keeps what stands behind `#`; a provider's place has its own page.
 */
export type Ending =
  | 'signed-out'
  | 'signed-out-without-key'
  | 'signed-out-elsewhere'
  | 'vault-destroyed'
  | 'vault-destroyed-elsewhere';

export const endingAt = (path: string, ending: Ending) => `${path}#${ending}`;

let channel: BroadcastChannel | null = null;

/** One for the page: what it says is heard by other tabs, and not by itself. */
export function tabs(): BroadcastChannel | null {
  if ('BroadcastChannel' in window) channel ??= new BroadcastChannel(CHANNEL);
  return channel;
}

const leftForGood = new Set<string>();

/** Whether this page has left the vault of an account for good: what was on its way then must not be kept behind it. */
export const isLeftForGood = (uid: string): boolean => leftForGood.has(uid);

/** Leaves a vault that was destroyed: nothing of it stays in this browser. */
export async function leaveForGood(uid: string): Promise<void> {
  leftForGood.add(uid);
  forgetAccount(uid);
  await forgetKeptApp();
  tabs()?.postMessage('vault-destroyed-elsewhere' satisfies Ending);
  window.location.assign(endingAt('/', 'vault-destroyed'));
}

/** How long a tab that follows may take to seal what its memory alone has, in milliseconds. */
const SEALING = 1000;

/** Follows another tab. A key that waits in this one alone would go with the page: it is sealed first, if that can be done. */
async function follow(ending: Ending): Promise<void> {
  if (ending === 'signed-out-elsewhere') {
    const sealed = Promise.allSettled(uidsWaitingInMemory().map((uid) => sealAside(uid)));
    await Promise.race([sealed, new Promise((resolve) => setTimeout(resolve, SEALING))]);
  }
  window.location.assign(endingAt(LOGOUT, ending));
}

/** Makes this tab follow when another one leaves, and forget itself when it is brought back from the page cache. */
export function watchLeaving(): void {
  tabs()?.addEventListener('message', ({ data }: MessageEvent<Ending>) => void follow(data));
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) window.location.reload();
  });
}
