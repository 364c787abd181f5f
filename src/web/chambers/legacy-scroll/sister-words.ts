// What is said of sisters: before a letter is left with them, and afterwards.
import { counted } from '../../../shared/counted.ts';
import { SISTER_DAYS_AFTER } from '../../../shared/nouns/sisters.ts';
import type { KeptSister } from '../../../vault/legacy/kept-sisters.ts';
import type { Remembered, Trouble } from '../../../vault/legacy/sister-memory.ts';
import type { ListedSister, Outcome } from '../../../vault/outbox/sister-writer.ts';
import { formatDay } from '../../ui/moments.ts';
import { troubleWords } from '../../vault/legacy/sister-trouble-words.ts';

export const hostOf = (origin: string): string => new URL(origin).host;

/** As in “a.example, b.example and c.example”. */
export function listed(words: readonly string[], joint = 'and'): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${joint} ${last}`;
}

/** The fewest that may be enough: two halves that cannot see each other must never both be. */
export const leastNeeded = (count: number): number => Math.floor(count / 2) + 1;

/** What each can do, said before anything is sent. */
export function powersOf(origins: readonly string[], needed: number): string[] {
  const hosts = origins.map(hostOf);
  const enough = hosts.length === needed ? listed(hosts) : `any ${needed} of ${listed(hosts)}`;
  const stopping = hosts.length - needed + 1;
  return [
    `If those who run ${enough} work together, they can read the letter and its recipients’ addresses, and send it whenever they want. Fewer can do none of this.`,
    `Once ${hosts.length === needed ? 'all' : needed} of them have heard nothing of you for long enough, each of them alone could read it.`,
    stopping === 1
      ? 'If one of them is gone or refuses, the others cannot send it.'
      : `The letter is sent as long as ${needed} of them are there. If ${stopping} are gone or refuse, it is not.`,
  ];
}

/** @param days how many days of silence the letter waits for here */
export const waitWords = (days: number): string =>
  `Each of them waits for ${days + SISTER_DAYS_AFTER} days without a sign of you, ${SISTER_DAYS_AFTER} more than this server. This browser gives them one when you unlock your vault, once a day. They do not warn you, and a link in a warning mail is no sign to them.`;

/** What recipients get, and by what they open it. */
export const MAIL_WORDS = [
  'The mail that they send opens the letter by itself, without a key card or passphrase. Whoever can read a recipient’s mail can read the letter.',
  'Each of them writes once to every recipient with a mail address, so that one letter may bring several mails. They send its words alone: files stay on this server.',
];

/** How one sister stands, as this device knows it. @param change what `changeOf` says of it */
export function sisterWords(
  remembered: Remembered | undefined,
  trouble: Trouble | null,
  change: string | null,
): { says: string; urgent: boolean } {
  const reached = remembered?.reached ?? 0;
  const last = reached > 0 ? `Last reached on ${formatDay(new Date(reached).toISOString())}.` : '';
  const never = 'Not reached yet from this device.';
  if (change) return { says: `${change} ${last}`.trim(), urgent: true };
  if (trouble) return { says: `${troubleWords[trouble]} ${last}`.trim(), urgent: true };
  return { says: last || never, urgent: false };
}

/**
 * What has become of a sister that was not reached, as far as this server's list tells it; null where it only does not answer.
 * @param listed those that this server is joined with now
 */
export function changeOf(
  { origin, address }: KeptSister,
  listed: readonly Pick<ListedSister, 'origin' | 'address'>[],
): string | null {
  const there = listed.find((one) => one.origin === origin);
  if (there?.address === address) return null;
  const moved = listed.find((one) => one.address === address);
  if (moved)
    return `It is at ${hostOf(moved.origin)} now, and its share counts for nothing. Compare its address there, and send the letter to it again.`;
  return there
    ? 'It has other keys now, and cannot open what it keeps. Compare its new address, and send the letter to it again.'
    : 'This server is joined with it no more, so that this browser cannot reach it. It keeps the letter, and will take you for silent.';
}

const outcomes: Record<Outcome, (host: string) => string> = {
  kept: (host) => `${host} keeps it.`,
  away: (host) => `${host} was not reached, and does not have it.`,
  refused: (host) => `${host} does not take it.`,
  later: (host) =>
    `You have left much with sisters lately: this server passes nothing more on to ${host} just now, and it does not have this. Send it again in some days.`,
  other: (host) => `${host} keeps something else than was sent. Do not rely on it.`,
  unconfirmed: (host) =>
    `${host} was given it, and did not answer this browser. A letter that is new to it does not count before it does.`,
};

export const outcomeWords = (origin: string, outcome: Outcome): string => outcomes[outcome](hostOf(origin));

/** What is to be known before a letter is deleted, or a vault destroyed, that some sisters still have. */
export const stillHaveIt = (origins: readonly string[], needed: number): string => {
  const hosts = listed(origins.map(hostOf));
  const can = origins.length >= needed;
  return `${hosts} ${origins.length === 1 ? 'was' : 'were'} not reached, and ${origins.length === 1 ? 'keeps' : 'keep'} the letter. ${
    can
      ? 'Once nothing is heard of you, they send it.'
      : `${counted(needed, 'sister', 'sisters')} would have to keep it for it to be sent, so that it is not.`
  }`;
};
