// Leaving means every tab: what was opened must not stay readable in another one, nor come back by the back button.
import { logout } from '../../../shared/nouns/user.ts';
import { forgetAccount, forgetKey } from '../key/key-slot.ts';

const CHANNEL = 'latebra.leaving';

function channel(): BroadcastChannel | null {
  return 'BroadcastChannel' in window ? new BroadcastChannel(CHANNEL) : null;
}

/** Ends the session, here and in every other tab. @param takeKeyOf the account whose key leaves this browser, if any */
export function leave(takeKeyOf: string | null): void {
  if (takeKeyOf) forgetKey(takeKeyOf);
  channel()?.postMessage('left');
  window.location.assign(logout.path);
}

/** Leaves a vault that was destroyed: nothing of it stays in this browser. */
export function leaveForGood(uid: string): void {
  forgetAccount(uid);
  channel()?.postMessage('left');
  window.location.assign('/');
}

/** Makes this tab follow when another one leaves, and forget itself when it is brought back from the page cache. */
export function watchLeaving(): void {
  channel()?.addEventListener('message', () => window.location.assign(logout.path));
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) window.location.reload();
  });
}
