// The Book: whether what the server shows of this vault is what was written into it, on every device.
import type { ReactNode } from 'react';
import { counted } from '../../../shared/counted.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import type { BookState } from '../../../vault/book/book-state.ts';
import { useAttempt } from '../../hooks/use-attempt.ts';
import { useNow } from '../../hooks/use-now.ts';
import { Chamber } from '../../shell/chamber.tsx';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Section } from '../../ui/section.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { formatSince } from '../../vault/book/finding-words.ts';
import { rowPasts } from '../../vault/book/past.ts';
import { AcceptAsShown, ChainFound } from './chain-found.tsx';
import { CompareDevices, PinWords } from './compare-devices.tsx';
import { FirstLook } from './first-look.tsx';
import { NotInBook } from './not-in-book.tsx';
import { Acceptances, LastChanges } from './past-changes.tsx';
import { RowsFound } from './rows-found.tsx';
import { StillHere } from './still-here.tsx';
import { type Book, NotCompared, useBook } from './use-book.ts';

const why = (error: unknown): string =>
  error instanceof NotCompared
    ? 'Not everything could be compared: another device is writing, or the connection was lost. Try again.'
    : sentenceOf(error);

export default function BookPage() {
  const book = useBook();
  const { state } = book;
  const { busy, problem, run } = useAttempt(why);

  const check = () =>
    run(async () => {
      await book.checkEverything();
    });

  return (
    <Chamber
      title="The Book"
      lead="Every change of this vault is written into a sealed list, which this server keeps and cannot read. Your browsers compare with it what the server shows them, so that it can leave nothing out, bring nothing back and change nothing unnoticed."
      action={
        <Button
          tone={state.data?.chain ? 'quiet' : 'primary'}
          busy={busy}
          busyLabel="Comparing"
          onClick={() => void check()}
        >
          Check everything now
        </Button>
      }
    >
      <Problem>{problem}</Problem>
      {!state.data && state.isPending && <LoadingRows label="Reading the book" rows={3} />}
      {state.isError && (
        <ErrorState
          title="The book could not be read"
          onRetry={() => void state.refetch()}
          retrying={state.isFetching}
        >
          {sentenceOf(state.error)}
        </ErrorState>
      )}
      {state.data && <Parts book={book} state={state.data} />}
    </Chamber>
  );
}

function Parts({ book, state }: { book: Book; state: BookState }) {
  const { past } = book;
  const unknown = state.rows.filter(({ what }) => what === 'unknown');
  const found = state.rows.filter(({ what }) => what !== 'unknown');
  const rows = rowPasts(past ?? []);
  return (
    <div className="grid">
      <InShort book={book} state={state} found={found.length} unknown={unknown.length} />
      {state.isNew && <FirstLook book={book} state={state} />}
      {state.chain && <ChainFound finding={state.chain} />}
      {found.length > 0 && <RowsFound book={book} found={found} pasts={rows} />}
      <StillHere state={state} />
      {state.chain && <AcceptAsShown book={book} />}
      {unknown.length > 0 && <NotInBook book={book} rows={unknown} />}
      <Acceptances state={state} past={past ?? []} />
      {state.head.n > 0 && <CompareDevices head={state.head} past={past ?? []} />}
      {!state.chain && state.head.n > 0 && <LastChanges past={past} failed={book.pastFailed} />}
      <Section title="What no book can know" says="Where it ends.">
        <ul className="grid gap-4">
          {LIMITS.map((limit) => (
            <li key={limit} className="border-l border-line pl-5 text-dust">
              {limit}
            </li>
          ))}
        </ul>
      </Section>
    </div>
  );
}

const LIMITS = [
  'A browser that sees the book for the first time believes what it is shown, as long as it was true once. That is why it asks you, and why two devices can be compared by four words.',
  'A server that never shows a change to any of your other devices again is noticed only by the device that has written it, or by comparing.',
  'Whoever has your key can write into the book as you can.',
  'What a program, a webhook or this server itself has sealed to your vault is in no book until you take it in.',
];

interface InShortProps {
  book: Book;
  state: BookState;
  found: number;
  unknown: number;
}

function inOneSentence({ chain, head, isNew, isWithheld }: BookState, found: number): string {
  if (chain) return '1 finding, about the book itself';
  if (found > 0) return counted(found, 'finding', 'findings');
  if (isWithheld) return 'This server did not show the book just now.';
  if (head.n === 0) return 'This book is empty. Your next change begins it.';
  if (isNew) return 'What was shown so far is as it was written, if this book is the newest.';
  return 'Everything that was shown so far is as it was written.';
}

function InShort({ book, state, found, unknown }: InShortProps) {
  const now = useNow();
  const isWrong = state.chain !== null || found > 0;
  return (
    <section aria-labelledby="in-short" className="grid gap-6 border-t border-line py-10">
      <h2
        id="in-short"
        className={`max-w-prose font-display text-[1.75rem]/[1.2] font-medium text-balance ${isWrong ? 'text-blood' : ''}`}
      >
        {inOneSentence(state, found)}
      </h2>
      <dl className="grid gap-x-12 gap-y-6 sm:grid-cols-2 lg:grid-cols-4">
        <Fact term="The book was read">
          {state.readAt === null ? 'not yet' : formatSince(state.readAt, now)}
        </Fact>
        <Fact term="Every list was compared">
          {book.checkedAt === null ? 'not on this visit' : formatSince(book.checkedAt, now)}
        </Fact>
        {state.head.n > 0 && (
          <>
            <Fact term="Last change">{state.head.n.toLocaleString('en-GB')}</Fact>
            <Fact term="Its four words">
              <PinWords pin={state.head} />
            </Fact>
          </>
        )}
      </dl>
      {book.checkedAt === null && !state.chain && (
        <p className="max-w-prose text-note text-dust">
          Each list is compared when it is opened. “Check everything now” fetches all of them.
        </p>
      )}
      {unknown > 0 && !isWrong && (
        <p className="text-note text-dust">
          {counted(unknown, 'entry is', 'entries are')} not in the book yet, which is no finding.
        </p>
      )}
    </section>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt className="label text-dust">{term}</dt>
      <dd className="mt-2">{children}</dd>
    </div>
  );
}
