// What a box from another instance has inside, and whether this instance may keep it. Nothing of it is believed but what its
// author has signed for this very instance.
import * as z from 'zod/mini';
import { authorNameProblem, normaliseAuthorName } from '../../../shared/author-name.ts';
import { INACTIVITY_MIN } from '../../../shared/nouns/legacy.ts';
import { addressProblem, isSameAddress, RECIPIENTS_MAX } from '../../../shared/nouns/scroll-recipients.ts';
import { SISTER_DAYS_AFTER, SISTER_DAYS_MAX } from '../../../shared/nouns/sisters.ts';
import { sisterLetterMessage } from '../../adapters/signatures.ts';
import { hashOfShare, hashOfText } from '../../adapters/sister-shares.ts';
import type { Sisters } from '../../adapters/sisters.ts';
import type { ListedSister } from '../../config/sisters.ts';
import { holdsMoreThan, valuesAllowed } from '../../http/body-values.ts';

const SISTERS_MAX = 9;
const CONTENT_MAX = 3 * 1024 * 1024;
const ADDRESSES_MAX = 64 * 1024;

const base64url = (bytes: number) =>
  z.string().check(z.length(Math.ceil((bytes * 4) / 3)), z.regex(/^[A-Za-z0-9_-]*$/));
const base64 = (max: number) => z.string().check(z.maxLength(max), z.regex(/^[A-Za-z0-9+/]+={0,2}$/));
const whole = (min: number, max: number) => z.int().check(z.minimum(min), z.maximum(max));

const inside = z.object({ v: z.literal(1), letter: z.string(), signature: base64(4000) });

const letterSchema = z.object({
  id: base64url(16),
  edition: whole(0, Number.MAX_SAFE_INTEGER),
  lifeKey: base64(1752),
  needed: whole(2, SISTERS_MAX),
  days: whole(INACTIVITY_MIN + SISTER_DAYS_AFTER, SISTER_DAYS_MAX),
  sisters: z
    .array(z.object({ origin: z.string().check(z.maxLength(253)), address: z.string() }))
    .check(z.minLength(2), z.maxLength(SISTERS_MAX)),
  encryptedContent: base64(CONTENT_MAX),
  sealId: base64url(16),
  encryptedAddresses: base64(ADDRESSES_MAX),
  tokens: z.array(base64url(32)).check(z.minLength(1), z.maxLength(RECIPIENTS_MAX)),
  sharesOfAddresses: z.array(base64url(32)).check(z.maxLength(SISTERS_MAX)),
  shareOfAddresses: base64url(33),
  shareOfLetter: base64url(33),
});

/** A letter that this instance may keep. */
export interface KeptLetter extends z.output<typeof letterSchema> {
  /** Which of its sisters this instance is. */
  place: number;
  /** SHA-256 of what was signed, base64url. */
  digest: string;
}

const addressesSchema = z.object({
  v: z.literal(1),
  authorName: z.nullable(z.string()),
  recipients: z
    .array(z.object({ address: z.string(), token: base64url(32) }))
    .check(z.maxLength(RECIPIENTS_MAX)),
});

/** Whom a letter is for, as its author's browser has sealed it. */
export type SisterAddresses = z.output<typeof addressesSchema>;

/**
 * What is inside was sealed by a browser that this instance knows nothing of: mails from here must carry nothing that they could
 * not at its home. A name that may not stand in a mail is left out, and so is what is no address, or is one already.
 * @returns null for what is no list of addresses
 */
export function readAddresses(text: string): SisterAddresses | null {
  const read = addressesSchema.safeParse(parsed(text, addressesSchema));
  if (!read.success) return null;
  const { v, authorName } = read.data;
  const { recipients } = read.data;
  const name = normaliseAuthorName(authorName ?? '');
  const isFirst = ({ address }: { address: string }, at: number) =>
    recipients.findIndex((one) => isSameAddress(byMail(one.address), byMail(address))) === at;
  return {
    v,
    authorName: name === '' || authorNameProblem(name) !== null ? null : name,
    recipients: recipients.filter(
      (one, at) => addressProblem('email', one.address) === null && isFirst(one, at),
    ),
  };
}

const byMail = (recipientAddress: string) => ({ recipientType: 'email' as const, recipientAddress });

/**
 * Reads what was inside a box for this instance.
 * @returns null for anything that its author has not signed for this instance, or that this instance must not keep: it and
 *   every other sister of the letter must be joined with each other, and more than half of them must be needed
 */
export async function readLetter(sisters: Sisters, text: string): Promise<KeptLetter | null> {
  const box = inside.safeParse(parsed(text, inside));
  if (!box.success) return null;
  const read = letterSchema.safeParse(parsed(box.data.letter, letterSchema));
  if (!read.success) return null;
  const letter = read.data;
  const own = (await sisters.identity()).address;
  const place = letter.sisters.findIndex(({ address }) => address === own);
  if (!isAmong(sisters, letter.sisters, place) || !fits(letter, place)) return null;
  const message = sisterLetterMessage(own, box.data.letter);
  const isSigned = sisters.verify(letter.lifeKey, 'latebra/v1/sister-letter', message, box.data.signature);
  return isSigned ? { ...letter, place, digest: hashOfText(box.data.letter) } : null;
}

/** Whether this instance is in its place, and every other one is listed here: nobody else is ever asked for a share. */
function isAmong(sisters: Sisters, named: readonly ListedSister[], place: number): boolean {
  if (named[place]?.origin !== sisters.origin) return false;
  if (new Set(named.map(({ address }) => address)).size !== named.length) return false;
  return named.every((one, i) => i === place || listedAs(sisters, one) !== undefined);
}

/** The listed instance that somebody has named; undefined where none has both the origin and the address. */
export const listedAs = (sisters: Sisters, { origin, address }: ListedSister): ListedSister | undefined =>
  sisters.listed.find((one) => one.origin === origin && one.address === address);

/** Two halves that cannot see each other must never both be enough, and its own share must be the one that others expect. */
function fits(letter: z.output<typeof letterSchema>, place: number): boolean {
  const { sisters, needed, sharesOfAddresses, shareOfAddresses, tokens } = letter;
  if (needed > sisters.length || needed * 2 <= sisters.length) return false;
  if (sharesOfAddresses.length !== sisters.length || new Set(tokens).size !== tokens.length) return false;
  return sharesOfAddresses[place] === hashOfShare(shareOfAddresses);
}

/** As for the body of any call, values are counted before they are made: whoever has sealed a box may be anybody. */
function parsed(text: string, schema: z.ZodMiniType): unknown {
  if (holdsMoreThan(text, valuesAllowed(schema))) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
