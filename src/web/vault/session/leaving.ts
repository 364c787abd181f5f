// Leaving means every tab: what was opened must not stay readable in another one, nor come back by the back button.
import { uidsWaitingInMemory } from '../device/key-slot.ts';
import { noteLeftForGood } from '../device/left-for-good.ts';
import { sealAside } from './lock-away.ts';

const CHANNEL = 'latebra.leaving';

/**
 * The sentences with which a visit ends. The landing page has no script: it shows the one that its address names
 * (chambers/landing/endings.tsx). A provider's place has its own page.
 */
export type Ending =
  | 'signed-out'
  | 'signed-out-without-key'
  | 'vault-destroyed'
  // Those of a tab that follows another one.
  | `${'signed-out' | 'vault-destroyed'}-elsewhere`;

export const endingAt = (path: string, ending: Ending) => `${path}#${ending}`;

let channel: BroadcastChannel | null = null;

/** One for the page: what it says is heard by other tabs, and not by itself. */
export function tabs(): BroadcastChannel | null {
  if ('BroadcastChannel' in window) channel ??= new BroadcastChannel(CHANNEL);
  return channel;
}

/** How long a tab that follows may take to seal what its memory alone has, in milliseconds. */
const SEALING = 1000;

/**
 * Follows another tab: this page goes, and nothing else ends. The session has ended before it was told of, and a tab that slept
 * meanwhile would end the one that somebody has begun since. A key that waits in this page alone would go with it: it is sealed
 * first, if that can be done.
 */
async function follow(ending: Ending, uid: string | undefined): Promise<void> {
  if (uid && ending === 'vault-destroyed-elsewhere') noteLeftForGood(uid);
  if (ending === 'signed-out-elsewhere') {
    const sealed = Promise.allSettled(uidsWaitingInMemory().map((uid) => sealAside(uid, undefined, true)));
    await Promise.race([sealed, new Promise((resolve) => setTimeout(resolve, SEALING))]);
  }
  const { location } = window;
  location.assign(endingAt('/', ending));
  // There, what differs behind `#` alone loads nothing.
  if (location.pathname === '/') location.reload();
}

/**
 * Makes this tab follow when another one leaves, and forget itself when it is brought back from the page cache.
 * @param knownUid whose vault this tab shows
 */
export function watchLeaving(knownUid: () => string | undefined): void {
  tabs()?.addEventListener('message', ({ data }: MessageEvent<Ending>) => void follow(data, knownUid()));
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) window.location.reload();
  });
}
