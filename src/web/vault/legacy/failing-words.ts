// That this server cannot send mail or text messages just now, in words.
import type { FailingTransports } from '../../../shared/nouns/switch-state.ts';
import { formatMoment } from '../../ui/moments.ts';

export interface FailingWords {
  /** Such as "mail". */
  what: string;
  /** Such as "This server cannot send mail since yesterday, 12:00." */
  says: string;
}

/** Null where everything that is asked about works, as far as is known. */
export function failingWords(
  { noMailSince, noTextsSince }: FailingTransports,
  about: { mail: boolean; texts: boolean } = { mail: true, texts: true },
): FailingWords | null {
  const failing = [
    ...(about.mail && noMailSince !== null ? [{ what: 'mail', since: noMailSince }] : []),
    ...(about.texts && noTextsSince !== null ? [{ what: 'text messages', since: noTextsSince }] : []),
  ];
  if (failing.length === 0) return null;
  const what = failing.map((one) => one.what).join(' or ');
  const since = failing.map((one) => `${one.what} since ${formatMoment(one.since)}`).join(', and ');
  return { what, says: `This server cannot send ${since}. It keeps trying.` };
}
