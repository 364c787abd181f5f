// Rules and keys of passphrases, without the stretching itself (argon2.ts). It must never let weak parameters
// through, wherever they come from: a server that asks for less than the floor is refused, and for a new passphrase one
// that asks for less than what those are stretched with.
import { fromBase64Url, toBase64Url } from './base64.ts';
import { type Bytes, lengthPrefixed, utf8 } from './encoding.ts';
import { hkdf } from './hkdf.ts';
import { LABELS } from './labels.ts';

/** Argon2id parameters: `memory` in KiB, `iterations` (passes) and `parallelism` (lanes). */
export type StretchParams = { memory: number; iterations: number; parallelism: number };

/** What new passphrases are stretched with: RFC 9106's 64 MiB and 3 passes, with one lane. */
export const PASSPHRASE_PARAMS: Readonly<StretchParams> = { memory: 65536, iterations: 3, parallelism: 1 };

/**
 * The least that a passphrase is tried with: 46 MiB and 2 passes, twice OWASP's minimum, and not quite half the work of a
 * new one. It stands below that, so that what is new can be raised, and what was made before still opens.
 */
export const PASSPHRASE_FLOOR: Readonly<StretchParams> = { memory: 47104, iterations: 2, parallelism: 1 };

// Far above the floor, yet low enough that a stored value cannot freeze a browser for minutes.
const CEILING: Readonly<StretchParams> = { memory: 1024 * 1024, iterations: 64, parallelism: 16 };

/** Whose passphrase it is, and where: the origin as browsers print it, and the name in its normalised form. */
export interface SaltBinding {
  origin: string;
  name: string;
}

const SERVER_PART_LENGTH = 16;

/** In characters (code points) after normalisation. */
export const MINIMUM_PASSPHRASE_LENGTH = 12;

const GENERATED_WORDS = 6;

/**
 * Throws a RangeError unless each parameter is a whole number between `least` and the ceiling. What is made new is held
 * against `PASSPHRASE_PARAMS`, what is opened against the floor.
 */
export function assertParams(params: StretchParams, least: Readonly<StretchParams> = PASSPHRASE_FLOOR): void {
  for (const name of ['memory', 'iterations', 'parallelism'] as const) {
    const value = params[name];
    if (!Number.isInteger(value) || value < least[name] || value > CEILING[name]) {
      throw new RangeError(`Passphrase parameter out of range: ${name}`);
    }
  }
}

/** One form for all spellings that look alike: Unicode NFKC, no white space around. */
export function normalisePassphrase(passphrase: string): string {
  return passphrase.normalize('NFKC').trim();
}

/** What is wrong with a chosen passphrase: `null`, or `'short'` for fewer than twelve characters. */
export function passphraseProblem(passphrase: string): null | 'short' {
  return [...normalisePassphrase(passphrase)].length < MINIMUM_PASSPHRASE_LENGTH ? 'short' : null;
}

/**
 * Six random words of `wordlist`, separated by spaces: 66 bits with the 2,048 words of BIP39.
 * Throws a RangeError for a list of fewer than 2,048 words.
 */
export function generatePassphrase(wordlist: readonly string[]): string {
  if (wordlist.length < 2048) throw new RangeError('Too few words to choose from');
  return Array.from({ length: GENERATED_WORDS }, () => wordlist[randomBelow(wordlist.length)]).join(' ');
}

/**
 * The salt that a sign-in passphrase is stretched with: 32 bytes, made of the server's part (base64url of 16 bytes) and
 * of what the browser knows by itself, so that no server can have two names stretched alike. Throws on another part.
 */
export async function bindSalt(serverPart: string, { origin, name }: SaltBinding): Promise<Bytes> {
  if (fromBase64Url(serverPart).length !== SERVER_PART_LENGTH) {
    throw new TypeError(`The server's part of a salt has ${SERVER_PART_LENGTH} bytes`);
  }
  const bound = lengthPrefixed(LABELS.passphraseSalt, origin, name, serverPart);
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bound));
}

/**
 * Splits 32 stretched bytes into two independent keys by HKDF: `authKey` (32 bytes, base64url) is sent to sign in,
 * `wrapSecret` (32 bytes) unwraps the vault key and is never sent. Throws a TypeError on another length.
 */
export async function splitStretched(stretched: Uint8Array): Promise<{ authKey: string; wrapSecret: Bytes }> {
  if (stretched.length !== 32) throw new TypeError('A stretched passphrase has 32 bytes');
  const [authKey, wrapSecret] = await Promise.all([
    hkdf(stretched, new Uint8Array(), utf8(LABELS.passphraseAuth), 32),
    hkdf(stretched, new Uint8Array(), utf8(LABELS.passphraseWrap), 32),
  ]);
  return { authKey: toBase64Url(authKey), wrapSecret };
}

/** A uniform integer in [0, limit). Draws again in the last, incomplete stretch, where a remainder would be biased. */
function randomBelow(limit: number): number {
  const fair = Math.floor(2 ** 32 / limit) * limit;
  for (;;) {
    const [drawn = fair] = crypto.getRandomValues(new Uint32Array(1));
    if (drawn < fair) return drawn % limit;
  }
}
