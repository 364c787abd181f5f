// Having a story made: by the Loom in this browser, or by a model whose words come one after the other. It keeps nothing,
// and never turns to the one when the other fails.
import { useEffect, useRef, useState } from 'react';
import type { Weaving } from '../../../loom/loom.ts';
import { type DraftRequest, type StoryRequest, stories } from '../../../shared/nouns/myth.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { useVault } from '../../vault/session/vault-context.ts';
import { weaveHere } from './loom.ts';

/** What a model has written, and how it ended. */
export interface Written {
  words: string;
  /** Why no more came, in a sentence; null where it is whole, and where its author stopped it. */
  problem: string | null;
  /** What that was said of. */
  refusal?: unknown;
  stopped: boolean;
}

export type Underway = { by: 'loom' } | { by: 'model'; words: string };

export const NO_LOOM =
  'The Loom could not be loaded: a part of this page did not arrive. Try again once you are connected.';

export function useWriting() {
  const { api } = useVault();
  const [underway, setUnderway] = useState<Underway | null>(null);
  const current = useRef<AbortController | null>(null);
  // Nobody reads what a page that is gone has asked for.
  useEffect(() => () => current.current?.abort(), []);

  function begin(what: Underway): AbortSignal {
    current.current?.abort();
    current.current = new AbortController();
    setUnderway(what);
    return current.current.signal;
  }

  return {
    underway,

    /**
     * @returns null when the page has gone meanwhile
     * @throws Error when the Loom cannot be loaded
     */
    async weave(request: StoryRequest, seed: number): Promise<Weaving | null> {
      const signal = begin({ by: 'loom' });
      try {
        return await weaveHere({ ...request, seed }, signal);
      } catch (error) {
        if (signal.aborted) return null;
        throw error;
      } finally {
        if (!signal.aborted) setUnderway(null);
      }
    },

    /** Sends the words to the server, and by it to its model. It never throws: what has come is always given back. */
    async ask(request: DraftRequest): Promise<Written> {
      const signal = begin({ by: 'model', words: '' });
      let words = '';
      try {
        for await (const line of api.stream(stories.draft, { body: request, signal })) {
          words += line.words;
          setUnderway({ by: 'model', words });
        }
        return { words, problem: null, stopped: false };
      } catch (error) {
        if (signal.aborted) return { words, problem: null, stopped: true };
        return { words, problem: sentenceOf(error), refusal: error, stopped: false };
      } finally {
        setUnderway(null);
      }
    },

    stop: () => current.current?.abort(),
  };
}

export type Writing = ReturnType<typeof useWriting>;
