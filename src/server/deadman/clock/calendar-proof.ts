// Whether a machine's calendar may be believed: the system says that it follows a time server, or it has advanced together
// with a clock that nobody can set for an hour. Pure; docs/legacy.md, "Counted time".
import type { SwitchRules } from '../../../shared/nouns/switch.ts';
import { DAY } from '../../../shared/time.ts';
import type { Readings } from '../../clock.ts';

/** What a process has seen of its machine's calendar. Milliseconds. */
export interface CalendarProof {
  /** How far the calendar was ahead of the other clock when it was compared with it anew, and when that was. */
  readonly offset: number;
  readonly comparedAt: number;
  /** Since when neither has moved without the other, by the clock that nobody can set; with what earlier boots have seen. */
  readonly steadySince: number;
  readonly isProved: boolean;
  /** By how much it was set in all since it was proved and that was told last: forward or, below zero, back. */
  readonly movedBy: number;
  /** Whether it was set since the machine was started, as far as anybody has seen. */
  readonly wasSetInBoot: boolean;
  /** By how much it was set forward before that, by more than a day each time, and nobody has vouched for it. */
  readonly setForwardBefore: number;
}

/** What earlier processes have seen. */
export interface SeenBefore {
  /** Of the same boot. Else null. */
  readonly sameBoot: Pick<CalendarProof, 'offset' | 'isProved' | 'movedBy'> | null;
  /** For how long it was steady; null where it was set in this boot. */
  readonly steadyFor: number | null;
  readonly setForwardBefore: number;
}

/** The first reading of a process. */
export function beginProof(
  now: Readings,
  { sameBoot, steadyFor, setForwardBefore }: SeenBefore,
  rules: Pick<SwitchRules, 'drift' | 'provedAfter'>,
): CalendarProof {
  const { elapsed, synchronised } = now;
  const offset = now.calendar - elapsed;
  const setBy = sameBoot === null ? 0 : stepOf(offset - sameBoot.offset, rules);
  const steadySince = elapsed - (setBy === 0 ? (steadyFor ?? 0) : 0);
  const wasProved = setBy === 0 && (sameBoot?.isProved ?? false);
  return {
    offset,
    comparedAt: elapsed,
    steadySince,
    isProved: synchronised || wasProved || elapsed - steadySince >= rules.provedAfter,
    movedBy: (sameBoot?.movedBy ?? 0) + setBy,
    wasSetInBoot: setBy !== 0 || (sameBoot !== null && steadyFor === null),
    setForwardBefore: synchronised ? 0 : setForwardBefore,
  };
}

/** A further reading. */
export function continueProof(
  before: CalendarProof,
  { calendar, elapsed, synchronised }: Readings,
  rules: Pick<SwitchRules, 'drift' | 'provedAfter'>,
): CalendarProof {
  const offset = calendar - elapsed;
  const setBy = stepOf(offset - before.offset, rules);
  const steadySince = setBy === 0 ? before.steadySince : elapsed;
  // A calendar that creeps is compared with itself an hour ago: in that time a right one moves by seconds.
  const anew = setBy !== 0 || elapsed - before.comparedAt >= rules.provedAfter;
  const stays = setBy === 0 && (before.isProved || elapsed - steadySince >= rules.provedAfter);
  return {
    offset: anew ? offset : before.offset,
    comparedAt: anew ? elapsed : before.comparedAt,
    steadySince,
    isProved: synchronised || stays,
    movedBy: before.movedBy + setBy,
    wasSetInBoot: before.wasSetInBoot || setBy !== 0,
    setForwardBefore: synchronised ? 0 : before.setForwardBefore,
  };
}

/** What it was set by was told, or is a part of something else that will be. */
export const settled = (proof: CalendarProof, now: Readings): CalendarProof => ({
  ...proof,
  movedBy: 0,
  setForwardBefore: setForwardBy(proof, now),
});

/** For how long it was steady, for the next process; null where it was set in this boot. */
export const steadyFor = ({ wasSetInBoot, steadySince }: CalendarProof, { elapsed }: Readings) =>
  wasSetInBoot ? null : Math.floor(elapsed - steadySince);

/**
 * By how much it was set forward, by more than a day each time, and nobody has vouched for it. Jitter adds up to nothing,
 * and what is set back takes from it.
 */
export function setForwardBy(
  { movedBy, setForwardBefore }: Pick<CalendarProof, 'movedBy' | 'setForwardBefore'>,
  { synchronised }: Pick<Readings, 'synchronised'>,
): number {
  if (synchronised) return 0;
  return movedBy > DAY ? setForwardBefore + movedBy : Math.max(0, setForwardBefore + Math.min(0, movedBy));
}

/** The inverse: what stood before a step that is still to be told. */
export const setForwardBeforeStep = (setForwardBy: number, movedBy: number): number =>
  movedBy > DAY || movedBy < 0 ? setForwardBy - movedBy : setForwardBy;

const stepOf = (moved: number, { drift }: Pick<SwitchRules, 'drift'>): number =>
  Math.abs(moved) > drift ? Math.round(moved) : 0;
