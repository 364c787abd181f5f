// The one place that asks what a plan allows. A limit stops what is new and touches nothing that is there: no row is
// deleted, locked, disarmed or withheld because of one. Without payments there are no plans, and nothing is asked.
import { formatBytes } from '../../shared/nouns/usage.ts';
import { type AskedLimit, type Plan, type PlanLimits, planLimits } from '../../shared/plans.ts';
import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { entitlementsOf } from './entitlements.ts';

export type PlanDeps = Pick<Deps, 'config' | 'entitlementSources'>;

export async function planOf(deps: PlanDeps, accountId: number): Promise<Plan> {
  if (!deps.config.payments) return 'open';
  return (await entitlementsOf(deps, accountId)).has('enhanced') ? 'enhanced' : 'free';
}

/** How much an account of a plan may store: never more than the server allows anybody. */
export function quotaOfPlan({ quota }: Pick<Config, 'quota'>, plan: Plan): { bytes: number; rows: number } {
  const { bytes, rows } = planLimits[plan];
  return {
    bytes: Math.min(bytes ?? quota.bytes, quota.bytes),
    rows: Math.min(rows ?? quota.rows, quota.rows),
  };
}

/** How much an account may store that has no limits of its own. */
export const quotaOfAnybody = (config: Pick<Config, 'quota' | 'payments'>) =>
  quotaOfPlan(config, config.payments ? 'free' : 'open');

/** A limit, and the plan that sets it. */
export interface Limit<L extends AskedLimit> {
  plan: Plan;
  max: PlanLimits[L];
}

/** A limit of an account's plan. */
export async function limitOf<L extends AskedLimit>(
  deps: PlanDeps,
  accountId: number,
  limit: L,
): Promise<Limit<L>> {
  const plan = await planOf(deps, accountId);
  return { plan, max: planLimits[plan][limit] };
}

/**
 * Refuses an entry that is larger than the plan keeps. One that is so already may still be edited.
 * @param ciphertext what is to be stored; base64, so each character is a byte
 * @param stored the ciphertext that it replaces: undefined where it replaces none, or is not there to be replaced
 * @throws AppError `plan-limit`
 */
export async function expectEntrySize(
  deps: PlanDeps,
  accountId: number,
  ciphertext: string,
  stored: () => Promise<string | null | undefined> = async () => undefined,
): Promise<void> {
  // Most entries fit everywhere, and ask nothing.
  if (!deps.config.payments || ciphertext.length <= planLimits.free.entryBytes) return;
  const { plan, max } = await limitOf(deps, accountId, 'entryBytes');
  if (ciphertext.length <= max) return;
  const before = await stored();
  if (before && before.length > max) return;
  throw planLimit('entryBytes', plan, max);
}

const UNLOCK = 'unlock the Enhanced plan';

const SENTENCES: Record<AskedLimit, (max: number, canRise: boolean) => string> = {
  entryBytes: (max, canRise) =>
    `Your plan keeps entries of up to ${formatBytes(max)}, and this one is larger. Nothing was lost: shorten it${canRise ? `, or ${UNLOCK} first` : ''}.`,
  scrollsWatching: (max, canRise) =>
    `Under your plan ${max} ${max === 1 ? 'letter watches' : 'letters watch'} at a time. Nothing was lost, and all that watch go on: disarm others until fewer than ${max} watch${canRise ? `, or ${UNLOCK}` : ''}.`,
  storiesPerMonth: (max, canRise) =>
    `Your plan makes ${max} stories in a month, and they are made. Nothing was lost: wait for the next month${canRise ? `, or ${UNLOCK}` : ''}.`,
};

/** What refuses something new beyond a limit, in words that name the limit. */
export function planLimit(limit: AskedLimit, plan: Plan, max: number): AppError {
  return new AppError('plan-limit', SENTENCES[limit](max, plan === 'free'));
}
