// Which key each recipient of a letter has after a change, and how that key is made. No letter's key is sealed to a vault
// that its address does not name.
import { SealError } from '../../../crypto/errors.ts';
import { scrollState } from '../../../shared/nouns/legacy.ts';
import {
  type AccessInput,
  normaliseAddress,
  type ScrollRecipient,
} from '../../../shared/nouns/scroll-recipients.ts';
import type { OpenedScroll } from '../../../vault/legacy/scroll-list.ts';
import { makeCard, makePassphrase, makeWhisper, type VaultKeys } from '../../../vault/legacy/scrolls.ts';
import type { OpenVault } from '../../vault/session/vault-context.ts';
import type { RecipientForm, ScrollForm } from './form.ts';
import type { Recipient } from './use-recipient.ts';

/** A scroll of which everything opened. */
export type ReadableScroll = OpenedScroll & {
  [Part in 'title' | 'scrollKey' | 'letter']: NonNullable<OpenedScroll[Part]>;
};

export const isReadable = (scroll: OpenedScroll): scroll is ReadableScroll =>
  scroll.title !== null && scroll.scrollKey !== null && scroll.letter !== null;

/** What the server has added to a recipient, as nothing of it is known. */
const UNTOLD = {
  ...{ envelope: null, releasedAt: null, openedAt: null },
  ...{ delivery: null, reminder: null, unopenedSince: null },
};

/** A scroll that the server shows otherwise than it was sealed, as it was sealed: to be read, and nothing else. */
export function asItWasSealed({ asSealed, ...scroll }: OpenedScroll): ReadableScroll | null {
  if (!asSealed) return null;
  const recipients = asSealed.recipients.map((one, i) => ({ ...UNTOLD, ...one, id: -1 - i }));
  const sealed = { ...scroll, ...asSealed, recipients, asSealed: null };
  return isReadable(sealed) ? sealed : null;
}

/** The recipients for whom there is a key card to hand over. */
export const cardHolders = ({ recipients, cards }: Pick<OpenedScroll, 'recipients' | 'cards'>) =>
  recipients.filter(({ id }) => cards.has(id));

/** How a new key reaches a recipient. */
export type NewKey =
  | { kind: 'card' }
  | { kind: 'passphrase'; passphrase: string }
  | { kind: 'vault'; to: { address: string; keys: VaultKeys } };

type Addressed = Pick<ScrollRecipient, 'recipientType' | 'recipientAddress'>;

export interface SealedLetter {
  scrollKey: Uint8Array;
  sealId: string;
  encryptedContent: string;
}

/**
 * Makes a recipient's key.
 * @param to whom the sealed scroll will name
 * @throws SealError, also when the key is another vault's than the recipient's; AnotherKey
 */
export async function makeKeyFor(
  to: Addressed,
  key: NewKey,
  { scrollKey, sealId, encryptedContent }: SealedLetter,
  vault: OpenVault,
): Promise<AccessInput> {
  if (key.kind === 'card') return makeCard(scrollKey, sealId);
  if (key.kind === 'passphrase') return makePassphrase(scrollKey, sealId, key.passphrase, vault.stretch);
  const named = normaliseAddress('whisper', to.recipientAddress);
  if (to.recipientType !== 'whisper' || named !== key.to.address) throw new SealError();
  return makeWhisper(scrollKey, sealId, encryptedContent, vault, key.to);
}

export const formOf = (scroll: ReadableScroll): ScrollForm => ({
  title: scroll.title,
  content: scroll.letter.content,
  triggerType: scroll.triggerType,
  triggerValue: scroll.triggerValue,
  authorName: scroll.authorName ?? '',
  recipients: scroll.recipients.map(({ id, recipientType, recipientAddress, tell }) => ({
    key: String(id),
    ...{ id, recipientType, recipientAddress, tell },
    kind: 'card',
  })),
});

/** What a change asks for: while a scroll watches, its recipients and its trigger are what they are, whatever a draft says. */
export const wantedOf = (form: ScrollForm, scroll: ReadableScroll): ScrollForm =>
  scrollState(scroll) === 'watching'
    ? { ...formOf(scroll), title: form.title, content: form.content, authorName: form.authorName }
    : form;

/** Whether a form reaches a recipient at the address that they have. */
export const samePerson = (form: Addressed, recipient: Addressed) =>
  form.recipientType === recipient.recipientType &&
  normaliseAddress(form.recipientType, form.recipientAddress) ===
    normaliseAddress(recipient.recipientType, recipient.recipientAddress);

export type KeyAfter = { key: NewKey | null; says: string | null } | { waits: string };

/** Which key a recipient has after this change. Null keeps what they have. */
export function keyAfter(
  form: RecipientForm,
  recipient: Pick<ScrollRecipient, 'access' | 'recipientType' | 'recipientAddress'>,
  found: Recipient,
): KeyAfter {
  const same = samePerson(form, recipient);
  const { access } = recipient;
  // A whisper opens in its vault, or by a card.
  const held = access === 'card' || (access === 'passphrase' && form.recipientType !== 'whisper');
  if (found.state === 'looking') return { waits: 'Still looking for the vault.' };
  if (found.state === 'failed' || found.state === 'unlinked') return { waits: found.why };
  if (found.state === 'found' && !(same && held)) return { key: { kind: 'vault', to: found.to }, says: null };
  if (same && access === 'vault') {
    return {
      waits:
        'The vault of this whisper is not known here any more, so its words cannot be sealed to it again. Make a new key first.',
    };
  }
  if (!held) {
    return { key: { kind: 'card' }, says: 'It gets a key card, which you hand over next.' };
  }
  const thing = access === 'card' ? 'key card' : 'passphrase';
  return {
    key: null,
    says: same
      ? null
      : `The ${thing} stays as it is. If another person is to have the letter, make a new ${thing} afterwards.`,
  };
}
