// The files of an entry or a letter of the open vault, or of a whisper that was left for it.
import { type RefObject, useMemo } from 'react';
import { filesOfWhisper, ownFiles } from '../../../vault/files/file-calls.ts';
import { readFiles } from '../../../vault/files/file-ref.ts';
import { useVault } from '../session/vault-context.ts';
import { FileSources } from './file-sources.ts';
import { Gallery } from './gallery.tsx';

interface OwnGalleryProps {
  /** The entry's, as they were opened. */
  details: string | null | undefined;
  /** The number of the whisper that they came with; absent for the vault's own. */
  whisper?: string;
  /** Is given what opens the pictures for a printer. */
  opening?: RefObject<(() => Promise<void>) | null>;
}

export default function OwnGallery({ details, whisper, opening }: OwnGalleryProps) {
  const { api, user } = useVault();
  // The vault is another object whenever something is known anew of its account: what is being opened goes on.
  const { id } = user;
  const source = useMemo(() => {
    const vault = { api, user: { id } };
    return whisper === undefined ? ownFiles(vault) : filesOfWhisper(vault, whisper);
  }, [api, id, whisper]);
  const files = useMemo(() => readFiles(details), [details]);
  return (
    <FileSources value={source}>
      <Gallery {...files} {...(opening && { opening })} />
    </FileSources>
  );
}
