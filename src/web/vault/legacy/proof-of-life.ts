// Says that somebody is there, after a person's own press, hourly at most. It does not ask whether a scroll watches: one
// may have been activated elsewhere since this page was loaded. A page that merely stands open, and a script that
// presses, prove nothing.

import { useEffect } from 'react';
import { HOUR, MINUTE } from '../../../shared/time.ts';
import { giveProofOfLife, summary } from '../../../vault/api/first-calls.ts';
import { type Services, useServices } from '../../api/services.tsx';

const EVERY = HOUR;
/** How soon a gesture tries again after one that nobody heard. */
const AGAIN_AFTER = MINUTE;
const MOVES_AFTER = 1000;
const GESTURES = ['pointerdown', 'keydown'] as const;

const slotOf = (uid: string) => `latebra.proof-of-life:${uid}`;

export interface LifeSigns {
  now: () => number;
  /** Whether a sign has any way to be heard; without one none is given, and no attempt is counted. */
  online: () => boolean;
  /** When a sign was last heard, in epoch milliseconds by this device's clock; all tabs share it. */
  heardAt: () => number;
  keep: (moment: number) => void;
  give: () => Promise<unknown>;
}

/** What to do with each gesture. It never throws and tells nobody: a sign that was not heard is given again later. */
export function watchGestures({ now, online, heardAt, keep, give }: LifeSigns) {
  let trying = false;
  let notBefore = Number.NEGATIVE_INFINITY;
  return async (event: { isTrusted: boolean; repeat?: boolean }): Promise<void> => {
    // Something that lies on a key repeats it for ever.
    if (!event.isTrusted || event.repeat || trying || !online()) return;
    const since = now() - heardAt();
    // A stamp of the future was written before this device's clock was put back.
    if ((since >= 0 && since < EVERY) || now() < notBefore) return;
    trying = true;
    try {
      await give();
      keep(now());
    } catch {
      notBefore = now() + AGAIN_AFTER;
    } finally {
      trying = false;
    }
  };
}

/** For browsers that keep nothing. */
const inMemory = new Map<string, number>();

function heardAt(uid: string): number {
  let kept: string | null = null;
  try {
    kept = localStorage.getItem(slotOf(uid));
  } catch {
    // What memory has is all there is.
  }
  return kept !== null && /^\d+$/.test(kept) ? Number(kept) : (inMemory.get(uid) ?? Number.NEGATIVE_INFINITY);
}

function keep(uid: string, moment: number): void {
  inMemory.set(uid, moment);
  try {
    localStorage.setItem(slotOf(uid), String(moment));
  } catch {
    // Each tab then gives its own sign.
  }
}

const askAnew = ({ queryClient }: Services) => queryClient.invalidateQueries({ queryKey: [summary.path] });

/** Gives a sign, and has a dashboard that stands open ask again what watches and how long it has. */
async function give(services: Services): Promise<void> {
  await services.api.send(giveProofOfLife, {});
  // Nothing may move away from under the press that gave it.
  setTimeout(() => void askAnew(services), MOVES_AFTER);
}

/** Gives a sign because somebody says so. Returns once the dashboard knows. */
export async function sayStillHere(services: Services): Promise<void> {
  await services.api.send(giveProofOfLife, {});
  await askAnew(services);
}

/** Gives signs of life for as long as the page is signed in. */
export function useProofOfLife(uid: string): void {
  const services = useServices();
  useEffect(() => {
    const gesture = watchGestures({
      now: Date.now,
      online: () => navigator.onLine,
      heardAt: () => heardAt(uid),
      keep: (moment) => keep(uid, moment),
      give: () => give(services),
    });
    const listen = (event: Event) => void gesture(event);
    for (const name of GESTURES) window.addEventListener(name, listen, { capture: true, passive: true });
    return () => {
      for (const name of GESTURES) window.removeEventListener(name, listen, { capture: true });
    };
  }, [uid, services]);
}
