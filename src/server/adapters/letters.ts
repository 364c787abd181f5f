// What messages say. A letter is written anew whenever it is sent. It holds no key, no word and no title of a scroll, asks
// nothing of the network when it is read, and says nothing of its author but that they wrote something, and the name that
// they wanted it to give. A release is read by people who have learnt to distrust such mail: it says what it is, that
// nothing is asked for, and how to check it without following its link.

import type { Selectable } from 'kysely';
import { switchRules } from '../../shared/nouns/switch.ts';
import { DAY, HOUR } from '../../shared/time.ts';
import type { MessagesTable } from '../db/schema/deadman.ts';
import type { Letter } from './transport.ts';

export type LetterRow = Pick<
  Selectable<MessagesTable>,
  | 'public_id'
  | 'kind'
  | 'channel'
  | 'address'
  | 'scroll_id'
  | 'scroll_public_id'
  | 'deadline'
  | 'created_counted'
  | 'step'
  | 'author_name'
>;

export interface LetterOptions {
  /** Of PUBLIC_URL, without a slash at its end. */
  origin: string;
  /** What the press page takes; null for a release, and for a warning that only a sign-in answers any more. */
  linkToken: string | null;
  /** Whether a paused switch goes on by itself when nobody answers for long. */
  goesOnByItself?: boolean;
  /** Counted time now; without it, the time that is left is that of when the message was written. */
  countedTime?: number;
}

/** A paragraph, or the one link. */
type Part = string | { label: string; url: string };

interface Words {
  subject: string;
  parts: Part[];
}

/** @throws where a message lacks what its kind needs: a whisper is told of by no letter. */
export function writeLetter(message: LetterRow, options: LetterOptions): Letter {
  const { public_id: id, address: to, channel, kind } = message;
  if (channel === 'sms' && (kind === 'release' || kind === 'reminder')) {
    return { id, to, subject: '', text: releaseInShort(message, options), html: '' };
  }
  if (channel !== 'email') throw new Error(`no letter says ${kind} by ${channel}`);
  const words = WORDS[kind](message, options);
  return { id, to, subject: words.subject, text: asText(words), html: asHtml(words) };
}

const WORDS: Record<LetterRow['kind'], (message: LetterRow, options: LetterOptions) => Words> = {
  release,
  reminder,
  warning,
  'prove-address': proveAddress,
  paused,
  'confirm-switch': confirmSwitch,
};

const hostOf = (origin: string) => new URL(origin).host;

function scrollPage({ scroll_public_id: number }: LetterRow, { origin }: LetterOptions): string {
  if (number === null) throw new Error('a release names no scroll');
  return `${origin}/legacy/${number}`;
}

function release(message: LetterRow, options: LetterOptions): Words {
  const host = hostOf(options.origin);
  const [times, last] = [switchRules.reminders.length, switchRules.reminders.at(-1) ?? 0];
  return {
    subject: 'A letter was left for you',
    parts: [
      `Somebody who keeps a vault at ${host} wrote a letter to you and sealed it. You can open it from now on.${byName(message)}`,
      ...howToOpen(message, options),
      'Why now: its author chose this day, or released it by hand, or was not active here for as long as they had set. This server knows no more than that.',
      `If you do not know what this is, ask those who are close to you whether anybody gave you such a card or agreed on a passphrase with you, and look through what you were given to keep. The letter is not kept for ever. If none of it is yours, do nothing: without the key nobody can read it. While it is not opened, this server reminds you ${times} times within ${inWords(last)}, and then no more.`,
    ],
  };
}

function reminder(message: LetterRow, options: LetterOptions): Words {
  const times = switchRules.reminders.length;
  const isLast = message.step >= times;
  return {
    subject: isLast ? 'Last reminder: a letter was left for you' : 'Reminder: a letter was left for you',
    parts: [
      `This server has told you before: somebody who keeps a vault at ${hostOf(options.origin)} wrote a letter to you and sealed it. You have not opened it yet.${byName(message)}`,
      ...howToOpen(message, options),
      isLast
        ? 'This was the last reminder. The letter can still be opened, and nothing more is sent to you about it. If none of it is yours, do nothing.'
        : `This is reminder ${message.step} of ${times}. They end once you have opened it. If none of it is yours, do nothing.`,
    ],
  };
}

/** What the author wanted to be called. Nobody has checked it, and the reader is told so. */
function byName({ author_name: name }: LetterRow): string {
  if (name === null) return '';
  return ` They give their name as “${isolated(name)}”; this server has not checked that it is theirs.`;
}

/** A name that is written from right to left leaves the order of the words around it alone. */
const isolated = (name: string) =>
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(name) ? `\u2068${name}\u2069` : name;

/** What opens it, what is never asked for, and how to check it. */
const howToOpen = (message: LetterRow, options: LetterOptions): Part[] => [
  { label: 'Go to the letter', url: scrollPage(message, options) },
  'To open it you need what its author gave you: the key card, which is a link with a long key or a page with a code to scan, or a passphrase that you agreed on. This message holds neither. Nothing else is asked of you, here or on that page: no money, no account, no password of yours, nothing about yourself. Whoever asks you for any of these on account of this letter is not this server.',
  `How to check this message: you do not have to use the link in it. The key card, or what its author told you, names the page where the letter is; go there by that instead. It has to be on the same server, ${hostOf(options.origin)}. If the card names another one, do not trust this message. If you are in doubt, ask the author or somebody close to them in a way that you have used before.`,
  'This server cannot read the letter, and it cannot make another key.',
];

/** Plain characters alone: one other halves what fits into a text message. So it gives no name. */
function releaseInShort(message: LetterRow, options: LetterOptions): string {
  const begin = message.kind === 'reminder' ? 'Reminder: a' : 'A';
  return `${begin} sealed letter was left for you. The key card you were given, or the passphrase you know, opens it. No money or anything else is asked. ${scrollPage(message, options)}`;
}

function warning(message: LetterRow, { origin, linkToken, countedTime }: LetterOptions): Words {
  const host = hostOf(origin);
  const scroll = message.scroll_id === null ? 'A scroll' : `Scroll ${message.scroll_id}`;
  const left = (message.deadline ?? 0) - ((countedTime ?? message.created_counted) - message.created_counted);
  const due = left > 0;
  const grace = inWords(switchRules.graceAfterWarning);
  return {
    subject: due ? `${scroll} is due in ${inWords(left)}` : `${scroll} was due and is held back`,
    parts: [
      due
        ? `${scroll} in your vault at ${host} is released if you are not active. Unless you show that you are here, that will be in about ${inWords(left)}.${left < switchRules.graceAfterWarning ? ` It is held back for at least ${grace} after the first warning that a mail server accepts.` : ''}`
        : `${scroll} in your vault at ${host} is released if you are not active, and its time has come. It is held back because no warning was accepted until now. Unless you show that you are here, it will be released within ${grace}.`,
      ...(linkToken === null ? signInOnly(origin) : press(origin, linkToken)),
      'If you do nothing, the scroll is released to those you chose. That cannot be undone.',
      'If this is not your vault, do nothing: confirming would say that its owner is here.',
    ],
  };
}

const press = (origin: string, token: string): Part[] => [
  { label: 'I am still here', url: `${origin}/still-here#${token}` },
  'Press the button on that page; opening the page alone does not count. The link counts once. Signing in counts as well.',
];

const signInOnly = (origin: string): Part[] => [
  'Confirmation links were used several times in a row, and nobody signed in. Only signing in counts now.',
  { label: 'Sign in', url: `${origin}/enter` },
];

function proveAddress(_message: LetterRow, { origin, linkToken }: LetterOptions): Words {
  const host = hostOf(origin);
  if (linkToken === null) throw new Error('an address is confirmed by a link');
  return {
    subject: `Confirm this address for warnings from ${host}`,
    parts: [
      `Somebody who keeps a vault at ${host} wants to be warned at this address before a scroll of theirs is released.`,
      { label: 'Let warnings come here', url: `${origin}/still-here#${linkToken}` },
      'Press the button on that page; opening the page alone does not count.',
      'If this was not you, do nothing. Unless you confirm, no warning is sent here.',
    ],
  };
}

const ANOTHER_DATABASE =
  'its database is not the one that it has worked with last, as after a backup was restored or after a move to another machine';

const untilConfirmed = ({ goesOnByItself }: LetterOptions) =>
  goesOnByItself
    ? `If nobody confirms, it goes on by itself after ${inWords(switchRules.pauseEndsAfter)} of running, because an administrator may not be able to answer any more.`
    : 'It does not go on before that.';

/** Nobody goes on behind the backs of authors who could not be told. */
const untilAdministratorConfirms = ({ goesOnByItself }: LetterOptions) =>
  goesOnByItself
    ? `If nobody confirms for ${inWords(switchRules.pauseEndsAfter)} of running after a mail server has accepted the first of these mails, it goes on by itself, because an administrator may not be able to answer any more. Where no author can be told, it waits.`
    : 'It does not go on before you confirm.';

/** To an author. */
function paused(_message: LetterRow, options: LetterOptions): Words {
  const host = hostOf(options.origin);
  return {
    subject: `Your scrolls at ${host} are held back`,
    parts: [
      `The server at ${host}, where you keep a vault, has stopped releasing scrolls: ${ANOTHER_DATABASE}. What happened since may be missing.`,
      `Nobody is warned and nothing is released until its administrator has confirmed that this database is the right one. ${untilConfirmed(options)} When it goes on, scrolls that wait for your inactivity begin their countdown anew; a scroll for a day is held back for some days, and then released.`,
      'Please sign in and see whether your scrolls are as you left them.',
      { label: 'Sign in', url: `${options.origin}/enter` },
      'If you keep no vault there, do nothing.',
    ],
  };
}

/** To an administrator. */
function confirmSwitch(_message: LetterRow, options: LetterOptions): Words {
  const host = hostOf(options.origin);
  return {
    subject: `${host} waits for you to confirm its database`,
    parts: [
      `The server at ${host}, which you administer, has paused its switch for legacy scrolls: ${ANOTHER_DATABASE}. Nobody is warned and nothing is released.`,
      'Make sure that this is the newest database there is, and that no other copy of this server is running. Then confirm it on this page, or by “npm run confirm-switch” on the server.',
      { label: 'Check and confirm', url: `${options.origin}/outbox` },
      `Authors with a warning address are told as well. ${untilAdministratorConfirms(options)}`,
      'If you do not administer that server, do nothing.',
    ],
  };
}

/** A length of time as people say it, to the day above a day and a half, and to the hour below. */
export function inWords(milliseconds: number): string {
  const hours = Math.round(milliseconds / HOUR);
  if (hours < 1) return 'less than an hour';
  if (hours === 1) return 'an hour';
  if (hours === 24) return 'a day';
  return hours < 36 ? `${hours} hours` : `${Math.round(milliseconds / DAY)} days`;
}

function asText({ parts }: Words): string {
  const paragraphs = parts.map((part) => (typeof part === 'string' ? part : `${part.label}\n${part.url}`));
  return `${paragraphs.join('\n\n')}\n`;
}

/**
 * No colours, so that it is read in whatever colours its reader has. What must be escaped is written by name: a number
 * would bring the sign with which keys begin.
 */
function asHtml({ subject, parts }: Words): string {
  const paragraphs = parts.map((part) =>
    typeof part === 'string'
      ? `<p style="margin: 0 0 1em">${escaped(part)}</p>`
      : `<p style="margin: 1.5em 0"><a href="${escaped(part.url)}" style="color: inherit; font-size: 1.2em">${escaped(part.label)}</a><br><span style="word-break: break-all">${escaped(part.url)}</span></p>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(subject)}</title>
</head>
<body style="margin: 0; padding: 1.5em; color-scheme: light dark">
<div style="max-width: 34em; margin: 0 auto; font-family: Georgia, serif; font-size: 17px; line-height: 1.6">
${paragraphs.join('\n')}
</div>
</body>
</html>
`;
}

const NAMES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => NAMES[sign] ?? sign);
