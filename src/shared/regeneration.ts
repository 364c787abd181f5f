// Regenerating the vault key (docs/architecture.md, "The life of a key"): what is re-sealed is staged first and put in
// place by one transaction, which compares every row with what the browser saw.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { ENTRY_CONTENT_MAX, ENTRY_TITLE_MAX } from './entry.ts';
import { clear, open, sealed, wrapped } from './field-classes.ts';
import { clientKeySchema, KEY_RING_MAX, keyRingSchema, vaultKeySchema } from './vault-key.ts';
import { base64url, entryId, fingerprint, version } from './wire.ts';

const kind = <const K extends string>(name: K) =>
  clear('which kind of entry is sealed anew', z.literal(name));

/** A row sealed anew under another key, with the version that the browser saw. Its seal number stays. */
export const resealedEntry = z.discriminatedUnion('kind', [
  z.object({
    kind: kind('memory'),
    id: entryId,
    version,
    title: sealed('a memory’s title', ENTRY_TITLE_MAX),
    encryptedContent: sealed('a memory’s words', ENTRY_CONTENT_MAX),
  }),
  z.object({
    kind: kind('relationship'),
    id: entryId,
    version,
    personName: sealed('the name of a person in your ledger', ENTRY_TITLE_MAX),
    encryptedContent: sealed('what happened with a person', ENTRY_CONTENT_MAX),
  }),
  z.object({
    kind: kind('onboarding'),
    question1: sealed('your answer to the first question', 128 * 1024),
    question2: sealed('your answer to the second question', 128 * 1024),
    question3: sealed('your answer to the third question', 128 * 1024),
  }),
  z.object({
    kind: kind('sacred-key'),
    id: entryId,
    encryptedSecret: sealed('the secret of a one-time link, and its entry’s title', 64 * 1024),
  }),
  z.object({
    kind: kind('legacy-scroll'),
    id: entryId,
    version,
    title: sealed('a legacy scroll’s title', ENTRY_TITLE_MAX),
    encryptedScrollKey: wrapped(
      'a legacy scroll’s own key, sealed under your key',
      z.string().check(z.minLength(4), z.maxLength(4096)),
    ),
  }),
  z.object({
    kind: kind('ghost'),
    id: entryId,
    encryptedContent: sealed('a ghost thought', ENTRY_CONTENT_MAX),
  }),
]);
export type ResealedEntry = z.output<typeof resealedEntry>;

/**
 * A row that stays as it is, and is named, never silently passed over: this browser could not open it, or may not fetch
 * it now and has noted its seal number in the ring.
 */
export const leftEntry = z.object({
  kind: clear(
    'which kind of entry is left as it is',
    z.enum(['memory', 'relationship', 'onboarding', 'sacred-key', 'legacy-scroll', 'ghost', 'breath']),
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
        lockedMemories: clear('how many memories are locked', z.int()),
        ghosts: clear('how many ghost entries have words left', z.int()),
        breath: clear('whether a final breath is sealed', z.int()),
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
   * since it was staged; nothing has changed, and staging may go on.
   *
   * Not `fresh`: beginning was, its number is known to the page that began alone, and writing down new words takes
   * longer than a proof lasts. 403 `proof-needed` comes only when it began more than an hour ago.
   */
  finish: call({
    method: 'POST',
    path: '/api/encryption-key/regeneration/finish',
    access: 'signed-in',
    status: 201,
    bodyLimit: KEY_RING_MAX + 256 * 1024,
    body: z.object({
      id: regenerationId,
      previousFingerprint: open('which key is replaced', fingerprint),
      clientKey: clientKeySchema,
      keyRing: keyRingSchema,
      wordsKept: clear('whether you proved that you keep the new key’s words', z.boolean()),
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
   * gone meanwhile are passed over.
   */
  reseal: call({
    method: 'POST',
    path: '/api/encryption-key/reseal',
    access: 'signed-in',
    status: 204,
    bodyLimit: ENTRIES_LIMIT,
    body: z.object({
      keyFingerprint: open('which key sealed a row', fingerprint),
      entries: z.array(resealedEntry).check(z.maxLength(BATCH_MAX)),
    }),
  }),
};
