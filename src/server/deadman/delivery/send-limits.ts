// Which limits a message counts against (docs/legacy.md, "Limits"). A limit is named by a key that holds a keyed hash, so
// that what is counted names no address and no account.
import { domainToASCII } from 'node:url';
import type { WithheldReason } from '../../../shared/nouns/outbox.ts';
import type { MessageChannel } from '../../../shared/nouns/scroll-recipients.ts';
import type { Config } from '../../config.ts';
import { iso } from '../../db/times.ts';
import type { Digests } from '../../digests.ts';
import type { Message } from './delivery-store.ts';

export type MessageLimits = Config['messageLimits'];

export interface SendLimit {
  key: string;
  reason: Exclude<WithheldReason, 'permission'>;
}

const reasons = {
  proofs: 'address',
  address: 'address',
  warned: 'address',
  account: 'account',
  rehearsed: 'account',
  home: 'sisters',
  sisters: 'sisters',
  server: 'server',
  vault: 'vault',
} as const satisfies Record<string, SendLimit['reason']>;
type Scope = keyof typeof reasons;

const limitOf = (scope: Scope, of: string): SendLimit => ({ key: `${scope}:${of}`, reason: reasons[scope] });

/** The line of the whispers that a vault has no room for: no limit of a day, but of what lies there unread. */
export const roomOf = (digests: Digests, recipientId: number): string =>
  limitOf('vault', digests.keyed('whisper-room', String(recipientId))).key;

export const isRoom = (key: string): boolean => key.startsWith('vault:');

/** How many messages a limit lets through in a day. */
export function maxOf(key: string, limits: MessageLimits): number {
  const scope = key.slice(0, key.indexOf(':')) as Exclude<Scope, 'vault'>;
  switch (scope) {
    case 'proofs':
      return limits.proofsPerAddress;
    case 'address':
    case 'warned':
      return limits.perAddress;
    case 'account':
    case 'rehearsed':
      return limits.perAccount;
    case 'home':
      return partOf(limits.mails, 4);
    case 'sisters':
      return partOf(limits.mails, 2);
    case 'server':
      return key === SERVER_TEXTS ? limits.texts : limits.mails;
  }
}

const partOf = (mails: number, parts: number): number => Math.max(1, Math.floor(mails / parts));

const SERVER_TEXTS = 'server:sms';

/**
 * One mailbox or telephone, however its address is spelled: case, dots and a +tag before the @ make no difference, nor
 * does the alphabet of a domain. Where a mail server tells "ada.b" from "adab", the two share a limit.
 */
export function mailboxOf(channel: MessageChannel, address: string): string {
  if (channel !== 'email') return address;
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at).normalize('NFKC').toLowerCase(), address.slice(at + 1)];
  const bare = local.replace(/\+.*$/su, '').replaceAll('.', '');
  return `${bare || local}@${domainToASCII(domain) || domain.toLowerCase()}`;
}

/** Who has written a message, as a keyed hash: it outlives the account. */
export function authorOf(digests: Digests, message: Pick<Message, 'account_id' | 'author_hash'>): string {
  if (message.author_hash !== null) return message.author_hash;
  return hashOfAuthor(digests, message.account_id);
}

export const hashOfAuthor = (digests: Digests, accountId: number | null): string =>
  digests.keyed('message-author', String(accountId));

/** Told at an address that its owner has proved, and in no place of the author's letters. */
const TO_THE_AUTHOR: ReadonlySet<Message['kind']> = new Set([
  ...(['after-release', 'postponed', 'rehearsal-due'] as const),
  ...(['kit-asked', 'kit-stopped', 'kit-opened', 'kit-made', 'kit-removed'] as const),
]);

/**
 * The limits of a message, in the order in which it waits for them. What it holds of one limit while it waits for the
 * next is lost to others, so its own author's comes first, and the server's, which is everybody's, comes last. A warning
 * goes to an address whose owner has agreed to it: no stranger can use up what it counts against. A mail after a release, of which
 * there is one a day, takes no place of its author's from the letters.
 */
export function limitsOf(digests: Digests, message: Message): SendLimit[] {
  const { kind, channel } = message;
  const mailbox = digests.keyed('mailbox', `${channel} ${mailboxOf(channel, message.address)}`);
  const author = limitOf('account', authorOf(digests, message));
  const server = limitOf('server', channel);
  if (kind === 'warning') return [author, limitOf('warned', mailbox), server];
  if (TO_THE_AUTHOR.has(kind)) return [limitOf('warned', mailbox), server];
  const address = limitOf('address', mailbox);
  // The release does not wait for it: its author's letters must not take its place.
  if (kind === 'contact-warning') return [address, server];
  // What can be asked for at any time leaves room for letters: at their address, and among their author's messages. It counts
  // against its author apart, or a new account could have eight people written to for each of its twenty presses.
  if (kind === 'rehearsal') {
    return [limitOf('rehearsed', authorOf(digests, message)), limitOf('proofs', mailbox), address, server];
  }
  // Whoever writes letters elsewhere is known to nobody here, and makes as many as they like: most mails are for this server's own
  // letters, and no other instance has all that is left. Their lines come before that of the mailbox, which others write to as well.
  if (kind === 'sister-letter') {
    const home = limitOf('home', digests.keyed('sister-home', message.sister_home ?? ''));
    return [author, home, limitOf('sisters', channel), address, server];
  }
  return kind === 'prove-address'
    ? [author, limitOf('proofs', mailbox), address, server]
    : [author, address, server];
}

/** What the administrator and the author read of a message that is held back. */
export const withheldSentences: Record<WithheldReason, string> = {
  address: 'Withheld: this address has received its messages for today. This one leaves when its turn comes.',
  account: 'Withheld: this account has sent its messages for today. This one leaves when its turn comes.',
  server: 'Withheld: this server has sent its messages for today. This one leaves when its turn comes.',
  sisters:
    'Withheld: this server has sent its mails of other servers’ letters for today. This one leaves when its turn comes.',
  vault:
    'Withheld: this vault takes no more unread whispers for now. This one arrives once its recipient has read or deleted some.',
  permission: 'Withheld: text messages of this account wait for the administrator’s permission.',
};

/** The same of a text message whose vault was destroyed: no permission can come any more. */
export const NEVER_PERMITTED =
  'Withheld: its vault was destroyed before the administrator had permitted its text messages.';

/** Why a message that a destroyed vault has left is given up on its last day. */
export const givenUpSentences = {
  permission: 'Given up: the administrator had not permitted text messages of its vault.',
  turn: 'Given up: its turn did not come within eleven months.',
  unsent: 'Given up: for eleven months this server had no way to send it.',
  refused: 'Given up: nobody accepted it within eleven months.',
};

/**
 * When those who wait for a limit are looked at next, by the calendar, in ISO 8601.
 * @param runAt counted time; null for nobody
 */
export const nextTry = (runAt: number | null, countedTime: number, now: number): string | null =>
  runAt === null ? null : iso(now + Math.max(0, runAt - countedTime));
