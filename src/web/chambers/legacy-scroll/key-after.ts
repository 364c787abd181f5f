// What a form asks for, and which key each recipient of its letter has after a change.
import { scrollState } from '../../../shared/nouns/legacy.ts';
import { normaliseAddress, type ScrollRecipient } from '../../../shared/nouns/scroll-recipients.ts';
import type { Addressed, NewKey } from '../../../vault/legacy/recipient-keys.ts';
import type { ReadableScroll } from '../../../vault/legacy/scroll-list.ts';
import { asDraft } from '../../../vault/outbox/scroll-draft.ts';
import type { ChosenPassphrase } from '../../vault/key/recovery/new-passphrase.tsx';
import type { RecipientForm, ScrollForm } from './form.ts';
import { blankPassphrase, keyOfChoice } from './key-fields.tsx';
import type { Recipient } from './use-recipient.ts';

export function formOf(scroll: ReadableScroll): ScrollForm {
  const { timeZone: _, files: __, ...draft } = asDraft(scroll);
  return { ...draft, recipients: draft.recipients.map((one) => ({ ...one, kind: 'card' })) };
}

/**
 * What a change asks for: while a scroll watches, its recipients and its trigger are what they are, whatever a draft says.
 * What its author calls them is nobody else's business.
 */
export function wantedOf(form: ScrollForm, scroll: ReadableScroll): ScrollForm {
  if (scrollState(scroll) !== 'watching') return form;
  const { title, content, authorName, files } = form;
  const names = new Map(form.recipients.map(({ key, name }) => [key, name]));
  const before = formOf(scroll);
  const recipients = before.recipients.map((one) => ({ ...one, name: names.get(one.key) ?? one.name }));
  return { ...before, title, content, authorName, recipients, ...(files && { files }) };
}

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

type KeysAfter =
  | { keys: Record<string, NewKey | null>; says: Record<string, string | null> }
  | { waits: string };

/** Which key each recipient has after a change, and what that does to theirs. */
export function keysAfter(
  form: ScrollForm,
  scroll: ReadableScroll,
  secrets: Readonly<Record<string, ChosenPassphrase>>,
  found: readonly Recipient[],
): KeysAfter {
  const keys: Record<string, NewKey | null> = {};
  const says: Record<string, string | null> = {};
  for (const [i, one] of form.recipients.entries()) {
    const { key, kind, recipientType } = one;
    const at = found[i] ?? { state: 'none' as const };
    const before = scroll.recipients.find(({ publicId }) => publicId === one.publicId);
    const after = before
      ? keyAfter(one, before, at)
      : keyOfChoice({ ...(secrets[key] ?? blankPassphrase), kind }, recipientType, at);
    if ('waits' in after) return after;
    keys[key] = after.key;
    says[key] = 'says' in after ? after.says : null;
  }
  return { keys, says };
}
