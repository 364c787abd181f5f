// The way from words to a sealed myth: what is written and chosen, who makes a story of it, the draft, and its sealing.
import { useEffect, useMemo, useRef, useState } from 'react';
import { isRitualTone, type StoryRequest } from '../../../shared/nouns/myth.ts';
import { storyLabel } from '../../../shared/nouns/story-types.ts';
import { splitStory } from '../../../shared/story-text.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { toast } from '../../ui/toaster.tsx';
import { type DetailsProblem, detailsOf, detailsProblem } from '../../vault/entries/details-fields.tsx';
import type { MythDraft, Myths, OpenedMyth } from '../../vault/entries/myths.ts';
import { type AfterSealing, useEntryForm } from '../../vault/entries/use-entry-form.ts';
import { tellIncompleteMyth } from './edit-dialog.tsx';
import { chosenFor, joinWords } from './eulogy.ts';
import {
  emptyForm,
  lengthProblem,
  madeOf,
  requestOf,
  type StoryDraft,
  type StoryForm,
} from './story-form.ts';
import { asksDuration } from './story-words.ts';
import { useRituals } from './use-rituals.ts';
import { useSources } from './use-sources.ts';
import { useWriter } from './use-writer.ts';
import { NO_LOOM, useWriting } from './use-writing.ts';
import type { WriterName } from './writer-choice.tsx';

const FAILURE = 'Failed to Generate Myth';

/** Where somebody is: before the words, before a model that writes, or before the draft. */
export type Step = 'words' | 'writing' | 'draft';

/** What has to be asked first, and what is done after a yes. */
export interface Question {
  about: 'everything' | 'story' | 'replacing';
  onYes: () => void;
}

interface Problems {
  type?: string | undefined;
  source?: string | undefined;
  tone?: string | undefined;
  consent?: string | undefined;
}

const missingSource = (isEulogy: boolean): string =>
  isEulogy
    ? 'Tick at least one entry above, or write something here.'
    : 'Write here what the story is made from.';

/** Why no story came, and who was to make it. */
interface Failed {
  says: string;
  by: WriterName;
  /** What a call ended with, if it was one. */
  refusal: unknown;
}

export function useStory(myths: Myths, onCreated: AfterSealing<OpenedMyth>) {
  const [problem, setProblem] = useState<Problems>({});
  const [when, setWhen] = useState<DetailsProblem | null>(null);
  const [failed, setFailed] = useState<Failed | null>(null);
  const [isSame, setIsSame] = useState(false);
  const [agreeing, setAgreeing] = useState(false);
  const [atSource, setAtSource] = useState(false);
  const [checking, setChecking] = useState(false);
  const [question, setQuestion] = useState<Question | null>(null);

  const entry = useEntryForm({
    collection: myths,
    entry: undefined,
    initial: emptyForm,
    inDetails: [],
    toDraft,
    onSealed(myth, link) {
      const { writer } = form.story?.made ?? {};
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
  const { form } = entry;
  const { storyType, story } = form;
  const isEulogy = storyType === 'eulogy';
  const writer = useWriter();
  const writing = useWriting();
  const rituals = useRituals(isEulogy);
  const entries = useSources(isEulogy ? 'entries' : asksDuration(storyType) ? 'names' : 'none');
  // What is made arrives later than the form that asked for it.
  const changeNow = useRef(entry.change);
  useEffect(() => {
    changeNow.current = entry.change;
  });
  // What a form that was left meanwhile was about to send stays here.
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);

  const by: WriterName = form.writer === 'model' && writer.model ? 'model' : 'loom';
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
  const step: Step = writing.underway?.by === 'model' ? 'writing' : story && !atSource ? 'draft' : 'words';

  function toDraft(form: StoryForm): MythDraft | null {
    const { story } = form;
    if (!story || story.title.trim() === '' || story.text.trim() === '') {
      tellIncompleteMyth();
      return null;
    }
    const wrong = detailsProblem(form, new Date());
    setWhen(wrong);
    if (wrong) return null;
    return {
      texts: {
        title: story.title,
        encryptedContent: story.text,
        details: detailsOf(form, undefined, story.made),
      },
      clear: { storyType: story.storyType },
      choice: story.storyType,
    };
  }

  function fail(says: string, by: WriterName, refusal: unknown = null) {
    setFailed({ says, by, refusal });
    toast({ title: FAILURE, description: says, tone: 'destructive' });
  }

  /** What is asked for, once nothing is missing of it; otherwise that is said. */
  function readyRequest(): StoryRequest | null {
    const request = requestOf(form, source);
    if (!request) {
      setProblem({
        type: storyType === '' ? 'Choose what kind of story it becomes.' : undefined,
        source: source.trim() === '' ? missingSource(isEulogy) : undefined,
      });
      toast({
        title: 'Incomplete Story Request',
        description: 'Please select a story type and provide source content.',
        tone: 'destructive',
        isMistake: true,
      });
      return null;
    }
    const tooLong = lengthProblem(source);
    const { emotionalTone: tone } = request;
    const closed = tone && isRitualTone(tone) && !rituals ? 'This tone is not open to you.' : undefined;
    setProblem({ source: tooLong, tone: closed });
    return tooLong || closed ? null : request;
  }

  /**
   * Has a story made.
   * @param again another one of the same words
   * @param sure whether a draft that was changed by hand may be replaced
   */
  async function make(by: WriterName, { again = false, sure = false } = {}): Promise<void> {
    const request = readyRequest();
    if (!request) return setAtSource(true);
    if (story?.edited && !sure) {
      const onYes = () => void make(by, { again, sure: true });
      return setQuestion({ about: 'replacing', onYes });
    }
    setFailed(null);
    setIsSame(false);
    if (by === 'loom') await weave(request, again ? form.seed + 1 : form.seed);
    else await ask(request);
  }

  async function weave(request: StoryRequest, seed: number): Promise<void> {
    try {
      const woven = await writing.weave(request, seed);
      if (!woven) return;
      setIsSame(story?.title === woven.title && story.text === woven.text);
      keep({ ...woven, storyType: request.storyType, made: madeOf(request), unfinished: false }, seed);
    } catch {
      fail(NO_LOOM, 'loom');
    }
  }

  async function ask(request: StoryRequest): Promise<void> {
    const { model } = writer;
    if (!model) return;
    if (!writer.agreed && !agreeing) {
      setAtSource(true);
      return setProblem({ consent: 'Agree that it reads your words, or choose the Loom.' });
    }
    if (!writer.agreed) writer.agree();
    setAgreeing(false);
    setChecking(true);
    try {
      if (!(await writer.isStill(model.writerId))) {
        setAtSource(true);
        return fail('This server’s language model was changed since you agreed. Nothing was sent.', 'model');
      }
    } catch (error) {
      return fail(sentenceOf(error), 'model');
    } finally {
      setChecking(false);
    }
    if (isLeft.current) return;
    const { words, problem, refusal, stopped } = await writing.ask({
      ...request,
      writerId: model.writerId,
    });
    const { title, text } = splitStory(words);
    // A draft that is there is worth more than a piece of another one.
    if (text !== '' && !(problem && story)) {
      keep({
        ...{ title: title || storyLabel(request.storyType), text, form: null, storyType: request.storyType },
        made: madeOf(request, model.writer),
        unfinished: problem !== null || stopped,
      });
    }
    if (problem) fail(story ? `${problem} Your draft is still here.` : problem, 'model', refusal);
  }

  function keep(made: Omit<StoryDraft, 'edited'>, seed = form.seed): void {
    changeNow.current({ seed, story: { ...made, edited: false } });
    setAtSource(false);
  }

  return {
    form,
    /** Whether the draft was to be sealed with something missing. */
    tried: entry.tried,
    step,
    by,
    writer,
    writing,
    rituals,
    entries,
    chosen,
    source,
    problem,
    when,
    failed,
    /** Whether weaving again has brought forth the same. */
    isSame,
    agreeing,
    setAgreeing,
    busy: entry.busy || checking || writing.underway !== null,
    /** Whether the server takes so long to seal it that the form may be left. */
    isSlow: entry.isSlow,
    /** Whether the form may be left although something is under way: nothing was sent, or what was sent is kept. */
    leavable: entry.isSlow || checking,
    /** What the last try to seal ended with. */
    refusal: entry.refusal,
    /** Whether something is brought back that was begun before. */
    restored: entry.restored,
    question,
    answer: () => setQuestion(null),

    change(part: Partial<StoryForm>) {
      entry.change(part);
      setProblem({});
      setWhen(null);
      setIsSame(false);
    },
    changeStory(part: Partial<StoryDraft>) {
      if (story) entry.change({ story: { ...story, ...part, edited: true } });
      setIsSame(false);
    },
    make,
    link: entry.link,
    seal: entry.save,
    showSource: () => setAtSource(true),
    showDraft: () => setAtSource(false),
    discardEverything: () =>
      setQuestion({
        about: 'everything',
        onYes() {
          entry.discard();
          setFailed(null);
          setAtSource(false);
        },
      }),
    discardStory: () =>
      setQuestion({
        about: 'story',
        onYes() {
          entry.change({ story: null });
          setFailed(null);
        },
      }),
  };
}

export type Story = ReturnType<typeof useStory>;
