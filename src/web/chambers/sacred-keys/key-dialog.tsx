// Making a one-time link: what it leads to, how long it opens, and whether it asks for a passphrase.
import { useState } from 'react';
import { type ShareEntryType, shareEntryTypes } from '../../../shared/nouns/sacred-key.ts';
import { SelectField } from '../../ui/choice-fields.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { intoView } from '../../ui/into-view.ts';
import { toast } from '../../ui/toaster.tsx';
import { waitsFor } from '../../vault/files/files-waited-for.ts';
import type { HandedLink } from '../../vault/sharing/hand-over-link.ts';
import { LinkFields } from '../../vault/sharing/link-fields.tsx';
import { LinkFilesFields } from '../../vault/sharing/link-files.tsx';
import { StillSealing } from '../../vault/sharing/still-sealing.tsx';
import { LINK_MAY_WAIT, useMakeLink } from '../../vault/sharing/use-make-link.ts';
import { type Chosen, EntryChoice, entryTypeLabels } from './entry-choice.tsx';

const types = shareEntryTypes.map((value) => ({ value, label: entryTypeLabels[value] }));

interface DialogProps {
  onClose: () => void;
  onCreated: (made: HandedLink) => void;
}

export function KeyDialog({ onClose, onCreated }: DialogProps) {
  const link = useMakeLink();
  const { waiting } = link.files;
  const [type, setType] = useState<ShareEntryType | ''>('');
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  async function submit() {
    if (type === '' || chosen === null) {
      toast({
        title: 'Incomplete Key Request',
        description: 'Please select both content type and specific entry.',
        tone: 'destructive',
        isMistake: true,
      });
      return;
    }
    setFailure(null);
    const made = await link.make(chosen, setFailure);
    if (made) onCreated(made);
  }

  return (
    <FormDialog
      open
      onClose={onClose}
      title="Create Sacred Key"
      description="A link to one entry, for whoever you give it to. The key is destroyed after one use: whoever opens the link first reads a copy of the words, and nobody can open it again."
      busy={link.busy}
      leavable={link.isSlow}
      onSubmit={() => void submit()}
      submitLabel={waiting > 0 ? waitsFor(waiting) : 'Create Sacred Key'}
      ready={waiting === 0}
      busyLabel="Sealing..."
    >
      <SelectField
        label="Content type"
        placeholder="Choose a type"
        choices={types}
        value={type}
        onChange={(event) => {
          setType(event.target.value as ShareEntryType);
          setChosen(null);
        }}
      />
      {type !== '' && <EntryChoice key={type} type={type} chosen={chosen} onChoose={setChosen} />}
      <LinkFields options={link.options} />
      <LinkFilesFields count={chosen?.fileCount ?? 0} files={link.files} />
      {failure && (
        <p ref={intoView} className="border-l border-blood pl-4 text-blood">
          No key was created. {failure}
        </p>
      )}
      <StillSealing isSlow={link.isSlow}>{LINK_MAY_WAIT}</StillSealing>
    </FormDialog>
  );
}
