// What an author may sign next at this instance. Nothing of it is stored: it names the sign that it is for, so that each is
// answered once, and the time at which it was given.
import type { Digests } from '../../digests.ts';
import { CHALLENGE_LASTS } from './rules.ts';

interface Asked {
  id: string;
  /** How many signs of the letter were accepted. */
  signs: number;
}

const TIME_BYTES = 8;
const LENGTH = 32;

/** @param when epoch milliseconds @returns 43 characters of base64url */
export function challengeOf(digests: Pick<Digests, 'keyed'>, { id, signs }: Asked, when: number): string {
  // A clock that is held back tells fractions.
  const at = Math.floor(when);
  const time = Buffer.alloc(TIME_BYTES);
  time.writeBigUInt64BE(BigInt(at));
  const mac = Buffer.from(digests.keyed('sister-challenge', JSON.stringify([id, signs, at])), 'hex');
  return Buffer.concat([time, mac.subarray(0, LENGTH - TIME_BYTES)]).toString('base64url');
}

/** Whether it was given here for the next sign of this letter, and is not too old. One of the future was never given. */
export function mayAnswer(
  digests: Pick<Digests, 'keyed'>,
  asked: Asked,
  challenge: string,
  now: number,
): boolean {
  const bytes = Buffer.from(challenge, 'base64url');
  if (bytes.length !== LENGTH) return false;
  const at = Number(bytes.readBigUInt64BE());
  if (!Number.isSafeInteger(at) || at > now || now - at > CHALLENGE_LASTS) return false;
  // A hash of 24 bytes cannot be guessed byte by byte from how long this takes: each try is another time's.
  return challengeOf(digests, asked, at) === challenge;
}
