// The files of an entry of the open vault.
import { useMemo } from 'react';
import { ownFiles } from '../../../vault/files/file-calls.ts';
import { readFiles } from '../../../vault/files/file-ref.ts';
import { useVault } from '../session/vault-context.ts';
import { FileSources } from './file-sources.ts';
import { Gallery } from './gallery.tsx';

/** @property details the entry's, as they were opened */
export default function OwnGallery({ details }: { details: string | null | undefined }) {
  const vault = useVault();
  const source = useMemo(() => ownFiles(vault), [vault]);
  return (
    <FileSources value={source}>
      <Gallery {...readFiles(details)} />
    </FileSources>
  );
}
