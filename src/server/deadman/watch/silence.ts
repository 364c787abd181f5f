// The rules of a scroll that waits for silence: when its next warning is due, when nothing holds it any more, and when to
// look at it again. They decide nothing by themselves. All times are counted time.
import type { Selectable } from 'kysely';
import { dueStep, silenceReleaseAt, warningLadder } from '../../../shared/nouns/switch-rules.ts';
import type { LegacyScrollsTable } from '../../db/schema/deadman.ts';
import type { Deps } from '../../deps.ts';
import type { InstanceClock } from '../clock/counted-time-store.ts';
import { heldUntil, isAbsenceKnown } from './hold.ts';

export type SwitchStore = Pick<Deps, 'db' | 'now' | 'log' | 'rules' | 'digests'>;

export const silenceColumns = [
  'id',
  'account_id',
  'period',
  'watching_since',
  'warning',
  'warning_step',
  'warning_accepted',
  'contact_told_at',
] as const;

type Row = Pick<Selectable<LegacyScrollsTable>, (typeof silenceColumns)[number]> & {
  /** Until when its author's trusted contact has postponed; 0 for not, null without a contact. */
  postponed_until: number | null;
};

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

/** When silence is over, and what the contact has postponed. */
export const endOf = (scroll: Silent, lastActivity: number) =>
  Math.max(deadlineOf(scroll, lastActivity), scroll.postponed_until ?? 0);

/** How long before the end of a silence the contact is told of a scroll. */
const contactAhead = (period: number, { contactToldBefore }: Deps['rules']) =>
  Math.min(contactToldBefore, period / 2);

/** Whether the trusted contact is to be told of a scroll, of which they were not told in this silence. */
export const isContactDue = (
  scroll: Silent,
  lastActivity: number,
  countedTime: number,
  rules: Deps['rules'],
): boolean =>
  scroll.postponed_until !== null &&
  scroll.contact_told_at === null &&
  endOf(scroll, lastActivity) - countedTime <= contactAhead(scroll.period, rules);

/** The same within the coming day, once half of its period has passed: then it goes along with another one. */
export const isContactDueSoon = (
  scroll: Silent,
  lastActivity: number,
  countedTime: number,
  rules: Deps['rules'],
): boolean =>
  endOf(scroll, lastActivity) - countedTime <= scroll.period / 2 &&
  isContactDue(scroll, lastActivity, countedTime + rules.warningsApart, rules);

/** Until when a scroll waits for a contact who was just told; null for one who has not been told yet. */
function contactHeardAt(scroll: Silent, rules: Deps['rules']): number | null {
  if (scroll.postponed_until === null) return 0;
  if (scroll.contact_told_at === null) return null;
  return scroll.contact_told_at + Math.min(rules.graceAfterWarning, contactAhead(scroll.period, rules));
}

/** Whether the next warning of a scroll is due, and which step it is; null for none. */
export function nextWarning(
  scroll: Silent,
  lastActivity: number,
  countedTime: number,
  rules: Deps['rules'],
): number | null {
  if (scroll.warning !== 'mail') return null;
  const remaining = endOf(scroll, lastActivity) - countedTime;
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
  const isTooSoon = endOf(scroll, lastActivity) - countedTime > scroll.period / 2;
  return isTooSoon ? null : nextWarning(scroll, lastActivity, countedTime + rules.warningsApart, rules);
}

/**
 * Until when a warning that is due may wait, because another one has left within a day. Null where it may not: a day
 * must be left from then to the release, unless the scroll has had an accepted warning already, or was named in that one
 * and is warned of anew.
 * @param last the last warning of the same author that has left, and whether it names the scroll; null for none
 */
export function waitsUntil(
  scroll: Silent,
  lastActivity: number,
  last: { at: number; namesIt: boolean } | null,
  clock: InstanceClock,
  rules: Deps['rules'],
): number | null {
  if (last === null) return null;
  const until = last.at + rules.warningsApart;
  if (until <= clock.counted_time) return null;
  if (scroll.warning_accepted !== null) return Math.min(until, endOf(scroll, lastActivity));
  if (last.namesIt) return until;
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
  return Math.max(endOf(scroll, lastActivity), heldUntil(deadline, clock, rules));
}

/** Whether silence has lasted, and nothing holds the scroll any more. */
export function isReleasable(
  scroll: Silent,
  lastActivity: number,
  clock: InstanceClock,
  rules: Deps['rules'],
): boolean {
  const deadline = deadlineOf(scroll, lastActivity);
  const releaseAt = silenceReleaseAt(deadline, scroll.warning ?? 'dashboard', scroll.warning_accepted, rules);
  const from = Math.max(releaseAt, heldUntil(deadline, clock, rules), scroll.postponed_until ?? 0);
  if (clock.counted_time < from) return false;
  const heard = contactHeardAt(scroll, rules);
  if (heard === null || clock.counted_time < heard) return false;
  return isAbsenceKnown(scroll, deadline, clock, rules);
}

/** Counted time before which nothing is due of a scroll: neither its first warning, nor what its contact is told, nor its release. */
export function firstCheckAt(scroll: Silent, lastActivity: number, rules: Deps['rules']): number {
  const ahead = scroll.warning === 'mail' ? (warningLadder(scroll.period, rules)[0] ?? 0) : 0;
  return deadlineOf(scroll, lastActivity) - Math.max(ahead, contactAhead(scroll.period, rules));
}

/**
 * Counted time before which nothing more is due of a scroll that has been decided: its next warning, what its contact is told, or
 * its end. Activity meanwhile makes it later, because a first warning is at most half a period ahead. Null after the deadline,
 * when it is checked with every tick: what delays it may end at any time.
 */
export function nextCheckAt(
  scroll: Silent,
  lastActivity: number,
  countedTime: number,
  rules: Deps['rules'],
): number | null {
  const end = endOf(scroll, lastActivity);
  const ladder = scroll.warning === 'mail' ? warningLadder(scroll.period, rules) : [];
  const ahead = contactAhead(scroll.period, rules);
  const coming = [...ladder, ahead, 0].map((before) => end - before).filter((time) => time > countedTime);
  return coming.length > 0 ? Math.min(...coming) : null;
}
