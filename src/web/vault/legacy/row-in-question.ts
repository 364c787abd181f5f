// Whether the row of a letter may not say who else keeps it.
import type { BookState } from '../../../vault/book/book-state.ts';
import type { OpenedScroll } from '../../../vault/legacy/scroll-list.ts';
import { bookKey } from '../session/book-key.ts';
import type { OpenVault } from '../session/vault-context.ts';

const bookOf = (vault: OpenVault) => vault.queryClient.getQueryData<BookState>(bookKey(vault));
/** What no book has is no reproach: programs without one write such rows. */
const wrongIn = ({ rows }: Pick<BookState, 'rows'>) => rows.filter(({ what }) => what !== 'unknown');

/**
 * Whether its key does not open here, or the vault's book has something else of it: what its row says of sisters may then be left out or
 * be from before, and a device that remembers none knows of none.
 */
export function isRowInQuestion(vault: OpenVault, scroll: OpenedScroll): boolean {
  if ((scroll.asSealed ?? scroll).scrollKey === null) return true;
  const book = bookOf(vault);
  return book !== undefined && wrongIn(book).some(({ sealId }) => sealId === scroll.sealId);
}

/** Whether the vault's book has a letter that is not shown, or could not be compared. */
export function mayLackLetters(vault: OpenVault): boolean {
  const book = bookOf(vault);
  if (!book || book.chain !== null || book.isWithheld) return true;
  return wrongIn(book).some(({ kind }) => kind === 'legacy-scroll');
}

/** What is to be known before a letter is given up that is in question. */
export const MAY_BE_KEPT =
  'This server does not show it as you have sealed it, or its key does not open here: sisters that may keep it cannot be told from here, and send it once nothing is heard of you.';
