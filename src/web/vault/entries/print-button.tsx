// Offers to print entries of a list. What makes the book is loaded with the first press.
import { useState } from 'react';
import type { EntryKind, EntryType } from '../../../vault/kinds/entry-kind.ts';
import { Button } from '../../ui/button.tsx';
import { later } from '../../ui/later.tsx';

const PrintDialog = later(() => import('./print-entries.tsx'));

interface PrintButtonProps<N extends EntryType> {
  kind: EntryKind<N>;
  /** What the book is called. */
  title: string;
  shown: readonly N['entry'][];
  all?: readonly N['entry'][];
}

/** @param props `all` is what there is besides; what is shown alone where it is left out */
export function PrintButton<N extends EntryType>({ kind, title, shown, all = shown }: PrintButtonProps<N>) {
  const [isOpen, setOpen] = useState(false);
  const dialog = { kind: kind as unknown as EntryKind<EntryType>, title, shown, all };
  return (
    <>
      <Button tone="caps" onClick={() => setOpen(true)}>
        Print
      </Button>
      {isOpen && <PrintDialog {...dialog} onClose={() => setOpen(false)} />}
    </>
  );
}
