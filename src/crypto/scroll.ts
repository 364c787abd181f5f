// The keys of one legacy scroll: its author's, its letter's, and those by which each recipient comes to the letter's
// (docs/formats.md, "Scroll"). None may ever come from the vault's key, and no recipient's key may give another's:
// whoever is handed a card has that card and nothing else.
import { fromBase64Url, toBase64Url } from './base64.ts';
import { type Bytes, exactly, utf8 } from './encoding.ts';
import { OpenError, SealError } from './errors.ts';
import { hkdf, hkdfAesKey } from './hkdf.ts';
import { LABELS } from './labels.ts';
import { open, type SealContext, seal } from './seal.ts';

const KEY_LENGTH = 32;
const NUMBER_LENGTH = 16;
const NO_SALT = new Uint8Array();

/** A new scroll's key, its author's alone: 32 bytes from the platform's random source. */
export function newScrollKey(): Bytes {
  return crypto.getRandomValues(new Uint8Array(KEY_LENGTH));
}

/** A key of 32 bytes as 43 characters of base64url: a card's stands behind `#`. Throws a TypeError on another length. */
export function scrollKeyToText(key: Uint8Array): string {
  return toBase64Url(exactly(KEY_LENGTH, key));
}

/** The key of exactly those 43 characters. Throws a TypeError, which does not repeat them, on anything else. */
export function scrollKeyFromText(text: string): Bytes {
  return exactly(KEY_LENGTH, fromBase64Url(text));
}

/** The 32 bytes that open the letter, which each recipient gets. Throws a TypeError unless `scrollKey` has 32 bytes. */
export async function deriveLetterKey(scrollKey: Uint8Array): Promise<Bytes> {
  return hkdf(exactly(KEY_LENGTH, scrollKey), NO_SALT, utf8(LABELS.scrollLetter), KEY_LENGTH);
}

/** The letter's AES-256-GCM key, non-extractable. Throws a TypeError unless `letterKey` has 32 bytes. */
export async function deriveContentKey(letterKey: Uint8Array): Promise<CryptoKey> {
  return hkdfAesKey(exactly(KEY_LENGTH, letterKey), utf8(LABELS.scrollContent));
}

/**
 * The AES-256-GCM key of what a rehearsal says, non-extractable: whoever makes it has the letter's key. Throws a TypeError
 * unless `letterKey` has 32 bytes.
 */
export async function deriveRehearsalKey(letterKey: Uint8Array): Promise<CryptoKey> {
  return hkdfAesKey(exactly(KEY_LENGTH, letterKey), utf8(LABELS.scrollRehearsal));
}

const newNumber = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(NUMBER_LENGTH)));

/** The number of a new card: 16 random bytes in base64url. It is public. */
export const newCardNumber = newNumber;

/** The number in a new recipient's address: 16 random bytes in base64url. It is public. */
export const newRecipientNumber = newNumber;

/**
 * The key of one card, 32 bytes. Whoever has the scroll's key makes it again from the card's number; no card tells of
 * another, nor of the scroll's key. Throws a TypeError unless `scrollKey` has 32 bytes and `cardNumber` is 16 bytes in
 * base64url.
 */
export async function deriveCardKey(scrollKey: Uint8Array, cardNumber: string): Promise<Bytes> {
  const number = exactly(NUMBER_LENGTH, fromBase64Url(cardNumber));
  return hkdf(exactly(KEY_LENGTH, scrollKey), number, utf8(LABELS.scrollCard), KEY_LENGTH);
}

/** What a recipient's secret proves, 32 bytes in base64url, and the non-extractable key that wraps the letter's key. */
export interface RecipientKeys {
  claim: string;
  wrapKey: CryptoKey;
}

/** Of a card. `proofHash` makes of the claim what the server keeps. Throws a TypeError unless `cardKey` has 32 bytes. */
export function deriveCard(cardKey: Uint8Array): Promise<RecipientKeys> {
  return deriveRecipient(cardKey, LABELS.scrollCardClaim, LABELS.scrollCardWrap);
}

/**
 * Of a passphrase. `stretched` is 32 bytes of Argon2id over the passphrase and the recipient's public salt, under
 * parameters that `assertParams` passes. Throws a TypeError on another length.
 */
export function deriveScrollPassphrase(stretched: Uint8Array): Promise<RecipientKeys> {
  return deriveRecipient(stretched, LABELS.scrollPassphraseClaim, LABELS.scrollPassphraseWrap);
}

async function deriveRecipient(bytes: Uint8Array, claimLabel: string, wrapLabel: string) {
  const secret = exactly(KEY_LENGTH, bytes);
  const [claim, wrapKey] = await Promise.all([
    hkdf(secret, NO_SALT, utf8(claimLabel), KEY_LENGTH),
    hkdfAesKey(secret, utf8(wrapLabel)),
  ]);
  return { claim: toBase64Url(claim), wrapKey };
}

/** Seals a letter's key for one recipient. Throws a SealError, also unless `letterKey` has 32 bytes. */
export async function wrapLetterKey(
  letterKey: Uint8Array,
  wrapKey: CryptoKey,
  sealId: string,
): Promise<string> {
  try {
    return await seal(scrollKeyToText(letterKey), wrapKey, contextOf(sealId));
  } catch {
    throw new SealError();
  }
}

/** Opens what `wrapLetterKey` made. Throws an OpenError, which tells nothing, if anything at all is wrong. */
export async function unwrapLetterKey(wrapped: string, wrapKey: CryptoKey, sealId: string): Promise<Bytes> {
  try {
    return scrollKeyFromText(await open(wrapped, wrapKey, contextOf(sealId)));
  } catch {
    throw new OpenError();
  }
}

const contextOf = (sealId: string): SealContext => ({ kind: 'legacy-scroll', field: 'wrappedKey', sealId });
