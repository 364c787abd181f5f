// The Final Breath: one message per vault, read once and then destroyed.
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear } from '../http/field-classes.ts';
import { createdAt, sealFields, sealReply, timestamp } from '../http/wire.ts';
import { sealedKinds } from '../sealed-kinds.ts';
import { ENTRY_BODY_LIMIT } from './entry-calls.ts';
import { redemptionId } from './sacred-key.ts';

const { encryptedContent } = sealedKinds.breath.fields;
const releasedAt = clear('when a final breath was released', timestamp);

export const breathSchema = z.object({
  /** Always null: only a release carries the words. */
  encryptedContent: z.nullable(encryptedContent),
  createdAt,
  /** Null while it is sealed. A released one is forgotten with its lease, or when its reader says so. */
  releasedAt: z.nullable(releasedAt),
  ...sealReply,
});
export type Breath = z.output<typeof breathSchema>;

export const breathInput = z.object({ encryptedContent, ...sealFields });
export type BreathInput = z.output<typeof breathInput>;

export const finalBreath = {
  get: call({
    method: 'GET',
    path: '/api/final-breath',
    access: 'signed-in',
    reply: z.nullable(breathSchema),
  }),
  create: call({
    method: 'POST',
    path: '/api/final-breath',
    access: 'signed-in',
    inBook: true,
    status: 201,
    bodyLimit: ENTRY_BODY_LIMIT,
    body: breathInput,
    reply: breathSchema,
  }),
  /**
   * Without a redemption id the words are gone with this answer. With one, the same browser may fetch them again
   * for ten minutes (`LEASE`), or until it acknowledges. Everybody else hears 410 while that lasts, and 404 after it.
   */
  read: call({
    method: 'POST',
    path: '/api/final-breath/read',
    access: 'signed-in',
    inBook: true,
    optionalBody: true,
    body: z.object({ redemptionId: z.nullish(redemptionId) }),
    reply: z.object({
      encryptedContent,
      createdAt,
      releasedAt,
      /** Null for a release without a redemption id. */
      leaseUntil: z.nullable(clear('until when the browser that opened may fetch again', timestamp)),
      ...sealReply,
    }),
  }),
  /**
   * Says that the words were opened: the server forgets them at once. 404 means that nothing is left under this id, also
   * when it was acknowledged before: whoever repeats a call whose answer was lost may take it for success.
   */
  acknowledge: call({
    method: 'POST',
    path: '/api/final-breath/acknowledge',
    access: 'signed-in',
    status: 204,
    body: z.object({ redemptionId }),
  }),
  /** Burns a sealed breath unread. 410: somebody has released it before, so it was read. */
  remove: call({
    method: 'DELETE',
    path: '/api/final-breath',
    access: 'signed-in',
    inBook: true,
    status: 204,
  }),
};
