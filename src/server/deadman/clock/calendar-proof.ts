// Whether a machine's calendar may be believed: the system says that it follows a time server, or it has advanced together
// with a clock that nobody can set for an hour, but for minutes. Pure; docs/legacy.md, "Counted time".
import type { SwitchRules } from '../../../shared/nouns/switch-rules.ts';
import { DAY } from '../../../shared/time.ts';
import type { Readings } from '../../clock.ts';

/** What a process has seen of its machine's calendar. Milliseconds. */
export interface CalendarProof {
  /** How far the calendar was ahead of the other clock when it was compared with it anew, and when that was. */
  readonly offset: number;
  readonly comparedAt: number;
  /** When this process looked first, by the clock that nobody can set. */
  readonly seenSince: number;
  /** How far it was ahead when its proof began, and since when it has stayed within minutes of that; with what earlier boots have seen. */
  readonly steadyAt: number;
  readonly steadySince: number;
  readonly isProved: boolean;
  /** Since when neither has moved without the other, and whether that is long enough to tell what it was set by. */
  readonly stillSince: number;
  readonly isStill: boolean;
  /** By how much it was set in all since it was proved and that was told last: forward or, below zero, back. */
  readonly movedBy: number;
  /** Whether it was set by more than minutes since the machine was started, as far as anybody has seen. */
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

type Rules = Pick<SwitchRules, 'drift' | 'jitter' | 'provedAfter'>;

/** The first reading of a process. */
export function beginProof(
  now: Readings,
  { sameBoot, steadyFor, setForwardBefore }: SeenBefore,
  rules: Rules,
): CalendarProof {
  const { elapsed, synchronised } = now;
  const offset = now.calendar - elapsed;
  const steadyAt = sameBoot?.offset ?? offset;
  const setBy = stepOf(offset - steadyAt, rules);
  const wasSet = isAway(offset - steadyAt, rules);
  const steadySince = elapsed - (wasSet ? 0 : (steadyFor ?? 0));
  const wasProved = !wasSet && (sameBoot?.isProved ?? false);
  const movedBy = (sameBoot?.movedBy ?? 0) + setBy;
  return {
    offset,
    comparedAt: elapsed,
    seenSince: elapsed,
    steadyAt: wasSet ? offset : steadyAt,
    steadySince,
    isProved: synchronised || wasProved || elapsed - steadySince >= rules.provedAfter,
    stillSince: movedBy === 0 ? steadySince : elapsed,
    isStill: synchronised || (movedBy === 0 && (wasProved || elapsed - steadySince >= rules.provedAfter)),
    movedBy,
    wasSetInBoot: wasSet || (sameBoot !== null && steadyFor === null),
    setForwardBefore: synchronised ? 0 : setForwardBefore,
  };
}

/** A further reading. */
export function continueProof(
  before: CalendarProof,
  { calendar, elapsed, synchronised }: Readings,
  rules: Rules,
): CalendarProof {
  const offset = calendar - elapsed;
  const setBy = stepOf(offset - before.offset, rules);
  const stillSince = setBy === 0 ? before.stillSince : elapsed;
  // A calendar that creeps is compared with itself an hour ago: in that time a right one moves by seconds.
  const anew = setBy !== 0 || elapsed - before.comparedAt >= rules.provedAfter;
  // One that is set by minutes, forth and back, stays near where it was.
  const wasSet = isAway(offset - before.steadyAt, rules);
  const steadySince = wasSet ? elapsed : before.steadySince;
  const stays = !wasSet && (before.isProved || elapsed - steadySince >= rules.provedAfter);
  const isStill = setBy === 0 && (before.isStill || elapsed - stillSince >= rules.provedAfter);
  return {
    offset: anew ? offset : before.offset,
    comparedAt: anew ? elapsed : before.comparedAt,
    seenSince: before.seenSince,
    steadyAt: wasSet ? offset : before.steadyAt,
    steadySince,
    isProved: synchronised || stays,
    stillSince,
    isStill: synchronised || isStill,
    movedBy: before.movedBy + setBy,
    wasSetInBoot: before.wasSetInBoot || wasSet,
    setForwardBefore: synchronised ? 0 : before.setForwardBefore,
  };
}

/**
 * What it was set by and is to be told now: what has stood for long, or is more than minutes and proved. Jitter tells nothing.
 */
export function toldBy({ isProved, isStill, movedBy }: CalendarProof, rules: Rules): number {
  return isStill || (isProved && isAway(movedBy, rules)) ? movedBy : 0;
}

/** For how long it has run as it does now before the eyes of this process. */
export const livedFor = (
  { seenSince, steadySince }: CalendarProof,
  { elapsed }: Pick<Readings, 'elapsed'>,
): number => elapsed - Math.max(seenSince, steadySince);

/** What it was set by was told, or is a part of something else that will be. */
export const settled = (proof: CalendarProof, now: Readings, rules: Rules): CalendarProof => ({
  ...proof,
  movedBy: 0,
  setForwardBefore: setForwardBy(proof, now, rules),
});

/** For how long it was steady, for the next process; null where it was set in this boot. */
export const steadyFor = ({ wasSetInBoot, steadySince }: CalendarProof, { elapsed }: Readings) =>
  wasSetInBoot ? null : Math.floor(elapsed - steadySince);

/**
 * By how much it was set forward, by more than a day each time, and nobody has vouched for it. What is set back takes from
 * it, and what jitter takes it gives again.
 */
export function setForwardBy(
  { movedBy, setForwardBefore }: Pick<CalendarProof, 'movedBy' | 'setForwardBefore'>,
  { synchronised }: Pick<Readings, 'synchronised'>,
  rules: Rules,
): number {
  if (synchronised) return 0;
  return adds(movedBy, setForwardBefore > 0, rules)
    ? Math.max(0, setForwardBefore + movedBy)
    : setForwardBefore;
}

/** The inverse: what stood before a step that is still to be told. */
export const setForwardBeforeStep = (setForwardBy: number, movedBy: number, rules: Rules): number =>
  adds(movedBy, setForwardBy > 0 || movedBy < -DAY, rules) ? setForwardBy - movedBy : setForwardBy;

/**
 * Whether a move is a part of what it was set forward by. One forward of more than minutes may be what a machine has slept
 * while its other clock stood still.
 */
const adds = (movedBy: number, isSetForward: boolean, { jitter }: Rules): boolean =>
  movedBy > DAY || (isSetForward && movedBy <= jitter);

/** What it was set by where it has moved so far; 0 where it was not. */
export const stepOf = (moved: number, { drift }: Pick<SwitchRules, 'drift'>): number =>
  Math.abs(moved) > drift ? Math.round(moved) : 0;

const isAway = (moved: number, { jitter }: Pick<SwitchRules, 'jitter'>): boolean => Math.abs(moved) > jitter;
