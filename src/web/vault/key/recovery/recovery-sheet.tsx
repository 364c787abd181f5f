// The recovery sheet: the twenty-four words on one page of paper, with what its finder has to know. It is made in this
// browser for the printer alone: never sent, never kept, and gone from the page with the dialog that shows the words.
import { useQuery } from '@tanstack/react-query';
import { createPortal } from 'react-dom';
import type { BookState } from '../../../../vault/book/book-state.ts';
import { Button } from '../../../ui/button.tsx';
import { usePinWords } from '../../book/use-pin-words.ts';
import { bookKey } from '../../session/book-key.ts';
import { useVault } from '../../session/vault-context.ts';
import { PrintedRecoverySheet, type RecoverySheetProps } from './printed-recovery-sheet.tsx';

/** Offers to print the sheet. */
export function RecoverySheet(props: RecoverySheetProps) {
  return (
    <div className="grid justify-items-start gap-2">
      <Button size="small" onClick={() => window.print()}>
        Print a recovery sheet
      </Button>
      <p className="text-small text-shade">
        One page with the words and what to do with them. It is made in this browser and goes to the printer
        alone. Do not save it as a file, and use no printer that others share: it may keep a copy.
      </p>
      {createPortal(
        <PrintedRecoverySheet {...props}>
          <BookPlace />
        </PrintedRecoverySheet>,
        document.body,
      )}
    </div>
  );
}

/** How far the vault's book had come when the sheet was printed, as far as this page has read it. */
function BookPlace() {
  const { data: state } = useQuery<BookState>({ queryKey: bookKey(useVault()), enabled: false });
  const words = usePinWords(state && state.head.n > 0 ? state.head : null);
  if (!state || !words) return null;
  return (
    <>
      <dt>The Book</dt>
      <dd>
        Change {state.head.n.toLocaleString('en-GB')}: <span className="font-machine">{words.join(' ')}</span>
        . If the page “The Book” has other words for this change, or ends before it, the server hides
        something.
      </dd>
    </>
  );
}
