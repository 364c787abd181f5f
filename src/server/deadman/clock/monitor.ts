// The heartbeat: it advances house time by what a monotonic clock has measured, notices outages and calendars that jump,
// and stops everything when the database is not the one that this house has lived with (docs/legacy.md).
import type { PauseReason } from '../../../shared/nouns/switch.ts';
import type { Clock } from '../../clock.ts';
import type { Deps } from '../../deps.ts';
import {
  adoptDatabase,
  type HouseClock,
  pauseSwitch,
  readHouseClock,
  writeBeat,
} from './counted-time-store.ts';
import { instanceName } from './instance.ts';
import type { Journal, JournalEntry } from './journal.ts';

export interface HeartParts {
  /** Milliseconds that only ever advance. */
  elapsed: Clock;
  journal: Journal;
  /** Whether nobody else ever beats in this database: then nothing in it comes on but before our eyes. */
  alone: boolean;
}

export type HeartDeps = Pick<Deps, 'db' | 'calendar' | 'log' | 'rules' | 'digests'>;

export interface Heart {
  /** The clock after it. Null when another server has beaten, or nothing may be done. */
  beat(): Promise<HouseClock | null>;
  /** Whether the last beat found that this database counts, and its clock still says so. */
  trusts(clock: HouseClock): boolean;
  /** Writes down what was reached. */
  note(clock: HouseClock): void;
}

/** Without a beat of somebody else for so many intervals, nobody else is there. */
const ALONE_AFTER = 3;

export function createHeart(deps: HeartDeps, { elapsed, journal, alone }: HeartParts): Heart {
  const { db, calendar, log, rules } = deps;
  const instance = instanceName(deps.digests);
  const found = journal.read();
  let kept: JournalEntry | null = found?.entry ?? null;
  let copied = found?.copied ?? false;
  /** The last beat that was seen, and when. */
  let seen: { number: number; at: number } | null = null;
  /** The epoch in which the switch was seen paused: a higher one is the keeper's word. */
  let pausedIn: number | null = null;
  let trusted = false;

  const see = (clock: HouseClock) => {
    if (seen?.number !== clock.beat_number) seen = { number: clock.beat_number, at: elapsed() };
  };

  function disagreement(clock: HouseClock): PauseReason | null {
    if (clock.instance !== instance) return 'another-key';
    if (pausedIn !== null && clock.epoch > pausedIn) return null;
    if (kept === null || kept.instance !== instance) return 'journal-missing';
    return copied || isBehind(clock) || isAhead(clock) ? 'restored' : null;
  }

  function isBehind({ epoch, house_time, releases }: HouseClock): boolean {
    if (kept === null || epoch > kept.epoch) return false;
    return epoch < kept.epoch || house_time < kept.houseTime || releases < kept.releases;
  }

  /**
   * It has lived elsewhere. Between a heartbeat and the journal a crash leaves two intervals at most, and what a keeper
   * confirms is seen here.
   */
  function isAhead({ epoch, house_time }: HouseClock): boolean {
    if (!alone || kept === null) return false;
    return epoch > kept.epoch || house_time > kept.houseTime + rules.outage;
  }

  async function pause(reason: PauseReason, clock: HouseClock): Promise<null> {
    trusted = false;
    const epoch = Math.max(clock.epoch, kept?.epoch ?? 0);
    if (await pauseSwitch(db, reason, epoch, calendar())) {
      pausedIn = epoch;
      log.error({ reason }, 'the dead man’s switch is paused until its keeper confirms; see docs/legacy.md');
    }
    return null;
  }

  /**
   * Several servers may stand on one PostgreSQL, and one that joins them knows less than they do, whether its journal
   * is missing or came with a copied folder: it neither stops them nor takes part before it has seen one of them work.
   */
  async function doubt(reason: PauseReason, clock: HouseClock): Promise<null> {
    trusted = false;
    if (alone || (reason === 'restored' && isBehind(clock))) return pause(reason, clock);
    const before = seen;
    see(clock);
    if (before && before.number !== clock.beat_number && reason !== 'another-key') {
      pausedIn = clock.epoch - 1;
    } else if (before && elapsed() - before.at >= ALONE_AFTER * rules.beat) {
      return pause(reason, clock);
    }
    return null;
  }

  /** A backup may have been made during a pause. Its keeper is asked about the restore, which weighs more. */
  async function askAnew(clock: HouseClock): Promise<void> {
    const problem = disagreement(clock);
    if (problem && (alone || isBehind(clock))) await pause(problem, clock);
  }

  async function beat(): Promise<HouseClock | null> {
    let clock = await readHouseClock(db);
    if (clock.instance === null) {
      // No scroll has ever stood in it. Whatever the journal knows, it knows of another database, which falls behind by
      // an epoch: should it come back, its keeper is asked.
      const epoch = kept?.instance === instance ? kept.epoch + 1 : 0;
      await adoptDatabase(db, { instance, epoch });
      clock = await readHouseClock(db);
      pausedIn = clock.epoch - 1;
    }
    if (clock.paused_reason !== null) {
      trusted = false;
      if (clock.paused_reason === 'long-outage') await askAnew(clock);
      pausedIn = (await readHouseClock(db)).epoch;
      see(clock);
      return null;
    }
    const problem = disagreement(clock);
    if (problem) return doubt(problem, clock);
    trusted = true;
    const before = seen;
    if (before && before.number !== clock.beat_number) {
      see(clock);
      // Whoever never beats because others always do must not remember an old house.
      note(clock);
      return null;
    }
    return follow(clock, before?.at ?? null);
  }

  /** Follows the last beat with one of our own. @param since when this server saw it; null when it has just started */
  async function follow(clock: HouseClock, since: number | null): Promise<HouseClock | null> {
    const at = calendar();
    const lived = since === null ? 0 : elapsed() - since;
    const passed = clock.beaten_at === 0 ? 0 : at - clock.beaten_at;
    if (passed > rules.longOutage) return pause('long-outage', clock);
    if (since === null && othersMayBeat(clock, passed)) {
      see(clock);
      return null;
    }
    // A server that has just started only has the calendar's word for how long nobody was there.
    const outage = (since === null ? Math.abs(passed) : Math.max(passed, lived)) > rules.outage;
    // A day that has begun since then has begun unseen, or by a calendar that jumped.
    const dark = outage || (since !== null && passed - lived > rules.drift);
    const written = await writeBeat(db, {
      after: clock.beat_number,
      counts: Math.floor(Math.min(lived, rules.beatCounts * rules.beat)),
      at,
      holdFor: outage ? rules.holdAfterOutage : 0,
      doubtFor: dark ? rules.holdAfterDarkDate : 0,
    });
    if (!written) return null;
    if (outage) log.warn('the house was asleep; silence releases nothing for three days of house time');
    see(written);
    note(written);
    return written;
  }

  /** The first beat of a server counts nothing: while others beat, it would only make them lose what they have measured. */
  const othersMayBeat = (clock: HouseClock, passed: number) =>
    !alone && clock.beaten_at !== 0 && Math.abs(passed) < Math.min(ALONE_AFTER * rules.beat, rules.drift);

  function note(clock: HouseClock): void {
    kept = { instance, epoch: clock.epoch, houseTime: clock.house_time, releases: clock.releases };
    copied = false;
    pausedIn = null;
    try {
      journal.write(kept);
    } catch (error) {
      // The switch must not stop because a disk is full; what is lost is the memory of this beat.
      log.error({ err: error }, 'the journal of the switch cannot be written');
    }
  }

  return { beat, note, trusts: (clock) => trusted && disagreement(clock) === null };
}
