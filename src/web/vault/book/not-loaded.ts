// What keeps a vault's book is a part of the app, which the server hands out: one that keeps that part back keeps the book back.
// Nothing here may be loaded later, because that could be kept back as well.
import { SECOND } from '../../../shared/time.ts';
import { currentUser } from '../../../vault/api/first-calls.ts';
import type { BookState } from '../../../vault/book/book-state.ts';
import { bookKey } from '../session/book-key.ts';
import type { OpenVault } from '../session/vault-context.ts';

/** For how long the server may be without an answer, in milliseconds. */
const ANSWERED_WITHIN = 20 * SECOND;

const NOTHING_READ: BookState = {
  head: { n: 0, hash: '' },
  chain: null,
  rows: [],
  isNew: false,
  isCutOff: false,
  acceptances: [],
  readAt: null,
  isWithheld: true,
  isSignedOut: false,
  isInDoubt: true,
  unwritten: 0,
};

/** Says on every page that nothing could be compared, unless nothing answers at all. The next look takes it back. */
export async function noteNotLoaded(
  vault: Pick<OpenVault, 'api' | 'queryClient' | 'isOffline' | 'user' | 'fingerprint'>,
): Promise<void> {
  if (vault.isOffline()) return;
  const asked = { signal: AbortSignal.timeout(ANSWERED_WITHIN) };
  const answer = await vault.api.send(currentUser, asked).catch((error: unknown) => error);
  if (answer instanceof TypeError) return;
  vault.queryClient.setQueryData<BookState>(bookKey(vault), (state = NOTHING_READ) => ({
    ...state,
    isWithheld: true,
    isInDoubt: true,
  }));
}
