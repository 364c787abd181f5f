// Ghost entries: words that vanish after a number of readings or at an hour. The rules that both sides need stand here;
// the server alone counts.

import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear } from '../http/field-classes.ts';
import { createdAt, entryId, pageQuery, sealFields, sealReply, timestamp } from '../http/wire.ts';
import { sealedKinds } from '../sealed-kinds.ts';
import { HOUR } from '../time.ts';
import { ENTRY_BODY_LIMIT } from './entry-calls.ts';

/** What a form offers; `null` is unlimited. */
export const readLimits = [1, 3, 5, 10, null] as const;
export const READ_LIMIT_DEFAULT = 1;
export const ghostHours = [1, 6, 24, 168] as const;
export const GHOST_HOURS_DEFAULT = 24;

/** The longest that words may wait before they vanish, in milliseconds. */
export const GHOST_LIFE_MAX = 366 * 24 * HOUR;
/** How long an expired entry stays listed, without its words. */
export const GHOST_REMAINS = 24 * HOUR;

const { encryptedContent } = sealedKinds.ghost.fields;
const maxReads = clear(
  'how often a ghost entry may be read',
  z
    .int('A number of readings is a whole number.')
    .check(
      z.minimum(1, 'A ghost entry can be read once at least.'),
      z.maximum(1000, 'A ghost entry can be read 1,000 times at most.'),
    ),
);
const currentReads = clear('how often a ghost entry was read', z.int());
const expiresAt = clear('when a ghost entry vanishes by itself', timestamp);

export const ghostSchema = z.object({
  id: entryId,
  /** Null in every answer but that of a reading. */
  encryptedContent: z.nullable(encryptedContent),
  /** Null: as often as its owner likes. */
  maxReads: z.nullable(maxReads),
  currentReads,
  expiresAt,
  createdAt,
  ...sealReply,
});
export type Ghost = z.output<typeof ghostSchema>;

export const ghostInput = z.object({
  encryptedContent,
  maxReads: z.nullish(maxReads),
  expiresAt,
  ...sealFields,
});
export type GhostInput = z.output<typeof ghostInput>;

export const ghosts = {
  list: call({
    method: 'GET',
    path: '/api/ghost-entries',
    access: 'signed-in',
    query: pageQuery,
    reply: z.array(ghostSchema),
  }),
  create: call({
    method: 'POST',
    path: '/api/ghost-entries',
    access: 'signed-in',
    inBook: true,
    status: 201,
    bodyLimit: ENTRY_BODY_LIMIT,
    body: ghostInput,
    reply: ghostSchema,
  }),
  /** Reads and counts; the last permitted reading takes the words away. 404: there are none any more. */
  read: call({
    method: 'POST',
    path: '/api/ghost-entries/{id}/read',
    access: 'signed-in',
    reply: ghostSchema,
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/ghost-entries/{id}',
    access: 'signed-in',
    inBook: true,
    status: 204,
  }),
};

export type GhostState = 'waiting' | 'vanished' | 'expired';

/** Whether an entry has words left; `now` and `expiresAt` are epoch milliseconds. */
export function ghostState(
  { maxReads, currentReads }: Pick<Ghost, 'maxReads' | 'currentReads'>,
  expiresAt: number,
  now: number,
): GhostState {
  if (maxReads !== null && currentReads >= maxReads) return 'vanished';
  return expiresAt <= now ? 'expired' : 'waiting';
}
