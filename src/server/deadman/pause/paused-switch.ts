// What a paused switch does at a tick: it sees to it that everybody whom it concerns is told, and goes on by itself when
// nobody has answered for long. Its administrator may be the one who died (docs/legacy.md, "Restored and copied databases").
import { setImmediate } from 'node:timers/promises';
import type { SwitchRules } from '../../../shared/nouns/switch-rules.ts';
import type { StaysPaused } from '../../../shared/nouns/switch-state.ts';
import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { hurryJobs } from '../../jobs/queue-store.ts';
import { confirmSwitch, type InstanceClock } from '../clock/counted-time-store.ts';
import { instanceName } from '../clock/instance.ts';
import { NOTIFY } from '../delivery/message-store.ts';
import { lookedAtOrigin } from '../watchdog/outside-look.ts';
import { writeSomeNotices } from './notice-store.ts';

export type PauseDeps = Pick<Deps, 'db' | 'now' | 'calendar' | 'log' | 'rules' | 'digests'> & {
  config: Pick<Config, 'switchResume' | 'adminSubjects' | 'publicUrl' | 'outsideLook'>;
};

type Reached = Pick<
  InstanceClock,
  'home_origin' | 'reached_origin' | 'reached_counted' | 'out_of_reach_since'
>;
type Pause = Pick<InstanceClock, 'paused_reason' | 'paused_for' | 'told_at'> & Reached;
/** What this server is set up for. */
type Setting = { config: Pick<Config, 'switchResume' | 'publicUrl' | 'outsideLook'> };

/**
 * Why a pause does not end before somebody confirms; null where it does. A copy of a server is told from a server that was
 * moved by where its address leads alone: without one, under a new one, or where it leads nowhere, nobody could tell.
 */
export function whyItStays(
  { home_origin, reached_origin, reached_counted, out_of_reach_since }: Reached,
  { config }: Setting,
): StaysPaused | null {
  if (config.switchResume === 'never') return 'forbidden';
  const origin = lookedAtOrigin({ config });
  if (origin === null) return 'no-address';
  if (home_origin !== null && home_origin !== origin) return 'another-address';
  const leadsHere = reached_origin === origin && reached_counted !== null && out_of_reach_since === null;
  return home_origin !== null && leadsHere ? null : 'not-reached';
}

/**
 * For how much longer a pause lasts if nobody confirms, in milliseconds of the time that is counted in it; null where it
 * stays (`whyItStays`). A mail that was accepted never makes it longer.
 */
export function goesOnIn(
  clock: Pause,
  setting: Setting,
  { pauseEndsAfter, pauseEndsUntoldAfter }: Pick<SwitchRules, 'pauseEndsAfter' | 'pauseEndsUntoldAfter'>,
): number | null {
  if (whyItStays(clock, setting) !== null) return null;
  const { paused_for, told_at } = clock;
  // Authors without an address, addresses that refuse and a mail server that is gone must not hold letters for ever.
  const lasts =
    told_at === null ? pauseEndsUntoldAfter : Math.min(told_at + pauseEndsAfter, pauseEndsUntoldAfter);
  return Math.max(0, lasts - paused_for);
}

export async function whilePaused(deps: PauseDeps, clock: InstanceClock): Promise<void> {
  const { rules, log, digests, calendar } = deps;
  await hurryJobs(deps.db, NOTIFY, calendar());
  for (const kind of ['confirm-switch', 'paused'] as const) {
    for (let after: number | null = 0; after !== null; await setImmediate()) {
      after = await writeSomeNotices(deps, kind, clock, after);
    }
  }
  if (goesOnIn(clock, deps, rules) !== 0) return;
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
