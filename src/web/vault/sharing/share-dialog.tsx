// Giving one entry to somebody, from where it is read: a one-time link, made and handed over.
import { useState } from 'react';
import type { LinkRequest } from '../../../vault/outbox/link-writer.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { waitsFor } from '../files/files-waited-for.ts';
import type { HandedLink } from './hand-over-link.ts';
import { LinkDialog } from './link-dialog.tsx';
import { LinkFields } from './link-fields.tsx';
import { LinkFilesFields } from './link-files.tsx';
import { StillSealing } from './still-sealing.tsx';
import { LINK_MAY_WAIT, useMakeLink } from './use-make-link.ts';

interface DialogProps extends Pick<LinkRequest, 'entryId' | 'words'> {
  /** What the entry is called. */
  name: string;
  /** How many files it has. */
  fileCount: number;
  onClose: () => void;
}

export default function ShareDialog({ name, fileCount, onClose, ...request }: DialogProps) {
  const link = useMakeLink();
  const { waiting } = link.files;
  const [made, setMade] = useState<HandedLink | null>(null);
  if (made) return <LinkDialog {...made} onClose={onClose} />;

  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Share “${name}”`}
      description="A link for one person. The first who opens it reads a copy of these words, and nobody can open it again. Its tags do not go along."
      busy={link.busy}
      leavable={link.isSlow}
      onSubmit={() => void link.make(request).then(setMade)}
      submitLabel={waiting > 0 ? waitsFor(waiting) : 'Make a one-time link'}
      ready={waiting === 0}
      busyLabel="Sealing..."
    >
      <LinkFields options={link.options} />
      <LinkFilesFields count={fileCount} files={link.files} />
      <StillSealing isSlow={link.isSlow}>{LINK_MAY_WAIT}</StillSealing>
    </FormDialog>
  );
}
