// The letter, opened. It can be copied and printed, and comes back with the same card or passphrase.
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { later } from '../../ui/later.tsx';
import { formatDay, formatMoment } from '../../ui/moments.ts';
import { ReadingText } from '../../ui/reading-text.tsx';
import { useGalleryForPrinter } from '../../vault/files/gallery-for-printer.ts';
import type { OpenedLetter } from './use-legacy.ts';

const LetterFiles = later(() => import('./letter-files.tsx'));

export function LetterRead({ letter, publicId, claim, releasedAt, openedBefore, by }: OpenedLetter) {
  const article = useRef<HTMLElement>(null);
  const hasFiles = letter.files !== undefined;
  const { opening, beforePrint } = useGalleryForPrinter(LetterFiles, hasFiles);
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    article.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, []);
  async function print() {
    setPrinting(true);
    try {
      await beforePrint();
    } catch {
      // The words are there all the same.
    } finally {
      setPrinting(false);
    }
    if (article.current) window.print();
  }

  const { title, content, createdAt, authorName, files } = letter;
  const facts = [
    ...(authorName ? [`From ${authorName}`] : []),
    ...(Number.isNaN(Date.parse(createdAt)) ? [] : [`Written ${formatDay(createdAt)}`]),
    `Released ${formatDay(releasedAt)}`,
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
          {facts.map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </p>
        <p className="mt-6 border-l border-line pl-4 text-note text-dust print:hidden">
          It can be opened again: you can come back with the same {by}.
          {openedBefore && ` It was opened before on ${formatMoment(openedBefore)}.`}
        </p>
        <div className="mt-10">
          <ReadingText>{content}</ReadingText>
        </div>
        {hasFiles && <LetterFiles {...{ files, publicId, claim, opening }} />}
        <footer className="mt-12 flex flex-wrap items-center gap-4 border-t border-line pt-6 print:hidden">
          <CopyButton value={[title, facts.join(' · '), '', content].join('\n')}>Copy the words</CopyButton>
          <Button size="small" busy={printing} onClick={() => void print()}>
            Print
          </Button>
        </footer>
      </article>
    </div>
  );
}
