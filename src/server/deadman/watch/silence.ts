// The rules of a scroll that waits for silence: when its next warning is due, when nothing holds it any more, and when to
// look at it again. They decide nothing by themselves. All times are counted time.
import type { Selectable } from 'kysely';
import { dueStep, silenceReleaseAt, warningLadder } from '../../../shared/nouns/switch.ts';
import type { LegacyScrollsTable } from '../../db/schema/deadman.ts';
import type { Deps } from '../../deps.ts';
import type { InstanceClock } from '../clock/counted-time-store.ts';
import { heldUntil } from './hold.ts';

export type SwitchStore = Pick<Deps, 'db' | 'now' | 'log' | 'rules' | 'digests'>;

export const silenceColumns = [
  'id',
  'account_id',
  'period',
  'watching_since',
  'warning',
  'warning_step',
  'warning_accepted',
] as const;

type Row = Pick<Selectable<LegacyScrollsTable>, (typeof silenceColumns)[number]>;

/** A scroll whose time is near. */
export interface Silent extends Row {
  account_id: number;
  period: number;
  watching_since: number;
}

export const isSilent = (row: Row | undefined): row is Silent =>
  row !== undefined && row.account_id !== null && row.period !== null && row.watching_since !== null;

export const deadlineOf = (scroll: Silent, lastActivity: number) =>
  Math.max(lastActivity, scroll.watching_since) + scroll.period;

/** Whether the next warning of a scroll is due, and which step it is; null for none. */
export function nextWarning(
  scroll: Silent,
  lastActivity: number,
  countedTime: number,
  rules: Deps['rules'],
): number | null {
  if (scroll.warning !== 'mail') return null;
  const remaining = deadlineOf(scroll, lastActivity) - countedTime;
  if (remaining <= 0 && scroll.warning_accepted !== null) return null;
  const step = dueStep(scroll.period, remaining, rules);
  return step > scroll.warning_step ? step : null;
}

/**
 * The step with which a scroll goes along in a warning that leaves now: the one that is due, or the one that falls due
 * within the coming day, once half of its period has passed. Null for none.
 */
export function stepInDigest(
  scroll: Silent,
  lastActivity: number,
  countedTime: number,
  rules: Deps['rules'],
): number | null {
  const due = nextWarning(scroll, lastActivity, countedTime, rules);
  if (due !== null) return due;
  const isTooSoon = deadlineOf(scroll, lastActivity) - countedTime > scroll.period / 2;
  return isTooSoon ? null : nextWarning(scroll, lastActivity, countedTime + rules.warningsApart, rules);
}

/**
 * Until when a warning that is due may wait, because another one has left within a day. Null where it may not: a day
 * must be left from then to the release, unless the scroll has had an accepted warning already.
 * @param left when a warning of the same author left last; null for never
 */
export function waitsUntil(
  scroll: Silent,
  lastActivity: number,
  left: number | null,
  clock: InstanceClock,
  rules: Deps['rules'],
): number | null {
  if (left === null) return null;
  const until = left + rules.warningsApart;
  if (until <= clock.counted_time) return null;
  if (scroll.warning_accepted !== null) return Math.min(until, deadlineOf(scroll, lastActivity));
  return until + rules.graceAfterWarning <= dueAt(scroll, lastActivity, clock, rules) ? until : null;
}

/** When a scroll is released at the earliest, with what an outage holds back. */
export function dueAt(
  scroll: Silent,
  lastActivity: number,
  clock: InstanceClock,
  rules: Deps['rules'],
): number {
  const deadline = deadlineOf(scroll, lastActivity);
  return Math.max(deadline, heldUntil(deadline, clock, rules));
}

/** Whether silence has lasted, and nothing holds the scroll any more. */
export function isRipe(
  scroll: Silent,
  lastActivity: number,
  clock: InstanceClock,
  rules: Deps['rules'],
): boolean {
  const deadline = deadlineOf(scroll, lastActivity);
  const releaseAt = silenceReleaseAt(deadline, scroll.warning ?? 'dashboard', scroll.warning_accepted, rules);
  if (clock.counted_time < releaseAt) return false;
  if (clock.counted_time < clock.firmly_held_until) return false;
  // A server that is off for days each week must not hold its scrolls for ever.
  return clock.counted_time >= clock.held_until || clock.counted_time >= deadline + rules.holdAtMost;
}

/** Counted time before which nothing is due of a scroll: neither its first warning nor its release. */
export function lookAt(scroll: Silent, lastActivity: number, rules: Deps['rules']): number {
  const ahead = scroll.warning === 'mail' ? (warningLadder(scroll.period, rules)[0] ?? 0) : 0;
  return deadlineOf(scroll, lastActivity) - ahead;
}

/**
 * Counted time before which nothing more is due of a scroll that has been decided: its next warning, or its deadline. A
 * life that grows meanwhile makes it later, because a first warning is at most half a period ahead. Null after the
 * deadline, when it is looked at with every tick: what holds it may end at any time.
 */
export function nextLook(
  scroll: Silent,
  lastActivity: number,
  countedTime: number,
  rules: Deps['rules'],
): number | null {
  const deadline = deadlineOf(scroll, lastActivity);
  const ladder = scroll.warning === 'mail' ? warningLadder(scroll.period, rules) : [];
  const coming = [...ladder, 0].map((before) => deadline - before).filter((time) => time > countedTime);
  return coming.length > 0 ? Math.min(...coming) : null;
}
