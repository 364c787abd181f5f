// Looks at the vault's book once the vault stands open and the page has come to rest, and again when somebody comes back to
// it after a while. Nobody waits for it, and without a connection it says nothing.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { MINUTE } from '../../../shared/time.ts';
import type { BookState } from '../../../vault/book/book-state.ts';
import { whenAtRest } from '../../hooks/when-at-rest.ts';
import { bookKey } from '../session/book-key.ts';
import { useVault } from '../session/vault-context.ts';

/** How old the last look is at least when the page is shown again and looks anew, in milliseconds. */
const AGAIN_AFTER = 5 * MINUTE;
/** How often a server that keeps the book back is asked again, in milliseconds. */
const ASKED_EVERY = MINUTE;

export function BookWatch() {
  const vault = useVault();
  const queryClient = useQueryClient();
  const isOpen = useEffectEvent(() => {
    const state = queryClient.getQueryData<BookState>(bookKey(vault));
    return state?.isWithheld || state?.unwritten;
  });
  const look = useEffectEvent(async () => (await vault.loadBook()).look());

  useEffect(() => {
    let lookedAt = Date.now();
    const lookNow = () => {
      lookedAt = Date.now();
      look().catch(() => {
        // The next time that somebody comes back will do.
        lookedAt = Number.NEGATIVE_INFINITY;
      });
    };
    const lookAgain = () => {
      if (!document.hidden && Date.now() - lookedAt >= AGAIN_AFTER) lookNow();
    };
    const callOff = whenAtRest(queryClient, lookNow);
    document.addEventListener('visibilitychange', lookAgain);
    const timer = setInterval(() => isOpen() && lookNow(), ASKED_EVERY);
    return () => {
      callOff();
      document.removeEventListener('visibilitychange', lookAgain);
      clearInterval(timer);
    };
  }, [queryClient]);
  return null;
}
