// What recipients of a scroll are written: people who have learnt to distrust such mail.
import { switchRules } from '../../shared/nouns/switch-rules.ts';
import {
  hostOf,
  inWords,
  isolated,
  type LetterOptions,
  type LetterRow,
  type Part,
  type Words,
} from './letter-parts.ts';

function scrollPage({ scroll_public_id: number }: LetterRow, { origin }: LetterOptions): string {
  if (number === null) throw new Error('a release names no letter');
  return `${origin}/legacy/${number}`;
}

/** What ends the reminders, the rehearsals, the yearly mails about them, or such mails to a contact. Like all that goes to a recipient it has no sign behind which keys stand. */
export const stopLink = ({ origin, stopToken }: LetterOptions): string | null =>
  stopToken === undefined ? null : `${origin}/api/reminders/${stopToken}`;

export function release(message: LetterRow, options: LetterOptions): Words {
  const [times, last] = [switchRules.reminders.length, switchRules.reminders.at(-1) ?? 0];
  return {
    subject: 'A letter was left for you',
    parts: [
      firstLines(message, options),
      'They wrote you a letter. You can open it from now on.',
      ...howToOpen(message, options),
      'Why you get this now: the author chose this day, or released the letter by hand, or was not active here for as long as they had set. This server knows no more than that.',
      message.sheets_needed === null
        ? 'If you do not know what this is, look through what you were given to keep. Ask the people close to you whether anybody gave you such a card, or agreed on a passphrase with you. The letter is not kept for ever.'
        : 'If you do not know what this is, ask the people close to you and to the author whether anybody has such a sheet. The letter is not kept for ever.',
      `If none of this is yours, do nothing. Nobody can read the letter without the key. Until it is opened, this server reminds you ${times} times within ${inWords(last)}. Then it stops. A link in the reminders ends them sooner.`,
    ],
  };
}

export function reminder(message: LetterRow, options: LetterOptions): Words {
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
    `What to look for: ${message.sheets_needed === null ? 'the key card that they gave you, or the passphrase that you agreed on.' : bySheets(message.sheets_needed)}`,
    'What it costs: nothing. Nobody asks you for money or for data about you.',
  ],
});

/** Who the people are, the server does not know. */
const bySheets = (needed: number): string =>
  `the sheets of ${inFigures(needed)} people. The author split the key of the letter among people they trusted, and gave each of them a sheet of paper. ${capitalised(inFigures(needed))} of these sheets open it together. The author, or somebody close to them, has told you who these people are.`;

const keyOf = ({ sheets_needed: needed }: LetterRow): string =>
  needed === null ? 'the key card' : 'each sheet';

const inFigures = (count: number): string => (count === 2 ? 'two' : String(count));
const capitalised = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** What the author wanted to be called. Nobody has checked it, and the reader is told so. */
export const byName = ({ author_name: name }: LetterRow): string =>
  name === null
    ? ' They gave no name.'
    : ` They give their name as “${isolated(name)}”. This server has not checked the name.`;

/** What opens it, what is never asked for, and how to check it. */
const howToOpen = (message: LetterRow, options: LetterOptions): Part[] => [
  { label: 'Go to the letter', url: scrollPage(message, options) },
  message.sheets_needed === null
    ? 'The key card is a sheet of paper with a code to scan, or a link with a long key. The passphrase is some words that you and the author know. One of them opens the letter. This message has neither of them.'
    : 'A sheet has a code to scan, and twenty-seven words. Ask these people for theirs, and type the words on the page of the letter. One sheet alone opens nothing. This message has none of them, and this server does not know who has them.',
  'Nothing else is asked of you, here or on that page: no money, no account, no password of yours, nothing about yourself. If somebody asks you for any of these because of this letter, it is not this server.',
  `How to check this message: you do not have to use the link in it. ${capitalised(keyOf(message))}, or what the author told you, names the page of the letter. Go to the page by that. It must be on the same server, ${hostOf(options.origin)}. If ${message.sheets_needed === null ? 'the card' : 'the sheet'} names another server, do not trust this message. If you are not sure, ask the author or somebody close to them. Ask in a way that you have used before.`,
  'This server cannot read the letter. It cannot make another key.',
];

/** Plain characters alone: one other halves what fits into a text message. So it gives no name. */
export function releaseInShort(message: LetterRow, options: LetterOptions): string {
  const who = message.kind === 'reminder' ? 'Reminder: somebody' : 'Somebody';
  return [
    `${who} wrote you a letter.`,
    message.sheets_needed === null
      ? 'Look for the key card they gave you, or your passphrase.'
      : `${message.sheets_needed} people have sheets that open it together.`,
    'It costs nothing. Nobody asks for money or data.',
    scrollPage(message, options),
  ].join('\n');
}

/** To a recipient: the same way as a release, and said first that it is none. */
export function rehearsal(message: LetterRow, options: LetterOptions): Words {
  const stopUrl = stopLink(options);
  return {
    subject: 'A rehearsal: please try your key',
    parts: [
      'This is a rehearsal. Nothing has happened to anybody, and no letter is opened by it.',
      firstLines(message, options),
      'They have written you a letter that you may get one day. They ask you to try now whether you could open it then. It takes a minute.',
      { label: 'Go to the rehearsal', url: scrollPage(message, options) },
      `${message.sheets_needed === null ? 'Take your key card, or the passphrase that you agreed on' : `Ask ${inFigures(message.sheets_needed)} of these people for the words of their sheets`}, and follow the page. You then read one sentence that they wrote for the rehearsal. They are told that it worked, and nothing else about you.`,
      message.sheets_needed === null
        ? 'If you cannot find the card, or the passphrase does not work, say so on that page, or tell them yourself. They can make you another one now. Later nobody can.'
        : 'If you cannot find enough of the sheets, say so on that page, or tell them yourself. They can make new ones now. Later nobody can.',
      `Nothing else is asked of you, here or on that page: no money, no account, no password of yours, nothing about yourself. How to check this message: you do not have to use the link in it. ${capitalised(keyOf(message))} names the page as well. It must be on the same server, ${hostOf(options.origin)}. If you are not sure, ask the author. Ask in a way that you have used before.`,
      'If none of this is yours, do nothing. This is one message. No reminder follows.',
      ...(stopUrl === null
        ? []
        : [
            'They may ask you again some day. If you want no more rehearsals of this letter, press here. The letter itself is still sent to you when its time comes, and your key still opens it.',
            { label: 'No more rehearsals', url: stopUrl },
          ]),
    ],
  };
}

/** Plain characters alone, as a release. */
export function rehearsalInShort(message: LetterRow, options: LetterOptions): string {
  return [
    'A rehearsal, nothing has happened.',
    message.sheets_needed === null
      ? 'Somebody wrote you a letter for one day. Please try your key card or passphrase now.'
      : `Somebody wrote you a letter for one day. Please try now whether ${message.sheets_needed} of the sheets are found.`,
    'It costs nothing.',
    scrollPage(message, options),
  ].join('\n');
}
