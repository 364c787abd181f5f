// What is said while not enough of those who keep a letter have let it out.
import type { SisterOpening } from '../../../../vault/legacy/sister-opening.ts';

type Missing = Extract<SisterOpening, { at: 'missing' }>;

const hostsOf = (origins: readonly string[]): string =>
  origins.map((origin) => new URL(origin).host).join(', ');

/** Where no one of those that answer has let it out, it is not time; else some are only not there. */
export const missingTitle = ({ missing, needed }: Pick<Missing, 'missing' | 'needed'>): string =>
  missing === needed
    ? 'It is not yet time'
    : missing === 1
      ? 'One more is missing'
      : `${missing} more are missing`;

export const watchingWords = (origins: readonly string[]): string =>
  origins.length === 1
    ? `${hostsOf(origins)} still waits for its author.`
    : `These still wait for its author: ${hostsOf(origins)}.`;

export const awayWords = (origins: readonly string[]): string =>
  origins.length === 1
    ? `${hostsOf(origins)} does not answer just now.`
    : `These do not answer just now: ${hostsOf(origins)}.`;

export const goneWords = (origins: readonly string[]): string =>
  origins.length === 1
    ? `${hostsOf(origins)} does not have it, or not by this link.`
    : `These do not have it, or not by this link: ${hostsOf(origins)}.`;

/** What can be done meanwhile: nothing by this link where those that are left are too few. */
export const missingLead = ({ missing, needed, away, watching }: Missing): string => {
  const opens = `This letter opens once ${needed} of the servers that keep it say that it is time.`;
  if (away.length + watching.length < missing)
    return `${opens} Too few of them have it by this link. Nothing was opened. Another message about the same letter, from another server, may still open it.`;
  return `${opens} ${missing === 1 ? 'One more has' : `${missing} more have`} to say so. Nothing was opened and nothing was lost: come again with the same link.`;
};
