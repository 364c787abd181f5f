// Giving one entry to somebody, from where it is read: a one-time link, made and handed over.
import { useState } from 'react';
import type { LinkRequest } from '../../../vault/outbox/link-writer.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useVault } from '../session/vault-context.ts';
import { type HandedLink, handOverLink } from './hand-over-link.ts';
import { LinkDialog } from './link-dialog.tsx';
import { LinkFields } from './link-fields.tsx';
import { useLinkOptions } from './use-link-options.ts';

interface DialogProps extends Pick<LinkRequest, 'entryId' | 'words'> {
  /** What the entry is called. */
  name: string;
  onClose: () => void;
}

export default function ShareDialog({ name, onClose, ...request }: DialogProps) {
  const vault = useVault();
  const options = useLinkOptions();
  const [busy, setBusy] = useState(false);
  const [made, setMade] = useState<HandedLink | null>(null);
  if (made) return <LinkDialog {...made} onClose={onClose} />;

  async function submit() {
    setBusy(true);
    const given = await options.read();
    const link = given && (await handOverLink(vault, { ...given, ...request }));
    setBusy(false);
    setMade(link);
  }

  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Share “${name}”`}
      description="A link for one person. The first who opens it reads a copy of these words, and nobody can open it again. Your tags do not go along."
      busy={busy}
      onSubmit={() => void submit()}
      submitLabel="Make a one-time link"
      busyLabel="Sealing..."
    >
      <LinkFields options={options} />
    </FormDialog>
  );
}
