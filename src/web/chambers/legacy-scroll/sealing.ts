// Which key a letter has after a change, and the sealing under it. No letter is sealed to a vault that its address does
// not name.
import { SealError } from '../../../crypto/errors.ts';
import { normaliseAddress, type Scroll, scrollState } from '../../../shared/nouns/legacy.ts';
import {
  type Letter,
  makeCard,
  makePassphrase,
  makeWhisper,
  type VaultKeys,
} from '../../vault/legacy/scrolls.ts';
import type { OpenVault } from '../../vault/session/vault-context.ts';
import type { ScrollForm } from './form.ts';
import type { Recipient } from './use-recipient.ts';

/** A scroll as its author's browser knows it: null is what does not open here. */
export interface OpenedScroll extends Omit<Scroll, 'title' | 'encryptedContent' | 'encryptedScrollKey'> {
  title: string | null;
  scrollKey: Uint8Array<ArrayBuffer> | null;
  letter: Letter | null;
  /** It arrived from outside (vault/key/key-ring.ts). */
  outside: boolean;
}

/** A scroll of which everything opened. */
export type ReadableScroll = OpenedScroll & {
  title: string;
  scrollKey: Uint8Array<ArrayBuffer>;
  letter: Letter;
};

export const isReadable = (scroll: OpenedScroll): scroll is ReadableScroll =>
  scroll.title !== null && scroll.scrollKey !== null && scroll.letter !== null;

/** How a new key reaches the recipient. */
export type NewKey =
  | { kind: 'card' }
  | { kind: 'passphrase'; passphrase: string }
  | { kind: 'vault'; to: { address: string; keys: VaultKeys } };

type Addressed = Pick<OpenedScroll, 'recipientType' | 'recipientAddress'>;

/**
 * @param to whom the sealed scroll will name as its recipient
 * @param scrollKey kept where the same vault is whispered to again
 * @throws SealError, also when the key is another vault's than the recipient's; AnotherKey
 */
export async function sealFor(
  to: Addressed,
  letter: Letter,
  sealId: string,
  key: NewKey,
  vault: OpenVault,
  scrollKey?: Uint8Array<ArrayBuffer>,
) {
  if (key.kind === 'card') return makeCard(letter, sealId);
  if (key.kind === 'passphrase') return makePassphrase(letter, sealId, key.passphrase);
  const named = normaliseAddress('whisper', to.recipientAddress);
  if (to.recipientType !== 'whisper' || named !== key.to.address) throw new SealError();
  return makeWhisper(letter, sealId, vault, key.to, scrollKey);
}

export const formOf = (scroll: ReadableScroll): ScrollForm => ({
  title: scroll.title,
  content: scroll.letter.content,
  triggerType: scroll.triggerType,
  triggerValue: scroll.triggerValue,
  recipientType: scroll.recipientType,
  recipientAddress: scroll.recipientAddress,
});

/** What a change asks for: while a scroll watches, its recipient and its trigger are what they are, whatever a draft says. */
export const wantedOf = (form: ScrollForm, scroll: ReadableScroll): ScrollForm =>
  scrollState(scroll) === 'watching' ? { ...formOf(scroll), title: form.title, content: form.content } : form;

/** The same recipient as the one whom a scroll has. */
export const sameRecipient = (form: ScrollForm, scroll: Addressed) =>
  form.recipientType === scroll.recipientType &&
  normaliseAddress(form.recipientType, form.recipientAddress) ===
    normaliseAddress(scroll.recipientType, scroll.recipientAddress);

export type KeyAfter = { key: NewKey | null; says: string | null } | { waits: string };

/** Which key the letter has after this change. Null keeps what it has. */
export function keyAfter(form: ScrollForm, scroll: ReadableScroll, recipient: Recipient): KeyAfter {
  const same = sameRecipient(form, scroll);
  // A whisper opens in its vault, or by a card.
  const held =
    scroll.access === 'card' || (scroll.access === 'passphrase' && form.recipientType !== 'whisper');
  if (recipient.state === 'looking') return { waits: 'Still looking for the vault.' };
  if (recipient.state === 'failed' || recipient.state === 'unlinked') return { waits: recipient.why };
  if (recipient.state === 'found' && !(same && held))
    return { key: { kind: 'vault', to: recipient.to }, says: null };
  if (same && scroll.access === 'vault') {
    return {
      waits:
        'The vault of this whisper is not known here any more, so its words cannot be sealed to it again. Make a new key first.',
    };
  }
  if (!held) {
    return { key: { kind: 'card' }, says: 'It gets a key card, which you hand over next.' };
  }
  const thing = scroll.access === 'card' ? 'key card' : 'passphrase';
  return {
    key: null,
    says: same
      ? null
      : `The ${thing} stays as it is. If another person is to have the letter, make a new ${thing} afterwards.`,
  };
}
