// The files of a letter beneath its words, for its recipient: as in every other reader.
import { type RefObject, useMemo } from 'react';
import { filesIn } from '../../../vault/files/file-ref.ts';
import { filesOfLetter } from '../../../vault/files/file-source.ts';
import { useApi } from '../../api/services.tsx';
import { FileSources } from '../files/file-sources.ts';
import { Gallery } from '../files/gallery.tsx';
import { FileViewer } from '../files/viewer-part.ts';

interface LetterFilesProps {
  /** By which they are fetched: the number in the letter’s address, and what the card or passphrase proves. */
  publicId: string;
  claim: string;
  /** What the letter says of them. */
  files: unknown;
  /** Is given what opens the pictures for a printer. */
  opening: RefObject<(() => Promise<void>) | null>;
}

export default function LetterFiles({ files, publicId, claim, opening }: LetterFilesProps) {
  const { fetch } = useApi();
  const source = useMemo(() => filesOfLetter(fetch, publicId, claim), [fetch, publicId, claim]);
  const described = useMemo(() => filesIn(files), [files]);
  return (
    <FileSources value={source}>
      <Gallery {...described} viewer={FileViewer} opening={opening} />
    </FileSources>
  );
}
