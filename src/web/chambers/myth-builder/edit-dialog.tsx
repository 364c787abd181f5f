// Changing a myth that was sealed: its title, its words, its day and tags. How it was made stays.
import { useState } from 'react';
import { storyLabel } from '../../../shared/nouns/story-types.ts';
import { toast } from '../../ui/toaster.tsx';
import {
  DETAILS_FIELDS,
  DetailsFields,
  type DetailsForm,
  type DetailsProblem,
  dateTakenInto,
  detailsForm,
  detailsOf,
  detailsProblem,
} from '../../vault/entries/details-fields.tsx';
import { EntryDialog } from '../../vault/entries/entry-dialog.tsx';
import type { MythDraft, Myths, OpenedMyth } from '../../vault/entries/myths.ts';
import { TitledFields } from '../../vault/entries/titled-fields.tsx';
import { useEntryForm } from '../../vault/entries/use-entry-form.ts';

interface Form extends DetailsForm {
  title: string;
  content: string;
}

/** What is missing of a myth that is to be sealed, said in a toast. */
export const tellIncompleteMyth = () =>
  toast({
    title: 'Incomplete Myth',
    description: 'Please provide both a title and a story.',
    tone: 'destructive',
    isMistake: true,
  });

export function EditDialog({
  myths,
  myth,
  onClose,
}: {
  myths: Myths;
  myth: OpenedMyth;
  onClose: () => void;
}) {
  const [when, setWhen] = useState<DetailsProblem | null>(null);

  function toDraft(form: Form): MythDraft | null {
    if (form.title.trim() === '' || form.content.trim() === '') {
      tellIncompleteMyth();
      return null;
    }
    const wrong = detailsProblem(form, new Date());
    setWhen(wrong);
    if (wrong) return null;
    return {
      texts: { title: form.title, encryptedContent: form.content, details: detailsOf(form, myth) },
      clear: { storyType: myth.storyType },
      choice: myth.storyType,
    };
  }

  const entry = useEntryForm({
    collection: myths,
    entry: myth,
    initial: { title: myth.name ?? '', content: myth.content ?? '', ...detailsForm(myth) } as Form,
    inDetails: DETAILS_FIELDS,
    toDraft,
    onSealed() {
      toast({
        title: 'Myth Sealed',
        description: 'It was sealed in this browser. Nobody else can read it.',
      });
      onClose();
    },
    onWaits: onClose,
    failure: 'Failed to Seal Myth',
  });
  const { form } = entry;

  function change(part: Partial<Form>) {
    entry.change(part);
    setWhen(null);
  }

  return (
    <EntryDialog
      title="Edit Myth"
      noun="myth"
      saveLabel="Seal Myth"
      busyLabel="Sealing..."
      editing
      entry={entry}
      onDateTaken={dateTakenInto(form, change)}
      otherFacts={<span>{storyLabel(myth.storyType)}</span>}
      onClose={onClose}
    >
      <TitledFields
        title={form.title}
        words={form.content}
        label="Story"
        rows={10}
        tried={entry.tried}
        onTitle={(title) => change({ title })}
        onWords={(content) => change({ content })}
      />
      <DetailsFields
        form={form}
        entry={myth}
        isHidden={entry.hidesDetails}
        problem={when}
        onChange={change}
      />
    </EntryDialog>
  );
}
