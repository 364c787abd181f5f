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
  why: 'no-picture' | 'no-codes';
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

  return {
    ...{ states, unread, underway, problem },
    stop: abort,

    look: (files: readonly File[]) =>
      attempt({ label: 'Looking for codes', value: 0, max: files.length }, async (signal) => {
        setUnread([]);
        for (const [at, file] of files.entries()) {
          const text = `${at + 1} of ${files.length}`;
          setUnderway({ label: `Looking for codes in ${file.name}`, value: at, max: files.length, text });
          const reply = await ask({ ask: 'picture', file });
          if (!('states' in reply)) throw new PaperFailed('failed');
          setStates(reply.states);
          const why = reply.codes === null ? 'no-picture' : reply.codes === 0 ? 'no-codes' : null;
          if (why) setUnread((before) => [...before, { name: file.name, why }]);
          signal.throwIfAborted();
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
