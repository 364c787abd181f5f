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
  | 'scroll_public_id'
  | 'created_counted'
  | 'step'
  | 'author_name'
> & {
  /** The name of the author's trusted contact; null for none. */
  contact_name: string | null;
} & { scrolls: readonly NamedScroll[]; releases: readonly NamedRelease[] };

/** A letter that a warning names. */
export interface NamedScroll {
  /** What its author calls it; null for nothing. */
  label: string | null;
  /** When its watch was activated, by the calendar, and the time zone of its author. */
  armed_at: number | null;
  time_zone: string;
  recipients: number;
  /** Milliseconds to its release when the warning was written. */
  due_in: number;
}

/** A release that its author is told of. */
export interface NamedRelease {
  /** Null once its author has deleted it. */
  scroll_id: number | null;
  /** What its author calls it; null for nothing. */
  label: string | null;
  /** When it was released, by the calendar, and the time zone of its author. */
  released_at: number;
  time_zone: string;
  /** To how many recipients, and how many have opened it. */
  recipients: number;
  opened: number;
  /** How many of the messages that tell of it have not left. */
  unsent: number;
  /** How many recipients more are told only if nobody opens it. */
  later: number;
}

export interface LetterOptions {
  /** Of PUBLIC_URL, without a slash at its end. */
  origin: string;
  /** What the press page takes; null for a release, and for a warning that only a sign-in answers any more. */
  linkToken: string | null;
  /** What ends the reminders to the recipient of a release, and by which a trusted contact is one no more. */
  stopToken?: string;
  /** Whether a paused switch goes on by itself when nobody answers for long. */
  goesOnByItself?: boolean;
  /** Counted time now; without it, the time that is left is that of when the message was written. */
  countedTime?: number;
}

/** A paragraph, lines that stand together, a list, or a link. */
type Part = string | { lines: string[] } | { list: string[] } | { label: string; url: string };

interface Words {
  subject: string;
  parts: Part[];
}

/** @throws where a message lacks what its kind needs: a whisper is told of by no letter. */
export function writeLetter(message: LetterRow, options: LetterOptions): Letter {
  const { public_id: id, address: to, channel, kind } = message;
  const short = channel === 'sms' ? SHORT[kind] : undefined;
  if (short) return { id, to, subject: '', text: short(message, options), html: '', unsubscribe: null };
  if (channel !== 'email') throw new Error(`no letter says ${kind} by ${channel}`);
  const words = WORDS[kind](message, options);
  return {
    id,
    to,
    subject: words.subject,
    text: asText(words),
    html: asHtml(words),
    // A program posts there, and a person who is led there is shown the page that the link in the mail leads to.
    unsubscribe: stopLink(options),
  };
}

const WORDS: Record<LetterRow['kind'], (message: LetterRow, options: LetterOptions) => Words> = {
  release,
  reminder,
  warning,
  'after-release': afterRelease,
  'contact-warning': contactWarning,
  postponed,
  'prove-address': proveAddress,
  paused,
  'confirm-switch': confirmSwitch,
};

/** What goes by text message as well. */
const SHORT: Partial<Record<LetterRow['kind'], (message: LetterRow, options: LetterOptions) => string>> = {
  release: releaseInShort,
  reminder: releaseInShort,
  warning: warningInShort,
  'prove-address': proofInShort,
};

const hostOf = (origin: string) => new URL(origin).host;

function scrollPage({ scroll_public_id: number }: LetterRow, { origin }: LetterOptions): string {
  if (number === null) throw new Error('a release names no scroll');
  return `${origin}/legacy/${number}`;
}

/** What ends the reminders, or such mails to a contact. Like all that goes to a recipient it has no sign behind which keys stand. */
const stopLink = ({ origin, stopToken }: LetterOptions): string | null =>
  stopToken === undefined ? null : `${origin}/api/reminders/${stopToken}`;

function release(message: LetterRow, options: LetterOptions): Words {
  const [times, last] = [switchRules.reminders.length, switchRules.reminders.at(-1) ?? 0];
  return {
    subject: 'A letter was left for you',
    parts: [
      firstLines(message, options),
      'They wrote you a letter. You can open it from now on.',
      ...howToOpen(message, options),
      'Why you get this now: the author chose this day, or released the letter by hand, or was not active here for as long as they had set. This server knows no more than that.',
      'If you do not know what this is, look through what you were given to keep. Ask the people close to you whether anybody gave you such a card, or agreed on a passphrase with you. The letter is not kept for ever.',
      `If none of this is yours, do nothing. Nobody can read the letter without the key. Until it is opened, this server reminds you ${times} times within ${inWords(last)}. Then it stops. A link in the reminders ends them sooner.`,
    ],
  };
}

function reminder(message: LetterRow, options: LetterOptions): Words {
  const times = switchRules.reminders.length;
  const isLast = message.step >= times;
  const stopUrl = stopLink(options);
  return {
    subject: isLast ? 'Last reminder: a letter was left for you' : 'Reminder: a letter was left for you',
    parts: [
      firstLines(message, options),
      'They wrote you a letter. This server has told you before. You have not opened it yet.',
      ...howToOpen(message, options),
      isLast
        ? 'This was the last reminder. You can still open the letter. Nothing more is sent to you about it. If none of this is yours, do nothing.'
        : `This is reminder ${message.step} of ${times}. They end when you open the letter. You can also end them, if you want no more of them or if none of this is yours. The letter stays where it is, and your key still opens it.`,
      ...(isLast || stopUrl === null ? [] : [{ label: 'End the reminders', url: stopUrl }]),
    ],
  };
}

/** What every mail to a recipient begins with: who it is from, what to look for, and that it costs nothing. */
const firstLines = (message: LetterRow, { origin }: LetterOptions): Part => ({
  lines: [
    `Who this is from: somebody who keeps a vault at ${hostOf(origin)}.${byName(message)}`,
    'What to look for: the key card that they gave you, or the passphrase that you agreed on.',
    'What it costs: nothing. Nobody asks you for money or for data about you.',
  ],
});

/** What the author wanted to be called. Nobody has checked it, and the reader is told so. */
const byName = ({ author_name: name }: LetterRow): string =>
  name === null
    ? ' They gave no name.'
    : ` They give their name as “${isolated(name)}”. This server has not checked the name.`;

/** A line that is written from right to left leaves the order of the words around it alone. */
const isolated = (line: string) =>
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(line) ? `\u2068${line}\u2069` : line;

/** What opens it, what is never asked for, and how to check it. */
const howToOpen = (message: LetterRow, options: LetterOptions): Part[] => [
  { label: 'Go to the letter', url: scrollPage(message, options) },
  'The key card is a sheet of paper with a code to scan, or a link with a long key. The passphrase is some words that you and the author know. One of them opens the letter. This message has neither of them.',
  'Nothing else is asked of you, here or on that page: no money, no account, no password of yours, nothing about yourself. If somebody asks you for any of these because of this letter, it is not this server.',
  `How to check this message: you do not have to use the link in it. The key card, or what the author told you, names the page of the letter. Go to the page by that. It must be on the same server, ${hostOf(options.origin)}. If the card names another server, do not trust this message. If you are not sure, ask the author or somebody close to them. Ask in a way that you have used before.`,
  'This server cannot read the letter. It cannot make another key.',
];

/** Plain characters alone: one other halves what fits into a text message. So it gives no name. */
function releaseInShort(message: LetterRow, options: LetterOptions): string {
  const who = message.kind === 'reminder' ? 'Reminder: somebody' : 'Somebody';
  return [
    `${who} wrote you a letter.`,
    'Look for the key card they gave you, or your passphrase.',
    'It costs nothing. Nobody asks for money or data.',
    scrollPage(message, options),
  ].join('\n');
}

function warning(message: LetterRow, { origin, linkToken, countedTime }: LetterOptions): Words {
  const passed = (countedTime ?? message.created_counted) - message.created_counted;
  const letters = message.scrolls.map((scroll) => ({ ...scroll, left: scroll.due_in - passed }));
  const these = letters.length === 1 ? 'this letter is' : 'these letters are';
  return {
    subject: subjectOfWarning(letters.map(({ left }) => left)),
    parts: [
      `You keep a vault at ${hostOf(origin)}. You have not been active there for some time.`,
      `If you do nothing, ${these} sent to the people you chose. That cannot be undone.`,
      ...(letters.length > 0 ? [{ list: letters.map((letter) => aboutLetter(letter, letter.left)) }] : []),
      `No letter is sent earlier than ${inWords(switchRules.graceAfterWarning)} after its first warning.`,
      ...(linkToken === null ? signInOnly(origin) : press(origin, linkToken)),
      'If this is not your vault, do nothing. Confirming would say that its owner is here.',
    ],
  };
}

/** Plain characters alone, and no label: it is read on locked screens, and costs by its length. */
function warningInShort(message: LetterRow, { origin, linkToken, countedTime }: LetterOptions): string {
  const passed = (countedTime ?? message.created_counted) - message.created_counted;
  const left = message.scrolls.map(({ due_in }) => due_in - passed);
  return [
    `${subjectOfWarning(left)}. If you do nothing, ${left.length === 1 ? 'it is' : 'they are'} sent.`,
    ...(linkToken === null
      ? ['Only signing in shows now that you are here.', `${origin}/enter`]
      : ['If you are still here, open this page and press the button.', `${origin}/still-here#${linkToken}`]),
  ].join('\n');
}

/** @param left milliseconds to each letter's release */
function subjectOfWarning(left: readonly number[]): string {
  const soonest = Math.min(...left);
  const when = soonest > 0 ? inWords(soonest) : null;
  if (left.length === 0) return 'A letter of yours is due';
  if (left.length === 1) return when ? `A letter of yours is due in ${when}` : 'A letter of yours is due';
  return when
    ? `${left.length} letters of yours are due, the first in ${when}`
    : `${left.length} letters of yours are due`;
}

/** The label is no title: its author wrote it for this server to read. */
const nameOf = (label: string | null): string =>
  label === null ? 'A letter without a label' : `“${isolated(label)}”`;

/** How a warning names a letter. */
function aboutLetter({ label, armed_at, time_zone, recipients }: NamedScroll, left: number): string {
  const armed = armed_at === null ? '' : `activated on ${inDays(armed_at, time_zone)}, `;
  const whom = recipients === 1 ? 'one recipient' : `${recipients} recipients`;
  const when =
    left > 0
      ? `It is sent in about ${inWords(left)}.`
      : `Its time has come. It is sent within ${inWords(switchRules.graceAfterWarning)}.`;
  return `${nameOf(label)}, ${armed}for ${whom}. ${when}`;
}

const inDays = (time: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone }).format(time);

const press = (origin: string, token: string): Part[] => [
  { label: 'I am still here', url: `${origin}/still-here#${token}` },
  'Follow the link and press the button on that page. Opening the page alone does not count. The link counts once, and for all of your letters. Signing in counts as well.',
];

const signInOnly = (origin: string): Part[] => [
  'You have used links in mails several times in a row. Only signing in counts now.',
  { label: 'Sign in', url: `${origin}/enter` },
];

/** To an author, whose letters have been sent: what can be taken back, and where. */
function afterRelease({ releases }: LetterRow, { origin }: LetterOptions): Words {
  const [first] = releases;
  return {
    subject:
      first && releases.length === 1
        ? `Your letter was sent on ${inDays(first.released_at, first.time_zone)}`
        : `${releases.length} letters of yours were sent`,
    parts: [
      `You keep a vault at ${hostOf(origin)}. This is what was sent from there.`,
      { list: releases.map(aboutRelease) },
      'If you read this and it was too soon, you can still stop what has not happened yet. Sign in, and delete the letter there. Then:',
      {
        list: [
          'Whoever has not opened the letter cannot open it any more.',
          'Messages that have not left never leave.',
          'Reminders end, and nobody else is told.',
        ],
      },
      { label: 'Go to your letters', url: `${origin}/legacy-scroll` },
      'What somebody has opened cannot be taken back.',
      'If this is not your vault, do nothing.',
    ],
  };
}

function aboutRelease({ scroll_id, label, recipients, opened, unsent, later, ...release }: NamedRelease) {
  const day = inDays(release.released_at, release.time_zone);
  const sent = `${nameOf(label)}, sent on ${day} to ${people(recipients)}.`;
  if (scroll_id === null) return `${sent} It was deleted since.`;
  return [
    sent,
    opened === 0
      ? 'Nobody has opened it.'
      : `${capital(people(opened))} ${opened === 1 ? 'has' : 'have'} opened it.`,
    ...(unsent === 0 ? [] : [`${capital(inNumbers(unsent))} ${messages(unsent)} not left yet.`]),
    ...(later === 0
      ? []
      : [`${capital(people(later))} more ${later === 1 ? 'is' : 'are'} told only if nobody opens it.`]),
  ].join(' ');
}

const NUMBERS = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];
const inNumbers = (n: number): string => NUMBERS[n] ?? String(n);
const people = (n: number): string => `${inNumbers(n)} ${n === 1 ? 'person' : 'people'}`;
const messages = (n: number): string => (n === 1 ? 'message has' : 'messages have');
const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** To an author's trusted contact. It gives no label: these are the author's and this server's alone. */
function contactWarning(message: LetterRow, options: LetterOptions): Words {
  const { origin, linkToken, countedTime } = options;
  const declineUrl = stopLink(options);
  const passed = (countedTime ?? message.created_counted) - message.created_counted;
  const soonest = Math.min(...message.scrolls.map(({ due_in }) => due_in - passed));
  const one = message.scrolls.length === 1;
  const they = one ? 'It is' : 'They are';
  const when = soonest > 0 ? `in about ${inWords(soonest)}` : 'soon';
  return {
    subject: 'You are asked before letters are sent',
    parts: [
      {
        lines: [
          `Who this is about: somebody who keeps a vault at ${hostOf(origin)}.${byName(message)}`,
          `What they ask of you: to tell this server if it is too soon. They named you${hello(message)} as their trusted contact.`,
          'What it costs: nothing. Nobody asks you for money or for data about you.',
        ],
      },
      `They have written ${one ? 'a letter' : 'letters'} to people they chose. They have not been active at this server for a long time. ${they} sent ${when}.`,
      'If you can reach them, ask them to sign in. Then nothing is sent, and their time begins anew.',
      ...(linkToken === null
        ? ['You have postponed this before. That is possible once, and not again now.']
        : mayPostpone(origin, linkToken)),
      'You cannot read the letters, and neither can this server. You cannot stop them, and you are not told to whom they go.',
      'If you do nothing, they are sent as their author wished. If you do not know what this is, do nothing.',
      ...(declineUrl === null
        ? []
        : [
            'If you do not want to be asked, say so on the page of this link. Then this server writes to you about them no more, and their author is told.',
            { label: 'Do not ask me any more', url: declineUrl },
          ]),
    ],
  };
}

const hello = ({ contact_name: name }: LetterRow): string => (name === null ? '' : `, “${isolated(name)}”,`);

const mayPostpone = (origin: string, token: string): Part[] => [
  `If you cannot, and need time, you can postpone this once, by ${inWords(switchRules.postponement)}. Their author is told that you did.`,
  { label: `Postpone by ${inWords(switchRules.postponement)}`, url: `${origin}/still-here#${token}` },
  'Follow the link and press the button on that page. Opening the page alone changes nothing.',
];

/** To an author. */
function postponed(message: LetterRow, { origin, linkToken }: LetterOptions): Words {
  const who =
    message.contact_name === null
      ? 'Your trusted contact'
      : `“${isolated(message.contact_name)}”, your trusted contact,`;
  return {
    subject: 'Your trusted contact postponed your letters',
    parts: [
      `You keep a vault at ${hostOf(origin)}. You have not been active there for some time.`,
      `${who} has postponed the letters that are sent when you are not active. None of them is sent for ${inWords(switchRules.postponement)} from then. This is possible once. It becomes possible again when you have been active, or when a pause of the whole server has ended.`,
      'If you are here, say so. That ends the postponement, and every countdown begins anew.',
      ...(linkToken === null ? signInOnly(origin) : press(origin, linkToken)),
      'To send a letter at once, sign in and release it. To name somebody else or nobody, sign in and change your trusted contact.',
      'If this is not your vault, do nothing. Confirming would say that its owner is here.',
    ],
  };
}

function proveAddress(_message: LetterRow, { origin, linkToken }: LetterOptions): Words {
  const host = hostOf(origin);
  if (linkToken === null) throw new Error('an address is confirmed by a link');
  return {
    subject: `Confirm this address for warnings from ${host}`,
    parts: [
      `Somebody who keeps a vault at ${host} wants to get warnings at this address. A warning comes before a letter of theirs is sent to others.`,
      { label: 'Let warnings come here', url: `${origin}/still-here#${linkToken}` },
      'Follow the link and press the button on that page. Opening the page alone does not count.',
      'If this was not you, do nothing. Then no warning is sent here.',
    ],
  };
}

function proofInShort(_message: LetterRow, { origin, linkToken }: LetterOptions): string {
  if (linkToken === null) throw new Error('a number is confirmed by a link');
  return [
    `Shall warnings about letters kept at ${hostOf(origin)} come to this number?`,
    'Then open this page and press the button. If this was not you, do nothing.',
    `${origin}/still-here#${linkToken}`,
  ].join('\n');
}

const ANOTHER_DATABASE =
  'Why: its database may not be the one that is in use. This happens when a backup was restored, or after a move to another machine or address.';

const untilConfirmed = ({ goesOnByItself, origin }: LetterOptions) =>
  goesOnByItself
    ? `If nobody confirms, the server goes on by itself, because its administrator may not be able to answer any more. It does so when it has run for ${inWords(switchRules.pauseEndsAfter)}, if ${hostOf(origin)} still leads to it then.`
    : 'The server does not go on before that.';

const untilAdministratorConfirms = ({ goesOnByItself, origin }: LetterOptions) =>
  goesOnByItself
    ? `If nobody confirms, the server goes on by itself, because an administrator may not be able to answer any more. It does so when it has run for ${inWords(switchRules.pauseEndsAfter)} since a mail server accepted the first of the mails to authors. Where none is accepted, it does so after ${inWords(switchRules.pauseEndsUntoldAfter)}. ${hostOf(origin)} has to lead to it then.`
    : 'The server does not go on before you confirm.';

/** For how long nothing is sent once the server goes on. */
const heldAfterPause = ({ goesOnByItself }: LetterOptions) =>
  goesOnByItself
    ? `${inWords(switchRules.holdAfterOutage)}, or for ${inWords(switchRules.holdAfterLongOutage)} if nobody has confirmed`
    : inWords(switchRules.holdAfterOutage);

/** To an author. */
function paused(_message: LetterRow, options: LetterOptions): Words {
  const host = hostOf(options.origin);
  return {
    subject: `Your letters at ${host} are held back`,
    parts: [
      `You keep a vault at ${host}. The server there has stopped sending letters.`,
      `${ANOTHER_DATABASE} If it is a backup, what you did after it was made is missing.`,
      `Nobody is warned and no letter is sent until the administrator has confirmed that this database is the right one. ${untilConfirmed(options)}`,
      `When the server goes on, letters that wait for your inactivity begin their countdown anew. A letter whose date has come is held back for ${heldAfterPause(options)}, and then sent.`,
      'Please sign in. See whether your letters are as you left them.',
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
      `You administer the server at ${host}. It has stopped sending legacy scrolls. Nobody is warned and nothing is sent.`,
      ANOTHER_DATABASE,
      'Make sure that this is the newest database there is. Make sure that no other copy of this server is running. Then confirm it on this page, or run “npm run confirm-switch” on the server.',
      { label: 'Check and confirm', url: `${options.origin}/outbox` },
      `When the server goes on, every countdown begins anew, and nothing is sent for ${heldAfterPause(options)}.`,
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
  return `${parts.map(partAsText).join('\n\n')}\n`;
}

function partAsText(part: Part): string {
  if (typeof part === 'string') return part;
  if ('lines' in part) return part.lines.join('\n');
  return 'list' in part ? part.list.map((one) => `- ${one}`).join('\n') : `${part.label}\n${part.url}`;
}

/**
 * No colours, so that it is read in whatever colours its reader has. What must be escaped is written by name: a number
 * would bring the sign with which keys begin.
 */
function asHtml({ subject, parts }: Words): string {
  const paragraphs = parts.map(partAsHtml);
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

function partAsHtml(part: Part): string {
  if (typeof part === 'string') return `<p style="margin: 0 0 1em">${escaped(part)}</p>`;
  if ('lines' in part) return `<p style="margin: 0 0 1em">${part.lines.map(escaped).join('<br>\n')}</p>`;
  if ('list' in part) {
    return `<ul style="margin: 0 0 1em; padding-left: 1.2em">\n${part.list.map((one) => `<li>${escaped(one)}</li>`).join('\n')}\n</ul>`;
  }
  return `<p style="margin: 1.5em 0"><a href="${escaped(part.url)}" style="color: inherit; font-size: 1.2em">${escaped(part.label)}</a><br><span style="word-break: break-all">${escaped(part.url)}</span></p>`;
}

const NAMES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => NAMES[sign] ?? sign);
