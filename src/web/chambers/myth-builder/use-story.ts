// The way from words to a sealed myth: what is written and chosen, who makes a story of it, the draft, and its sealing.
import { useMemo, useState } from 'react';
import { toast } from '../../ui/toaster.tsx';
import { type DetailsProblem, detailsOf, detailsProblem } from '../../vault/entries/details-fields.tsx';
import type { MythDraft, Myths, OpenedMyth } from '../../vault/entries/myths.ts';
import { type AfterSealing, useEntryForm } from '../../vault/entries/use-entry-form.ts';
import { tellIncompleteMyth } from './edit-dialog.tsx';
import { chosenFor, joinWords } from './eulogy.ts';
import { emptyForm, type StoryDraft, type StoryForm } from './story-form.ts';
import { asksDuration } from './story-words.ts';
import { FAILURE, useMaking } from './use-making.ts';
import { useRituals } from './use-rituals.ts';
import { useSources } from './use-sources.ts';
import type { WriterName } from './writer-choice.tsx';

/** Where somebody is: before the words, before a model that writes, or before the draft. */
export type Step = 'words' | 'writing' | 'draft';

/** What has to be asked first, and what is done after a yes. */
export interface Question {
  about: 'everything' | 'story' | 'replacing';
  onYes: () => void;
}

/** What a story is made from: what is written, and the entries that are chosen for a eulogy. */
function useWords(form: StoryForm) {
  const isEulogy = form.storyType === 'eulogy';
  const rituals = useRituals(isEulogy);
  const entries = useSources(isEulogy ? 'entries' : asksDuration(form.storyType) ? 'names' : 'none');
  const all = isEulogy ? entries.sources?.all : undefined;
  const chosen = useMemo(
    () => form.picked ?? chosenFor(all ?? [], form.person),
    [form.picked, form.person, all],
  );
  const source = useMemo(() => {
    if (!isEulogy) return form.source;
    const keys = new Set(chosen);
    return joinWords(all?.filter(({ key }) => keys.has(key)) ?? [], form.source);
  }, [isEulogy, all, chosen, form.source]);
  return { rituals, entries, chosen, source };
}

/** The form until its story is sealed, and what is wrong with when it happened. */
function useForm(myths: Myths, onCreated: AfterSealing<OpenedMyth>) {
  const [when, setWhen] = useState<DetailsProblem | null>(null);

  function toDraft(form: StoryForm): MythDraft | null {
    const { story } = form;
    if (!story || story.title.trim() === '' || story.text.trim() === '') {
      tellIncompleteMyth();
      return null;
    }
    const wrong = detailsProblem(form, new Date());
    setWhen(wrong);
    if (wrong) return null;
    const details = detailsOf(form, undefined, story.made);
    return {
      texts: { title: story.title, encryptedContent: story.text, details },
      clear: { storyType: story.storyType },
      choice: story.storyType,
    };
  }

  const entry = useEntryForm({
    collection: myths,
    entry: undefined,
    initial: emptyForm,
    inDetails: [],
    toDraft,
    onSealed(myth, link) {
      const { writer } = entry.form.story?.made ?? {};
      toast({
        title: 'Myth Created',
        description: writer
          ? `It was sealed in this browser. What it was made from was read by ${writer}.`
          : 'It was sealed in this browser. Nobody else can read it.',
      });
      onCreated(myth, link);
    },
    failure: FAILURE,
  });
  return { entry, when, forgetWhen: () => setWhen(null) };
}

export function useStory(myths: Myths, onCreated: AfterSealing<OpenedMyth>) {
  const { entry, when, forgetWhen } = useForm(myths, onCreated);
  const { form } = entry;
  const { story } = form;
  const words = useWords(form);
  const [atSource, setAtSource] = useState(false);
  const [question, setQuestion] = useState<Question | null>(null);
  const making = useMaking(
    { form, ...words },
    {
      onReplacing: (onYes) => setQuestion({ about: 'replacing', onYes }),
      onMade(made) {
        entry.change(made);
        setAtSource(false);
      },
      onIncomplete: () => setAtSource(true),
    },
  );
  const { writer, writing } = making;
  const by: WriterName = form.writer === 'model' && writer.model ? 'model' : 'loom';
  const step: Step = writing.underway?.by === 'model' ? 'writing' : story && !atSource ? 'draft' : 'words';

  return {
    ...{ form, step, by, when, question, writer, writing, ...words },
    ...{ problem: making.problem, failed: making.failed, make: making.make },
    /** Whether the draft was to be sealed with something missing. */
    tried: entry.tried,
    /** Whether weaving again has brought forth the same. */
    isSame: making.isSame,
    busy: entry.busy || writer.checking || writing.underway !== null,
    /** Whether the server takes so long to seal it that the form may be left. */
    isSlow: entry.isSlow,
    /** Whether the form may be left although something is under way: nothing was sent, or what was sent is kept. */
    leavable: entry.isSlow || writer.checking,
    /** What the last try to seal ended with. */
    refusal: entry.refusal,
    /** Whether something is brought back that was begun before. */
    restored: entry.restored,
    answer: () => setQuestion(null),

    change(part: Partial<StoryForm>) {
      entry.change(part);
      making.wordsChanged();
      forgetWhen();
    },
    changeStory(part: Partial<StoryDraft>) {
      if (story) entry.change({ story: { ...story, ...part, edited: true } });
      making.storyChanged();
    },
    link: entry.link,
    files: entry.files,
    seal: entry.save,
    showSource: () => setAtSource(true),
    showDraft: () => setAtSource(false),
    discardEverything: () =>
      setQuestion({
        about: 'everything',
        onYes() {
          entry.discard();
          making.forgetFailure();
          setAtSource(false);
        },
      }),
    discardStory: () =>
      setQuestion({
        about: 'story',
        onYes() {
          entry.change({ story: null });
          making.forgetFailure();
        },
      }),
  };
}

export type Story = ReturnType<typeof useStory>;
