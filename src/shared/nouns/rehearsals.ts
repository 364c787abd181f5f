// Rehearsals of legacy scrolls: each recipient gets a message, finds the page and opens a harmless sentence, by the way and
// with the key by which they will open the letter. Nothing here tells of the letter or changes when it is released.
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear, sealed } from '../http/field-classes.ts';
import { entryId, sealReply } from '../http/wire.ts';
import { scrollSchema } from './legacy.ts';
import { claim } from './letter-page.ts';
import { RECIPIENTS_MAX, rehearsedAt, type ScrollAccess, wrappedKey } from './scroll-recipients.ts';

/** The most characters of a sentence, and of what is sealed of it: padded, and in base64. */
export const SENTENCE_MAX = 300;
const SEALED_SENTENCE_MAX = 4096;

/** Whether a recipient has a key that can be tried. A vault opens by itself, and without a key nothing does. */
export const canRehearse = ({ access }: { access: ScrollAccess }): boolean =>
  access === 'card' || access === 'passphrase';

/** What a page says of a rehearsal: it was shown, or its reader has neither card nor passphrase. */
export const rehearsalNotes = ['seen', 'keyless'] as const;
export type RehearsalNote = (typeof rehearsalNotes)[number];

/** Sealed under a key that the letter's key makes, so that whoever opens it could open the letter. */
const encryptedSentence = sealed('the sentence that a rehearsal says', SEALED_SENTENCE_MAX);

export const rehearsals = {
  /** Sends each of these recipients a rehearsal. The same sealed sentence, sent again, sends nothing again. */
  ask: call({
    method: 'POST',
    path: '/api/legacy-scrolls/{id}/rehearse',
    access: 'signed-in',
    body: z.object({
      encryptedSentence,
      recipientIds: z
        .array(entryId)
        .check(
          z.minLength(1, 'Choose who takes part.'),
          z.maxLength(RECIPIENTS_MAX, `A letter has ${RECIPIENTS_MAX} recipients at most.`),
        ),
    }),
    reply: scrollSchema,
  }),
  /** With the right claim the sentence, and the letter's key as the recipient has it; never the letter. 401 `wrong-card` with another, 409 `no-rehearsal` where none waits. */
  open: call({
    method: 'POST',
    path: '/api/legacy/{publicId}/rehearsal',
    access: 'anyone',
    limited: 'guesses',
    body: z.object({ claim }),
    reply: z.object({
      encryptedSentence,
      wrappedKey,
      sealId: sealReply.sealId,
      /** When it was opened before this, if it was. */
      openedBefore: z.nullable(rehearsedAt),
    }),
  }),
  /** What a page says for itself. It proves nothing, and its author is told. */
  note: call({
    method: 'POST',
    path: '/api/legacy/{publicId}/rehearsal/note',
    access: 'anyone',
    limited: 'public',
    status: 204,
    body: z.object({ what: clear('how far somebody came in a rehearsal', z.enum(rehearsalNotes)) }),
  }),
};
