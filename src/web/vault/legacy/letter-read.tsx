// A letter, opened, as whoever it was left for reads it. It can be copied and printed, and comes back with what has opened it. Where it
// was opened at home, other instances that keep it are told so.
import { useEffect, useRef, useState } from 'react';
import type { Letter } from '../../../vault/legacy/letter.ts';
import { useApi } from '../../api/services.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { later } from '../../ui/later.tsx';
import { formatDay, formatMoment } from '../../ui/moments.ts';
import { ReadingText } from '../../ui/reading-text.tsx';
import { useGalleryForPrinter } from '../files/gallery-for-printer.ts';

const LetterFiles = later(() => import('./letter-files.tsx'));

export interface ReadProps {
  letter: Letter;
  /** What has opened it. */
  by: 'card' | 'passphrase' | 'sheets' | 'link';
  releasedAt?: string;
  openedBefore?: string | null;
  /** Of a letter at home: by which its files are fetched, and its sisters told. */
  letterKey?: Uint8Array;
  publicId?: string;
  claim?: string;
}

export function LetterRead(props: ReadProps) {
  const { letter, by, releasedAt, openedBefore, publicId, claim } = props;
  const { title, content, createdAt, authorName, files } = letter;
  const article = useRef<HTMLElement>(null);
  const hasFiles = files !== undefined;
  const { opening, beforePrint } = useGalleryForPrinter(LetterFiles, hasFiles && claim !== undefined);
  const [printing, setPrinting] = useState(false);
  useTellSisters(props);
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

  const facts = [
    ...(authorName ? [`From ${authorName}`] : []),
    ...(Number.isNaN(Date.parse(createdAt)) ? [] : [`Written ${formatDay(createdAt)}`]),
    ...(releasedAt ? [`Released ${formatDay(releasedAt)}`] : []),
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
          {by === 'link' && 'Several servers kept it for you, and have opened it together. '}
          It can be opened again: you can come back with the same {by}.
          {openedBefore && ` It was opened before on ${formatMoment(openedBefore)}.`}
        </p>
        <div className="mt-10">
          <ReadingText>{content}</ReadingText>
        </div>
        {hasFiles &&
          (publicId && claim ? (
            <LetterFiles {...{ files, publicId, claim, opening }} />
          ) : (
            <p className="mt-10 border-l border-line pl-4 text-note text-dust">
              Files came with this letter. They lie on its author’s own server alone: a key card or a
              passphrase opens them there.
            </p>
          ))}
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

/** So that none of them writes to somebody who has the letter. The reader has nothing to do with that, and hears nothing of it. */
function useTellSisters({ letter, letterKey, publicId }: ReadProps): void {
  const { fetch } = useApi();
  useEffect(() => {
    if (letter.sisters === undefined || !letterKey || !publicId) return;
    const tell = async () => {
      const { tellSisters } = await import('../../../vault/legacy/sister-opening.ts');
      await tellSisters(fetch, letter, letterKey, publicId);
    };
    void tell().catch(() => {});
  }, [fetch, letter, letterKey, publicId]);
}
