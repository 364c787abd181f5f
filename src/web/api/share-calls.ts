// The calls of a one-time link's page, as the contract has them; the compiler keeps their paths and types to it, and a test
// what they take for an answer (first-calls.test.ts).
import type { shares } from '../../shared/nouns/sacred-key.ts';
import type { PlainCall } from '../../vault/api/plain-call.ts';
import { between, moment, nullable, object, oneOf, sealedText } from '../../vault/api/plain-checks.ts';

/** `ENTRY_CONTENT_MAX` of the contract. */
const CONTENT_MAX = 2 * 1024 * 1024;

/** `shares.state` of the contract. */
export const shareState: PlainCall<typeof shares.state> = {
  method: 'GET',
  path: '/api/shares/{keyId}',
  access: 'anyone',
  check: object({
    state: oneOf(['unsealed', 'waiting', 'used', 'expired']),
    stretching: nullable(
      object({ memory: between(8, 2 ** 22), iterations: between(1, 64), parallelism: between(1, 16) }),
    ),
  }),
};

/** `shares.redeem` of the contract. */
export const redeemShare: PlainCall<typeof shares.redeem> = {
  method: 'POST',
  path: '/api/shares/{keyId}/redeem',
  access: 'anyone',
  limited: 'guesses',
  check: object({ encryptedContent: sealedText(CONTENT_MAX), leaseUntil: moment }),
};

/** `shares.acknowledge` of the contract, which answers nothing. */
export const acknowledgeShare: PlainCall<typeof shares.acknowledge> = {
  method: 'POST',
  path: '/api/shares/{keyId}/acknowledge',
  access: 'anyone',
  status: 204,
};
