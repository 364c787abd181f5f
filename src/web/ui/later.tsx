// Parts of the app that are fetched when they are first wanted, or a moment before. Not React's `lazy`: under `Suspense` a
// fallback that has been shown stays for 300 ms, and a part that cannot be fetched would take the whole page with it.
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { PartProblem } from './part-problem.tsx';

/** A component whose code is in a file of its own. It shows `waiting` until that is here, and says when it cannot be had. */
export type Later<P> = ComponentType<P> & {
  /** Fetches the code. Once this has resolved, the component is shown at once. @throws when it cannot be fetched */
  preload: () => Promise<void>;
};

/** Resolves once the first view is painted; null from then on, and where nobody has said that one is being drawn. */
let painting: Promise<unknown> | null = null;

/** What a first view wants in parts is fetched once it is painted: their code would run before that, and take its time. */
export function fetchPartsAfter(painted: Promise<unknown>): void {
  painting = painted.then(() => {
    painting = null;
  });
}

let underway = 0;
const listeners = new Set<() => void>();

/** How many parts are being fetched. */
export const partsUnderway = (): number => underway;

/** Calls back when another one is, or one less. @returns ends it */
export function watchParts(changed: () => void): () => void {
  listeners.add(changed);
  return () => void listeners.delete(changed);
}

function count(by: number): void {
  underway += by;
  for (const changed of [...listeners]) changed();
}

/**
 * Makes a component of a module's default export, which is fetched when it is first shown.
 * @param load imports the module; called again after it has failed
 * @param waiting what stands in its place meanwhile
 */
export function later<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  waiting: ReactNode = null,
): Later<P> {
  let Ready: ComponentType<P> | null = null;
  let loading: Promise<void> | null = null;

  async function fetchPart(): Promise<void> {
    count(1);
    try {
      Ready = (await load()).default;
    } catch (error) {
      loading = null;
      throw error;
    } finally {
      count(-1);
    }
  }

  function preload(): Promise<void> {
    loading ??= fetchPart();
    return loading;
  }

  function LaterPart(props: P) {
    const [state, setState] = useState<'waiting' | 'ready' | 'failed'>(Ready ? 'ready' : 'waiting');
    useEffect(() => {
      if (state !== 'waiting') return;
      let isShown = true;
      const fetched = painting ? painting.then(preload) : preload();
      fetched.then(
        () => isShown && setState('ready'),
        () => isShown && setState('failed'),
      );
      return () => {
        isShown = false;
      };
    }, [state]);
    if (Ready) return <Ready {...props} />;
    if (state === 'failed')
      return <PartProblem whole={waiting !== null} onRetry={() => setState('waiting')} />;
    return waiting;
  }

  return Object.assign(LaterPart, { preload });
}
