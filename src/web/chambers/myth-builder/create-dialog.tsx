// Making a myth, in one dialog: the words, the draft, the seal. What stands in it survives a reload, sealed in this browser.
import { type ReactNode, useEffect, useRef } from 'react';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { focusFirstProblem } from '../../ui/first-problem.ts';
import { Problem } from '../../ui/problem.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useGrowing, WholePageContext } from '../../ui/whole-page.ts';
import { SEAL_AND_LINK } from '../../vault/entries/entry-dialog.tsx';
import type { Myths, OpenedMyth } from '../../vault/entries/myths.ts';
import { SealFailure } from '../../vault/entries/seal-failure.tsx';
import type { AfterSealing } from '../../vault/entries/use-entry-form.ts';
import { FilesField } from '../../vault/files/files-field-part.ts';
import { stillOnTheirWay, waitsFor } from '../../vault/files/files-waited-for.ts';
import { PlanLimit } from '../../vault/plan/plan-limit.tsx';
import { LinkChoice } from '../../vault/sharing/link-choice.tsx';
import { StillSealing } from '../../vault/sharing/still-sealing.tsx';
import { BeingWritten } from './being-written.tsx';
import { DraftFields } from './draft-fields.tsx';
import { EntryPicks } from './entry-picks.tsx';
import { SourceFields } from './source-fields.tsx';
import { useFocusedHeading } from './use-focused-heading.ts';
import { type Question, type Step, type Story, useStory } from './use-story.ts';
import { WriterChoice } from './writer-choice.tsx';

interface DialogProps {
  myths: Myths;
  onCreated: AfterSealing<OpenedMyth>;
  onClose: () => void;
}

const titles: Record<Step, string> = {
  words: 'Create Sacred Myth',
  writing: 'Being written',
  draft: 'Before it is sealed',
};

export function CreateDialog({ myths, onCreated, onClose }: DialogProps) {
  const story = useStory(myths, onCreated);
  const { step, busy, failed } = story;
  const heading = useFocusedHeading(step, failed !== null);
  const page = useGrowing();
  const isPage = page.isWhole && step === 'draft';
  const draft = useRef<HTMLDivElement>(null);

  async function seal() {
    await story.seal();
    // What is missing or wrong has been marked.
    focusFirstProblem(draft.current);
  }

  const submit = step === 'words' ? () => void story.make(story.by) : () => void seal();
  return (
    <>
      <Dialog
        open
        size={isPage ? 'page' : 'wide'}
        busy={busy}
        leavable={story.leavable}
        // The first Esc leaves the page, the second the form.
        onClose={isPage ? () => page.change(false) : onClose}
        title={
          <span ref={heading} tabIndex={-1}>
            {titles[step]}
          </span>
        }
        description={<Lead story={story} />}
        onSubmit={step === 'writing' ? undefined : submit}
        footer={<Foot story={story} onClose={onClose} />}
      >
        {story.failed && step !== 'writing' && <Failed story={story} />}
        {step === 'words' && <Words story={story} />}
        {step === 'writing' && (
          <BeingWritten words={story.writing.underway?.by === 'model' ? story.writing.underway.words : ''} />
        )}
        {step === 'draft' && story.form.story && (
          <WholePageContext value={page}>
            <div ref={draft} className="contents">
              <DraftFields
                form={story.form}
                story={story.form.story}
                problem={story.when}
                tried={story.tried}
                onChange={story.changeStory}
                onDetails={story.change}
                onSource={story.showSource}
              />
            </div>
            {story.files && <FilesField files={story.files} />}
            <LinkChoice {...story.link} />
            <SealFailure error={story.refusal} />
            <StillSealing isSlow={story.isSlow} />
            <p role="status" className="text-note text-dust empty:hidden">
              {story.isSame && 'The Loom found no other way to tell this.'}
            </p>
          </WholePageContext>
        )}
      </Dialog>
      {story.question && <Asked question={story.question} onClose={story.answer} />}
    </>
  );
}

function Lead({ story: { step, restored, writer, form, discardEverything } }: { story: Story }) {
  if (step === 'writing') {
    return (
      <>
        <span className="text-bone wrap-anywhere">{writer.model?.writer}</span> writes. What comes stays in
        this browser until you seal it.
      </>
    );
  }
  if (restored) {
    return (
      <span className="flex flex-wrap items-baseline gap-x-6">
        What you had begun is still here.
        <Button tone="caps" onClick={discardEverything}>
          Discard it
        </Button>
      </span>
    );
  }
  if (step === 'draft') return 'Read it, and change what is not right. Nothing is kept until you seal it.';
  return form.story ? null : 'A story of your own words, which you may change before it is sealed.';
}

function Words({ story }: { story: Story }) {
  const { form, entries, writer, problem } = story;
  return (
    <>
      <SourceFields
        form={form}
        length={story.source.length}
        people={entries.people}
        rituals={story.rituals}
        problem={problem}
        onChange={story.change}
        picks={form.storyType === 'eulogy' && <Picks story={story} />}
      />
      {!writer.isPending && (
        <WriterChoice
          writer={writer}
          value={story.by}
          agreeing={story.writer.agreeing}
          problem={problem.consent ?? null}
          onChange={(value) => story.change({ writer: value })}
          onAgree={(agreeing) => {
            story.writer.setAgreeing(agreeing);
            story.change({});
          }}
        />
      )}
    </>
  );
}

function Picks({ story: { entries, form, chosen, change } }: { story: Story }) {
  if (entries.sources) {
    return (
      <EntryPicks
        sources={entries.sources}
        person={form.person}
        chosen={chosen}
        onChange={(picked) => change({ picked })}
      />
    );
  }
  if (!entries.error) return <Spinner label="Opening your memories and moments" />;
  return (
    <div className="grid justify-items-start gap-3">
      <Problem>{sentenceOf(entries.error)}</Problem>
      <Button size="small" onClick={entries.retry} busy={entries.isFetching} busyLabel="Trying">
        Try again
      </Button>
    </div>
  );
}

/** Why no story came, with both ways on. It never takes the other one by itself. */
function Failed({ story: { failed, busy, make, writer } }: { story: Story }) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    section.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  if (!failed) return null;
  return (
    <section ref={section} className="grid gap-3 border border-blood/55 p-5">
      <Problem>{failed.says}</Problem>
      <PlanLimit error={failed.refusal} said />
      <div className="flex flex-wrap gap-x-8">
        {(failed.by === 'loom' || writer.agreed) && (
          <Button tone="caps" disabled={busy} onClick={() => void make(failed.by)}>
            Try again
          </Button>
        )}
        {failed.by === 'model' && (
          <Button tone="caps-lit" disabled={busy} onClick={() => void make('loom')}>
            Let the Loom make it
          </Button>
        )}
      </div>
    </section>
  );
}

function Foot({ story, onClose }: { story: Story; onClose: () => void }) {
  const { step, form, busy, by, writing } = story;
  if (step === 'writing') return <Button onClick={writing.stop}>Stop</Button>;
  if (step === 'draft') {
    const onTheirWay = story.files ? stillOnTheirWay(story.files.value) : 0;
    const maker = form.story?.made.by ?? by;
    const canAgain = form.story?.form !== 'verbatim' && (maker === 'loom' || story.writer.model !== null);
    return (
      <>
        {story.isSlow ? (
          <Button onClick={onClose}>Leave this form</Button>
        ) : (
          <Button onClick={story.discardStory} disabled={busy}>
            Discard
          </Button>
        )}
        {canAgain && (
          <Button
            onClick={() => void story.make(maker, { again: true })}
            // A button that is disabled loses the focus, and this one is pressed again and again.
            busy={writing.underway !== null}
            disabled={busy && writing.underway === null}
          >
            {maker === 'loom' ? 'Make another one' : 'Try again'}
          </Button>
        )}
        <Button type="submit" tone="primary" busy={busy} busyLabel="Sealing..." disabled={onTheirWay > 0}>
          {onTheirWay > 0 ? waitsFor(onTheirWay) : story.link.wanted ? SEAL_AND_LINK : 'Seal Myth'}
        </Button>
      </>
    );
  }
  return (
    <>
      <Button onClick={onClose} disabled={busy && !story.leavable}>
        Cancel
      </Button>
      {form.story && (
        <Button onClick={story.showDraft} disabled={busy}>
          Back to the draft
        </Button>
      )}
      <Button
        type="submit"
        tone="primary"
        busy={busy}
        busyLabel={by === 'loom' ? 'Making...' : 'Sending...'}
        disabled={story.writer.isPending}
      >
        {by === 'loom' ? 'Make the story' : 'Send the words'}
      </Button>
    </>
  );
}

const questions: Record<Question['about'], { title: string; says: ReactNode; yes: string }> = {
  everything: {
    title: 'Discard what you had begun?',
    says: 'The words in this form and the draft that was made of them go. Your entries stay as they are.',
    yes: 'Discard it',
  },
  story: {
    title: 'Discard this draft?',
    says: 'The story goes. What it was made from stays in the form.',
    yes: 'Discard it',
  },
  replacing: {
    title: 'Replace your changes?',
    says: 'You have changed this draft. Another story takes its place, and your changes go.',
    yes: 'Replace it',
  },
};

function Asked({ question, onClose }: { question: Question; onClose: () => void }) {
  const { title, says, yes } = questions[question.about];
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => {
        onClose();
        question.onYes();
      }}
      title={title}
      description={says}
      confirmLabel={yes}
    />
  );
}
