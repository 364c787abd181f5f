// The ten seconds after which a form lets go of its writer: they pass when a test says so.
import { afterEach, beforeEach } from 'vitest';
import { SECOND } from '../../shared/time.ts';

/** Holds them back in every test of a file. @returns lets them pass, where something waits for them */
export function holdTenSeconds(): () => void {
  let afterTen: (() => void) | null = null;
  const wait = globalThis.setTimeout;
  beforeEach(() => {
    const fake = (work: () => void, after?: number, ...rest: unknown[]) => {
      if (after !== 10 * SECOND) return wait(work, after, ...rest);
      afterTen = work;
      return wait(() => {}, 0);
    };
    globalThis.setTimeout = fake as typeof setTimeout;
  });
  afterEach(() => {
    globalThis.setTimeout = wait;
    afterTen = null;
  });
  return () => afterTen?.();
}
