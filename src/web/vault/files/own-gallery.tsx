// The files of an entry or a letter of the open vault, or of a whisper that was left for it.
import { type RefObject, useMemo } from 'react';
import { filesOfWhisper, ownFiles } from '../../../vault/files/file-calls.ts';
import { readFiles } from '../../../vault/files/file-ref.ts';
import { keptOrFetched } from '../../../vault/files/kept-files.ts';
import { useVault } from '../session/vault-context.ts';
import { FileSources } from './file-sources.ts';
import { Gallery } from './gallery.tsx';
import { KeepFiles } from './keep-files.tsx';
import { keepingOf } from './keeping-of-vault.ts';
import { FileViewer } from './viewer-part.ts';

interface OwnGalleryProps {
  /** The entry's, as they were opened. */
  details: string | null | undefined;
  /** The number of the whisper that they came with; absent for the vault's own. */
  whisper?: string;
  /** Whether they may be kept on a device that nobody else uses: those of entries may, those of letters may not. */
  keepable?: boolean;
  /** Is given what opens the pictures for a printer. */
  opening?: RefObject<(() => Promise<void>) | null>;
}

export default function OwnGallery({ details, whisper, keepable = false, opening }: OwnGalleryProps) {
  const vault = useVault();
  const { api } = vault;
  // The vault is another object whenever something is known anew of its account: what is being opened goes on.
  const { id } = vault.user;
  const kept = keepable && vault.keepsLists() ? keepingOf(vault) : null;
  const source = useMemo(() => {
    const owner = { api, user: { id } };
    if (whisper !== undefined) return filesOfWhisper(owner, whisper);
    return kept ? keptOrFetched(ownFiles(owner), kept.store) : ownFiles(owner);
  }, [api, id, whisper, kept]);
  const files = useMemo(() => readFiles(details), [details]);
  return (
    <FileSources value={source}>
      <Gallery
        {...files}
        viewer={FileViewer}
        {...(opening && { opening })}
        beneath={kept && <KeepFiles files={files.files} keeping={kept} />}
      />
    </FileSources>
  );
}
