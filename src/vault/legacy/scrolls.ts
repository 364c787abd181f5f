// What the author of a legacy scroll does with it (docs/formats.md, "Scroll"). A recipient with a card or a passphrase needs
// letter.ts alone.
import { toBase64Url } from '../../crypto/base64.ts';
import { proofHash } from '../../crypto/claim.ts';
import type { Bytes } from '../../crypto/encoding.ts';
import { PASSPHRASE_PARAMS } from '../../crypto/passphrase.ts';
import {
  deriveCard,
  deriveCardKey,
  deriveContentKey,
  deriveLetterKey,
  deriveScrollPassphrase,
  newCardNumber,
  scrollKeyFromText,
  scrollKeyToText,
  wrapLetterKey,
} from '../../crypto/scroll.ts';
import type { SealFacts } from '../../crypto/seal.ts';
import type { Scroll } from '../../shared/nouns/legacy.ts';
import type { AccessInput } from '../../shared/nouns/scroll-recipients.ts';
import { type BoundFacts, type ChangedFact, factsFromTexts } from '../../shared/sealed-facts.ts';
import { anything, between, type Check, nullable, object, text } from '../api/plain-checks.ts';
import { openFields, sealFields } from '../entries/fields.ts';
import { cameFromOutside } from '../keys/key-ring.ts';
import type { Stretch } from '../keys/stretch.ts';
import type { Vault } from '../vault.ts';
import { type Letter, openLetter, sealCardName, sealLetter } from './letter.ts';

const KIND = 'legacy-scroll';
const SALT_LENGTH = 16;

/** A letter under its scroll's key: every card and passphrase opens it as before. @throws SealError */
export async function sealUnder(scrollKey: Uint8Array, letter: Letter, sealId: string): Promise<string> {
  return sealLetter(letter, await deriveContentKey(await deriveLetterKey(scrollKey)), sealId);
}

export type Access<Kind extends AccessInput['kind']> = Extract<AccessInput, { kind: Kind }>;

/**
 * A new card for one recipient: whoever holds it opens the letter, and nobody else's card is changed.
 * @param sheetsNeeded where its key is split: how many sheets give it again
 * @throws SealError
 */
export async function makeCard(
  scrollKey: Uint8Array,
  sealId: string,
  sheetsNeeded: number | null = null,
): Promise<Access<'card'>> {
  const cardNumber = newCardNumber();
  const { claim, wrapKey } = await deriveCard(await deriveCardKey(scrollKey, cardNumber));
  return {
    kind: 'card',
    cardNumber,
    claimHash: await proofHash(claim),
    wrappedKey: await wrapLetterKey(await deriveLetterKey(scrollKey), wrapKey, sealId),
    ...(sheetsNeeded !== null && { sheetsNeeded }),
  };
}

/** The letter's key for one who knows the passphrase (about half a second). @throws SealError */
export async function makePassphrase(
  scrollKey: Uint8Array,
  sealId: string,
  passphrase: string,
  stretch: Stretch,
): Promise<Access<'passphrase'>> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_LENGTH));
  const stretched = await stretch(passphrase, salt, PASSPHRASE_PARAMS);
  const { claim, wrapKey } = await deriveScrollPassphrase(stretched);
  return {
    kind: 'passphrase',
    claimHash: await proofHash(claim),
    stretching: { salt: toBase64Url(salt), ...PASSPHRASE_PARAMS },
    wrappedKey: await wrapLetterKey(await deriveLetterKey(scrollKey), wrapKey, sealId),
  };
}

/** What an author wants to be called, for the holder of one card. @throws SealError */
export async function makeCardName(
  scrollKey: Uint8Array,
  { cardNumber, publicId }: { cardNumber: string; publicId: string },
  name: string,
): Promise<string> {
  const { wrapKey } = await deriveCard(await deriveCardKey(scrollKey, cardNumber));
  return sealCardName(name, wrapKey, publicId);
}

/** What its author calls each recipient, by their public numbers. Nobody else is ever told. */
export type RecipientNames = ReadonlyMap<string, string>;

/** What opens a scroll for its author, whom it is for, and from whom. */
interface OwnKey {
  scrollKey: Bytes;
  names: RecipientNames;
  /** What its author wants to be called by its recipients; null for nothing. */
  signedAs: string | null;
  /** Which other instances keep it, for kept-sisters.ts to read; absent for none. */
  sisters?: unknown;
}

const writeOwnKey = ({ scrollKey, names, signedAs, sisters }: OwnKey): string =>
  JSON.stringify({
    ...{ v: 1, key: scrollKeyToText(scrollKey), names: Object.fromEntries(names), signedAs },
    ...(sisters != null && { sisters }),
  });

const checkNames: Check<Record<string, string>> = (value) => {
  if (typeof value !== 'object' || value === null) throw new TypeError('These are no names.');
  return Object.fromEntries(Object.entries(value).map(([publicId, name]) => [publicId, text(name)]));
};

const checkOwnKey = object<{
  v: 1;
  key: string;
  names: Record<string, string>;
  signedAs: string | null;
  sisters?: unknown;
}>({
  v: between(1, 1) as Check<1>,
  key: text,
  names: checkNames,
  signedAs: nullable(text),
  sisters: anything,
});

/** @throws Error for what `writeOwnKey` has not made */
function readOwnKey(written: string): OwnKey {
  const { v: _, key, names, ...others } = checkOwnKey(JSON.parse(written));
  return { ...others, scrollKey: scrollKeyFromText(key), names: new Map(Object.entries(names)) };
}

/** The two fields that stay with the author, sealed under the vault's own key beside the scroll's facts. @throws SealError */
export function sealOwn(title: string, own: OwnKey, sealId: string, facts: SealFacts, vault: Vault) {
  const encryptedScrollKey = writeOwnKey(own);
  return sealFields(KIND, sealId, { title, encryptedScrollKey }, facts, vault);
}

/** A scroll as its author's browser knows it: null is what does not open here. */
export interface OwnScroll {
  title: string | null;
  scrollKey: Bytes | null;
  letter: Letter | null;
  names: RecipientNames;
  /** What its author wants to be called by its recipients. The server is told it for mails alone. */
  signedAs: string | null;
  /** Which other instances keep it: kept-sisters.ts reads it. */
  sisters?: unknown;
  /** The keys of its recipients' cards as text, by the recipients' public numbers. */
  cards: ReadonlyMap<string, string>;
  /** It lies under an older key that has not noted it: somebody else may have put it there. */
  outside: boolean;
  /** What the server shows otherwise than it was sealed; null for nothing. Nothing of it is opened then. */
  changed: readonly ChangedFact[] | null;
  /**
   * The same scroll with the facts that it was sealed with, where they were changed: to be shown beside what was. Where its key
   * alone opens, it is here without a title: its sisters are to hear of its author all the same.
   */
  asSealed: AsSealed | null;
  /** When it was written and last changed, by its author's clock; the server's word where it does not open. */
  createdAt: string;
  updatedAt: string;
}

type AsSealed = BoundFacts<typeof KIND> &
  Pick<OwnScroll, 'title' | 'scrollKey' | 'letter' | 'names' | 'signedAs' | 'sisters'>;

/** Opens the author's own row. @throws ApiError or TypeError when the ring cannot be fetched */
export async function openOwn(row: Scroll, vault: Vault): Promise<OwnScroll> {
  const { title, encryptedScrollKey, createdAt, updatedAt } = row;
  const sealed: Record<string, string> =
    encryptedScrollKey === null ? { title } : { title, encryptedScrollKey };
  const opened = await openFields(KIND, row, sealed, vault);
  if (!opened) {
    return { title: null, ...UNOPENED, asSealed: await withoutTitle(row, vault), createdAt, updatedAt };
  }
  const { texts, asSealed: plain, facts, changed } = opened;
  const times = { createdAt: facts.createdAt, updatedAt: facts.updatedAt };
  const outside = await cameFromOutside(row, vault);
  const name = plain.title ?? null;
  const letter = await letterOf(row, plain.encryptedScrollKey);
  if (texts === null) {
    const asSealed = { ...factsFromTexts(KIND, facts.bound), title: name, ...letter };
    return { title: null, ...UNOPENED, outside, changed, asSealed, ...times };
  }
  const cards = letter.scrollKey ? await cardsOf(row, letter.scrollKey) : UNOPENED.cards;
  return { title: name, ...letter, cards, outside, changed: null, asSealed: null, ...times };
}

const UNOPENED = {
  ...{ scrollKey: null, letter: null, names: new Map<string, string>(), cards: new Map<string, string>() },
  ...{ signedAs: null, outside: false, changed: null, asSealed: null },
};

/** What a row's own key says where its title does not open, or where the row names no key of this vault. @throws as `openOwn` */
async function withoutTitle(row: Scroll, vault: Vault): Promise<AsSealed | null> {
  const { encryptedScrollKey } = row;
  if (encryptedScrollKey === null) return null;
  for (const keyFingerprint of [row.keyFingerprint, null]) {
    const opened = await openFields(KIND, { ...row, keyFingerprint }, { encryptedScrollKey }, vault);
    if (!opened) continue;
    const letter = await letterOf(row, opened.asSealed.encryptedScrollKey);
    return { ...factsFromTexts(KIND, opened.facts.bound), title: null, ...letter };
  }
  return null;
}

/** A scroll's own key and the names beside it, and its letter as far as it opens with that key. */
async function letterOf(
  { encryptedContent, sealId }: Scroll,
  ownKey: string | undefined,
): Promise<Pick<OwnScroll, 'scrollKey' | 'letter' | 'names' | 'signedAs' | 'sisters'>> {
  const { names, signedAs } = UNOPENED;
  if (ownKey === undefined) return { scrollKey: null, letter: null, names, signedAs };
  try {
    const own = readOwnKey(ownKey);
    const contentKey = await deriveContentKey(await deriveLetterKey(own.scrollKey));
    const letter = await openLetter(encryptedContent, contentKey, sealId).catch(() => null);
    return { ...own, letter };
  } catch {
    return { scrollKey: null, letter: null, names, signedAs };
  }
}

async function cardsOf({ recipients }: Scroll, scrollKey: Uint8Array): Promise<Map<string, string>> {
  const cards = await Promise.all(
    recipients.map(async ({ publicId, access, cardNumber }) => {
      if (access !== 'card' || cardNumber === null) return [];
      return [[publicId, scrollKeyToText(await deriveCardKey(scrollKey, cardNumber))] as const];
    }),
  );
  return new Map(cards.flat());
}

/** What a key card carries: the key stands behind `#`, which a browser never sends. */
export const cardLink = (origin: string, publicId: string, cardKey: string) =>
  `${origin}/legacy/${publicId}#${cardKey}`;
