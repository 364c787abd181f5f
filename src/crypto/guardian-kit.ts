// A guardians' kit: a secret in sheets, of which some together give it again, and what is derived from that secret
// (docs/formats.md, "Guardians' sheets"). It must never give out sheets that it has not put together again itself, nor a
// secret that does not belong to the number of its kit.
import { combine, split } from 'shamir-secret-sharing';
import { toBase64Url } from './base64.ts';
import { type Bytes, exactly, utf8 } from './encoding.ts';
import { OpenError, SealError } from './errors.ts';
import {
  type GuardianSheet,
  NEEDED_MIN,
  SHEETS_MAX,
  sheetFromWords,
  wordsFromSheet,
} from './guardian-sheet.ts';
import { hkdf, hkdfAesKey } from './hkdf.ts';
import { KIT_LABELS } from './labels.ts';
import { open, seal } from './seal.ts';
import { vaultKeyFromHex, vaultKeyToHex } from './vault-key.ts';

const SECRET_LENGTH = 32;
const ADDRESS_LENGTH = 16;
const NO_SALT = new Uint8Array();

/** The secret of a new kit: 32 bytes from the platform's random source. */
export function newKitSecret(): Bytes {
  return crypto.getRandomValues(new Uint8Array(SECRET_LENGTH));
}

/** The number of a kit, which stands on each of its sheets: the first 7 bits of SHA-256 over a label and the secret. */
export async function kitNumber(secret: Uint8Array): Promise<number> {
  const input = new Uint8Array([...utf8(KIT_LABELS.number), ...exactly(SECRET_LENGTH, secret)]);
  const [first = 0] = new Uint8Array(await crypto.subtle.digest('SHA-256', input));
  return first >> 1;
}

/**
 * `count` sheets of which any `needed` give `secret` again. Each is read back from its words, and put together with others,
 * before it is given out.
 * Throws a TypeError unless `secret` has 32 bytes, a RangeError unless 2 ≤ `needed` ≤ `count` ≤ 15, an Error where the sheets
 * do not do what they must.
 */
export async function splitSecret(
  secret: Uint8Array,
  count: number,
  needed: number,
): Promise<GuardianSheet[]> {
  const whole = exactly(SECRET_LENGTH, secret);
  if (![count, needed].every(Number.isInteger) || needed < NEEDED_MIN || needed > count || count > SHEETS_MAX)
    throw new RangeError('Not a number of sheets');
  const kit = await kitNumber(whole);
  const sheets = (await split(whole, count, needed)).map((share) => ({
    kit,
    needed,
    x: share[SECRET_LENGTH] as number,
    share: share.slice(0, SECRET_LENGTH) as Bytes,
  }));
  await assertSheets(sheets, whole, needed);
  return sheets;
}

/** What sheets that somebody has brought together give. Places count from 0 in the order in which they were given. */
export interface Combined {
  /** The secret, or null where they do not give it. */
  secret: Bytes | null;
  /** How many more of this kit are needed. */
  missing: number;
  /** Sheets that were there before: each counts once. */
  doubled: number[];
  /** Sheets of another kit than most, or than the first where no kit has most. */
  otherKits: number[];
  /**
   * Sheets that do not fit the others. Where only as many are there as are needed, it cannot be told which of them is wrong:
   * then all are here.
   */
  wrong: number[];
}

/**
 * Puts sheets together. The number of a kit has 7 bits: a sheet of another kit, or one that somebody has made up, is noticed
 * in 127 of 128 cases where no sheet is left over to compare with, so what opens with the secret must tell a wrong one.
 * Throws a RangeError for more than 15 sheets.
 */
export async function combineSheets(given: readonly GuardianSheet[]): Promise<Combined> {
  if (given.length > SHEETS_MAX) throw new RangeError('More sheets than a kit has');
  const { own, doubled, otherKits, needed } = sorted(given);
  const places = new Set(own.map((place) => (given[place] as GuardianSheet).x)).size;
  if (places < needed) return { secret: null, missing: needed - places, doubled, otherKits, wrong: [] };
  const found = await mostAgreed(given, own, needed);
  if (found === null) return { secret: null, missing: 0, doubled, otherKits, wrong: own };
  const wrong = own.filter((place) => !found.places.includes(place));
  return { secret: found.secret, missing: 0, doubled, otherKits, wrong };
}

/** By what a server finds a kit: 22 characters of base64url. Throws a TypeError unless `secret` has 32 bytes. */
export async function kitAddress(secret: Uint8Array): Promise<string> {
  return toBase64Url(
    await hkdf(exactly(SECRET_LENGTH, secret), NO_SALT, utf8(KIT_LABELS.address), ADDRESS_LENGTH),
  );
}

/**
 * What is shown to a server for a kit's wrap: 43 characters of base64url, of which it keeps `proofHash`. Throws a TypeError
 * unless `secret` has 32 bytes.
 */
export async function kitClaim(secret: Uint8Array): Promise<string> {
  return toBase64Url(
    await hkdf(exactly(SECRET_LENGTH, secret), NO_SALT, utf8(KIT_LABELS.claim), SECRET_LENGTH),
  );
}

/** Seals a vault key for a kit. Throws a SealError if anything is wrong. */
export async function wrapUnderKit(secret: Uint8Array, vaultKey: Uint8Array): Promise<string> {
  try {
    const { wrapKey, context } = await wrapOf(secret);
    return await seal(vaultKeyToHex(vaultKey), wrapKey, context);
  } catch {
    throw new SealError();
  }
}

/** The 32-byte vault key that `wrapUnderKit` sealed. Throws an OpenError, which tells nothing, if anything at all is wrong. */
export async function unwrapUnderKit(secret: Uint8Array, wrap: string): Promise<Bytes> {
  try {
    const { wrapKey, context } = await wrapOf(secret);
    return vaultKeyFromHex(await open(wrap, wrapKey, context));
  } catch {
    throw new OpenError();
  }
}

async function wrapOf(secret: Uint8Array) {
  const whole = exactly(SECRET_LENGTH, secret);
  const [wrapKey, sealId] = await Promise.all([hkdfAesKey(whole, utf8(KIT_LABELS.wrap)), kitAddress(whole)]);
  return { wrapKey, context: { kind: 'guardian-kit', field: 'wrappedKey', sealId } };
}

/** Which of the given sheets belong to the kit of most of them, once each. */
function sorted(given: readonly GuardianSheet[]) {
  const words = given.map((sheet) => wordsFromSheet(sheet).join(' '));
  const kits = new Map<string, number[]>();
  const doubled: number[] = [];
  given.forEach(({ kit, needed }, place) => {
    if (words.indexOf(words[place] as string) < place) doubled.push(place);
    else kits.set(`${kit}/${needed}`, [...(kits.get(`${kit}/${needed}`) ?? []), place]);
  });
  // Sorting keeps the order of those that are alike.
  const [own = [], ...others] = [...kits.values()].sort((a, b) => b.length - a.length);
  const needed = given[own[0] ?? -1]?.needed ?? NEEDED_MIN;
  return { own, doubled, otherKits: others.flat().sort((a, b) => a - b), needed };
}

/**
 * The secret on which most sheets agree, with the places of those; null where no `needed` of them give one of this kit, or as
 * many agree on another one.
 */
async function mostAgreed(given: readonly GuardianSheet[], own: readonly number[], needed: number) {
  let best: { secret: Bytes; places: number[] } | null = null;
  let isTied = false;
  for (const some of subsets(own, needed)) {
    const secret = await secretOf(some.map((place) => given[place] as GuardianSheet));
    if (secret === null) continue;
    const places = await agreeing(given, own, some, secret);
    const most = best?.places.length ?? 0;
    if (places.length === most && !sameBytes(best?.secret ?? null, secret)) isTied = true;
    if (places.length > most) [best, isTied] = [{ secret, places }, false];
    // Others could not be more.
    if (best?.places.length === own.length) break;
  }
  return isTied ? null : best;
}

/** Those that lie where the sheets of `some` do: each gives the same secret in the place of one of them. */
async function agreeing(
  given: readonly GuardianSheet[],
  own: readonly number[],
  some: readonly number[],
  secret: Bytes,
): Promise<number[]> {
  const places: number[] = [];
  for (const place of own) {
    const instead = [place, ...some.slice(1)].map((one) => given[one] as GuardianSheet);
    if (some.includes(place) || sameBytes(await secretOf(instead), secret)) places.push(place);
  }
  return places;
}

/** What these give, if they are of different places and it belongs to the number of their kit; else null. */
async function secretOf(sheets: readonly GuardianSheet[]): Promise<Bytes | null> {
  if (new Set(sheets.map(({ x }) => x)).size < sheets.length) return null;
  const secret = await together(sheets);
  return (await kitNumber(secret)) === sheets[0]?.kit ? secret : null;
}

async function together(sheets: readonly GuardianSheet[]): Promise<Bytes> {
  return (await combine(sheets.map(({ x, share }) => new Uint8Array([...share, x])))) as Bytes;
}

/** Every `size` of `places`, in order. */
function* subsets(places: readonly number[], size: number): Generator<number[]> {
  if (size === 0) yield [];
  for (let i = 0; i + size <= places.length && size > 0; i++) {
    for (const rest of subsets(places.slice(i + 1), size - 1)) yield [places[i] as number, ...rest];
  }
}

/** Throws an Error unless each of `sheets` can be read, any `needed` in a row give `secret`, and one less does not. */
export async function assertSheets(
  sheets: readonly GuardianSheet[],
  secret: Bytes,
  needed: number,
): Promise<void> {
  const read = sheets.map((sheet) => sheetFromWords(wordsFromSheet(sheet).join(' ')));
  const round = [...read, ...read];
  for (const first of read.keys()) {
    const enough = round.slice(first, first + needed);
    // One is given as it is: the library puts no fewer than two together.
    const [alone] = enough;
    const tooFew = needed === NEEDED_MIN ? (alone as GuardianSheet).share : await together(enough.slice(1));
    if (!sameBytes(await together(enough), secret) || sameBytes(tooFew, secret))
      throw new Error('The sheets do not do what they must');
  }
}

function sameBytes(a: Bytes | null, b: Bytes): boolean {
  return a?.length === b.length && a.every((byte, i) => byte === b[i]);
}
