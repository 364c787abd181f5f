// The Loom, as a call of the server has it weave. What it knows of English is large, and browsers weave for themselves: it
// is loaded when it is asked for. None of its errors repeats a word of the source.
import { type ResourceLimits, Worker } from 'node:worker_threads';
import type { StoryRequest } from '../../shared/nouns/myth.ts';
import type { StoryText } from '../../shared/story-text.ts';
import { SECOND } from '../../shared/time.ts';
import { AppError, clientGone } from '../errors.ts';

/**
 * Weaves once.
 * @param signal ends it when nobody waits for the story any more
 * @throws AppError `writer-slow`, or of whoever has left
 */
export type Weave = (request: StoryRequest & { seed: number }, signal: AbortSignal) => Promise<StoryText>;

/** What one weaving may take; a thread that needs more is ended. */
export interface WeavingLimits extends ResourceLimits {
  /** Milliseconds. Thirty pages of prose take less than one second. */
  time: number;
}

const LIMITS: WeavingLimits = {
  time: 20 * SECOND,
  maxOldGenerationSizeMb: 384,
  maxYoungGenerationSizeMb: 32,
};

/** Beside main.js, in the same build. */
const WORKER_FILE = 'loom-worker.js';

/** From its sources, as in tests, the server has no file that a thread could run. */
export const createWeave = (): Weave =>
  import.meta.url.endsWith('.ts') ? weaveHere : weaveInThread(new URL(WORKER_FILE, import.meta.url));

/** Weaves in this thread, which other work has to wait for. */
export const weaveHere: Weave = async (request) => (await import('../../loom/loom.ts')).weave(request);

/**
 * Weaves in a thread that lives for one story.
 * @param file loom-worker.js of a build
 */
export function weaveInThread(file: URL, { time, ...resourceLimits }: WeavingLimits = LIMITS): Weave {
  return (request, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(clientGone());
      const worker = new Worker(file, { workerData: request, resourceLimits });
      const end = (settle: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', leave);
        void worker.terminate();
        settle();
      };
      const leave = () => end(() => reject(clientGone()));
      // What a thread dies of is a source that is too much for it.
      const fail = () => end(() => reject(new AppError('writer-slow', TOO_MUCH)));
      const timer = setTimeout(fail, time);
      signal.addEventListener('abort', leave, { once: true });
      worker.once('message', (story: StoryText) => end(() => resolve(story)));
      worker.on('error', fail);
      worker.once('exit', fail);
    });
}

const TOO_MUCH =
  'This text is too much for the Loom on this server. Nothing was lost: send less of it, or have it made in the browser.';
