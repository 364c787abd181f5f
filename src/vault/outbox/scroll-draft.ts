// A letter as its author has it before it is sealed, and what is sent of it.
import { newRecipientNumber } from '../../crypto/scroll.ts';
import { normaliseAuthorName } from '../../shared/author-name.ts';
import type { TriggerType } from '../../shared/nouns/legacy.ts';
import { normaliseAddress, type Tell } from '../../shared/nouns/scroll-recipients.ts';
import { boundRecipient } from '../../shared/sealed-facts.ts';
import { factsNow } from '../entries/facts.ts';
import { filesOfDetails, type LetterFiles } from '../legacy/letter-files.ts';
import { type Addressed, makeKeyFor, type NewKey, type SealedLetter } from '../legacy/recipient-keys.ts';
import type { OpenedScroll, ReadableScroll } from '../legacy/scroll-list.ts';
import { makeCardName, type RecipientNames, sealOwn } from '../legacy/scrolls.ts';
import type { ListedVault } from '../replica/row-list.ts';

/** A letter as its author has it before it is sealed. */
export interface ScrollDraft {
  title: string;
  content: string;
  triggerType: TriggerType;
  /** A number of days, a day as `YYYY-MM-DD`, or `manual`. */
  triggerValue: string;
  /** In which the day begins. */
  timeZone: string;
  /** What their author wants to be called by the recipients; may be empty. The server is told it where a mail gives it. */
  authorName: string;
  recipients: readonly DraftRecipient[];
  /** Absent where those that the letter has stay. */
  files?: LetterFiles;
}

export interface DraftRecipient extends Addressed {
  /** Tells it from the others of this draft. */
  key: string;
  /**
   * The number in its address, which is sealed in with the scroll; null for one that is new. By the number that a server
   * gives it, one could be taken for another.
   */
  publicId: string | null;
  tell: Tell;
  /** What their author calls them, for nobody else to know; may be empty. */
  name: string;
}

/** The keys that a draft gives its recipients, by the key of each in it; null and none keep what one has. */
export type NewKeys = Readonly<Record<string, NewKey | null>>;

/** What a scroll was before it is written: none of it for a new one. */
type Before = Pick<OpenedScroll, 'version' | 'createdAt' | 'recipients'>;

/** What is sent of a draft and its sealed letter, spelled as the server keeps it. A new key is made for whoever gets one. */
export async function bodyOf(
  vault: ListedVault,
  draft: ScrollDraft,
  keys: NewKeys,
  letter: SealedLetter,
  before: Before | null,
) {
  const { title, triggerType, triggerValue, timeZone } = draft;
  const signedAs = nameOf(draft);
  const recipients = await Promise.all(
    draft.recipients.map(async ({ key, publicId: known, recipientType, recipientAddress, tell, name }) => {
      const to = { recipientType, recipientAddress: normaliseAddress(recipientType, recipientAddress) };
      const given = keys[key];
      const access = given ? await makeKeyFor(to, given, letter, vault) : null;
      const kept = before?.recipients.find((one) => one.publicId === known);
      const publicId = kept?.publicId ?? newRecipientNumber();
      const bound = boundRecipient({ ...to, tell, publicId }, access, kept);
      const { cardNumber } = bound;
      const encryptedName =
        signedAs !== null && cardNumber !== null
          ? await makeCardName(letter.scrollKey, { cardNumber, publicId }, signedAs)
          : null;
      return {
        sent: { id: kept?.id ?? null, ...to, tell, access, publicId, encryptedName },
        bound,
        name,
      };
    }),
  );
  const bound = recipients.map((one) => one.bound);
  const version = (before?.version ?? 0) + 1;
  const authorName = nameForMails(draft);
  const chosen = { triggerType, triggerValue, timeZone, authorName };
  const facts = factsNow('legacy-scroll', { version, ...chosen, recipients: bound }, before?.createdAt);
  const names = namesOf(recipients.map(({ sent, name }) => ({ publicId: sent.publicId, name })));
  const own = await sealOwn(title, { ...letter, names, signedAs }, letter.sealId, facts, vault);
  const { encryptedContent } = letter;
  const sent = recipients.map((one) => one.sent);
  return { ...chosen, recipients: sent, encryptedContent, ...own, keyFingerprint: vault.fingerprint };
}

export const nameOf = ({ authorName }: Pick<ScrollDraft, 'authorName'>) =>
  normaliseAuthorName(authorName) || null;

/** A mail gives the name in the clear. Where none goes, the server is not told it. */
export const nameForMails = ({
  authorName,
  recipients,
}: {
  authorName: string;
  recipients: readonly Pick<Addressed, 'recipientType'>[];
}): string | null =>
  recipients.some(({ recipientType }) => recipientType === 'email') ? nameOf({ authorName }) : null;

export const namesOf = (recipients: readonly { publicId: string; name: string }[]): RecipientNames =>
  new Map(
    recipients.flatMap(({ publicId, name }) => (name.trim() ? [[publicId, name.trim()] as const] : [])),
  );

/** What a scroll says, as a draft of a change to it. */
export const asDraft = (scroll: ReadableScroll): ScrollDraft => ({
  title: scroll.title,
  content: scroll.letter.content,
  triggerType: scroll.triggerType,
  triggerValue: scroll.triggerValue,
  timeZone: scroll.timeZone,
  authorName: scroll.signedAs ?? '',
  recipients: scroll.recipients.map(({ publicId, recipientType, recipientAddress, tell }) => ({
    key: publicId,
    ...{ publicId, recipientType, recipientAddress, tell },
    name: scroll.names.get(publicId) ?? '',
  })),
});

/** What a draft says of its files in the place of what the letter says. */
export const filesOf = ({ files }: Pick<ScrollDraft, 'files'>) =>
  files ? filesOfDetails(files.details) : {};
