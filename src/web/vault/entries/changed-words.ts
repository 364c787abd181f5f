// What a person is told of facts that the server shows otherwise than they were sealed, in a sentence each. Pure.

import { type EventType, eventLabel, weightOf } from '../../../shared/nouns/moment-kinds.ts';
import { type StoryType, storyLabel } from '../../../shared/nouns/story-types.ts';
import type { ChangedFact } from '../../../shared/sealed-facts.ts';
import { formatMoment } from '../../ui/moments.ts';

/** A moment, or the text as it is where it is none. */
const moment = (text: string) => (Number.isNaN(Date.parse(text)) ? text : formatMoment(text));
const orNone = (text: string) => text || 'none';

const ways: Record<string, string> = {
  card: 'by a key card',
  passphrase: 'by a passphrase',
  vault: 'in their vault',
  none: 'without a key',
};

/** Everything that was chosen of each recipient: two lists differ in words wherever they differ. */
function recipients(text: string): string {
  const all = JSON.parse(text || '[]') as (string | null)[][];
  const one = ([type, address, tell, access, card, page]: (string | null)[]) =>
    [
      type === 'card' ? 'whoever has the key card' : address,
      `${ways[access ?? ''] ?? access}${card ? ` number ${card.slice(0, 6)}` : ''}`,
      tell === 'if-unopened' && 'told if nobody else has opened it',
      page && `at /legacy/${page}`,
    ]
      .filter(Boolean)
      .join(', ');
  return all.map(one).join('; ') || 'nobody';
}

const triggers: Record<string, string> = {
  inactivity: 'your inactivity',
  date: 'a date',
  manual: 'your hand',
};

/** Of each fact: what it is called, at the beginning of a sentence, and how its text is said. */
const facts: Record<string, [label: string, say: (text: string) => string]> = {
  timeLockUntil: ['Its lock date', (text) => (text ? moment(text) : 'none')],
  eventType: ['The kind in the clear', (text) => eventLabel(text as EventType)],
  emotionalWeight: ['The weight in the clear', (text) => weightOf(Number(text)).label],
  storyType: ['Its kind', (text) => storyLabel(text as StoryType)],
  entryType: ['What it leads to', (text) => text],
  expiresAt: ['Its end', moment],
  hasPassphrase: ['Its passphrase', (text) => (text === 'true' ? 'set' : 'none')],
  maxReads: ['Its number of readings', (text) => text || 'unlimited'],
  triggerType: ['What releases it', (text) => triggers[text] ?? text],
  triggerValue: ['Its time of release', (text) => (/^\d+$/.test(text) ? `after ${text} days` : text)],
  timeZone: ['Its time zone', orNone],
  authorName: ['The name that its mails give as yours', orNone],
  recipients: ['Who receives it', recipients],
};

/** One sentence or two, such as "Its lock date was 3 May 2027, 00:00 when you sealed it. The server now says: none." */
export function changedWords({ fact, sealed, shown }: ChangedFact): string {
  if (fact === 'version') {
    return Number(sealed) < Number(shown)
      ? `The server shows an older version (${sealed}) as the newest (${shown}).`
      : `The server shows version ${sealed} as version ${shown}.`;
  }
  if (fact === 'updatedAt') {
    return `The server has put parts of two versions together: one was sealed on ${moment(sealed)}, the other on ${moment(shown)}.`;
  }
  const [label, say] = facts[fact] ?? [`Its ${fact}`, orNone];
  return `${label} was ${say(sealed)} when you sealed it. The server now says: ${say(shown)}.`;
}
