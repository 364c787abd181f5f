// What is true of PUBLIC_URL: who has reached it when, and whether the switch judges it rightly.
import type { InstanceClock } from '../server/deadman/clock/counted-time-store.ts';
import type { SwitchRules } from '../shared/nouns/switch-rules.ts';
import { DAY, HOUR } from '../shared/time.ts';
import { broken } from './invariants.ts';

/** In so many steps everything that looks has noticed what there is to see. */
const NOTICED = 6;
/** How late an address may be forgotten. */
const LATE = 5 * DAY;
const INVARIANT = 'out of reach is absent';

/** What the looks of one step have found. */
export interface Looks {
  /** Whether the calendar is right, and was when it was proved last. */
  isCalendarRight: boolean;
  /** Whether the same servers have looked as in the step before, and all live. */
  areSettled: boolean;
  answered: boolean;
}

export class ReachOracle {
  readonly #rules: Pick<SwitchRules, 'longOutage'>;
  readonly #count: (what: string) => void;
  /** Whether it may have answered a look in the present history, and whether that was surely written down. */
  #mayHaveAnswered = false;
  #hasAnswered = false;
  #mayHaveAnsweredAt = Number.NEGATIVE_INFINITY;
  #answeredAt = Number.NEGATIVE_INFINITY;
  /** Since when the switch takes it for out of reach: true time; and whether the calendar was right then. */
  #outSince: { at: number; isCalendarRight: boolean } | null = null;
  #failedSteps = 0;

  constructor(rules: SwitchRules, count: (what: string) => void) {
    this.#rules = rules;
    this.#count = count;
  }

  /** A look was answered. @param isWritten whether its server has lived on */
  answered(time: number, isWritten: boolean): void {
    this.#mayHaveAnswered = true;
    this.#mayHaveAnsweredAt = time;
    if (!isWritten) return;
    this.#hasAnswered = true;
    this.#answeredAt = time;
  }

  look(before: InstanceClock, clock: InstanceClock, time: number, isCalendarRight: boolean): void {
    const [was, is] = [before.out_of_reach_since !== null, clock.out_of_reach_since !== null];
    const counted = ({ counted_time, paused_for }: InstanceClock) => counted_time + paused_for;
    if (was && is && counted(clock) > counted(before)) broken(INVARIANT, 'time was counted');
    if (!was && is) {
      this.#count('out of reach');
      if (!this.#mayHaveAnswered) broken(INVARIANT, 'though it has never answered');
      if (time === this.#answeredAt) broken(INVARIANT, 'though it has just answered');
      this.#outSince = { at: time, isCalendarRight };
    }
    if (was && !is && time !== this.#mayHaveAnsweredAt) this.#forgotten(clock, time, isCalendarRight);
    if (!is) this.#outSince = null;
  }

  /** Nobody has reached it, and yet the switch goes on. */
  #forgotten({ reached_counted }: InstanceClock, time: number, isCalendarRight: boolean): void {
    // A server that died of it has reached it, perhaps.
    if (reached_counted !== null) return;
    this.#count('out of reach for so long that it was forgotten');
    const out = this.#outSince;
    if (out?.isCalendarRight && isCalendarRight && time - out.at < this.#rules.longOutage - HOUR) {
      broken(INVARIANT, `forgotten after ${((time - out.at) / DAY).toFixed(1)} days`);
    }
    this.#mayHaveAnswered = false;
    this.#hasAnswered = false;
  }

  /** After the looks and ticks of a step. */
  stepped(clock: InstanceClock, time: number, { areSettled, answered, isCalendarRight }: Looks): void {
    const isOut = clock.out_of_reach_since !== null;
    this.#failedSteps = areSettled && !answered ? this.#failedSteps + 1 : 0;
    if (areSettled && answered && isOut) broken(INVARIANT, 'though it answers');
    if (this.#failedSteps < NOTICED) return;
    if (this.#hasAnswered && !isOut) broken(INVARIANT, 'nobody notices that it does not answer');
    const out = this.#outSince;
    if (out && isCalendarRight && time - out.at > this.#rules.longOutage + LATE) {
      broken(INVARIANT, 'for longer than it is believed');
    }
  }

  /** What is written or leaves while nobody can reach it. */
  checkReach(what: string, before: InstanceClock | null, clock: InstanceClock | null): void {
    if (before?.out_of_reach_since != null && clock?.out_of_reach_since != null) {
      broken(INVARIANT, `${what} meanwhile`);
    }
  }

  restored({ reached_counted, out_of_reach_since }: InstanceClock, time: number): void {
    this.#mayHaveAnswered = reached_counted !== null;
    this.#hasAnswered = this.#mayHaveAnswered;
    this.#answeredAt = Number.NEGATIVE_INFINITY;
    this.#failedSteps = 0;
    this.#outSince = out_of_reach_since === null ? null : { at: time, isCalendarRight: false };
  }
}
