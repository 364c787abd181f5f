// What an author is told of their guardians: that a kit was made or removed, that they have asked for the vault, that this was
// stopped, and that the vault was opened. None of it names a kit or a guardian, because the server knows neither.
import { switchRules } from '../../shared/nouns/switch-rules.ts';
import {
  hostOf,
  inWords,
  type LetterOptions,
  type LetterRow,
  type NamedKit,
  type Part,
  signInOnly,
  type Words,
} from './letter-parts.ts';

const day = (time: number): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(time);

/** Milliseconds until a vault opens, for whoever reads the warning now: a day after the first accepted one at the earliest. */
function leftOf({ deadline, accepted }: NamedKit, now: number): number {
  return Math.max(deadline - now, (accepted ?? now) + switchRules.graceAfterWarning - now);
}

/** What is soonest, and whether it is asked for again after it was stopped. */
function inAll({ kits, created_counted: written }: LetterRow, { countedTime: now = written }: LetterOptions) {
  const isOver = kits.some((kit) => kit.isOver);
  const left = kits.length > 0 ? inWords(Math.min(...kits.map((kit) => leftOf(kit, now)))) : null;
  return { isOver, left, isAgain: kits.some(({ isAskedAgain }) => isAskedAgain) };
}

function subjectOf({ isOver, left, isAgain }: ReturnType<typeof inAll>): string {
  if (isOver) return 'Your guardians can open your vault now';
  const asked = isAgain ? 'AGAIN: guardians ask' : 'Guardians ask';
  return left === null ? `${asked} for your vault` : `${asked}. Your vault opens in ${left}`;
}

export function kitAsked(message: LetterRow, options: LetterOptions): Words {
  const { origin, linkToken } = options;
  const all = inAll(message, options);
  return {
    subject: subjectOf(all),
    parts: [
      `You keep a vault at ${hostOf(origin)}. People to whom you gave sheets have put enough of them together, and ask to open it.`,
      ...(all.isAgain
        ? ['This was stopped not long ago, because you were active. Somebody has asked again since.']
        : []),
      all.isOver
        ? 'Their wait is over. They can open it now, and read everything in it, as long as you do not stop it.'
        : 'If you do nothing, they can read everything in it once the wait is over. That cannot be undone.',
      { list: message.kits.map((kit) => aboutKit(kit, message, options)) },
      'If you are here, stop it. Any other sign of you, such as signing in, stops it as well.',
      ...(linkToken === null ? signInOnly(origin) : pressToStop(origin, linkToken)),
      'Do you no longer trust somebody who has a sheet? Then remove the kit in your settings. No sheet of it opens anything here from then on.',
      'If this is not your vault, do nothing. Stopping would say that its owner is here.',
    ],
  };
}

const pressToStop = (origin: string, token: string): Part[] => [
  { label: 'I am here: stop it', url: `${origin}/still-here#${token}` },
  'Follow the link and press the button on that page. Opening the page alone does not count. The link counts once, and for all that waits.',
];

function aboutKit(kit: NamedKit, message: LetterRow, { countedTime }: LetterOptions): string {
  const sheets = `The kit of ${day(kit.created_at)}, of which ${kit.needed} of ${kit.count} sheets are enough`;
  const asked = kit.asked_at === null ? '' : `, asked for on ${day(kit.asked_at)}`;
  if (kit.isOver) return `${sheets}${asked}. Its wait is over.`;
  const left = inWords(leftOf(kit, countedTime ?? message.created_counted));
  return `${sheets}${asked}. It opens in about ${left}.`;
}

/** Plain characters alone: it is read on locked screens, and costs by its length. */
export function kitAskedInShort(message: LetterRow, options: LetterOptions): string {
  const { origin, linkToken } = options;
  return [
    `${subjectOf(inAll(message, options))}.`,
    ...(linkToken === null
      ? ['Only signing in stops it now.', `${origin}/enter`]
      : [
          'If you are here, open this page and press the button. That stops it.',
          `${origin}/still-here#${linkToken}`,
        ]),
  ].join('\n');
}

/** When what it tells of happened, by the calendar. */
const whenIt = ({ deadline: at }: LetterRow): string => (at === null ? '' : ` on ${day(at)}`);

/** The words for one kit, or for all of which a mail tells that left later than they were made or removed. */
function asMany(message: LetterRow) {
  const { step: count } = message;
  if (count < 2)
    return { kits: 'A kit', the: 'the kit', were: 'was', times: whenIt(message), them: 'it', their: 'its' };
  const times = `, the first${whenIt(message)}`;
  return { kits: `${count} kits`, the: 'the kits', were: 'were', times, them: 'them', their: 'their' };
}

export function kitStopped(message: LetterRow, { origin }: LetterOptions): Words {
  return {
    subject: 'You were active, so your guardians’ wait was stopped',
    parts: [
      `You keep a vault at ${hostOf(origin)}. People to whom you gave sheets put enough of them together and asked to open it${whenIt(message)}.`,
      'You have been active since, so it was stopped. Your settings say whether it was opened before that.',
      'They can ask again, ten times in all for a kit, and you would be told again. If you do not want that, remove the kit in your settings. No sheet of it opens anything here from then on.',
      { label: 'Go to your settings', url: `${origin}/settings` },
      'If this is not your vault, do nothing.',
    ],
  };
}

export function kitOpened(message: LetterRow, { origin }: LetterOptions): Words {
  return {
    subject: 'Your guardians have opened your vault',
    parts: [
      `You keep a vault at ${hostOf(origin)}. People to whom you gave sheets asked to open it${whenIt(message)}. The wait is over, and they were given what opens it.`,
      'They can read everything in it. That cannot be undone.',
      'If you read this and it was too soon, sign in, remove the kit, and regenerate your key. What you write from then on is closed to them.',
      { label: 'Go to your settings', url: `${origin}/settings` },
      'If this is not your vault, do nothing.',
    ],
  };
}

/** Whoever holds a device that is signed in can make one, so its owner hears of it wherever they are. */
export function kitMade(message: LetterRow, { origin }: LetterOptions): Words {
  const { kits, the, were, times, them } = asMany(message);
  return {
    subject: `${kits} of sheets for guardians ${were} made for your vault`,
    parts: [
      `You keep a vault at ${hostOf(origin)}. ${kits} of sheets ${were} made there${times}. With the sheets of a kit, several people together can ask for your vault. You are told when they do, and can stop it.`,
      `If you made ${them}, there is nothing to do.`,
      `If you did not, somebody else has a device of yours, or your key. Sign in, remove ${the}, sign out the devices that are not yours, and regenerate your key.`,
      { label: 'Go to your settings', url: `${origin}/settings` },
      'If this is not your vault, do nothing.',
    ],
  };
}

export function kitRemoved(message: LetterRow, { origin }: LetterOptions): Words {
  const { kits, were, times, them, their } = asMany(message);
  return {
    subject: `${kits} of sheets for guardians ${were} removed from your vault`,
    parts: [
      `You keep a vault at ${hostOf(origin)}. ${kits} of sheets ${were} removed there${times}. Nobody can ask for your vault with ${their} sheets any more.`,
      `If you removed ${them}, there is nothing to do.`,
      'If you did not, somebody else has a device of yours. Sign in, sign out the devices that are not yours, regenerate your key, and make a new kit.',
      { label: 'Go to your settings', url: `${origin}/settings` },
      'If this is not your vault, do nothing.',
    ],
  };
}
