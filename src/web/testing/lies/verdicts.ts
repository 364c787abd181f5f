// What browsers did with every lie when all of them were last told (`npm run lies`): the record that the test holds the
// app to, and that the threat model's table is made from.

import type { Verdict } from './judging.ts';
import type { LieKind } from './kinds.ts';

/** By journey, call, path and verdict. */
export type Verdicts = Record<string, Record<string, Record<string, Partial<Record<Verdict, LieKind[]>>>>>;

export interface VerdictRecord {
  /** How many lies are believed; each is one kind at one place of one call, on whatever journey. It may only fall. */
  believed: number;
  journeys: Verdicts;
}

export interface Believed {
  call: string;
  path: string;
  kinds: LieKind[];
}

/** What is believed on any journey, place by place, in the order of the record. */
export function believedIn(journeys: Verdicts): Believed[] {
  const found = new Map<string, Believed>();
  for (const calls of Object.values(journeys))
    for (const [call, paths] of Object.entries(calls))
      for (const [path, { believed = [] }] of Object.entries(paths)) {
        if (believed.length === 0) continue;
        const key = `${call} ${path}`;
        const kinds = [...(found.get(key)?.kinds ?? []), ...believed];
        found.set(key, { call, path, kinds: [...new Set(kinds)] });
      }
  return [...found.values()];
}

export const countBelieved = (journeys: Verdicts): number =>
  believedIn(journeys).reduce((count, { kinds }) => count + kinds.length, 0);
