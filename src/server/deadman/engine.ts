// The dead man's switch at work: a tick and what is due at it, with the jobs that follow.
import { formatDuration, MINUTE } from '../../shared/time.ts';
import { doForServer } from '../db/lending-turns.ts';
import type { Deps } from '../deps.ts';
import type { Heartbeat } from '../heartbeat.ts';
import { type InstanceClock, mayAct, readInstanceClock } from './clock/counted-time-store.ts';
import { instanceName } from './clock/instance.ts';
import { createMonitor, type MonitorDeps, type MonitorParts } from './clock/monitor.ts';
import { endWaits } from './watch/date-store.ts';
import { endKitWaits } from './watch/kit-wait-store.ts';
import { remindToRehearse } from './watch/rehearsal-reminder-store.ts';
import type { SwitchStore } from './watch/silence.ts';
import { endSilences } from './watch/silence-store.ts';

/** How often jobs are looked for between ticks: what somebody has just released shall leave at once. */
const JOBS_EVERY = 5_000;
/** Where one tick has not decided all that is due, the next one comes so soon: others have their turn between. */
const BETWEEN_TICKS = 50;
/** Work that has not ended after so long is not waited for any more: the next piece begins without it. */
const GIVE_UP_AFTER = 5 * MINUTE;
/** How long stopping waits for jobs that run. A message that is cut off goes once more, under the same id. */
const STOP_WITHIN = 5_000;

export interface Switch {
  /** One tick and what is due at it, but for deliveries: so much of it as one tick decides. */
  tick(): Promise<void>;
  /** Whether the last tick left something for the next one. */
  hasMore(): boolean;
  /**
   * Ticks if this machine has been away since the last tick, so that what happens now does not age by that.
   * @returns whether it had been
   */
  catchUp(): Promise<boolean>;
  /** The counted time; null while nothing may leave, since the switch is paused or this may be a copy of the server. */
  countedTime(): Promise<number | null>;
}

type SwitchDeps = MonitorDeps & SwitchStore & Pick<Deps, 'digests'> & { heartbeat: Pick<Heartbeat, 'see'> };

export interface SwitchParts extends MonitorParts {
  /** Told at each look at which the calendar is proved, and what it says, whoever ticks. */
  onProved?: (calendar: number) => void;
  /** Whether it is known where this server's address leads: before that, nothing is decided or sent. Unless told, it is. */
  hasLooked?: () => boolean;
  /** Called at each tick of a paused switch. */
  whilePaused?: (clock: InstanceClock) => Promise<void>;
  /** Called at each tick that has counted by a proved calendar. */
  markUptime?: (clock: InstanceClock) => Promise<void>;
  /** Called at each tick that decides: letters that are kept for other instances. */
  endSisterSilences?: (clock: InstanceClock) => Promise<void>;
  /** Told of each tick that has counted. */
  onBeat?: () => void;
}

export function createSwitch(deps: SwitchDeps, parts: SwitchParts): Switch {
  const monitor = createMonitor(deps, parts);
  const instance = instanceName(deps.digests);
  const { hasLooked = () => true } = parts;
  let running: Promise<void> | null = null;
  let hasMore = false;

  async function tick(): Promise<void> {
    hasMore = false;
    const ticked = await monitor.tick();
    const calendar = monitor.provedCalendar();
    if (calendar !== null) parts.onProved?.(calendar);
    deps.heartbeat.see(ticked?.clock ?? (await readInstanceClock(deps.db)));
    if (!ticked) return;
    const { clock, isProved } = ticked;
    if (clock.paused_reason !== null) return hasLooked() ? parts.whilePaused?.(clock) : undefined;
    parts.onBeat?.();
    if (isProved) await parts.markUptime?.(clock);
    if (!hasLooked()) return;
    const elapsed = () => parts.machine().elapsed;
    const silences = await endSilences(deps, clock, elapsed);
    const waits = await endWaits(deps, ticked, elapsed);
    hasMore = silences.hasMore || waits.hasMore;
    await endKitWaits(deps, clock);
    await parts.endSisterSilences?.(clock);
    await remindToRehearse(deps, clock);
    const released = silences.released + waits.released;
    if (released === 0) return;
    deps.log.info({ released }, 'legacy scrolls were released');
    const after = await readInstanceClock(deps.db);
    if (monitor.trusts(after)) monitor.note(after);
  }

  /** Whoever asks while one is on its way waits for that one. */
  function tickOnce(): Promise<void> {
    running ??= withinReason(doForServer(tick)).finally(() => {
      running = null;
    });
    return running;
  }

  return {
    tick: tickOnce,
    hasMore: () => hasMore,
    async catchUp() {
      const isBehind = monitor.isBehind();
      if (isBehind) await tickOnce();
      return isBehind;
    },
    async countedTime() {
      if (monitor.wasAway() || !hasLooked()) return null;
      // Asked of the clock as it is now: a database may have gone back since the last tick.
      const clock = await readInstanceClock(deps.db);
      const isMine = mayAct(clock) && clock.instance === instance;
      return isMine && monitor.trusts(clock) ? clock.counted_time : null;
    },
  };
}

/** What goes on in a server by itself. */
export interface Work {
  tick(): Promise<void>;
  /** Whether the next tick is to come at once. */
  hasMore?: () => boolean;
  runJobs(): Promise<void>;
  /**
   * Jobs that may wait for others for long, by whom they wait for. Each lane has a loop of its own: neither what was
   * released nor another lane waits for it.
   */
  slowLanes: readonly (() => Promise<void>)[];
}

type Kept = Pick<Deps, 'log' | 'rules' | 'storage'> & { heartbeat: Pick<Heartbeat, 'report'> };

/** Keeps a server's work going. A tick that fails is tried again with the next jobs. Returns how to stop it. */
export function keepGoing({ tick, hasMore = () => false, runJobs, slowLanes }: Work, deps: Kept) {
  const { rules, heartbeat } = deps;
  const monitor = alone(tick, deps, 'a tick failed');
  const jobs = alone(runJobs, deps, 'running jobs failed');
  const lanes = slowLanes.map((run) => alone(run, deps, 'running slow jobs failed'));
  const loops = [monitor, jobs, ...lanes];
  let next: NodeJS.Timeout | undefined;
  let stopped = false;
  async function tickAndRun(): Promise<void> {
    await monitor.run();
    clearTimeout(next);
    if (hasMore() && !stopped) next = setTimeout(() => void tickAndRun(), BETWEEN_TICKS).unref();
    await jobs.run();
  }
  void tickAndRun();
  for (const lane of lanes) void lane.run();
  const timers = [
    setInterval(() => void tickAndRun(), rules.tick),
    setInterval(() => {
      if (monitor.hasFailed()) void tickAndRun();
      void jobs.run();
    }, JOBS_EVERY),
    setInterval(heartbeat.report, rules.tick),
    ...lanes.map((lane) => setInterval(() => void lane.run(), JOBS_EVERY)),
  ];
  for (const timer of timers) timer.unref();
  return async function stop(): Promise<void> {
    for (const timer of timers) clearInterval(timer);
    clearTimeout(next);
    stopped = true;
    for (const loop of loops) loop.end();
    const late = new Promise((resolve) => setTimeout(resolve, STOP_WITHIN).unref());
    await Promise.race([Promise.all(loops.map((loop) => loop.idle())), late]);
  };
}

/** Runs a piece of work that must not overlap itself; its failures are logged and harm nobody. A full disk is told once, by `storage`. */
function alone(work: () => Promise<void>, { log, storage }: Pick<Deps, 'log' | 'storage'>, failed: string) {
  let running: Promise<void> | null = null;
  let [ended, hasFailed] = [false, false];
  async function once(): Promise<void> {
    try {
      await withinReason(work());
      hasFailed = false;
    } catch (error) {
      hasFailed = true;
      if (!storage.refused(error)) log.error({ err: error }, failed);
    }
  }
  return {
    async run(): Promise<void> {
      if (ended) return;
      running ??= once().finally(() => {
        running = null;
      });
      await running;
    },
    hasFailed: () => hasFailed,
    idle: async () => running,
    /** It runs no more; what runs may finish. */
    end: () => {
      ended = true;
    },
  };
}

/**
 * Every call has a time-out of its own; this is for the one that was forgotten. What is given up may still end: it does no
 * harm, as all that is written is guarded against servers that do the same.
 */
async function withinReason(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const problem = `It has not ended for ${formatDuration(GIVE_UP_AFTER)}.`;
    timer = setTimeout(() => reject(new Error(problem)), GIVE_UP_AFTER);
    timer.unref();
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
