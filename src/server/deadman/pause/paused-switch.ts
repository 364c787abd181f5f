// What a paused switch does at a tick: it sees to it that everybody whom it concerns is told, and goes on by itself when
// nobody has answered for long. Its administrator may be the one who died (docs/legacy.md, "Restored and copied databases").
import { setImmediate } from 'node:timers/promises';
import type { SwitchRules } from '../../../shared/nouns/switch.ts';
import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { hurryJobs } from '../../jobs/queue-store.ts';
import { confirmSwitch, type InstanceClock } from '../clock/counted-time-store.ts';
import { instanceName } from '../clock/instance.ts';
import { NOTIFY } from '../delivery/message-store.ts';
import { writeSomeNotices } from './notice-store.ts';

export type PauseDeps = Pick<Deps, 'db' | 'now' | 'calendar' | 'log' | 'rules' | 'digests'> & {
  config: Pick<Config, 'switchResume' | 'adminSubjects'>;
};

type Pause = Pick<InstanceClock, 'paused_reason' | 'paused_for' | 'told_at'>;

/**
 * For how much longer a pause lasts if nobody confirms, in milliseconds of the time that is counted in it; null where it
 * does not end by itself: that is forbidden, or no mail to an author has been accepted yet.
 */
export function goesOnIn(
  { paused_for, told_at }: Pause,
  { switchResume }: Pick<Config, 'switchResume'>,
  { pauseEndsAfter }: Pick<SwitchRules, 'pauseEndsAfter'>,
): number | null {
  if (switchResume === 'never' || told_at === null) return null;
  return Math.max(0, told_at + pauseEndsAfter - paused_for);
}

export async function whilePaused(deps: PauseDeps, clock: InstanceClock): Promise<void> {
  const { config, rules, log, digests, calendar } = deps;
  await hurryJobs(deps.db, NOTIFY, calendar());
  for (const kind of ['confirm-switch', 'paused'] as const) {
    for (let after: number | null = 0; after !== null; await setImmediate()) {
      after = await writeSomeNotices(deps, kind, clock, after);
    }
  }
  if (goesOnIn(clock, config, rules) !== 0) return;
  await confirmSwitch(deps.db, {
    instance: instanceName(digests),
    at: calendar(),
    holdFor: rules.holdAfterLongOutage,
    epoch: clock.epoch,
    isNobodys: true,
  });
  log.warn(
    'nobody has confirmed the paused switch for a long time: it goes on by itself, and holds back at first',
  );
}
