// Standard Webhooks signatures (github.com/standard-webhooks/standard-webhooks, spec/standard-webhooks.md, version v1):
// HMAC-SHA-256 over `id.timestamp.body`. It compares in constant time, and knows no clock of its own.
import { createHmac, timingSafeEqual } from 'node:crypto';

/** The values of `webhook-id`, `webhook-timestamp` and `webhook-signature`. */
export interface DeliveryHeaders {
  id: string | undefined;
  timestamp: string | undefined;
  signature: string | undefined;
}

/** What is wrong with a delivery; `time` is said only of one that is signed rightly. */
export type Verdict = 'right' | 'unsigned' | 'signature' | 'time';

/** The longest headers that are looked at, in characters: an id, and some twenty signatures. */
const ID_MAX = 256;
const SIGNATURES_MAX = 1024;

/**
 * Checks the signature of a delivery, and then its time.
 * @param keys the secrets that are accepted, each as its bytes
 * @param now milliseconds since the epoch @param tolerance milliseconds, either way
 */
export function judgeDelivery(
  { id, timestamp, signature }: DeliveryHeaders,
  body: Uint8Array,
  keys: readonly Buffer[],
  { now, tolerance }: { now: number; tolerance: number },
): Verdict {
  // An id with a full stop could be cut elsewhere, and the same signature would be right for another delivery.
  if (!id || !/^[\x21-\x2d\x2f-\x7e]+$/.test(id) || id.length > ID_MAX) return 'unsigned';
  if (!timestamp || !/^\d{1,12}$/.test(timestamp)) return 'unsigned';
  if (!signature || signature.length > SIGNATURES_MAX) return 'unsigned';
  const offered = signature.split(' ').flatMap((one) => (one.startsWith('v1,') ? [one.slice(3)] : []));
  const right = keys.map((key) =>
    createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest(),
  );
  const matches = offered.map((one) => right.map((digest) => isEqual(Buffer.from(one, 'base64'), digest)));
  if (!matches.flat().includes(true)) return 'signature';
  return Math.abs(Number(timestamp) * 1000 - now) <= tolerance ? 'right' : 'time';
}

const isEqual = (a: Buffer, b: Buffer) => a.length === b.length && timingSafeEqual(a, b);
