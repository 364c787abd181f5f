// Rows that are shown otherwise than they were written: which, since when, what may be behind it, and the way on.
import { useState } from 'react';
import { counted } from '../../../shared/counted.ts';
import type { RowFound } from '../../../vault/book/book-state.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';
import { rowFindingWords } from '../../vault/book/finding-words.ts';
import type { RowPast } from '../../vault/book/past.ts';
import { useVault } from '../../vault/session/vault-context.ts';
import { AcceptDialog } from './accept-dialog.tsx';
import { type Book, openedNames } from './use-book.ts';

type Wrong = Exclude<RowFound['what'], 'unknown'>;

interface GroupWords {
  what: Wrong;
  title: string;
  /** What the server may have done, and what is harmless. */
  says: string;
  /** What accepting means. */
  accepting: string;
}

const GROUPS: readonly GroupWords[] = [
  {
    what: 'missing',
    title: 'Missing',
    says: 'Your book has it, and the server does not show it. The server may have left it out or lost it. It is harmless if you deleted it with a program that writes no book.',
    accepting:
      'The book then says that it was removed. If the server shows it again later, that is a finding.',
  },
  {
    what: 'changed',
    title: 'Changed',
    says: 'The server shows it otherwise than it was written last. It may have put an older version in its place, or altered it. It is harmless if you changed it with a program that writes no book.',
    accepting:
      'The book then has it as the server shows it now. Read it first: the older text is not brought back by this.',
  },
  {
    what: 'returned',
    title: 'Shown again after it was deleted',
    says: 'Your book says that it is gone. The server may have kept a copy and brought it back. It is harmless if you restored it with a program that writes no book.',
    accepting: 'The book then has it again, as the server shows it now.',
  },
];

/** How many of a group are shown before somebody asks for all. */
const SHOWN_AT_FIRST = 20;

interface RowsFoundProps {
  book: Book;
  found: readonly RowFound[];
  pasts: ReadonlyMap<string, RowPast>;
}

export function RowsFound({ book, found, pasts }: RowsFoundProps) {
  const [asked, setAsked] = useState<{ rows: readonly RowFound[]; group: GroupWords } | null>(null);
  return (
    <>
      {GROUPS.map((group) => {
        const rows = found.filter(({ what }) => what === group.what);
        return (
          rows.length > 0 && (
            <Group
              key={group.what}
              group={group}
              rows={rows}
              pasts={pasts}
              onAccept={(rows) => setAsked({ rows, group })}
            />
          )
        );
      })}
      {asked && (
        <AcceptDialog
          title={`Accept ${counted(asked.rows.length, 'finding', 'findings')}?`}
          description={`Accept only what you did yourself, for example with a program that writes no book. ${asked.group.accepting} All your devices believe it from then on.`}
          accept={() => book.adopt(asked.rows)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

interface GroupProps {
  group: GroupWords;
  rows: readonly RowFound[];
  pasts: ReadonlyMap<string, RowPast>;
  onAccept: (rows: readonly RowFound[]) => void;
}

function Group({ group, rows, pasts, onAccept }: GroupProps) {
  const names = openedNames(useVault());
  const [all, setAll] = useState(false);
  const shown = all ? rows : rows.slice(0, SHOWN_AT_FIRST);
  return (
    <Section title={group.title} says={group.says}>
      <ul className="border-t border-line" aria-label={group.title}>
        {shown.map((row) => {
          const past = pasts.get(row.sealId);
          const origin = (row.what === 'returned' ? past?.removed : past?.written) ?? null;
          const words = rowFindingWords(row, origin, names.get(row.sealId));
          return (
            <li
              key={row.sealId}
              className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 border-b border-line/60 py-4"
            >
              <p className="min-w-0 flex-1 basis-80 border-l border-blood/55 pl-4 wrap-anywhere">{words}</p>
              <Button tone="caps" onClick={() => onAccept([row])}>
                It was me: accept<span className="sr-only">. {words}</span>
              </Button>
            </li>
          );
        })}
      </ul>
      {rows.length > 1 && (
        <div className="flex flex-wrap gap-4">
          {rows.length > shown.length && <Button onClick={() => setAll(true)}>Show all {rows.length}</Button>}
          <Button onClick={() => onAccept(rows)}>It was me: accept all {rows.length}</Button>
        </div>
      )}
    </Section>
  );
}
