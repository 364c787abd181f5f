// The language model that writes stories: who it is, how long it may take, and how much it may write. What it is sent and
// what it answers is the author's: neither is kept or logged, and no error repeats any of it.
import { STORY_MAX, type StoryRequest } from '../../shared/nouns/myth.ts';
import { MINUTE, SECOND } from '../../shared/time.ts';
import type { Config } from '../config.ts';
import { sha256 } from '../digests.ts';
import { AppError } from '../errors.ts';
import { storyPrompt } from './story-prompt.ts';

export interface StoryWriter {
  /** Who reads the words, such as “llama3 at 127.0.0.1:11434”. */
  writer: string;
  /** Another one for every address and model: a SHA-256 in hex. */
  writerId: string;
  /**
   * Writes one story, in pieces: a title, an empty line, and the text. The model's request ends when the signal says so,
   * and when nobody asks for more pieces. It is never empty.
   * @throws AppError `writer-away`, `writer-busy`, `writer-slow`, `writer-refused` or `story-too-long`; any of them once
   *   the signal has ended it
   */
  write(request: StoryRequest, signal: AbortSignal): AsyncGenerator<string, void, undefined>;
}

/** How long a model may take, in milliseconds. A connection of ours is let idle for as long. */
export interface StoryLimits {
  /** Until the first words: a model may have to be loaded first, and to read thirty pages. */
  firstWords: number;
  /** Between two words. */
  pause: number;
  whole: number;
  /** Rings once after so many milliseconds, unless it is cancelled. Tests ring it themselves. */
  timer: (milliseconds: number, ring: () => void) => () => void;
}

export const storyLimits: StoryLimits = {
  firstWords: 2 * MINUTE,
  pause: 30 * SECOND,
  whole: 5 * MINUTE,
  timer(milliseconds, ring) {
    const timer = setTimeout(ring, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** The longest name of a writer, in characters, as the contract has it. */
const NAME_MAX = 300;

/** @returns null where no language model is configured */
export function createStoryWriter(
  { llm }: Pick<Config, 'llm'>,
  limits: StoryLimits = storyLimits,
): StoryWriter | null {
  if (!llm) return null;
  const { url, model } = llm;
  const at = ` at ${url.host}`;
  return {
    writer: `${model.slice(0, NAME_MAX - at.length)}${at}`,
    writerId: sha256(`${url.href.replace(/\/+$/, '')}\n${model}`),
    write: (request, leaving) => write(llm, request, leaving, limits),
  };
}

async function* write(
  llm: NonNullable<Config['llm']>,
  request: StoryRequest,
  leaving: AbortSignal,
  { timer, firstWords, pause, whole }: StoryLimits,
): AsyncGenerator<string, void, undefined> {
  const { askModel } = await import('./story-model.ts');
  const late = new AbortController();
  const ending = new AbortController();
  const stopWhole = timer(whole, () => late.abort());
  let stopWaiting = timer(firstWords, () => late.abort());
  let length = 0;
  let hasWords = false;
  try {
    const signal = AbortSignal.any([leaving, late.signal, ending.signal]);
    for await (const { kind, text } of askModel(llm, storyPrompt(request), signal)) {
      if (text === '') continue;
      // Thoughts are signs of life as well.
      stopWaiting();
      if (kind === 'words') {
        hasWords ||= text.trim() !== '';
        const words = text.slice(0, STORY_MAX - length);
        length += text.length;
        if (words !== '') yield words;
        if (length > STORY_MAX) throw new AppError('story-too-long');
      }
      stopWaiting = timer(pause, () => late.abort());
    }
  } catch (error) {
    throw late.signal.aborted ? new AppError('writer-slow') : error;
  } finally {
    stopWhole();
    stopWaiting();
    ending.abort();
  }
  if (!hasWords) throw new AppError('writer-away');
}
