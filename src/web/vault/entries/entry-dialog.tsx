// The dialog around an entry's form: what was brought back, the other version if there is one, and how to end it.
import type { ComponentProps, ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { PlanLimit } from '../plan/plan-limit.tsx';
import { LinkChoice } from '../sharing/link-choice.tsx';
import type { OpenedEntry } from './entry-codec.ts';

/** On the button that seals where a link is wanted, too. */
export const SEAL_AND_LINK = 'Seal and make a one-time link';

type OtherWords = Pick<OpenedEntry, 'name' | 'content'>;

interface EntryDialogProps {
  title: string;
  /** What the entry is called in a sentence: "memory". */
  noun: string;
  /** On the button that ends it. */
  saveLabel: string;
  busyLabel: string;
  /** Whether an entry that exists is being changed. */
  editing: boolean;
  /** What `useEntryForm` gave. */
  entry: {
    busy: boolean;
    restored: boolean;
    discard: () => void;
    refusal: unknown;
    beside: OtherWords | null;
    /** Absent where no link leads to such an entry. */
    link?: ComponentProps<typeof LinkChoice>;
    save: () => Promise<void>;
    keepBoth: () => Promise<void>;
  };
  /** What else the other version says, besides its texts. */
  otherFacts?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

export function EntryDialog(props: EntryDialogProps) {
  const { title, noun, saveLabel, busyLabel, editing, entry, otherFacts, onClose, children } = props;
  const { busy, restored, discard, refusal, beside, link, save, keepBoth } = entry;
  const seals = link?.wanted ? SEAL_AND_LINK : saveLabel;
  return (
    <FormDialog
      open
      onClose={onClose}
      title={title}
      description={
        restored ? (
          <span className="flex flex-wrap items-baseline gap-x-6">
            What you had begun to write is still here.
            <Button tone="caps" onClick={discard}>
              {editing ? 'Undo my changes' : 'Discard it'}
            </Button>
          </span>
        ) : undefined
      }
      busy={busy}
      onSubmit={() => void save()}
      submitLabel={beside ? 'Replace it with mine' : seals}
      busyLabel={busyLabel}
      beside={
        beside && (
          <Button onClick={() => void keepBoth()} disabled={busy}>
            Keep both
          </Button>
        )
      }
    >
      {beside && <OtherVersion noun={noun} entry={beside} facts={otherFacts} />}
      {children}
      {!editing && link && <LinkChoice {...link} />}
      <PlanLimit error={refusal} />
    </FormDialog>
  );
}

/** It stands above what is written, and whoever pressed the button is far below. */
const intoView = (section: HTMLElement | null) => section?.scrollIntoView({ block: 'nearest' });

function OtherVersion(props: { noun: string; entry: OtherWords; facts: ReactNode }) {
  const { noun, entry, facts } = props;
  return (
    <section className="grid gap-3 border border-ember/55 p-5" role="alert" ref={intoView}>
      <p>
        This {noun} was changed elsewhere since you opened it. Both texts are still here; this is the other
        one:
      </p>
      <div
        className="max-h-48 overflow-y-auto border-l border-line pl-4 text-note text-dust"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
        tabIndex={0}
      >
        <p className="font-display text-[1.25rem] text-bone wrap-anywhere" dir="auto">
          {entry.name}
        </p>
        {facts && <p className="mb-2 flex flex-wrap gap-x-6">{facts}</p>}
        <p className="whitespace-pre-wrap wrap-anywhere" dir="auto">
          {entry.content}
        </p>
      </div>
    </section>
  );
}
