// The dialog around an entry's form: what was brought back, the other version if there is one, and how to end it.
import { type ComponentProps, type ReactNode, useRef } from 'react';
import type { OpenedEntry } from '../../../vault/kinds/entry-kind.ts';
import { Button } from '../../ui/button.tsx';
import { focusFirstProblem } from '../../ui/first-problem.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { intoView } from '../../ui/into-view.ts';
import { useGrowing, WholePageContext } from '../../ui/whole-page.ts';
import type { FormFiles } from '../files/draft-files.ts';
import { FilesField } from '../files/files-field-part.ts';
import { countFiles } from '../files/files-mark.tsx';
import { stillOnTheirWay, waitsFor } from '../files/files-waited-for.ts';
import { LinkChoice } from '../sharing/link-choice.tsx';
import { StillSealing } from '../sharing/still-sealing.tsx';
import { BroughtBack } from './brought-back.tsx';
import { SealFailure } from './seal-failure.tsx';
import type { Gone } from './use-entry-form.ts';

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
    /** Whether it may be left although it is under way. */
    isSlow?: boolean;
    restored: boolean;
    discard: () => void;
    bringBack: (() => void) | null;
    refusal: unknown;
    /** Absent, or null, where it cannot wait on this device. */
    letWait?: (() => void) | null;
    beside: OtherWords | null;
    /** Absent where no link leads to such an entry. */
    link?: ComponentProps<typeof LinkChoice>;
    /** Absent where what is deleted is gone for good, which the caller says. */
    gone?: Gone | null;
    /** Absent, or null, where it has no files. */
    files?: FormFiles | null;
    save: () => Promise<void>;
    keepBoth: () => Promise<void>;
  };
  /** Takes the moment over at which a photo was taken, `2019-05-17T14:30:05`. Absent where it has a date, or none can be. */
  onDateTaken?: ((moment: string) => void) | undefined;
  /** Whether pictures are sealed without their place unless somebody says otherwise. */
  removePlaceByDefault?: boolean;
  /** What else the other version says, besides its texts. */
  otherFacts?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

export function EntryDialog(props: EntryDialogProps) {
  const { title, noun, saveLabel, busyLabel, editing, entry, onDateTaken, otherFacts, onClose, children } =
    props;
  const { removePlaceByDefault = false } = props;
  const {
    busy,
    isSlow = false,
    restored,
    discard,
    bringBack,
    refusal,
    letWait = null,
    beside,
    link,
    gone = null,
    files = null,
    save,
    keepBoth,
  } = entry;
  const seals = link?.wanted ? SEAL_AND_LINK : saveLabel;
  const onTheirWay = files ? stillOnTheirWay(files.value) : 0;
  const hasFiles = files !== null && countFiles({ detailsText: files.details }) > 0;
  const page = useGrowing();
  const fields = useRef<HTMLDivElement>(null);

  async function submit() {
    await save();
    // What is missing or wrong has been marked.
    focusFirstProblem(fields.current);
  }

  return (
    <FormDialog
      open
      size={page.isWhole ? 'page' : 'regular'}
      // The first Esc leaves the page, the second the form.
      onClose={page.isWhole ? () => page.change(false) : onClose}
      onCancel={onClose}
      title={title}
      description={
        (restored || bringBack) && <BroughtBack {...{ restored, editing, bringBack, onDiscard: discard }} />
      }
      busy={busy}
      leavable={isSlow}
      onSubmit={() => void submit()}
      submitLabel={
        onTheirWay > 0
          ? waitsFor(onTheirWay)
          : gone
            ? goneLabels[gone]
            : beside
              ? 'Replace it with mine'
              : seals
      }
      ready={onTheirWay === 0}
      busyLabel={busyLabel}
      beside={
        (beside || gone === 'deleted') && (
          <Button onClick={() => void keepBoth()} disabled={busy}>
            {gone === 'deleted' ? 'Keep mine as a new one' : 'Keep both'}
          </Button>
        )
      }
    >
      {gone && <GoneElsewhere {...{ noun, gone, hasFiles }} />}
      {beside && !gone && <OtherVersion noun={noun} entry={beside} facts={otherFacts} hasFiles={hasFiles} />}
      <div ref={fields} className="contents">
        <WholePageContext value={page}>{children}</WholePageContext>
      </div>
      {files && <FilesField {...{ files, onDateTaken, removePlaceByDefault }} />}
      {!editing && link && <LinkChoice {...link} />}
      <SealFailure error={refusal} />
      {letWait && !busy && (
        <Button onClick={letWait} className="justify-self-start">
          Keep it on this device and send it later
        </Button>
      )}
      <StillSealing isSlow={isSlow} />
    </FormDialog>
  );
}

const goneLabels: Record<Gone, string> = { deleted: 'Restore it and save', erased: 'Keep mine as a new one' };

function GoneElsewhere({ noun, gone, hasFiles }: { noun: string; gone: Gone; hasFiles: boolean }) {
  return (
    <section className="grid gap-3 border border-ember/55 p-5" role="alert" ref={intoView}>
      <p>
        This {noun} was deleted elsewhere since you opened it. What you wrote is still here.{' '}
        {gone === 'deleted'
          ? `It can be brought back with your changes, or yours becomes a ${noun} of its own.`
          : `It is erased, so yours can become a ${noun} of its own.`}
        {hasFiles && gone === 'deleted' && ' Its photos and files stay with it.'}
      </p>
    </section>
  );
}

function OtherVersion(props: { noun: string; entry: OtherWords; facts: ReactNode; hasFiles: boolean }) {
  const { noun, entry, facts, hasFiles } = props;
  return (
    <section className="grid gap-3 border border-ember/55 p-5" role="alert" ref={intoView}>
      <p>
        This {noun} was changed elsewhere since you opened it. Both texts are still here; this is the other
        one:
      </p>
      {hasFiles && <p>If you keep both, its photos and files stay with the other one.</p>}
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
