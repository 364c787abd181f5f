// The letter, opened. It comes back with the same card or passphrase. Other instances that keep it are told that it was opened.
import { useEffect } from 'react';
import { useApi } from '../../api/services.tsx';
import { later } from '../../ui/later.tsx';
import { formatDay, formatMoment } from '../../ui/moments.ts';
import { useGalleryForPrinter } from '../../vault/files/gallery-for-printer.ts';
import { LetterArticle } from '../../vault/legacy/letter-article.tsx';
import type { OpenedLetter } from './use-legacy.ts';

const LetterFiles = later(() => import('./letter-files.tsx'));

export function LetterRead(opened: OpenedLetter) {
  const { letter, publicId, claim, releasedAt, openedBefore, by } = opened;
  const { files } = letter;
  const hasFiles = files !== undefined;
  const { opening, beforePrint } = useGalleryForPrinter(LetterFiles, hasFiles);
  useTellSisters(opened);
  return (
    <LetterArticle
      letter={letter}
      facts={[`Released ${formatDay(releasedAt)}`]}
      note={
        <>
          It can be opened again: you can come back with the same {by}.
          {openedBefore && ` It was opened before on ${formatMoment(openedBefore)}.`}
        </>
      }
      beforePrint={beforePrint}
    >
      {hasFiles && <LetterFiles {...{ files, publicId, claim, opening }} />}
    </LetterArticle>
  );
}

/** So that none of them writes to somebody who has the letter. The reader has nothing to do with that, and hears nothing of it. */
function useTellSisters({ letter, letterKey, publicId }: OpenedLetter): void {
  const { fetch } = useApi();
  useEffect(() => {
    if (letter.sisters === undefined) return;
    const tell = async () => {
      const { tellSisters } = await import('../../../vault/legacy/sister-opening.ts');
      await tellSisters(fetch, letter, letterKey, publicId);
    };
    void tell().catch(() => {});
  }, [fetch, letter, letterKey, publicId]);
}
