// The calls of a recipient's page, as the contract has them; the compiler keeps their paths and types to it, and a test what
// they take for an answer (first-calls.test.ts).
import type { legacy } from '../../shared/nouns/letter-page.ts';
import type { rehearsals } from '../../shared/nouns/rehearsals.ts';
import type { PlainCall } from '../../vault/api/plain-call.ts';
import {
  between,
  matching,
  moment,
  nullable,
  object,
  oneOf,
  sealedText,
  textWithin,
} from '../../vault/api/plain-checks.ts';

/** `ENTRY_CONTENT_MAX` of the contract. */
const CONTENT_MAX = 2 * 1024 * 1024;

const sixteenBytes = matching(/^[\w-]{22}$/);

/** `legacy.state` of the contract. */
export const letterState: PlainCall<typeof legacy.state> = {
  method: 'GET',
  path: '/api/legacy/{publicId}',
  access: 'anyone',
  check: object({
    state: oneOf(['waiting', 'released']),
    access: oneOf(['card', 'passphrase', 'vault', 'none']),
    stretching: nullable(
      object({
        salt: sixteenBytes,
        memory: between(8, 2 ** 22),
        iterations: between(1, 64),
        parallelism: between(1, 16),
      }),
    ),
    sheetsNeeded: nullable(between(2, 15)),
    openedAt: nullable(moment),
    encryptedName: nullable(sealedText(2048)),
    rehearsal: nullable(object({ openedAt: nullable(moment) })),
  }),
};

/** `rehearsals.open` of the contract. */
export const openRehearsal: PlainCall<typeof rehearsals.open> = {
  method: 'POST',
  path: '/api/legacy/{publicId}/rehearsal',
  access: 'anyone',
  limited: 'guesses',
  check: object({
    encryptedSentence: sealedText(4096),
    wrappedKey: textWithin(4, 4096),
    sealId: nullable(sixteenBytes),
    openedBefore: nullable(moment),
  }),
};

/** `rehearsals.note` of the contract. */
export const noteRehearsal: PlainCall<typeof rehearsals.note> = {
  method: 'POST',
  path: '/api/legacy/{publicId}/rehearsal/note',
  access: 'anyone',
  limited: 'public',
  status: 204,
};

/** `legacy.open` of the contract. */
export const openLetter: PlainCall<typeof legacy.open> = {
  method: 'POST',
  path: '/api/legacy/{publicId}/open',
  access: 'anyone',
  limited: 'guesses',
  check: object({
    encryptedContent: sealedText(CONTENT_MAX),
    wrappedKey: textWithin(4, 4096),
    sealId: nullable(sixteenBytes),
    createdAt: moment,
    releasedAt: moment,
    openedBefore: nullable(moment),
  }),
};
