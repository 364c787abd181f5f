// Whether a machine's calendar may be believed: the system says that it follows a time server, or it has advanced together
// with a clock that nobody can set for an hour. Pure; docs/legacy.md, "Counted time".
import type { SwitchRules } from '../../../shared/nouns/switch.ts';
import type { Readings } from '../../clock.ts';

/** What a process has seen of its machine's calendar. */
export interface CalendarProof {
  /** How far the calendar was ahead of the other clock when it was compared with it anew, and when that was. */
  readonly offset: number;
  readonly comparedAt: number;
  /** Since when neither has moved without the other, by the clock that nobody can set. */
  readonly steadySince: number;
  readonly isProved: boolean;
  /** Whether it was proved at any time since the process began. */
  readonly wasProved: boolean;
  /** Whether it was set since the reading before, of whichever process. */
  readonly wasSet: boolean;
}

/**
 * The first reading of a process.
 * @param earlier what an earlier process of this boot has seen last; null for none
 */
export function beginProof(
  { calendar, elapsed, synchronised }: Readings,
  earlier: Pick<CalendarProof, 'offset' | 'isProved'> | null,
  { drift }: Pick<SwitchRules, 'drift'>,
): CalendarProof {
  const offset = calendar - elapsed;
  const wasSet = earlier !== null && Math.abs(offset - earlier.offset) > drift;
  const isProved = synchronised || (!wasSet && (earlier?.isProved ?? false));
  return {
    offset,
    comparedAt: elapsed,
    steadySince: elapsed,
    isProved,
    wasProved: isProved,
    wasSet,
  };
}

/** A further reading. */
export function continueProof(
  before: CalendarProof,
  { calendar, elapsed, synchronised }: Readings,
  { drift, provedAfter }: Pick<SwitchRules, 'drift' | 'provedAfter'>,
): CalendarProof {
  const offset = calendar - elapsed;
  const wasSet = Math.abs(offset - before.offset) > drift;
  const steadySince = wasSet ? elapsed : before.steadySince;
  // A calendar that creeps is compared with itself an hour ago: in that time a right one moves by seconds.
  const anew = wasSet || elapsed - before.comparedAt >= provedAfter;
  const isProved = synchronised || (!wasSet && (before.isProved || elapsed - steadySince >= provedAfter));
  return {
    offset: anew ? offset : before.offset,
    comparedAt: anew ? elapsed : before.comparedAt,
    steadySince,
    isProved,
    wasProved: before.wasProved || isProved,
    wasSet,
  };
}
