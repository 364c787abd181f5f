// Having a story made of what is written and chosen, by the Loom or a model, and what is said where none comes.
import { useEffect, useRef, useState } from 'react';
import type { StoryRequest } from '../../../shared/nouns/myth.ts';
import { storyLabel } from '../../../shared/nouns/story-types.ts';
import { splitStory } from '../../../shared/story-text.ts';
import { toast } from '../../ui/toaster.tsx';
import {
  madeOf,
  missingIn,
  type Problems,
  problemsOf,
  requestOf,
  type StoryDraft,
  type StoryForm,
} from './story-form.ts';
import { useWriter } from './use-writer.ts';
import { NO_LOOM, useWriting } from './use-writing.ts';
import type { WriterName } from './writer-choice.tsx';

export const FAILURE = 'Failed to Generate Myth';

/** What is made from. */
interface Words {
  form: StoryForm;
  /** The words, with those of chosen entries. */
  source: string;
  /** Whether the tones of rituals are open to their author. */
  rituals: boolean;
}

/** What making a story leads to. */
interface Outcomes {
  /** A draft by hand is replaced only where `onYes` is called. */
  onReplacing(onYes: () => void): void;
  onMade(made: Partial<StoryForm>): void;
  /** Something has to be chosen or agreed to first. */
  onIncomplete(): void;
}

/** Why no story came, and who was to make it. */
export interface Failed {
  says: string;
  by: WriterName;
  /** What a call ended with, if it was one. */
  refusal: unknown;
}

const isSameStory = (a: StoryDraft | null, b: Pick<StoryDraft, 'title' | 'text'>): boolean =>
  a?.title === b.title && a.text === b.text;

/** What a form that was left meanwhile was about to send stays here. */
function useIsLeft() {
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  return isLeft;
}

/** @param given read as it is when a story arrives, which may be later than the form that asked for it */
export function useMaking({ form, source, rituals }: Words, given: Outcomes) {
  const { story } = form;
  const [problem, setProblem] = useState<Problems>({});
  const [failed, setFailed] = useState<Failed | null>(null);
  const [isSame, setIsSame] = useState(false);
  const writer = useWriter();
  const writing = useWriting();
  const outcomes = useRef(given);
  useEffect(() => {
    outcomes.current = given;
  });
  const isLeft = useIsLeft();

  function fail(says: string, by: WriterName, refusal: unknown = null) {
    setFailed({ says, by, refusal });
    toast({ title: FAILURE, description: says, tone: 'destructive' });
  }

  /** What is asked for, once nothing is missing of it; otherwise that is said. */
  function readyRequest(): StoryRequest | null {
    const request = requestOf(form, source);
    const wrong = request ? problemsOf(request, rituals) : missingIn(form, source);
    setProblem(wrong ?? {});
    if (!request)
      toast({
        title: 'Incomplete Story Request',
        description: 'Please select a story type and provide source content.',
        tone: 'destructive',
        isMistake: true,
      });
    return wrong ? null : request;
  }

  const keep = (made: Omit<StoryDraft, 'edited'>, seed = form.seed) =>
    outcomes.current.onMade({ seed, story: { ...made, edited: false } });

  async function weave(request: StoryRequest, seed: number): Promise<void> {
    try {
      const woven = await writing.weave(request, seed);
      if (!woven) return;
      setIsSame(isSameStory(story, woven));
      keep({ ...woven, storyType: request.storyType, made: madeOf(request), unfinished: false }, seed);
    } catch {
      fail(NO_LOOM, 'loom');
    }
  }

  async function ask(request: StoryRequest): Promise<void> {
    const { model } = writer;
    if (!model) return;
    const refused = await writer.whyNotAsked(model.writerId);
    if (refused && refused.why !== 'unknown') outcomes.current.onIncomplete();
    if (refused?.why === 'not-agreed')
      return setProblem({ consent: 'Agree that it reads your words, or choose the Loom.' });
    if (refused) return fail(refused.says, 'model');
    if (isLeft.current) return;
    const written = await writing.ask({ ...request, writerId: model.writerId });
    const { problem, refusal, stopped } = written;
    const { title, text } = splitStory(written.words);
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

  /**
   * Has a story made.
   * @param again another one of the same words
   * @param sure whether a draft that was changed by hand may be replaced
   */
  async function make(by: WriterName, { again = false, sure = false } = {}): Promise<void> {
    const request = readyRequest();
    if (!request) return given.onIncomplete();
    if (story?.edited && !sure) return given.onReplacing(() => void make(by, { again, sure: true }));
    setFailed(null);
    setIsSame(false);
    if (by === 'loom') await weave(request, again ? form.seed + 1 : form.seed);
    else await ask(request);
  }

  return {
    ...{ problem, failed, isSame, writer, writing, make },
    forgetFailure: () => setFailed(null),
    /** The words were changed: what was said of them before is over. */
    wordsChanged() {
      setProblem({});
      setIsSame(false);
    },
    storyChanged: () => setIsSame(false),
  };
}
