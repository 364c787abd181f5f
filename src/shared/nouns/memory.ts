// Memory entries: schemas, calls, and the rules of time locks that browser and server must agree on.

import * as z from 'zod/mini';
import { clear } from '../http/field-classes.ts';
import {
  createdAt,
  entryId,
  FIRST_MOMENT,
  LAST_MOMENT,
  sealFields,
  sealReply,
  timestamp,
  updatedAt,
  version,
} from '../http/wire.ts';
import { sealedKinds } from '../sealed-kinds.ts';
import { DAY } from '../time.ts';
import { deletedCalls, entryCalls, sealedAt } from './entry-calls.ts';

const { title, encryptedContent } = sealedKinds.memory.fields;
const { details } = sealedKinds.memory.optional;
const timeLockUntil = clear('until when a memory is locked', timestamp);
/** As a form sends it: a moment, a date alone, a `datetime-local` value without an offset, or `""` for no lock. */
const timeLockInput = clear(
  'until when a memory is locked',
  z.string('This is not a date and time.').check(
    z.maxLength(40, 'This is not a date and time.'),
    z.refine((value) => value === '' || readLock(value) !== null, 'This is not a date and time.'),
  ),
);

const localMoment = z.union([timestamp, z.iso.date(), z.iso.datetime({ local: true })]);

/**
 * Until when a lock holds, of what was sent: epoch milliseconds, or null for no lock or for what is no moment.
 * Without an offset the moment is meant in UTC, and a date alone is its first moment there: a server knows no other zone.
 */
export function readLock(value: string | null | undefined): number | null {
  if (!value || !z.safeParse(localMoment, value).success) return null;
  const zoned = /T.*(?:Z|[+-]\d\d:?\d\d)$/i.test(value);
  const moment = Date.parse(zoned || !value.includes('T') ? value : `${value}Z`);
  return moment >= FIRST_MOMENT && moment <= LAST_MOMENT ? moment : null;
}

export const memorySchema = z.object({
  id: entryId,
  title,
  /** Null while the lock holds: the server does not serve the words before their date. */
  encryptedContent: z.nullable(encryptedContent),
  /** Null where there are none, and while the lock holds. */
  details: z.nullable(details),
  timeLockUntil: z.nullable(timeLockUntil),
  createdAt,
  updatedAt,
  version,
  ...sealReply,
});
export type Memory = z.output<typeof memorySchema>;

export const memoryInput = z.object({
  title,
  encryptedContent,
  details: z.nullish(details),
  timeLockUntil: z.nullish(timeLockInput),
  createdAt: sealedAt,
  ...sealFields,
});
export type MemoryInput = z.output<typeof memoryInput>;

export const memoryPatch = z.object({
  version,
  title,
  encryptedContent,
  /** Null takes them away. Absent: they stay, unless the patch names another key than theirs, which answers 409. */
  details: z.nullish(details),
  /** Absent: the lock stays as it is. */
  timeLockUntil: z.nullish(timeLockInput),
  keyFingerprint: sealFields.keyFingerprint,
});
export type MemoryPatch = z.output<typeof memoryPatch>;

export const memories = entryCalls('memory-entries', {
  entry: memorySchema,
  input: memoryInput,
  patch: memoryPatch,
});

export const deletedMemories = deletedCalls('memory-entries', memorySchema);

/** What a writer may choose; `custom` takes a date of their own. */
export const lockOptions = [
  { value: 'none', label: 'No lock', milliseconds: null },
  { value: '1-day', label: '1 day', milliseconds: DAY },
  { value: '1-week', label: '1 week', milliseconds: 7 * DAY },
  { value: '1-month', label: '1 month', milliseconds: 30 * DAY },
  { value: '1-year', label: '1 year', milliseconds: 365 * DAY },
  { value: 'custom', label: 'Custom date', milliseconds: null },
] as const;
export type LockOption = (typeof lockOptions)[number]['value'];

/** From how far ahead a lock is asked about before it is set, in milliseconds: it can be neither shortened nor removed. */
export const LONG_LOCK = 30 * DAY;

/**
 * The moment a lock option means.
 * @param option the writer's choice
 * @param custom the custom date in epoch milliseconds, if one was given
 * @param now epoch milliseconds
 * @returns epoch milliseconds, or null for no lock (also for `custom` without a date)
 */
export function lockUntil(option: LockOption, custom: number | null, now: number): number | null {
  if (option === 'custom') return custom;
  const found = lockOptions.find((candidate) => candidate.value === option);
  return found?.milliseconds ? now + found.milliseconds : null;
}

export type LockState = 'always' | 'locked' | 'unlocked';

/** Which of the three badges a memory wears; `now` and the lock are epoch milliseconds. */
export function lockState(until: number | null, now: number): LockState {
  if (until === null) return 'always';
  return until > now ? 'locked' : 'unlocked';
}
