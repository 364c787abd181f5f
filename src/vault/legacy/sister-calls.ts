// What a browser asks of sisters: directly, so that no home server stands between. It sends no cookie to another instance, believes
// no answer of another shape than the contract's, and waits no longer than a person would.
import type { sisters } from '../../shared/nouns/sisters.ts';
import { SECOND } from '../../shared/time.ts';
import { ApiError } from '../api/api-error.ts';
import type { PlainCall } from '../api/plain-call.ts';
import { between, type Check, matching, nullable, object, oneOf, sealedText } from '../api/plain-checks.ts';
import { addressText, list, originText, sixteenBytes, thirtyTwoBytes } from './kept-sisters.ts';

/** How long one sister has to answer. */
const DEADLINE = 15 * SECOND;
/** `ENTRY_CONTENT_MAX` of the contract. */
const CONTENT_MAX = 2 * 1024 * 1024;

export const sisterStates = ['watching', 'released', 'ended'] as const;
export type SisterState = (typeof sisterStates)[number];

const state = oneOf(sisterStates);

/** `sisters.challenge` of the contract. */
export const challengeCall: PlainCall<typeof sisters.challenge> = {
  method: 'POST',
  path: '/api/sisters/challenges',
  access: 'anyone',
  limited: 'public',
  check: object({
    state,
    challenge: nullable(thirtyTwoBytes),
    digest: nullable(thirtyTwoBytes),
    endedBy: nullable(oneOf(['author', 'sister'])),
  }),
};

/** `sisters.sign` of the contract. */
export const signCall: PlainCall<typeof sisters.sign> = {
  method: 'POST',
  path: '/api/sisters/signs',
  access: 'anyone',
  limited: 'public',
  check: object({ state }),
};

/** `sisters.open` of the contract. */
export const openCall: PlainCall<typeof sisters.open> = {
  method: 'POST',
  path: '/api/sisters/open',
  access: 'anyone',
  limited: 'public',
  check: object({
    state,
    needed: between(2, 9),
    sisters: list(object({ origin: originText, address: addressText })),
    opened: nullable(
      object({
        encryptedContent: sealedText(CONTENT_MAX),
        sealId: nullable(sixteenBytes),
        share: matching(/^[\w-]{44}$/),
      }),
    ),
  }),
};

/** `sisters.identity` of the contract. */
export const identityCall: PlainCall<typeof sisters.identity> = {
  method: 'GET',
  path: '/api/sisters/identity',
  access: 'anyone',
  limited: 'apart',
  check: object({
    address: addressText,
    recipient: matching(/^age1pq1[a-z0-9]{1952}$/),
    verifyingKey: matching(/^[A-Za-z0-9+/]{1750}==$/),
  }),
};

/**
 * Asks one sister.
 * @throws ApiError for what it refuses, TypeError where it cannot be reached, Error for an answer of another shape or none in time
 */
export async function askSister<T>(
  fetch: typeof globalThis.fetch,
  origin: string,
  { method, path, check }: { method: string; path: string; check: Check<T> },
  body: object,
): Promise<T> {
  const response = await fetch(origin + path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(DEADLINE),
    ...{ credentials: 'omit', cache: 'no-store', redirect: 'error', referrerPolicy: 'no-referrer' },
  });
  if (!response.ok) throw new ApiError(response.status, (await response.text()) || response.statusText);
  return check(await response.json());
}
