// The reading of paper: photographs are looked at one after the other, in a worker that keeps what it has read until the page is left.
import { useEffect, useRef, useState } from 'react';
import type { PaperState } from '../../../ark/paper/codes.ts';
import workerUrl from '../../imports/paper-reading-worker.ts?worker&url';
import type { PaperReadingReply, PaperReadingRequest } from '../../imports/paper-session.ts';
import { useAttempt } from '../../vault/entries/use-attempt.ts';
import { type Asked, askWorker } from '../../workers.ts';

/** A photograph in which nothing was found, and why. */
export interface Unread {
  name: string;
  why: 'no-picture' | 'too-large' | 'no-pages' | 'no-codes';
}

type Problem = Extract<PaperReadingReply, { ok: false }>['problem'];

const problems: Record<Problem, string> = {
  missing: 'More codes are needed.',
  damaged: 'These codes do not belong together, or one was misread. Nothing was taken in.',
  failed: 'Something went wrong here. Choose the photographs once more.',
};

class PaperFailed extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem);
    this.problem = problem;
  }
}

/** What went wrong is this page's own: nothing is sent. */
const explain = (error: unknown) =>
  error instanceof DOMException ? null : problems[error instanceof PaperFailed ? error.problem : 'failed'];

/** @param onWords is given what a paper says, as a file like those that other applications export */
export function usePaper(onWords: (file: File) => void) {
  const { attempt, setUnderway, underway, problem, abort } = useAttempt(explain);
  const [states, setStates] = useState<readonly PaperState[]>([]);
  const [unread, setUnread] = useState<readonly Unread[]>([]);
  const worker = useRef<Asked<PaperReadingRequest, PaperReadingReply> | null>(null);
  useEffect(() => () => worker.current?.close(), []);

  async function ask(request: PaperReadingRequest) {
    worker.current ??= askWorker<PaperReadingRequest, PaperReadingReply>(workerUrl);
    const reply = await worker.current.ask(request).catch((): PaperReadingReply => {
      // It is gone, and what it had read with it: the next photographs are given to another one.
      worker.current = null;
      setStates([]);
      return { ok: false, problem: 'failed' };
    });
    if (!reply.ok) throw new PaperFailed(reply.problem);
    return reply;
  }

  /** Looks at one file. @returns why nothing was found in it, null where something was */
  async function lookAt(file: File, signal: AbortSignal, tell: (page: number, pages: number) => void) {
    const opened = await ask({ ask: 'open', file });
    if (!('pages' in opened)) throw new PaperFailed('failed');
    let why: Unread['why'] | null = opened.pages === 0 ? 'no-pages' : 'no-picture';
    for (let page = 0; page < opened.pages; page++) {
      signal.throwIfAborted();
      if (opened.pages > 1) tell(page, opened.pages);
      const reply = await ask({ ask: 'look', page });
      if (!('states' in reply)) throw new PaperFailed('failed');
      setStates(reply.states);
      if (reply.codes === 'too-large') why &&= 'too-large';
      else if (reply.codes) why = null;
      else if (reply.codes === 0 && why !== null) why = 'no-codes';
    }
    signal.throwIfAborted();
    return why;
  }

  return {
    ...{ states, unread, underway, problem },
    stop: abort,

    look: (files: readonly File[]) =>
      attempt({ label: 'Looking for codes', value: 0, max: files.length }, async (signal) => {
        setUnread([]);
        for (const [at, file] of files.entries()) {
          const text = `${at + 1} of ${files.length}`;
          const tell = (name: string, done: number) =>
            setUnderway({ label: `Looking for codes in ${name}`, value: at + done, max: files.length, text });
          tell(file.name, 0);
          const why = await lookAt(file, signal, (page, pages) =>
            tell(`page ${page + 1} of ${pages} of ${file.name}`, page / pages),
          );
          if (why) setUnread((before) => [...before, { name: file.name, why }]);
        }
      }),

    /** Hands over what a paper says. @param place among the states */
    take: (place: number) =>
      attempt({ label: 'Putting it together' }, async () => {
        const reply = await ask({ ask: 'words', place });
        if (!('words' in reply)) throw new PaperFailed('failed');
        onWords(new File([reply.words], 'paper.json', { type: 'application/json' }));
      }),
  };
}
