// What is written of trusted contacts: to them before letters are sent, and to the author whose letters one has postponed.
import { switchRules } from '../../shared/nouns/switch-rules.ts';
import {
  hostOf,
  inWords,
  isolated,
  type LetterOptions,
  type LetterRow,
  type Part,
  press,
  signInOnly,
  type Words,
} from './letter-parts.ts';
import { byName, stopLink } from './letters-to-recipients.ts';

/** To an author's trusted contact. It gives no label: these are the author's and this server's alone. */
export function contactWarning(message: LetterRow, options: LetterOptions): Words {
  const { origin, linkToken, countedTime } = options;
  const declineUrl = stopLink(options);
  const passed = (countedTime ?? message.created_counted) - message.created_counted;
  const soonest = Math.min(...message.scrolls.map(({ due_in }) => due_in - passed));
  const one = message.scrolls.length === 1;
  const they = one ? 'It is' : 'They are';
  // It is later where the author was warned late: no letter is sent before a day has passed since.
  const when = soonest > 0 ? `in about ${inWords(soonest)} at the earliest` : 'soon';
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
export function postponed(message: LetterRow, { origin, linkToken }: LetterOptions): Words {
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
