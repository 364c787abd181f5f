// What the server shows and no entry names: no reproach, because programs, webhooks and the server itself make such rows.
import { useState } from 'react';
import { counted } from '../../../shared/counted.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import type { RowFound } from '../../../vault/book/book-state.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Section } from '../../ui/section.tsx';
import { countedKind } from '../../vault/book/finding-words.ts';
import { useVault } from '../../vault/session/vault-context.ts';
import { type Book, openedNames, ShownOtherwise } from './use-book.ts';

/** How many names are said of a kind. */
const NAMED = 5;

export const SHOWN_OTHERWISE =
  'The server shows something else by now. Check everything again, and look at what is found then.';

export function NotInBook({ book, rows }: { book: Book; rows: readonly RowFound[] }) {
  const names = openedNames(useVault());
  const [busy, setBusy] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const byKind = [...new Set(rows.map(({ kind }) => kind))].map(
    (kind) => [kind, rows.filter((row) => row.kind === kind)] as const,
  );

  async function take(taken: readonly RowFound[], which: string) {
    setBusy(which);
    setProblem(null);
    try {
      await book.adopt(taken);
    } catch (error) {
      setProblem(error instanceof ShownOtherwise ? SHOWN_OTHERWISE : sentenceOf(error));
    } finally {
      setBusy(null);
    }
  }

  return (
    <Section
      title="Not yet in your book"
      says="Webhooks, programs without a book and this server’s own stories make such entries. So does a change whose entry could not be written. The server could have put one there too: take in only what you know."
    >
      <Problem>{problem}</Problem>
      <ul className="border-t border-line" aria-label="Not yet in your book">
        {byKind.map(([kind, some]) => (
          <li
            key={kind}
            className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 border-b border-line/60 py-4"
          >
            <div className="min-w-0">
              <p>{countedKind(some.length, kind)}</p>
              <p className="text-note text-shade wrap-anywhere">{named(some, names)}</p>
            </div>
            <Button
              tone="caps"
              busy={busy === kind}
              disabled={busy !== null && busy !== kind}
              onClick={() => void take(some, kind)}
            >
              Take in<span className="sr-only"> {countedKind(some.length, kind)}</span>
            </Button>
          </li>
        ))}
      </ul>
      {byKind.length > 1 && (
        <div>
          <Button
            busy={busy === ''}
            disabled={busy !== null && busy !== ''}
            onClick={() => void take(rows, '')}
          >
            Take all in
          </Button>
        </div>
      )}
    </Section>
  );
}

/** Some of the names, as far as their lists stand open here. */
function named(rows: readonly RowFound[], names: ReadonlyMap<string, string>): string | null {
  const known = rows.flatMap(({ sealId }) => names.get(sealId) ?? []);
  if (known.length === 0) return null;
  const said = known.slice(0, NAMED).map((name) => `“${name}”`);
  const others = rows.length - said.length;
  return [...said, ...(others > 0 ? [counted(others, 'other', 'others')] : [])].join(', ');
}
