// The page on which a legacy scroll’s letter waits and is opened, by whoever has its card, its passphrase or only its address.
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear, credential } from '../http/field-classes.ts';
import { base64url, createdAt, sealReply } from '../http/wire.ts';
import { encryptedContent } from './legacy.ts';
import {
  access,
  encryptedName,
  openedAt,
  rehearsedAt,
  releasedAt,
  scrollStretching,
  sheetsNeeded,
  wrappedKey,
} from './scroll-recipients.ts';

export const claim = credential('the proof that opens a legacy scroll', base64url(32));

/** The page of whoever holds a card, knows a passphrase, or only has the address. Nothing here ever burns. */
export const legacy = {
  state: call({
    method: 'GET',
    path: '/api/legacy/{publicId}',
    access: 'anyone',
    reply: z.object({
      state: clear('whether a legacy scroll was released', z.enum(['waiting', 'released'])),
      access,
      /** Null unless it opens by a passphrase. */
      stretching: z.nullable(scrollStretching),
      /** Null unless it opens by guardians' sheets together. */
      sheetsNeeded: z.nullable(sheetsNeeded),
      openedAt: z.nullable(openedAt),
      /** Null unless it opens by a card, whose holder can read it, and its author wanted to be named. */
      encryptedName: z.nullable(encryptedName),
      /** Null unless a rehearsal waits at this address. */
      rehearsal: z.nullable(z.object({ openedAt: z.nullable(rehearsedAt) })),
    }),
  }),
  /**
   * With the right claim: the words, or 409 `not-released` before its time. With another: 401 `wrong-card`, which is
   * counted, with a growing delay, for passphrases alone.
   */
  open: call({
    method: 'POST',
    path: '/api/legacy/{publicId}/open',
    access: 'anyone',
    limited: 'guesses',
    body: z.object({ claim }),
    reply: z.object({
      encryptedContent,
      wrappedKey,
      sealId: sealReply.sealId,
      createdAt,
      releasedAt,
      /** When it was opened before this, if it was. */
      openedBefore: z.nullable(openedAt),
    }),
  }),
};
