// What other instances, its sisters, keep of a letter: enough of them open it together once its author has been silent, and none
// alone (docs/formats.md, "Sisters"). It must never make a box for keys that are not those of the sister's address, nor give
// one sister another's shares. Heavy (age, ML-DSA): load it lazily.
import { ml_dsa44 } from '@noble/post-quantum/ml-dsa.js';
import { split } from 'shamir-secret-sharing';
import type { SignKind } from '../shared/byte-formats.ts';
import { sealTo } from './age-file.ts';
import { fromBase64Url, toBase64, toBase64Url } from './base64.ts';
import { proofHash } from './claim.ts';
import { type Bytes, exactly, lengthPrefixed, utf8 } from './encoding.ts';
import { SealError } from './errors.ts';
import { hkdf } from './hkdf.ts';
import type { SignatureContext } from './labels.ts';
import { deriveLetterKey } from './scroll.ts';
import { letterKeyOfShares, SISTER_LABELS, sisterLetterId, sisterToken } from './sister-shares.ts';
import { vaultAddress } from './vault-address.ts';

/** The fewest sisters that a letter may have, and the most. */
export const SISTERS_MIN = 2;
export const SISTERS_MAX = 9;

const KEY_LENGTH = 32;
const IV_LENGTH = 12;

/** Another instance as it is known here: the address was compared by people, the keys are what a server says of it. */
export interface Sister {
  /** Such as `https://latebra.example`, as it stands in a browser's address bar. */
  origin: string;
  /** 32 hexadecimal characters, made as a vault's address is. */
  address: string;
  recipient: string;
  verifyingKey: string;
}

/** Where sisters write to, once it is time. */
export interface SisterRecipient {
  /** Its address by mail. */
  address: string;
  /** The public number of the same recipient at home. */
  publicId: string;
}

/** A box for one sister, and by what its author knows again what that sister keeps. */
export interface SisterBox {
  origin: string;
  address: string;
  /** A binary age file in base64. */
  box: string;
  /** SHA-256 of the letter's text inside, base64url: a sister that keeps something else answers another. */
  digest: string;
}

/** What is to be kept by sisters. */
export interface SisterLetter {
  scrollKey: Uint8Array;
  /** Counts up whenever the letter is left with other sisters, or again with those that have ended it. */
  round: number;
  /** Counts up with each sending, so that an older one never takes the place of a newer one. */
  edition: number;
  /** How many sisters open it together. */
  needed: number;
  /** How many days of silence each of them counts. */
  days: number;
  sisters: readonly Sister[];
  /** The letter as recipients are served it, sealed under the key that `scrollKey` makes. */
  encryptedContent: string;
  sealId: string;
  /** What mails give as its author's name; null for none. */
  authorName: string | null;
  recipients: readonly SisterRecipient[];
}

/**
 * A box for each sister. Any `needed` of them open the addresses and, for whoever shows a token, the letter; fewer learn nothing.
 * Throws a RangeError for a number of sisters that lets two halves decide apart, a SealError where keys are not those of their
 * address or are malformed.
 */
export async function makeSisterBoxes(letter: SisterLetter): Promise<SisterBox[]> {
  const { sisters, needed } = letter;
  assertMajority(sisters.length, needed);
  await assertOwnKeys(sisters);
  const letterKey = await deriveLetterKey(letter.scrollKey);
  const addressesKey = crypto.getRandomValues(new Uint8Array(KEY_LENGTH));
  const [ofAddresses, ofLetter, common] = await Promise.all([
    sharesOf(addressesKey, sisters.length, needed),
    sharesOf(letterKey, sisters.length, needed),
    commonOf(letter, letterKey, addressesKey),
  ]);
  const { sign } = await lifeOf(letter);
  const sharesOfAddresses = await Promise.all(ofAddresses.map(hashOf));
  return Promise.all(
    sisters.map(async ({ origin, address, recipient }, place) => {
      const own = { shareOfAddresses: ofAddresses[place], shareOfLetter: ofLetter[place] };
      const text = JSON.stringify({ ...common, sharesOfAddresses, ...own });
      const message = lengthPrefixed('1', address, text);
      const signature = toBase64(sign('latebra/v1/sister-letter', message));
      const box = await sealTo(recipient, JSON.stringify({ v: 1, letter: text, signature }));
      return { origin, address, box, digest: await hashOfBytes(utf8(text)) };
    }),
  );
}

/**
 * What an author says to the sister with this address, which has given the challenge: ML-DSA, base64. Throws a TypeError unless
 * the letter’s key has 32 bytes.
 */
export async function signToSister(
  letter: Pick<SisterLetter, 'scrollKey' | 'round'>,
  sister: string,
  { challenge, kind }: { challenge: string; kind: SignKind },
): Promise<string> {
  const id = await sisterLetterId(letter.scrollKey, letter.round);
  const { sign } = await lifeOf(letter);
  // As a sister checks it by `sisterSignFields` (shared/byte-formats.ts).
  return toBase64(sign('latebra/v1/sister-sign', lengthPrefixed('1', sister, id, challenge, kind)));
}

/** Two halves that cannot see each other must never both be enough, and what k that lie can do, n − k must not. */
function assertMajority(count: number, needed: number): void {
  const isWithin = count >= SISTERS_MIN && count <= SISTERS_MAX && needed <= count;
  if (!isWithin || needed * 2 <= count) throw new RangeError('Not a number of sisters');
}

async function assertOwnKeys(sisters: readonly Sister[]): Promise<void> {
  const addresses = await Promise.all(
    sisters.map(({ recipient, verifyingKey }) => vaultAddress(recipient, verifyingKey).catch(() => null)),
  );
  const areOwn = sisters.every(({ address }, place) => addresses[place] === address);
  if (!areOwn || new Set(addresses).size !== sisters.length) throw new SealError();
}

/** What every sister is told alike. */
async function commonOf(letter: SisterLetter, letterKey: Bytes, addressesKey: Bytes) {
  const id = await sisterLetterId(letter.scrollKey, letter.round);
  const { edition, needed, days, sisters, encryptedContent, sealId, authorName, recipients } = letter;
  const told = await Promise.all(
    recipients.map(async ({ address, publicId }) => ({
      address,
      token: await sisterToken(letterKey, publicId),
    })),
  );
  const addresses = JSON.stringify({ v: 1, authorName, recipients: told });
  return {
    ...{ id, edition, lifeKey: (await lifeOf(letter)).verifyingKey, needed, days },
    sisters: sisters.map(({ origin, address }) => ({ origin, address })),
    ...{ encryptedContent, sealId },
    encryptedAddresses: await sealAddresses(addresses, addressesKey, { id, edition }),
    tokens: await Promise.all(told.map(({ token }) => proofHash(token))),
  };
}

/** AES-256-GCM, the IV first, in base64: a sister opens it with no code of a vault. */
async function sealAddresses(
  text: string,
  key: Bytes,
  { id, edition }: { id: string; edition: number },
): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_LENGTH));
  const aesKey = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt']);
  const additionalData = lengthPrefixed(SISTER_LABELS.addresses, id, String(edition));
  const algorithm = { name: 'AES-GCM', iv, additionalData };
  const sealed = await crypto.subtle.encrypt(algorithm, aesKey, utf8(text));
  return toBase64(new Uint8Array([...iv, ...new Uint8Array(sealed)]));
}

/** Shares of which any `needed` were put together again before they are given out, as text of 44 characters. */
async function sharesOf(secret: Bytes, count: number, needed: number): Promise<string[]> {
  const shares = (await split(secret, count, needed)).map(toBase64Url);
  for (let first = 0; first < count; first++) {
    const some = Array.from({ length: needed }, (_, i) => shares[(first + i) % count] as string);
    if (toBase64(await letterKeyOfShares(some)) !== toBase64(secret)) throw new Error('Shares do not fit');
  }
  return shares;
}

/** The key pair that says for one letter that its author lives. */
async function lifeOf({ scrollKey, round }: Pick<SisterLetter, 'scrollKey' | 'round'>) {
  const salt = utf8(String(round));
  const seed = await hkdf(exactly(KEY_LENGTH, scrollKey), salt, utf8(SISTER_LABELS.life), KEY_LENGTH);
  const { publicKey, secretKey } = ml_dsa44.keygen(seed);
  return {
    verifyingKey: toBase64(publicKey),
    sign: (context: SignatureContext, message: Uint8Array): Bytes =>
      new Uint8Array(ml_dsa44.sign(message, secretKey, { context: utf8(context), extraEntropy: false })),
  };
}

const hashOf = (share: string): Promise<string> => hashOfBytes(fromBase64Url(share));

async function hashOfBytes(bytes: Bytes): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}
