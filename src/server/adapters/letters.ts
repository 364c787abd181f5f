// What messages say. A letter is written anew whenever it is sent. It holds no key, no word and no title of a scroll, asks
// nothing of the network when it is read, and says nothing of its author but that they wrote something, and the name that
// they wanted it to give. A release is read by people who have learnt to distrust such mail: it says what it is, that
// nothing is asked for, and how to check it without following its link.
import { switchRules } from '../../shared/nouns/switch-rules.ts';
import {
  asHtml,
  asText,
  hostOf,
  inWords,
  isolated,
  type LetterOptions,
  type LetterRow,
  type NamedRelease,
  type NamedScroll,
  press,
  signInOnly,
  type Words,
} from './letter-parts.ts';
import { confirmSwitch, paused } from './letters-of-a-pause.ts';
import { contactWarning, postponed } from './letters-of-contacts.ts';
import { kitAsked, kitAskedInShort, kitMade, kitOpened, kitRemoved, kitStopped } from './letters-of-kits.ts';
import { sisterLetter } from './letters-of-sisters.ts';
import {
  rehearsal,
  rehearsalInShort,
  release,
  releaseInShort,
  reminder,
  stopLink,
} from './letters-to-recipients.ts';
import type { Letter } from './transport.ts';

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
  rehearsal,
  'rehearsal-due': rehearsalDue,
  'kit-asked': kitAsked,
  'kit-stopped': kitStopped,
  'kit-opened': kitOpened,
  'kit-made': kitMade,
  'kit-removed': kitRemoved,
  'sister-letter': sisterLetter,
  'prove-address': proveAddress,
  paused,
  'confirm-switch': confirmSwitch,
};

/** What goes by text message as well. */
const SHORT: Partial<Record<LetterRow['kind'], (message: LetterRow, options: LetterOptions) => string>> = {
  release: releaseInShort,
  reminder: releaseInShort,
  warning: warningInShort,
  rehearsal: rehearsalInShort,
  'kit-asked': kitAskedInShort,
  'prove-address': proofInShort,
};

/** To an author. It asks for no press: rehearsing is theirs to decide. */
function rehearsalDue({ step: letters }: LetterRow, options: LetterOptions): Words {
  const { origin } = options;
  const stopUrl = stopLink(options);
  const these = letters === 1 ? 'a letter of yours' : `${letters} letters of yours`;
  return {
    subject: `A year without a rehearsal of ${these}`,
    parts: [
      `You keep a vault at ${hostOf(origin)}. For a year nobody has tried whether the people you chose could open ${these}.`,
      'In a year cards are lost, passphrases are forgotten and addresses change. A rehearsal finds that out while you can still mend it. It sends each of them a message, and they open one sentence. It reveals nothing of the letter and changes no time.',
      { label: 'Go to your letters', url: `${origin}/legacy-scroll` },
      'You get this once a year. If this is not your vault, do nothing.',
      ...(stopUrl === null ? [] : [{ label: 'No more of these mails', url: stopUrl }]),
    ],
  };
}

function warning(message: LetterRow, { origin, linkToken, countedTime }: LetterOptions): Words {
  const letters = message.scrolls.map((scroll) => ({
    ...scroll,
    left: leftOf(scroll, message, countedTime),
  }));
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
  const left = message.scrolls.map((scroll) => leftOf(scroll, message, countedTime));
  return [
    `${subjectOfWarning(left)}. If you do nothing, ${left.length === 1 ? 'it is' : 'they are'} sent.`,
    ...(linkToken === null
      ? ['Only signing in shows now that you are here.', `${origin}/enter`]
      : ['If you are still here, open this page and press the button.', `${origin}/still-here#${linkToken}`]),
  ].join('\n');
}

/**
 * Milliseconds to a letter's release, for whoever reads the warning now: whatever its deadline, none is sent sooner than a day
 * after the first warning that was accepted, and where none was, this is the first.
 */
function leftOf(
  { due_in, accepted }: NamedScroll,
  { created_counted: written }: LetterRow,
  now = written,
): number {
  return Math.max(due_in - (now - written), (accepted ?? now) + switchRules.graceAfterWarning - now);
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
