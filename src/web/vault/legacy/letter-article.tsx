// A letter as whoever it was left for reads it. It can be copied and printed.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Letter } from '../../../vault/legacy/letter.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { formatDay } from '../../ui/moments.ts';
import { ReadingText } from '../../ui/reading-text.tsx';

interface ArticleProps {
  letter: Letter;
  /** Said beside who wrote it, and when. */
  facts?: readonly string[];
  /** Whether it can be opened again. Not printed. */
  note: ReactNode;
  /** Has what is to be printed with it ready. */
  beforePrint?: () => Promise<void>;
  /** What stands beneath the words. */
  children?: ReactNode;
}

export function LetterArticle({ letter, facts = [], note, beforePrint, children }: ArticleProps) {
  const article = useRef<HTMLElement>(null);
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    article.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, []);
  async function print() {
    setPrinting(true);
    try {
      await beforePrint?.();
    } catch {
      // The words are there all the same.
    } finally {
      setPrinting(false);
    }
    if (article.current) window.print();
  }

  const { title, content, createdAt, authorName } = letter;
  const said = [
    ...(authorName ? [`From ${authorName}`] : []),
    ...(Number.isNaN(Date.parse(createdAt)) ? [] : [`Written ${formatDay(createdAt)}`]),
    ...facts,
  ];
  return (
    <div className="candle-above grid flex-1 place-items-center px-5 py-16 sm:px-8 sm:py-24 print:block print:bg-none print:p-0">
      <article
        ref={article}
        tabIndex={-1}
        data-reading=""
        className="w-full max-w-prose animate-appear print:max-w-none"
      >
        <p className="caps mb-4 text-dust">Left for you</p>
        <h1 dir="auto" className="font-display text-[clamp(2.25rem,1.8rem+2vw,3rem)]/[1.1] wrap-anywhere">
          {title}
        </h1>
        <p className="mt-3 flex flex-wrap gap-x-6 gap-y-1 text-body text-shade">
          {said.map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </p>
        <p className="mt-6 border-l border-line pl-4 text-note text-dust print:hidden">{note}</p>
        <div className="mt-10">
          <ReadingText>{content}</ReadingText>
        </div>
        {children}
        <footer className="mt-12 flex flex-wrap items-center gap-4 border-t border-line pt-6 print:hidden">
          <CopyButton value={[title, said.join(' · '), '', content].join('\n')}>Copy the words</CopyButton>
          <Button size="small" busy={printing} onClick={() => void print()}>
            Print
          </Button>
        </footer>
      </article>
    </div>
  );
}
