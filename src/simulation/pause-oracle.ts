// What is true of a paused switch: who was told of it, whether anybody has confirmed, and when it may go on by itself.
import type { Config } from '../server/config.ts';
import type { Database } from '../server/db/open.ts';
import type { InstanceClock } from '../server/deadman/clock/counted-time-store.ts';
import type { SwitchRules } from '../shared/nouns/switch-rules.ts';
import { DAY } from '../shared/time.ts';
import { broken } from './invariants.ts';
import { type NewMessage, newMessages, toBeTold } from './ledger-store.ts';
import type { Truth } from './truth.ts';

/** How late a pause may end: a server may have died between the acceptance of a notice and its record. */
const LATE = 3 * DAY;
const DAYS = (time: number) => `${(time / DAY).toFixed(3)} days`;

export interface PauseOracleParts {
  rules: SwitchRules;
  resume: Config['switchResume'];
  count: (what: string) => void;
  /** By how much calendars that were wrong may have made the time since then longer. */
  liedSince: (time: number) => number;
}

export class PauseOracle {
  readonly #parts: PauseOracleParts;
  /** The administrator has just confirmed. */
  #isConfirmed = false;
  /** When a mail server accepted the first notice to an author of each pause: true time, and how much of the pause was counted. */
  readonly #toldIn = new Map<number, { at: number; counted: number }>();
  /** When each pause was first seen: true time. */
  readonly #begunAt = new Map<number, number>();
  /** What was written of which pause, to whom. */
  readonly #notices = new Set<string>();
  /** Counted time at which the last pause has ended, and until when it holds. */
  #endedAt = Number.NEGATIVE_INFINITY;
  #heldUntil = Number.NEGATIVE_INFINITY;
  /** Counted time until which the end of a pause, perhaps of one in an earlier history, may hold scrolls. */
  mayHoldUntil = Number.NEGATIVE_INFINITY;
  /** How much of the present pause should be counted. */
  #expected = 0;

  constructor(parts: PauseOracleParts) {
    this.#parts = parts;
  }

  /** The administrator confirms from now on, or does not any more. */
  confirmed(is: boolean): void {
    this.#isConfirmed = is;
  }

  /** @returns whether a pause has ended since the last look */
  look(before: InstanceClock, clock: InstanceClock, time: number): boolean {
    if (clock.paused_reason !== null && (before.paused_reason === null || before.epoch !== clock.epoch)) {
      this.#expected = 0;
      this.#isConfirmed = false;
      this.#begunAt.set(clock.epoch, time);
    }
    if (before.paused_reason === null || clock.paused_reason !== null) return false;
    const { rules, count } = this.#parts;
    if (this.#isConfirmed) count('confirmed by the administrator');
    else this.#lookAtEnd(before, time);
    this.#endedAt = clock.counted_time;
    this.#heldUntil = this.#endedAt + (this.#isConfirmed ? rules.holdAfterOutage : rules.holdAfterLongOutage);
    this.mayHoldUntil = this.#heldUntil;
    this.#isConfirmed = false;
    return true;
  }

  /** It has gone on by itself. */
  #lookAtEnd({ epoch }: InstanceClock, time: number): void {
    const { rules, resume, count, liedSince } = this.#parts;
    count('paused until it went on by itself');
    if (resume === 'never') broken('a pause ends', 'by itself, though that is forbidden');
    const told = this.#toldIn.get(epoch);
    const begun = this.#begunAt.get(epoch) ?? time;
    if (time - begun >= rules.pauseEndsUntoldAfter - liedSince(begun)) {
      count(told ? 'paused for the longest time' : 'paused until it went on, though nobody was told');
      return;
    }
    if (!told) broken('a pause ends', `after ${DAYS(time - begun)}, though no author was told`);
    const passed = time - told.at;
    if (passed < rules.pauseEndsAfter - liedSince(told.at)) {
      broken('a pause ends', `${DAYS(passed)} after the first author was told`);
    }
  }

  lookAtNotice({ kind, step, address }: NewMessage): void {
    const notice = `${kind} ${step} ${address}`;
    this.#parts.count('notices of a pause written');
    if (this.#notices.has(notice)) broken('told of a pause', `twice: ${notice}`);
    this.#notices.add(notice);
  }

  /** A mail server has accepted a notice. */
  accepted(kind: string, epoch: number, clock: InstanceClock | null, time: number): void {
    if (clock?.paused_reason == null || clock.epoch !== epoch) broken('told of a pause', 'that is over');
    this.#parts.count('notices of a pause accepted');
    if (kind === 'paused' && !this.#toldIn.has(epoch)) {
      this.#toldIn.set(epoch, { at: time, counted: clock.paused_for });
    }
  }

  /** Scrolls are released by silence or by a day. @param now counted time */
  lookAtRelease({ id, wish }: Truth, now: number): void {
    if (now < this.#heldUntil) broken('anew after a pause', `scroll ${id} was not held back`);
    if (wish.period !== null && now - this.#endedAt < wish.period) {
      broken(
        'anew after a pause',
        `scroll ${id}, after ${DAYS(now - this.#endedAt)} of ${DAYS(wish.period)}`,
      );
    }
  }

  /** A server ran through a whole step of a pause. */
  expect(counted: number): void {
    this.#expected += counted;
  }

  /** @param clean as in the oracle's */
  async audit(db: Database, clock: InstanceClock, clean: boolean): Promise<void> {
    const { rules, resume } = this.#parts;
    if (clock.paused_reason === null) return;
    if (clock.paused_for < this.#expected) {
      broken('keeps up', `${DAYS(clock.paused_for)} of ${DAYS(this.#expected)} of a pause`);
    }
    if (!clean) return;
    for (const { address, kind } of await toBeTold(db)) {
      const notice = `${kind} ${clock.epoch} ${address}`;
      if (!this.#notices.has(notice)) broken('told of a pause', `nobody wrote ${notice}`);
    }
    if (resume === 'never') return;
    const told = this.#toldIn.get(clock.epoch);
    const lasts = Math.min(rules.pauseEndsUntoldAfter, (told?.counted ?? Infinity) + rules.pauseEndsAfter);
    const late = clock.paused_for - lasts;
    if (late > LATE) broken('a pause ends', `late by ${DAYS(late)}`);
  }

  async restored(db: Database, clock: InstanceClock): Promise<void> {
    const { held_until, told_held_until, firmly_held_until, doubted_until } = clock;
    this.mayHoldUntil = Math.max(held_until, told_held_until, firmly_held_until, doubted_until);
    this.#isConfirmed = false;
    this.#expected = 0;
    this.#endedAt = Number.NEGATIVE_INFINITY;
    this.#heldUntil = Number.NEGATIVE_INFINITY;
    this.#notices.clear();
    for (const { kind, step, address } of await newMessages(db, 0)) {
      this.#notices.add(`${kind} ${step} ${address}`);
    }
  }
}
