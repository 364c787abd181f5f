// Regenerating the vault key (docs/architecture.md, "The life of a key"): what is re-sealed is staged first and put in
// place by one transaction, which compares every row with what the browser saw.
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear, open } from '../http/field-classes.ts';
import { base64url, entryId, fingerprint } from '../http/wire.ts';
import {
  type KindName,
  kindNames,
  type Resealed,
  resealedSchema,
  sealedKinds,
  withheldSchema,
} from '../sealed-kinds.ts';
import { bookEntry, ENTRY_MAX } from './book.ts';
import { KITS_MAX, kitWrap } from './guardian-kits.ts';
import { clientKeySchema, KEY_RING_MAX, keyRingSchema, vaultKeySchema } from './vault-key.ts';

export const resealedEntry = resealedSchema(sealedKinds);
export type ResealedEntry = Resealed;

/**
 * A row that stays as it is, and is named, never silently passed over: this browser could not open it, or may not fetch
 * it now and has noted its seal number in the ring.
 */
export const leftEntry = z.object({
  kind: clear(
    'which kind of entry is left as it is',
    z.enum(kindNames(sealedKinds) as [KindName, ...KindName[]]),
  ),
  id: z.nullable(entryId),
});
export type LeftEntry = z.output<typeof leftEntry>;

const regenerationId = open('the number of a key’s regeneration', base64url(16));
const ENTRIES_LIMIT = 8 * 1024 * 1024;
/** The most entries in one batch. */
export const BATCH_MAX = 500;

export const regeneration = {
  /** Begins, and forgets whatever an earlier one had staged. */
  begin: call({
    method: 'POST',
    path: '/api/encryption-key/regeneration',
    access: 'signed-in',
    fresh: true,
    status: 201,
    body: z.object({ fingerprint: open('which key is replaced', fingerprint) }),
    reply: z.object({
      id: regenerationId,
      /** What the browser may not fetch now, and what therefore stays under the key of today. */
      withheld: z.object({
        ...withheldSchema(sealedKinds),
        /** Those that were released; nobody is told of the others. */
        whispers: clear('how many whispers were left for you', z.int()),
      }),
    }),
  }),
  /** Stages entries; staging one again replaces it. What the vault does not hold is passed over. */
  stage: call({
    method: 'PUT',
    path: '/api/encryption-key/regeneration',
    access: 'signed-in',
    status: 204,
    bodyLimit: ENTRIES_LIMIT,
    body: z.object({
      id: regenerationId,
      entries: z.array(resealedEntry).check(z.maxLength(BATCH_MAX)),
      left: z.array(leftEntry).check(z.maxLength(BATCH_MAX)),
    }),
  }),
  /**
   * Puts the new key and everything staged in place, at once. 409 `entries-changed`: a row was written, or came,
   * since it was staged; `book-moved`: the number of `bookEntry` is not the next one. Nothing has changed then, and
   * staging may go on. 429 `too-many` after thirty tries in an hour.
   *
   * Not `fresh`: beginning was, its number is known to the page that began alone, and writing down new words takes
   * longer than a proof lasts. 403 `proof-needed` comes only when it began more than an hour ago.
   */
  finish: call({
    method: 'POST',
    path: '/api/encryption-key/regeneration/finish',
    access: 'signed-in',
    status: 201,
    bodyLimit: KEY_RING_MAX + ENTRY_MAX + 256 * 1024,
    body: z.object({
      id: regenerationId,
      previousFingerprint: open('which key is replaced', fingerprint),
      clientKey: clientKeySchema,
      keyRing: keyRingSchema,
      wordsKept: clear('whether you proved that you keep the new key’s words', z.boolean()),
      /** The checkpoint with which the book goes on under the new key. Absent from clients without a book. */
      bookEntry: z.nullish(bookEntry),
      /**
       * The new key under the secret of each guardians’ kit that was staged: with one missing, or one too many, the answer is 409
       * `entries-changed`. Absent for none.
       */
      kits: z.nullish(z.array(z.object({ id: entryId, wrap: kitWrap })).check(z.maxLength(KITS_MAX))),
    }),
    reply: vaultKeySchema,
  }),
  /** Gives up; what was staged is forgotten. */
  abandon: call({
    method: 'DELETE',
    path: '/api/encryption-key/regeneration',
    access: 'signed-in',
    status: 204,
  }),
  /**
   * Entries that were opened with a key of the ring, sealed under the present key. Those that were changed or are
   * gone meanwhile are passed over; with an entry of the book, 409 `entries-changed` says so and nothing has changed.
   */
  reseal: call({
    method: 'POST',
    path: '/api/encryption-key/reseal',
    access: 'signed-in',
    inBook: true,
    status: 204,
    bodyLimit: ENTRIES_LIMIT,
    body: z.object({
      keyFingerprint: open('which key sealed a row', fingerprint),
      entries: z.array(resealedEntry).check(z.maxLength(BATCH_MAX)),
    }),
  }),
};
