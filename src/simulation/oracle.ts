// The oracle of a simulation: it knows what is true, reads what the server has written, and compares one with the other.

import type { Letter } from '../server/adapters/transport.ts';
import type { Database } from '../server/db/open.ts';
import { type InstanceClock, readInstanceClock } from '../server/deadman/clock/counted-time-store.ts';
import type { SwitchRules } from '../shared/nouns/switch-rules.ts';
import { DAY } from '../shared/time.ts';
import { AfterReleaseOracle } from './after-release-oracle.ts';
import { ContactOracle } from './contact-oracle.ts';
import { FollowUpOracle } from './follow-up-oracle.ts';
import { broken } from './invariants.ts';
import {
  allReleases,
  allScrolls,
  type NewMessage,
  newMessages,
  postponements,
  type WarnedScroll,
  waitingMessages,
  warnedScrolls,
} from './ledger-store.ts';
import { PauseOracle, type PauseOracleParts } from './pause-oracle.ts';
import { refusesAll } from './people.ts';
import type { ScrollSpec } from './people-store.ts';
import { type Looks, ReachOracle } from './reach-oracle.ts';
import type { Truth } from './truth.ts';
import { WarningOracle } from './warning-oracle.ts';

/** How often a message was handed over, and how often it may have been. */
interface Handed {
  times: number;
  allowed: number;
}

/** What was counted of a pause between two looks. */
function countedInPause(before: InstanceClock, clock: InstanceClock): number {
  const isSame = before.paused_reason !== null && before.epoch === clock.epoch;
  return clock.paused_reason === null ? 0 : clock.paused_for - (isSame ? before.paused_for : 0);
}

/** Until when outages hold what waits for silence, if nothing else ends that. */
const heldUntil = ({ held_until, told_held_until }: InstanceClock) => Math.max(held_until, told_held_until);

const DAYS = (time: number) => `${(time / DAY).toFixed(3)} days`;

export class Oracle {
  readonly scrolls = new Map<number, Truth>();
  /** Those of them that are not released. */
  readonly waiting = new Set<Truth>();
  readonly #deleted = new Map<number, Truth>();
  readonly counts: Record<string, number> = {};
  clock: InstanceClock | null = null;
  /** From a restore to the administrator's word. */
  mustPause = false;
  readonly #rules: SwitchRules;
  readonly #calendar: (time: number) => number;
  readonly #blurred: number;
  readonly #handed = new Map<string, Handed>();
  readonly #byHand = new Set<number>();
  readonly #perAddress: number;
  readonly followUps: FollowUpOracle;
  readonly pauses: PauseOracle;
  readonly reach: ReachOracle;
  readonly warnings: WarningOracle;
  readonly afterReleases: AfterReleaseOracle;
  readonly contacts: ContactOracle;
  /** When everything was looked at last: true time. */
  #lookedAt = 0;
  #audits = 0;
  /** Which releases each address was sent, and at which counted time. */
  readonly #sentTo = new Map<string, { id: string; at: number }[]>();
  #lastMessage = 0;
  #tickedAt = 0;
  /** True time that no tick has counted yet. */
  #uncounted = 0;
  /** How wrong the calendar was when it was proved last. */
  #offsetAtProof = 0;
  /** How wrong it is, and since when. */
  #offset = 0;
  #offsetSince = 0;
  /** Absences that calendars which were wrong may have made longer, by how much at most. */
  #lies: { at: number; by: number }[] = [];
  /** Whether an outage has ended whose hold is to begin once the calendar is proved. */
  #isOutage = false;
  /** When a calendar was proved last, in truth and as the clock says; null for never, or before a pause. */
  #proof: { time: number; clock: InstanceClock } | null = null;
  /** Whether there has truly been the outage that a calendar has told of. */
  #isTrulyTold = false;
  #heldUntil = 0;
  #expected = 0;

  /**
   * @param calendar the true calendar at a true time, and by how much all absences together may seem longer or shorter
   * because the machine's is set forth and back without end
   * @param perAddress how many releases one address may get in a day
   * @param resume whether a pause may end by itself
   */
  constructor(
    rules: SwitchRules,
    calendar: { at: (time: number) => number; blurs: number },
    perAddress: number,
    resume: PauseOracleParts['resume'],
  ) {
    this.#rules = rules;
    this.#perAddress = perAddress;
    this.#calendar = calendar.at;
    this.#blurred = calendar.blurs;
    const count = (what: string) => this.count(what);
    this.followUps = new FollowUpOracle(rules, count);
    this.pauses = new PauseOracle({ rules, resume, count, liedSince: (time) => this.#liedSince(time) });
    this.reach = new ReachOracle(rules, count);
    this.warnings = new WarningOracle(rules, count);
    this.afterReleases = new AfterReleaseOracle(rules, count);
    this.contacts = new ContactOracle(rules, count);
  }

  count(what: string, by = 1): void {
    this.counts[what] = (this.counts[what] ?? 0) + by;
  }

  wrote({ id, publicIds }: Pick<Truth, 'id' | 'publicIds'>, wish: ScrollSpec, time: number): void {
    const truth: Truth = {
      id,
      publicIds,
      wish,
      provenAt: time,
      provenBefore: time,
      released: false,
      told: new Map(),
      accepted: [],
    };
    this.scrolls.set(id, truth);
    this.waiting.add(truth);
    this.followUps.wrote(truth);
  }

  /** Signs of life were written down. @param watching the author's scrolls that still watched in that moment */
  lived(watching: number[], time: number): void {
    for (const id of watching) {
      const truth = this.scrolls.get(id);
      if (!truth) continue;
      // Some give several in one moment.
      if (truth.provenAt !== time) truth.provenBefore = truth.provenAt;
      truth.provenAt = time;
      truth.accepted = [];
    }
  }

  /** Its author has deleted a scroll. A restored database knows it again. */
  deleted(id: number): void {
    const truth = this.scrolls.get(id);
    if (!truth) return;
    this.scrolls.delete(id);
    this.waiting.delete(truth);
    this.#deleted.set(id, truth);
  }

  /** An author wants no warnings by mail any more. */
  unwarned(watching: number[]): void {
    for (const id of watching) {
      const truth = this.scrolls.get(id);
      if (truth) truth.wish = { ...truth.wish, warning: 'dashboard' };
    }
  }

  /** An author is about to release a scroll, or has not. */
  byHand(id: number, released: boolean): void {
    if (released) this.#byHand.add(id);
    else this.#byHand.delete(id);
  }

  /**
   * A transport has taken a letter.
   * @param arrives whether it does not drop it then
   */
  accepted({ id, to, subject, text }: Letter, arrives: boolean): Truth | undefined {
    const isNotice = subject === 'paused' || subject === 'confirm-switch';
    const isPaused = this.mustPause || this.clock?.paused_reason;
    if (isPaused && !isNotice) broken('never while paused', `letter ${id} left`);
    if (!isNotice) this.reach.checkReach(`letter ${id} left`, this.clock, this.clock);
    if (!arrives) this.count('mails accepted and dropped');
    const handed = this.#handed.get(id) ?? { times: 0, allowed: 1 };
    handed.times += 1;
    this.#handed.set(id, handed);
    if (handed.times > 1) this.count('letters repeated');
    if (subject === 'warning') {
      this.count('warnings accepted');
      if (!arrives) this.count('warnings accepted and dropped');
      return this.#acceptedWarning({ id, to }, text.split(' ').map(Number), arrives);
    }
    if (isNotice) {
      this.pauses.accepted(subject, Number(text), this.clock, this.#lookedAt);
      return undefined;
    }
    if (subject === 'after-release') {
      this.#acceptedAfterRelease(id, to, text.split(' ').map(Number));
      return undefined;
    }
    if (subject === 'contact-warning' || subject === 'postponed' || subject === 'rehearsal-due') {
      this.count(`accepted: ${subject}`);
      return undefined;
    }
    if (subject === 'prove-address') {
      this.count('questions for addresses accepted');
      return undefined;
    }
    this.count('letters accepted');
    const truth = this.followUps.truthOf(text);
    if (!truth?.released) broken('never early', `letter ${id} tells of a scroll that was not released`);
    this.followUps.accepted(text, subject === 'reminder', this.clock?.counted_time ?? 0);
    this.#lookAtMailbox(to, id);
    return undefined;
  }

  /** @returns one of the scrolls that it names */
  #acceptedWarning(
    { id, to }: Pick<Letter, 'id' | 'to'>,
    named: number[],
    arrives: boolean,
  ): Truth | undefined {
    const at = this.clock?.counted_time ?? 0;
    const truths = named.flatMap((scroll) => this.scrolls.get(scroll) ?? []);
    for (const truth of truths) truth.accepted.push({ at, arrives });
    const [first] = truths;
    const periods = truths.map(({ wish }) => wish.period ?? 0);
    if (first) this.warnings.accepted(to, { id, at }, periods);
    return first;
  }

  #acceptedAfterRelease(id: string, to: string, named: readonly number[]): void {
    for (const scroll of named) {
      const truth = this.scrolls.get(scroll);
      if (truth && !truth.released) broken('told after a release', `scroll ${scroll} was not released`);
    }
    this.afterReleases.accepted({ id, to, at: this.clock?.counted_time ?? 0 }, named);
  }

  #lookAtMailbox(to: string, id: string): void {
    const now = this.clock?.counted_time ?? 0;
    const lately = (this.#sentTo.get(to) ?? []).filter(({ at }) => at > now - DAY);
    lately.push({ id, at: now });
    this.#sentTo.set(to, lately);
    const count = new Set(lately.map((letter) => letter.id)).size;
    if (count > this.#perAddress) broken('never flooded', `${to} was sent ${count} releases`);
  }

  /** A server has died with these letters handed over, and has perhaps not written it down. */
  async died(db: Database, handed: string[]): Promise<void> {
    if (handed.length === 0) return;
    const waiting = new Set((await waitingMessages(db)).map(({ public_id }) => public_id));
    for (const id of handed) {
      const entry = this.#handed.get(id);
      if (entry && waiting.has(id)) {
        entry.allowed += 1;
        this.count('letters handed over by servers that died of it');
      }
    }
  }

  /**
   * Looks at what is new.
   * @param calendar how wrong the calendar is, and whether its machine says that it is not
   */
  async look(db: Database, time: number, calendar: { offset: number; synchronised: boolean }): Promise<void> {
    const before = this.clock;
    const clock = await readInstanceClock(db);
    this.clock = clock;
    if (calendar.offset !== this.#offset) {
      this.#offset = calendar.offset;
      this.#offsetSince = time;
    }
    this.#lookedAt = time;
    if (before) {
      this.reach.look(before, clock, time, this.isCalendarRight);
      this.#lookAtTime(before, clock, time, calendar);
      if (this.pauses.look(before, clock, time)) this.mustPause = false;
      // A pause that has ended begins every silence anew.
      if (before.paused_reason !== null && clock.epoch !== before.epoch)
        this.contacts.beginAnew(clock.counted_time);
    } else this.#tickedAt = time;
    const paused = this.mustPause || (before?.paused_reason != null && clock.paused_reason !== null);
    for (const message of await newMessages(db, this.#lastMessage)) {
      this.#lastMessage = message.id;
      if (message.kind === 'release') {
        await this.#lookAtRelease(db, message, { before, clock }, time, paused);
      } else if (message.kind === 'reminder') this.#lookAtReminder(message, before, paused);
      else if (message.kind === 'paused' || message.kind === 'confirm-switch') {
        if (before?.paused_reason == null && clock.paused_reason === null) {
          broken('told of a pause', 'where there is none');
        }
        this.pauses.lookAtNotice(message);
      } else if (message.kind === 'contact-warning') {
        if (paused) broken('never while paused', `message ${message.id} to a contact`);
        for (const { scroll_id } of await warnedScrolls(db, message.id)) {
          const author = this.scrolls.get(scroll_id)?.wish.author;
          if (author !== undefined) this.contacts.toldOf(author, scroll_id, clock.counted_time);
        }
      } else if (message.kind === 'warning') {
        this.count('warnings written');
        for (const named of await warnedScrolls(db, message.id)) {
          this.#lookAtWarning({ ...named, state: message.state }, { before, clock }, time, paused);
          const author = this.scrolls.get(named.scroll_id)?.wish.author;
          if (author !== undefined && message.state !== 'cancelled')
            this.warnings.wrote(author, message.address);
        }
      }
    }
    await this.warnings.look(db);
    await this.afterReleases.look(db);
  }

  #lookAtTime(
    before: InstanceClock,
    clock: InstanceClock,
    time: number,
    { offset, synchronised }: { offset: number; synchronised: boolean },
  ): void {
    if (clock.paused_reason && !before.paused_reason) this.count(`paused: ${clock.paused_reason}`);
    if (clock.tick_number === before.tick_number) return;
    const counted = clock.counted_time - before.counted_time + countedInPause(before, clock);
    const passed = time - this.#tickedAt;
    const { absenceCounts, tick, outage, holdAfterOutage, provedAfter } = this.#rules;
    if (counted < 0 || counted > 2 * absenceCounts + 4 * tick) {
      broken('a day for an absence', `it gained ${DAYS(counted)}`);
    }
    // What earlier absences have lost is lost for good, but for one whose length nobody knew.
    const isUnproved = before.paused_reason !== null && before.proved_at !== before.ticked_at;
    const isOpen = before.may_add > 0 || isUnproved;
    this.#uncounted =
      Math.min(this.#uncounted, isOpen ? absenceCounts + 4 * tick : 4 * tick) + passed - counted;
    // Only a calendar that was left alone for long enough is believed, in this boot or in earlier ones.
    const isSteady = time - this.#offsetSince >= provedAfter || (clock.steady_for ?? 0) >= provedAfter;
    const isBelieved = synchronised || isSteady;
    const lie = isBelieved ? Math.min(absenceCounts, Math.max(0, offset - this.#offsetAtProof)) : 0;
    if (counted > passed && lie > 0) {
      this.#lies.push({ at: time, by: lie });
      this.count('absences made longer by a calendar that was wrong');
    }
    if (this.#uncounted < 0) {
      if (this.#uncounted < -lie - this.#blurred)
        broken('never ahead', `it gained ${DAYS(counted)} in ${DAYS(passed)}`);
      this.#uncounted = 0;
    }
    if (counted > passed) this.count('absences counted once their calendar was proved');
    else if (passed > 4 * tick && counted > 4 * tick) this.count('absences counted at once');
    // A server that joins others looks for some ticks before its first.
    this.#isOutage ||= passed > outage + 5 * tick;
    // The boot clock tells at once, a calendar once it is proved; a wrong one may hide an outage, or make one up.
    const isKnown = heldUntil(clock) > heldUntil(before);
    const isProved = clock.proved_at === clock.ticked_at;
    if (clock.told_held_until > before.told_held_until) this.#isTrulyTold = this.#isOutage;
    if (heldUntil(clock) < heldUntil(before) && heldUntil(before) > clock.counted_time) {
      if (this.#isTrulyTold) broken('held after an outage', 'what a calendar told truly was taken back');
      this.#heldUntil = heldUntil(clock);
      this.count('holds taken back with what a calendar told');
    }
    if (before.told_length > outage && clock.told_length <= outage && before.boot_id === clock.boot_id) {
      const isHeld = clock.told_held_until > clock.counted_time && clock.told_length > 0;
      if (isHeld) broken('never lost', 'held by what a calendar has taken back');
    }
    if (clock.stood_still > before.stood_still) {
      for (const truth of this.waiting) truth.accepted = [];
      this.count('calendars that stood still noticed');
    }
    if (isProved) {
      if (this.#isOutage && !isKnown && !synchronised) this.#lookAtProof(before, clock, time + offset);
      this.#proof = clock.paused_reason === null ? { time, clock } : null;
    }
    if (isKnown || isProved) {
      if (isKnown || (this.#isOutage && offset === this.#offsetAtProof)) {
        this.#heldUntil = clock.counted_time + holdAfterOutage;
        for (const truth of this.waiting) truth.accepted = [];
        this.warnings.forget();
        this.count('outages noticed');
      }
      this.#isOutage = false;
    }
    if (isProved) this.#offsetAtProof = offset;
    this.#tickedAt = time;
  }

  /** A calendar that stands where the last boot ended tells nothing of an outage: nobody can know yet that it is over. */
  #lookAtProof(before: InstanceClock, clock: InstanceClock, calendar: number): void {
    const proof = this.#proof;
    if (!proof || proof.clock.boot_id === clock.boot_id || proof.clock.epoch !== clock.epoch) return;
    const passedByCalendar = calendar - (proof.time + this.#offsetAtProof);
    // Without what is counted now that it is believed.
    const counted = before.counted_time - proof.clock.counted_time;
    if (passedByCalendar - counted < this.#rules.dark)
      broken('held after an outage', 'a calendar was believed that stood where the last boot ended');
  }

  /** How much sooner than it should a silence that began then may end: a day for each lie of a calendar since. */
  #liedSince(time: number): number {
    return this.#lies.reduce((sum, { at, by }) => (at > time ? sum + by : sum), 0);
  }

  async #lookAtRelease(
    db: Database,
    message: NewMessage,
    { before, clock }: { before: InstanceClock | null; clock: InstanceClock },
    time: number,
    paused: boolean,
  ): Promise<void> {
    const truth = this.scrolls.get(message.scroll_id ?? 0);
    if (!truth) broken('never early', 'a scroll was released that nobody wrote');
    const { wish, id } = truth;
    await this.followUps.lookAtTelling(db, truth, message);
    // Who comes after the others, and who is told in the same moment.
    if (truth.released) return;
    truth.released = true;
    this.waiting.delete(truth);
    await this.afterReleases.released(db, id, wish.author);
    if (this.#byHand.delete(id)) {
      this.count('released by hand');
      return;
    }
    if (paused) broken('never while paused', `scroll ${id} was released`);
    this.reach.checkReach(`scroll ${id} was released`, before, clock);
    if (wish.period !== null || wish.dueAt !== null) this.pauses.lookAtRelease(truth, clock.counted_time);
    if (wish.period === null && wish.dueAt === null) broken('never early', `scroll ${id} waits for a hand`);
    if (wish.dueAt !== null) {
      const early = wish.dueAt - this.#calendar(time);
      if (early > 0) broken('never before its day', `scroll ${id}, by ${DAYS(early)}`);
      this.count('released by a day');
      return;
    }
    this.contacts.lookAtRelease(wish.author, id, wish.period ?? 0, clock.counted_time);
    this.#lookAtSilence(truth, message, clock, time);
  }

  #lookAtReminder(message: NewMessage, before: InstanceClock | null, paused: boolean): void {
    const detail = `scroll ${message.scroll_id}, reminder ${message.step}`;
    if (paused) broken('never while paused', detail);
    this.reach.checkReach(detail, before, this.clock);
    this.followUps.lookAtReminder(message);
  }

  #lookAtSilence(truth: Truth, message: NewMessage, clock: InstanceClock, time: number): void {
    const { counted_time, may_add, stood_still } = clock;
    const { wish, id, provenAt, accepted } = truth;
    const { graceAfterWarning, holdAtMost, jitter } = this.#rules;
    const period = wish.period ?? 0;
    if (time - provenAt < period - this.#liedSince(provenAt) - this.#blurred) {
      const detail = `scroll ${id}, by ${DAYS(period - (time - provenAt))} of ${DAYS(period)}`;
      broken(provenAt === time ? 'life wins' : 'never early', detail);
    }
    const deadline = Math.max(message.lastActivity ?? 0, message.watching_since ?? 0) + period;
    const late = counted_time - deadline;
    // Where nobody can know how long it was, a fresh warning does.
    const isUnknown = may_add > jitter && !(stood_still === 1 && wish.warning === 'mail');
    if (
      late < holdAtMost &&
      (isUnknown || (this.#isOutage && may_add === 0) || counted_time < this.#heldUntil)
    )
      broken('held after an outage', `scroll ${id}`);
    if (may_add > 0) this.count('released although nobody knew how long nobody was there');
    if (wish.warning === 'mail') {
      const counted = accepted.filter(({ at }) => counted_time - at >= graceAfterWarning);
      const warned = counted.length > 0;
      if (warned && counted.every(({ arrives }) => !arrives))
        this.count('released after dropped warnings alone');
      if (!warned && late < holdAtMost) broken('warned first', `scroll ${id}, ${accepted.length} accepted`);
      this.count(warned ? 'released after a warning' : 'released without an accepted warning');
    } else this.count('released after silence alone');
    if (late >= holdAtMost) this.count('released after the longest hold');
    this.count('released by silence');
  }

  #lookAtWarning(
    message: WarnedScroll & Pick<NewMessage, 'state'>,
    { before, clock }: { before: InstanceClock | null; clock: InstanceClock },
    time: number,
    paused: boolean,
  ): void {
    const truth = this.scrolls.get(message.scroll_id);
    if (!truth) return;
    const { wish, id } = truth;
    this.reach.checkReach(`scroll ${id} was warned of`, before, clock);
    if (paused) broken('never while paused', `scroll ${id} was warned of`);
    const half = (wish.period ?? Number.POSITIVE_INFINITY) / 2;
    // A sign of life in the same moment came after it, if it could cancel it.
    const cancelled = message.state === 'cancelled' && truth.provenAt === time;
    const silent = time - (cancelled ? truth.provenBefore : truth.provenAt);
    const counted = clock.counted_time - Math.max(message.lastActivity ?? 0, message.watching_since ?? 0);
    if (
      wish.warning !== 'mail' ||
      silent < half - this.#liedSince(truth.provenBefore) - this.#blurred ||
      (counted < half && !cancelled)
    ) {
      broken('never warned too soon', `scroll ${id}, after ${DAYS(silent)} of ${DAYS(2 * half)}`);
    }
  }

  /** A server ran through this whole step, and counted time should have come on. */
  expect(counted: number): void {
    this.#expected += counted;
  }

  /** After the looks from outside and the ticks of a step. */
  looked(looks: Omit<Looks, 'isCalendarRight'>): void {
    if (!this.clock) return;
    this.reach.stepped(this.clock, this.#lookedAt, { ...looks, isCalendarRight: this.isCalendarRight });
  }

  /** Whether the calendar is right, and was when it was proved last. */
  get isCalendarRight(): boolean {
    return this.#offset === 0 && this.#offsetAtProof === 0;
  }

  /**
   * Looks at everything.
   * @param clean nobody died in this step, and somebody has beaten in it
   */
  async audit(db: Database, clean: boolean): Promise<void> {
    const { clock } = this;
    if (!clock) return;
    if (clock.counted_time < this.#expected) {
      broken('keeps up', `${DAYS(clock.counted_time)} of ${DAYS(this.#expected)}`);
    }
    await this.pauses.audit(db, clock, clean);
    await this.afterReleases.audit(db, this.scrolls);
    this.#audits += 1;
    if (clean && this.#audits % 10 === 0 && clock.paused_reason === null) {
      await this.followUps.audit(db, clock.counted_time);
    }
    const rows = await allScrolls(db);
    for (const row of rows) {
      const released = this.scrolls.get(row.id)?.released ?? false;
      if (released !== (row.state === 'released')) broken('never twice', `scroll ${row.id} is ${row.state}`);
      if (row.state === 'watching') this.#lookAtWatch(row, clock, clean && clock.paused_reason === null);
    }
    if (clock.releases !== rows.filter(({ state }) => state === 'released').length) {
      broken('never twice', `${clock.releases} releases were counted`);
    }
    for (const { public_id, job } of await allReleases(db, 'waiting')) {
      if (job === null) broken('always told', `message ${public_id} has no job`);
    }
    for (const [id, { times, allowed }] of this.#handed) {
      if (times > allowed) broken('one repeat for one crash', `message ${id}, ${times} times`);
    }
  }

  #lookAtWatch(
    row: Awaited<ReturnType<typeof allScrolls>>[number],
    clock: InstanceClock,
    clean: boolean,
  ): void {
    const { counted_time, doubted_until, may_add, stood_still } = clock;
    const { holdAtMost, holdAfterLongOutage, graceAfterWarning, holdAfterOutage, tick, jitter } = this.#rules;
    const lost: (why: string) => never = (why) => broken('never lost', `scroll ${row.id}: ${why}`);
    const heldAtMost = Math.max(counted_time + holdAfterOutage, this.pauses.mayHoldUntil);
    const firmly = Math.max(clock.firmly_held_until, clock.told_firmly_held_until);
    if (Math.max(heldUntil(clock), doubted_until) > heldAtMost) lost('held for longer than named');
    if (firmly > counted_time + holdAfterLongOutage) lost('held for longer than named');
    // By a calendar that was set a while ago it begins some minutes later.
    const today = clock.ticked_at - clock.set_forward_by - jitter;
    if (row.trigger_type === 'date' && row.due_at !== null && row.due_at <= today) {
      if (clean && (row.releasable_at === null || row.releasable_at <= counted_time))
        lost('its day has come');
      if ((row.releasable_at ?? 0) > heldAtMost) lost('its day is held for longer than named');
      this.count('days held in the dark');
    }
    if (row.trigger_type !== 'inactivity' || row.period === null) return;
    const deadline = Math.max(row.lastActivity, row.watching_since ?? 0) + row.period;
    const late = counted_time - deadline;
    const author = this.scrolls.get(row.id)?.wish.author ?? 0;
    const postponedUntil = this.contacts.mayHoldUntil(author);
    if (late >= 0 && counted_time < postponedUntil) {
      this.count('held by a contact');
      return;
    }
    // A contact who is told late has a day.
    const isTold = this.contacts.hasContact(author);
    if (isTold && counted_time < Math.max(deadline, postponedUntil) + graceAfterWarning + 4 * tick) return;
    if (late < 0 || clock.paused_reason !== null) return;
    if (late > holdAtMost + holdAfterLongOutage + graceAfterWarning + 24 * tick)
      lost(`held for ${DAYS(late)}`);
    if (counted_time < firmly && late < holdAtMost + holdAfterLongOutage) {
      this.count('held after a long outage');
      return;
    }
    const accepted = row.warning_accepted;
    const lateAfter =
      row.warning !== 'mail'
        ? 0
        : accepted === null
          ? holdAtMost
          : Math.max(0, accepted + graceAfterWarning - deadline);
    const isWarned = stood_still === 1 && row.warning === 'mail' && accepted !== null;
    if (late < lateAfter) this.count(accepted === null ? 'held unwarned' : 'held in grace');
    else if (counted_time < heldUntil(clock) && late < holdAtMost) this.count('held after an outage');
    else if (may_add > jitter && late < holdAtMost && !isWarned)
      this.count('held while nobody knows for how long');
    else if (clean) lost(`late by ${DAYS(late)}`);
  }

  /** The database is another one from now on: what it knows of scrolls is what counts, and lives are as they were. */
  async restored(db: Database, last_activity: Map<number, number>): Promise<void> {
    this.clock = await readInstanceClock(db);
    this.mustPause = true;
    // It does not know what had left since, and counted time comes by it once more.
    this.#sentTo.clear();
    this.warnings.forget();
    this.afterReleases.restored();
    this.contacts.restored(await postponements(db));
    this.#expected = this.clock.counted_time;
    // Nobody knows what it lived through since, and its silences begin with the administrator's word.
    this.#uncounted = 2 * this.#rules.absenceCounts;
    // Without a journal the pause of a backup goes on, and the time since is an absence in it.
    if (this.clock.paused_reason !== null) this.#tickedAt -= this.#uncounted;
    this.#isOutage = false;
    // A hold of the history that is forgotten: counted time comes by it once more.
    this.#heldUntil = 0;
    const messages = await newMessages(db, 0);
    this.#lastMessage = messages.at(-1)?.id ?? 0;
    // What it has forgotten may be written and handed over once more.
    const known = new Set(messages.map(({ public_id }) => public_id));
    for (const [id, handed] of this.#handed) if (!known.has(id)) handed.allowed += 1;
    const rows = new Map((await allScrolls(db)).map((row) => [row.id, row]));
    for (const [id, truth] of this.#deleted) if (rows.has(id)) this.scrolls.set(id, truth);
    await this.followUps.restored(db);
    await this.pauses.restored(db, this.clock);
    this.reach.restored(this.clock, this.#lookedAt);
    this.#deleted.clear();
    this.waiting.clear();
    for (const [id, truth] of this.scrolls) {
      const row = rows.get(id);
      if (!row) {
        this.scrolls.delete(id);
        this.count('scrolls forgotten by a restore');
        continue;
      }
      truth.released = row.state === 'released';
      if (!truth.released) this.waiting.add(truth);
      truth.provenAt = Math.max(truth.provenAt, last_activity.get(truth.wish.author) ?? 0);
      truth.accepted = [];
      truth.wish = {
        ...truth.wish,
        period: row.period,
        dueAt: row.due_at,
        warning: row.warning ?? 'dashboard',
      };
    }
    for (const { public_id } of await waitingMessages(db)) {
      const handed = this.#handed.get(public_id);
      if (handed) handed.allowed = handed.times + 1;
    }
  }

  /** The last look: everything that was released has come to an end. */
  async conclude(db: Database): Promise<void> {
    await this.audit(db, false);
    for (const { public_id, channel, address, state, why } of await allReleases(db)) {
      const isRefused = channel === 'whisper' || refusesAll(address);
      if (state === 'sent') this.count('delivered');
      else if (state === 'failed' && why && isRefused) this.count('shown as undeliverable');
      else broken('always told', `message ${public_id} is ${state} in the end`);
    }
  }
}
