// In a browser that sees the book for the first time: the question whether it is shown the newest, and what to do if not.

import type { BookState } from '../../../vault/book/book-state.ts';
import { useNow } from '../../hooks/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';
import { lastWrittenWords, newBookWords } from '../../vault/book/finding-words.ts';
import { useLastChange } from '../../vault/book/use-last-change.ts';
import type { Book } from './use-book.ts';

const STEPS = [
  'Open this page on the device with which you wrote last, and compare the change number and the four words.',
  'If that device shows a higher number, or other words for the same number, this server shows this browser an older state or another one. Export everything on that device, in its settings.',
  'Write nothing here until you know. Sign out of this browser if others could rely on what it shows.',
  'Ask the administrator whether a backup was put back. If not, trust this server no longer.',
];

export function FirstLook({ book, state }: { book: Book; state: BookState }) {
  const now = useNow();
  const last = useLastChange(state);
  return (
    <Section
      title="Is this the newest?"
      says={`${newBookWords(state)} It cannot know what it is not shown: you can.`}
    >
      {last.data && <p>{lastWrittenWords(last.data, now)}</p>}
      {state.head.n === 0 && <p>It is shown an empty book, as a new vault has it.</p>}
      <p>
        If you have written {state.head.n === 0 ? 'anything' : 'something later'}, this server is hiding it
        from this browser. Then do this:
      </p>
      <ol className="grid list-decimal gap-3 pl-6 text-dust">
        {STEPS.map((step) => (
          <li key={step} className="pl-2">
            {step}
          </li>
        ))}
      </ol>
      <div>
        <Button onClick={book.confirm}>That is right</Button>
      </div>
    </Section>
  );
}
