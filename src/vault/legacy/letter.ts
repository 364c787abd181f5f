// A letter, and how its recipient opens it by a card or a passphrase (docs/formats.md, "Scroll"). What only its author needs is
// in scrolls.ts: the recipient's page is light without it.
import { fromBase64Url } from '../../crypto/base64.ts';
import type { Bytes } from '../../crypto/encoding.ts';
import { OpenError } from '../../crypto/errors.ts';
import {
  deriveCard,
  deriveContentKey,
  deriveRehearsalKey,
  deriveScrollPassphrase,
  scrollKeyFromText,
  unwrapLetterKey,
} from '../../crypto/scroll.ts';
import { open, seal } from '../../crypto/seal.ts';
import type { ReplyOf } from '../../shared/http/call.ts';
import type { legacy } from '../../shared/nouns/letter-page.ts';
import type { rehearsals } from '../../shared/nouns/rehearsals.ts';
import type { ScrollStretching } from '../../shared/nouns/scroll-recipients.ts';
import { anything, between, type Check, nullable, object, text } from '../api/plain-checks.ts';
import type { Stretch } from '../keys/stretch.ts';

/** What the recipient reads. */
export interface Letter {
  v: 1;
  title: string;
  content: string;
  createdAt: string;
  /** What its author wanted to be called; null for nothing. */
  authorName: string | null;
  /** Its files with their keys, described as in details: letter-files.ts reads it. Absent for none. */
  files?: unknown;
  /** Who else keeps it, and is told once it was opened: kept-sisters.ts reads it. Absent for nobody. */
  sisters?: unknown;
}

const checkLetter = object<Letter>({
  v: between(1, 1) as Check<1>,
  title: text,
  content: text,
  createdAt: text,
  authorName: nullable(text),
  files: anything,
  sisters: anything,
});

/** What a rehearsal says, which is nothing of the letter. */
export interface RehearsalWords {
  v: 1;
  sentence: string;
  /** As a letter has it. */
  authorName: string | null;
}

const checkRehearsal = object<RehearsalWords>({
  v: between(1, 1) as Check<1>,
  sentence: text,
  authorName: nullable(text),
});

const contextOf = (sealId: string, field = 'encryptedContent') => ({ kind: 'legacy-scroll', field, sealId });

/** Seals a letter under its scroll's content key. @throws SealError */
export function sealLetter(letter: Letter, contentKey: CryptoKey, sealId: string): Promise<string> {
  return seal(JSON.stringify(letter), contentKey, contextOf(sealId));
}

/** Opens what `sealLetter` made. @throws OpenError, also for a letter of a shape that is not known here */
export async function openLetter(
  sealed: string,
  contentKey: CryptoKey,
  sealId: string | null,
): Promise<Letter> {
  const opened = await open(sealed, contentKey, contextOf(sealId ?? ''));
  try {
    return checkLetter(JSON.parse(opened));
  } catch {
    throw new OpenError();
  }
}

/** Seals what a rehearsal says under a key that only the letter's key makes. @throws SealError */
export async function sealRehearsal(
  words: RehearsalWords,
  letterKey: Uint8Array,
  sealId: string,
): Promise<string> {
  const key = await deriveRehearsalKey(letterKey);
  return seal(JSON.stringify(words), key, contextOf(sealId, 'encryptedSentence'));
}

/** Seals what an author wants to be called for the holder of a card, whose page shows it before the release. @throws SealError */
export const sealCardName = (name: string, wrapKey: CryptoKey, publicId: string): Promise<string> =>
  seal(name, wrapKey, contextOf(publicId, 'encryptedName'));

/** @param secret a card's. @throws OpenError or TypeError */
export async function openCardName(secret: string, encryptedName: string, publicId: string): Promise<string> {
  const { wrapKey } = await deriveCard(scrollKeyFromText(secret));
  return open(encryptedName, wrapKey, contextOf(publicId, 'encryptedName'));
}

/** What a recipient is served for the right claim in a rehearsal. */
type ServedToRehearse = Pick<ReplyOf<typeof rehearsals.open>, 'encryptedSentence' | 'wrappedKey' | 'sealId'>;

/** What a recipient is served for the right claim. */
type Served = Pick<ReplyOf<typeof legacy.open>, 'encryptedContent' | 'wrappedKey' | 'sealId'>;

/** A card or a passphrase in its recipient's hands. */
export interface Held {
  /** Proves it: 32 bytes in base64url. */
  claim: string;
  /** Opens what is served for the claim, with the letter's key, by which sisters are told of it. @throws OpenError */
  read(served: Served): Promise<{ letter: Letter; letterKey: Bytes }>;
  /** Opens what a rehearsal says, by the letter's own key. @throws OpenError */
  rehearse(served: ServedToRehearse): Promise<RehearsalWords>;
}

/** @param secret what stands behind `#` on a card. @throws TypeError, which does not repeat it, when it is not whole */
export async function openCard(secret: string): Promise<Held> {
  return heldBy(await deriveCard(scrollKeyFromText(secret)));
}

/**
 * Stretches a passphrase (about half a second).
 * @throws RangeError when the server asks for a weaker protection than this browser accepts
 */
export async function openPassphrase(
  passphrase: string,
  stretching: ScrollStretching,
  stretch: Stretch,
): Promise<Held> {
  const stretched = await stretch(passphrase, fromBase64Url(stretching.salt), stretching);
  return heldBy(await deriveScrollPassphrase(stretched));
}

const heldBy = ({ claim, wrapKey }: { claim: string; wrapKey: CryptoKey }): Held => ({
  claim,
  async read({ encryptedContent, wrappedKey, sealId }) {
    const letterKey = await unwrapLetterKey(wrappedKey, wrapKey, sealId ?? '');
    const letter = await openLetter(encryptedContent, await deriveContentKey(letterKey), sealId);
    return { letter, letterKey };
  },
  async rehearse({ encryptedSentence, wrappedKey, sealId }) {
    const letterKey = await unwrapLetterKey(wrappedKey, wrapKey, sealId ?? '');
    const context = contextOf(sealId ?? '', 'encryptedSentence');
    const opened = await open(encryptedSentence, await deriveRehearsalKey(letterKey), context);
    try {
      return checkRehearsal(JSON.parse(opened));
    } catch {
      throw new OpenError();
    }
  },
});
