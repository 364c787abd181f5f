// The stream of a language model's answer: server-sent events, and the thoughts that some models put between tags in the
// midst of their words.
import { createParser } from 'eventsource-parser';
import { AppError } from '../errors.ts';

/** A piece of an answer: words of it, or thoughts that lead to it and are nobody's to read. */
export interface AnswerPart {
  kind: 'words' | 'thoughts';
  text: string;
}

/** The most that is kept of an event that does not end, in characters: each holds a word or two. */
const EVENT_MAX = 1024 * 1024;

/**
 * The data of each event of a stream of server-sent events (WHATWG HTML, 9.2.6).
 * @throws AppError `story-too-long` where an event does not end
 */
export async function* eventsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  let found: string[] = [];
  const parser = createParser({
    onEvent: ({ data }) => found.push(data),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') throw new AppError('story-too-long');
    },
    maxBufferSize: EVENT_MAX,
  });
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* found;
    found = [];
  }
  // The last blank line is forgotten by some.
  parser.feed(`${decoder.decode()}\n\n`);
  yield* found;
}

const TAGS = { words: '<think>', thoughts: '</think>' } as const;

/** Tells words from the thoughts between `<think>` and `</think>`, in whatever pieces these come. */
export function createThoughtSplitter() {
  let kind: AnswerPart['kind'] = 'words';
  let kept = '';
  let hasWords = false;
  /** Words before and after thoughts are lines of their own. */
  let isAfterThoughts = false;

  function* say(text: string): Generator<AnswerPart> {
    if (text === '') return;
    const needsBreak = kind === 'words' && isAfterThoughts && hasWords;
    if (kind === 'words') [hasWords, isAfterThoughts] = [true, false];
    yield { kind, text: needsBreak ? `\n${text}` : text };
  }

  return {
    *push(text: string): Generator<AnswerPart> {
      kept += text;
      for (let at = kept.indexOf(TAGS[kind]); at >= 0; at = kept.indexOf(TAGS[kind])) {
        yield* say(kept.slice(0, at));
        kept = kept.slice(at + TAGS[kind].length);
        isAfterThoughts = kind === 'thoughts';
        kind = kind === 'words' ? 'thoughts' : 'words';
      }
      const sure = kept.length - beginningOf(TAGS[kind], kept);
      yield* say(kept.slice(0, sure));
      kept = kept.slice(sure);
    },
    *end(): Generator<AnswerPart> {
      yield* say(kept);
      kept = '';
    },
  };
}

/** How many of the last characters of a text may be the beginning of a tag. */
function beginningOf(tag: string, text: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(tag.slice(0, length))) return length;
  }
  return 0;
}
