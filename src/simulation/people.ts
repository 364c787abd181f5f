// Who lives in a simulated server: authors of different temperaments, and what they wish for.

import type { MessageChannel } from '../shared/nouns/scroll-recipients.ts';
import { DAY } from '../shared/time.ts';
import type { ScrollSpec } from './people-store.ts';
import type { Random } from './random.ts';

/** Whether nobody has an address, and every message to it is refused for good. */
export const refusesAll = (address: string): boolean => /^gone-|^\+490/.test(address);

/** How somebody shows that they live: often; rarely; by pressing mails' links alone; often, until they die. */
const temperaments = ['often', 'rarely', 'confirmations', 'dies', 'dies'] as const;
type Temperament = (typeof temperaments)[number];

export interface Author {
  id: number;
  /** Where they read mail; null for those whom the dashboard alone warns. */
  mailbox: string | null;
  temperament: Temperament;
  /** True times. */
  diesAt: number;
  nextActivity: number;
  lastActivityAt: number;
}

const MEAN_LIFE: Record<Temperament, number> = {
  often: 4 * DAY,
  rarely: 35 * DAY,
  confirmations: 200 * DAY,
  dies: 8 * DAY,
};

export function imagineAuthor(
  random: Random,
  { id, mailbox }: Pick<Author, 'id' | 'mailbox'>,
  span: number,
): Author {
  const temperament = random.pick(temperaments);
  const author = {
    id,
    mailbox,
    temperament,
    diesAt: temperament === 'dies' ? random.between(0.05, 0.85) * span : Number.POSITIVE_INFINITY,
    nextActivity: 0,
    lastActivityAt: 0,
  };
  return { ...author, nextActivity: nextActivity(random, author, 0) };
}

export function nextActivity(random: Random, { temperament, diesAt }: Author, time: number): number {
  const next = time + Math.ceil(random.wait(MEAN_LIFE[temperament]));
  return next < diesAt ? next : Number.POSITIVE_INFINITY;
}

const PERIODS = [1, 2, 5, 14, 30, 45, 60, 90, 180];
const channels: MessageChannel[] = ['email', 'email', 'email', 'sms', 'whisper'];

/** Addresses of a vault of this server, and of none. */
export const KNOWN_VAULT = 'a'.repeat(32);
const NO_VAULT = 'b'.repeat(32);

/** @param today the calendar's time now */
export function imagineScroll(
  random: Random,
  author: Author,
  today: number,
  silences: number,
  mailboxes = 0,
): ScrollSpec {
  const kind = random.next();
  const channel = random.pick(channels);
  const number = random.whole(1, mailboxes || 1e6);
  const gone = random.chance(0.1) ? 'gone' : 'here';
  const addresses: Record<MessageChannel, string> = {
    email: `${gone}-${number}@example.org`,
    sms: `+49${gone === 'gone' ? '0' : '1'}${String(number).padStart(7, '0')}`,
    whisper: random.chance(0.7) ? KNOWN_VAULT : NO_VAULT,
  };
  return {
    author: author.id,
    period: kind < silences ? random.pick(PERIODS) * DAY : null,
    dueAt:
      kind >= silences && kind < silences + (1 - silences) * 0.7
        ? Math.floor((today + random.wait(60 * DAY)) / DAY) * DAY + DAY
        : null,
    warning: author.temperament === 'confirmations' || random.chance(0.6) ? 'mail' : 'dashboard',
    channel,
    address: addresses[channel],
  };
}
