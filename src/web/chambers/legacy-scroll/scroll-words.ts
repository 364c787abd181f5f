// What a legacy scroll is, does and waits for, in words. Pure: the present is handed in.

import { inFours } from '../../../shared/in-fours.ts';
import type { Scroll, TriggerType } from '../../../shared/nouns/legacy.ts';
import type {
  RecipientType,
  ScrollAccess,
  ScrollRecipient,
} from '../../../shared/nouns/scroll-recipients.ts';
import { switchRules, warningLadder } from '../../../shared/nouns/switch-rules.ts';
import type { Hold } from '../../../shared/nouns/switch-state.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import type { RecipientNames } from '../../../vault/legacy/scrolls.ts';
import { formatDay, formatMoment } from '../../ui/moments.ts';

const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;

/** A day as it is written in a form, in words: it means the same in every time zone. */
function dayInWords(day: string): string {
  const noon = new Date(`${day}T12:00:00`);
  return Number.isNaN(noon.getTime()) ? day : formatDay(noon.getTime());
}

/** The most of a title that stands within a sentence. */
const MOST = 120;

/** What a scroll is called within a sentence: the beginning of its title is enough. */
export function named({ title }: { title: string | null }): string {
  if (title === null) return 'this letter';
  return `“${title.length > MOST ? `${title.slice(0, MOST).trim()}…` : title}”`;
}

interface Trigger {
  triggerType: TriggerType;
  triggerValue: string;
  timeZone: string;
}

/** Such as "After 90 days without activity". */
export function triggerWords({ triggerType, triggerValue, timeZone }: Trigger): string {
  if (triggerType === 'manual') return 'When you release it';
  if (triggerType === 'date')
    return `On ${dayInWords(triggerValue)}, as the day begins in ${zoneWords(timeZone)}`;
  return `After ${counted(Number(triggerValue), 'day')} without activity`;
}

/** A zone's name as people read it. */
export const zoneWords = (zone: string) => zone.replaceAll('_', ' ');

const ways: Record<RecipientType, string> = {
  email: 'by e-mail',
  sms: 'by text message',
  whisper: 'by whisper',
  card: 'nothing is sent: they look for themselves',
};
const keys: Record<ScrollAccess, string> = {
  card: 'opened with a key card',
  passphrase: 'opened with a passphrase',
  vault: 'sealed to their vault',
  none: 'without any key that would reach them',
};

/** Such as "by e-mail, opened with a key card". */
export const wayWords = ({ recipientType, access }: Pick<ScrollRecipient, 'recipientType' | 'access'>) =>
  `${ways[recipientType]}, ${keys[access]}`;

/** What somebody who is told later waits for; null for the others. */
export const laterWords = ({ tell }: Pick<ScrollRecipient, 'tell'>): string | null =>
  tell === 'if-unopened' ? 'Told only if nobody else has opened the letter.' : null;

/** Which recipient is meant, where several are to choose from. */
export function recipientName(
  { publicId, recipientType, recipientAddress }: ScrollRecipient,
  index: number,
  names: RecipientNames,
): string {
  const name = names.get(publicId);
  if (name !== undefined) return name;
  if (recipientType === 'card') return `Recipient ${index + 1}, who checks the card`;
  return recipientType === 'whisper' ? inFours(recipientAddress) : recipientAddress;
}

/** Time that is left, in its two greatest units at most: "89 days", "1 day, 4 hours", "12 minutes". */
export function timeWords(milliseconds: number): string {
  if (milliseconds < MINUTE) return 'less than a minute';
  if (milliseconds < HOUR) return counted(Math.floor(milliseconds / MINUTE), 'minute');
  if (milliseconds < DAY) return counted(Math.floor(milliseconds / HOUR), 'hour');
  const days = Math.floor(milliseconds / DAY);
  const hours = Math.floor((milliseconds % DAY) / HOUR);
  return days >= 3 || hours === 0
    ? counted(days, 'day')
    : `${counted(days, 'day')}, ${counted(hours, 'hour')}`;
}

/** What is left of a watch, as long as it was fetched `since` milliseconds ago; null where nothing counts down. */
export function remainingWords(scroll: Pick<Scroll, 'remaining' | 'hold'>, since: number): string | null {
  if (scroll.remaining === null) return null;
  const left = scroll.remaining - (scroll.hold === 'paused' || scroll.hold === 'out-of-reach' ? 0 : since);
  if (left > 0) return timeWords(left);
  return scroll.hold === null ? 'None: it can be sent at any moment' : 'None: its time has come';
}

/** Why it is held back. */
export const holdWords: Record<Hold, string> = {
  paused:
    'The switch of this server is paused until its administrator has checked it. No letter is sent, and no warning.',
  'out-of-reach':
    'The address of this server does not lead to it any more. Until it does, no time is counted and no letter is sent.',
  'after-start':
    'This server has started lately. It sends no letter before it knows how long it was away, and for that its clock has to be right: it takes an hour of running at most, unless the clock is set again.',
  'after-outage':
    'The server was down for more than a day, or its switch was paused. For three days after that, no letter is sent for inactivity; after more than ninety days it is a month.',
  postponed:
    'Your trusted contact has postponed it, for thirty days from then. Any activity of yours ends that, and its countdown begins anew.',
  'contact-told': 'Your trusted contact was told a short while ago. It is held for a day after that.',
  'dark-date':
    'Its day came while the server was down, its clock was wrong or its switch was paused, or soon after. It is held back for a day from then, and after a pause for three days or, where nobody had ended it, a month.',
  'warning-unaccepted':
    'No mail server has accepted a warning to you yet. It is held for that: fourteen days after its time at most.',
  'calendar-stood-still':
    'This server’s clock stood still while it was off, so nobody knows how long that was. It is held until the clock is set, or for a day after a new warning by mail, and fourteen days after its time at most.',
  'calendar-set':
    'This server’s date was set forward by more than a day, and no time server has confirmed the new one. It is held until its day has come by the old date, or until the new one is confirmed.',
  'warned-lately': 'You were warned a short while ago. It is held until a day after that warning.',
};

const outcomes = {
  waiting: 'It waits to be sent.',
  sent: 'It was accepted by the mail server.',
  failed: 'It could not be sent.',
  cancelled: 'It was not needed any more.',
};

/** The last warning, and what became of it. */
export const warningWords = ({ at, state, why }: NonNullable<Scroll['warned']>) =>
  `${formatMoment(at)}. ${outcomes[state]}${why && state !== 'sent' ? ` ${why}` : ''}`;

/** Where warnings of a watch go; null where there are none. */
export function warnedByWords({
  triggerType,
  warning,
}: Pick<Scroll, 'triggerType' | 'warning'>): string | null {
  if (triggerType !== 'inactivity' || warning === null) return null;
  return warning === 'mail'
    ? 'By mail, before it is sent'
    : 'On the dashboard when you sign in; no mail is sent';
}

/** What this server sends by itself; undefined while it is not known. */
type Transports = { email: boolean; sms: boolean; textsPermitted: boolean } | undefined;

/** Whether text messages of this vault wait for the administrator's permission. */
export const needsPermission = (type: RecipientType, transports: Transports): boolean =>
  type === 'sms' && transports?.sms === true && !transports.textsPermitted;

/** Whether a message that goes by itself tells the recipient of the release. */
export const isTold = (type: RecipientType, transports: Transports): boolean =>
  type !== 'whisper' && type !== 'card' && transports?.[type] === true && !needsPermission(type, transports);

/** Said where a text message is chosen, and of each scroll that has one. */
export const PERMISSION_NEEDED =
  'Your vault has no permission to send text messages yet: the administrator of this server gives it. Until then the message waits in the outbox, and the administrator may pass it on by hand.';

/** What somebody agrees to who chooses a message that this server does not send; null where it is sent. */
export function unsentWords(type: RecipientType, transports: Transports): string | null {
  if (!transports || type === 'whisper' || type === 'card' || transports[type]) return null;
  return `Yes, I know that this server sends no ${type === 'email' ? 'mail' : 'text messages'}: the recipient hears nothing unless the administrator passes the message on by hand.`;
}

/** How the recipients of a release come to know of it, such as "A mail to its recipient leaves at once." */
export function tellingWords(recipients: readonly ScrollRecipient[], transports: Transports): string {
  const first = recipients.filter(({ tell }) => tell === 'at-release');
  const sentences = first.map((one) => tellingOf(one, transports));
  const later =
    first.length < recipients.length ? ['The others are told only if nobody opens the letter.'] : [];
  return [...new Set([...sentences, ...later])].join(' ');
}

function tellingOf({ recipientType, access }: ScrollRecipient, transports: Transports): string {
  if (recipientType === 'whisper') {
    return access === 'vault'
      ? 'It lies in their vault from now on, or as soon as there is room for it.'
      : 'It lies in their vault from now on, or as soon as there is room for it, if this server knows one with that address.';
  }
  if (recipientType === 'card') return 'Nothing is sent: its recipient looks for themselves.';
  if (needsPermission(recipientType, transports)) {
    return 'The text message to its recipient waits in the outbox for the administrator’s permission.';
  }
  if (!isTold(recipientType, transports)) {
    return 'The message to its recipient waits in the outbox for the administrator to pass it on.';
  }
  return `${recipientType === 'email' ? 'A mail' : 'A text message'} to its recipient leaves at once.`;
}

/** Whether a watch for silence is so near its end that it is warned of. */
export function isNearItsEnd(
  scroll: Pick<Scroll, 'remaining' | 'triggerType' | 'triggerValue'>,
  since: number,
): boolean {
  if (scroll.triggerType !== 'inactivity' || scroll.remaining === null) return false;
  const [first = 0] = warningLadder(Number(scroll.triggerValue) * DAY, switchRules);
  return scroll.remaining - since <= first;
}

/** What of a scroll waits to be sent. */
export function waitsFor({
  recipients,
  warned,
}: Pick<Scroll, 'warned'> & {
  recipients: readonly Pick<ScrollRecipient, 'recipientType' | 'delivery' | 'reminder'>[];
}) {
  const waits = (wanted: ScrollRecipient['recipientType']) =>
    recipients.some(
      ({ recipientType, delivery, reminder }) =>
        recipientType === wanted && (delivery?.state === 'waiting' || reminder?.state === 'waiting'),
    );
  return { mail: waits('email') || warned?.state === 'waiting', texts: waits('sms') };
}

/** What became of the letter of one recipient, in words. */
export function deliveryWords(recipient: DeliveredTo): string {
  const { delivery, recipientType, releasedAt, openedAt, unopenedSince } = recipient;
  if (releasedAt === null) return 'Not told yet: the others come first.';
  const opened = openedAt === null ? '' : ` Opened ${formatMoment(openedAt)}.`;
  const never = recipient.reminder?.state === 'waiting' ? ' They have not opened it.' : NEVER_OPENED;
  const after = `${remindedWords(recipient)}${opened || (unopenedSince ? never : ' Not opened yet.')}`;
  if (recipientType === 'card') return `Nothing is sent: its recipient looks for themselves.${after}`;
  if (delivery === null) return opened.trim() || 'Nothing is known of it yet.';
  const { state, at, attempts, why, nextTryAt } = delivery;
  const next = nextTryAt ? ` Next try ${formatMoment(nextTryAt)}.` : '';
  const reason = `${why ? ` ${why}` : ''}${next}`;
  if (state === 'failed') {
    const still = recipientType === 'whisper' ? '' : ' It counts as sent all the same: its key opens it.';
    return `It could not be delivered.${reason}${opened || still}`;
  }
  if (state === 'waiting') {
    const tried = attempts > 0 ? ` Tried ${counted(attempts, 'time')}.` : '';
    return `It waits to be delivered.${tried}${reason}${opened}`;
  }
  const taker = recipientType === 'whisper' ? 'Left in their vault' : 'Handed over for delivery';
  return `${taker}${at ? ` ${formatMoment(at)}` : ''}.${reason}${after}`;
}

type DeliveredTo = Pick<
  ScrollRecipient,
  'delivery' | 'recipientType' | 'releasedAt' | 'openedAt' | 'reminder' | 'unopenedSince'
>;

const NEVER_OPENED = ' They have not opened it, and nothing more is sent to them.';

function remindedWords({ reminder }: DeliveredTo): string {
  if (!reminder) return '';
  const { times, at, state, why } = reminder;
  if (state === 'failed') return ` A reminder could not be delivered.${why ? ` ${why}` : ''}`;
  if (state === 'waiting') return ` A reminder waits to be delivered.${why ? ` ${why}` : ''}`;
  return ` Reminded ${times === 1 ? 'once' : counted(times, 'time')}, last ${formatMoment(at)}.`;
}
