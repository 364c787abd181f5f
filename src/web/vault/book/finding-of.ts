// What a copy of the vault has to say of itself, whatever it is written on.
import type { OpenVault } from '../session/vault-context.ts';
import { bookOfVault } from './book-of-vault.ts';
import { gapWords, noticeWords } from './finding-words.ts';

/** That the server shows something else than was written, in a sentence; null for nothing. */
export function findingOf(vault: OpenVault): string | null {
  const state = bookOfVault(vault).state();
  return noticeWords(state) ?? gapWords(state);
}
