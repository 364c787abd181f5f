// What recipients of a letter are written by a server that has kept it for another one. It brings what opens the letter: its
// reader has nothing else, and never heard of this server.
import { hostOf, type LetterOptions, type LetterRow, type Words } from './letter-parts.ts';
import { byName } from './letters-to-recipients.ts';

export function sisterLetter(message: LetterRow, { origin, linkToken }: LetterOptions): Words {
  const { scroll_public_id: number, sister_home: home, sister_opened: opened } = message;
  if (number === null || linkToken === null || !home)
    throw new Error('a mail names no letter of another instance');
  const [here, there] = [hostOf(origin), hostOf(home)];
  const url = `${origin}/sisters/${number}#${linkToken}`;
  if (opened !== null) return openedBefore({ here, there, url }, message);
  return {
    subject: 'A letter was left for you',
    parts: [
      {
        lines: [
          `Who this is from: somebody who kept a vault at ${there}.${byName(message)}`,
          'What opens it: the link in this message. You need no key card and no passphrase.',
          'What it costs: nothing. Nobody asks you for money or for data about you.',
        ],
      },
      `They wrote you a letter. They asked several servers to keep it, and to open it together once they had given no sign for long. ${here} is one of these servers. You can open the letter from now on.`,
      { label: 'Open the letter', url },
      'The link is for you alone. Whoever has it can read the letter, so do not pass this message on.',
      'Others of these servers may write to you as well, each of them once, with some days between. It is always the same letter: if you have read it, you need not do anything.',
      'The page asks the other servers for what they keep. If too few of them answer, it says how many are missing. Nothing is lost then: try again on another day.',
      'Nothing else is asked of you, here or on that page: no money, no account, no password of yours, nothing about yourself. If somebody asks you for any of these because of this letter, it is not this server.',
      `How to check this message: the page is on ${here}. Ask the people close to the author whether they knew of this server, or of ${there}. Ask in a way that you have used before.`,
      'If none of this is yours, do nothing.',
    ],
  };
}

/** For whoever has opened it already, as far as anybody but them can know. It is no second letter: it tells them if it was another. */
function openedBefore(
  { here, there, url }: { here: string; there: string; url: string },
  message: LetterRow,
): Words {
  return {
    subject: 'The letter that was left for you was opened',
    parts: [
      `Somebody has opened the letter that was left for you by somebody who kept a vault at ${there}.${byName(message)} If that was you, you need not do anything: this is the same letter.`,
      `If it was not you, somebody else knows the link that was meant for you, and you can still read the letter. ${here} is one of the servers that keep it.`,
      { label: 'Open the letter', url },
      'No server can know who has opened it. That is why each of those that keep the letter writes to you once.',
      'Nothing is asked of you, here or on that page: no money, no account, no password of yours, nothing about yourself.',
    ],
  };
}
