// Whether counted time goes on. A switch that has stopped without a word is worse than one that has never begun, so that
// `/readyz`, the metrics and the log tell of it (docs/legacy.md, "Watched").
import type { Logger } from 'pino';
import type { SwitchRules } from '../shared/nouns/switch-rules.ts';
import { formatDuration } from '../shared/time.ts';

/** What is seen of the clock in the database. */
export interface SeenClock {
  /** Milliseconds. */
  counted_time: number;
  paused_reason: string | null;
  out_of_reach_since: number | null;
}

export interface Heartbeat {
  /** Told of the clock after each tick, whichever server of the database has ticked. */
  see(clock: SeenClock): void;
  /** Milliseconds since counted time was last seen to advance, or to stand still for a reason that is told elsewhere. */
  age(): number;
  /** Whether counted time has stood still for too long, and nobody knows why. */
  standsStill(): boolean;
  /** Logs once that it stands still, and once that it goes on. */
  report(): void;
}

/** @param elapsed milliseconds that only ever advance */
export function createHeartbeat(
  { log, rules }: { log: Logger; rules: Pick<SwitchRules, 'standsStillAfter'> },
  elapsed: () => number,
): Heartbeat {
  let seen: SeenClock | null = null;
  let last = elapsed();
  let reported = false;
  const age = () => elapsed() - last;
  const standsStill = () => age() > rules.standsStillAfter;
  return {
    age,
    standsStill,
    see(clock) {
      // A switch that is paused, or a server that nobody can reach, must stay reachable for whoever sees to it.
      const isExcused = clock.paused_reason !== null || clock.out_of_reach_since !== null;
      if (isExcused || clock.counted_time !== seen?.counted_time) last = elapsed();
      seen = clock;
    },
    report() {
      const stands = standsStill();
      if (stands === reported) return;
      reported = stands;
      if (stands) {
        const sentence = `counted time has stood still for ${formatDuration(age())}: the dead man’s switch warns nobody and releases nothing; see docs/legacy.md`;
        log.error({ seconds: Math.round(age() / 1000) }, sentence);
      } else log.info('counted time goes on');
    },
  };
}
