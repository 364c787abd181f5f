// The files of an entry of the open vault.
import { type RefObject, useMemo } from 'react';
import { ownFiles } from '../../../vault/files/file-calls.ts';
import { readFiles } from '../../../vault/files/file-ref.ts';
import { useVault } from '../session/vault-context.ts';
import { FileSources } from './file-sources.ts';
import { Gallery } from './gallery.tsx';

interface OwnGalleryProps {
  /** The entry's, as they were opened. */
  details: string | null | undefined;
  /** Is given what opens the pictures for a printer. */
  opening?: RefObject<(() => Promise<void>) | null>;
}

export default function OwnGallery({ details, opening }: OwnGalleryProps) {
  const vault = useVault();
  const source = useMemo(() => ownFiles(vault), [vault]);
  const files = useMemo(() => readFiles(details), [details]);
  return (
    <FileSources value={source}>
      <Gallery {...files} {...(opening && { opening })} />
    </FileSources>
  );
}
