// What is said of an empty list while something may be missing from it.
import type { BookState } from '../../../vault/book/book-state.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { nothingShownWords } from './finding-words.ts';

/** @param book null where no server answers, and what is shown is as this device keeps it */
export default function NothingShown({ book }: { book: BookState | null }) {
  return (
    <div className="grid justify-items-center gap-4 py-8 text-center text-dust">
      <p className="max-w-gate text-balance">{nothingShownWords(book)}</p>
      {book && (
        <ButtonLink to="/book" tone="caps">
          See the book
        </ButtonLink>
      )}
    </div>
  );
}
