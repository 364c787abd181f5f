// How long a silence of thirty days lasts on a machine that is not always on: the table in docs/legacy.md.
import { hash } from 'node:crypto';
import { switchRules } from '../shared/nouns/switch-rules.ts';
import { DAY, HOUR, MINUTE } from '../shared/time.ts';
import { openInstance } from './instance-store.ts';
import { allScrolls, isAnythingDue } from './ledger-store.ts';
import { Machine } from './machine.ts';
import { addAuthor, writeScroll } from './people-store.ts';
import { keptJournal, noLog, type Server, startServer } from './server.ts';

export interface UptimePattern {
  name: string;
  /** For how many hours it is on from the beginning of a day on. @param day the first one is 0, a Monday */
  hours: (day: number) => number;
  /** How often a day it is on for so long. Unless told, once. */
  timesADay?: number;
  /** What becomes of the machine between. `stopped`: it is suspended, and its boot clock with it. */
  between: 'suspended' | 'stopped' | 'switched off';
  /** What its calendar says when it is switched on again. Unless told, it is right: a battery keeps it going. */
  calendar?: 'stands still' | 'ahead' | 'jitters';
  /** Whether it follows a time server. */
  synchronised: boolean;
  /** Whether its system tells one start from another. Unless told, it does. */
  numbersBoots?: boolean;
}

/** The real rules; only the tick is longer, so that months pass in seconds. */
const rulesFor = (hours: UptimePattern['hours']) => ({ ...switchRules, tick: tickFor(hours(0) * HOUR) });
const tickFor = (on: number) => (on < 30 * MINUTE ? MINUTE : on < HOUR ? 10 * MINUTE : 30 * MINUTE);
const START = Date.parse('2030-01-07T00:00:00Z');
/** Nobody waits longer for a row of the table. */
const AT_MOST = 160;
const PERIOD = 30 * DAY;
/** By how much a calendar is set forth and back that jitters. */
const JITTER = 20 * MINUTE;

const daily = (hours: number) => () => hours;

export const uptimePatterns: UptimePattern[] = [
  { name: 'always', hours: daily(24), between: 'switched off', synchronised: false },
  { name: '16 hours a day', hours: daily(16), between: 'switched off', synchronised: false },
  { name: '8 hours a day', hours: daily(8), between: 'switched off', synchronised: false },
  { name: '8 hours a day', hours: daily(8), between: 'suspended', synchronised: false },
  { name: '2 hours a day', hours: daily(2), between: 'switched off', synchronised: false },
  { name: 'half an hour a day', hours: daily(0.5), between: 'switched off', synchronised: true },
  { name: 'half an hour a day', hours: daily(0.5), between: 'suspended', synchronised: false },
  { name: 'half an hour a day', hours: daily(0.5), between: 'switched off', synchronised: false },
  {
    ...{ name: 'fifty minutes, twice a day', hours: daily(5 / 6), between: 'switched off' },
    ...{ synchronised: false, timesADay: 2 },
  },
  { name: 'ten minutes a day', hours: daily(1 / 6), between: 'switched off', synchronised: false },
  { name: '8 hours a day', hours: daily(8), between: 'stopped', synchronised: true },
  { name: '8 hours a day', hours: daily(8), between: 'stopped', synchronised: false },
  {
    ...{ name: '8 hours a day', hours: daily(8), between: 'stopped', synchronised: false },
    numbersBoots: false,
  },
  {
    ...{ name: '8 hours a day', hours: daily(8), between: 'switched off', synchronised: false },
    numbersBoots: false,
  },
  {
    ...{ name: '16 hours a day', hours: daily(16), between: 'switched off', synchronised: false },
    calendar: 'stands still',
  },
  {
    ...{ name: '8 hours a day', hours: daily(8), between: 'switched off', synchronised: false },
    calendar: 'stands still',
  },
  {
    ...{ name: '8 hours a day', hours: daily(8), between: 'switched off', synchronised: false },
    calendar: 'ahead',
  },
  {
    ...{ name: '8 hours a day', hours: daily(8), between: 'switched off', synchronised: false },
    calendar: 'jitters',
  },
  {
    name: '8 hours on workdays',
    hours: (day) => (day % 7 < 5 ? 8 : 0),
    between: 'switched off',
    synchronised: false,
  },
  {
    name: 'a week on, a week off',
    hours: (day) => (Math.floor(day / 7) % 2 === 0 ? 24 : 0),
    between: 'switched off',
    synchronised: false,
  },
  {
    name: 'always, but for one month',
    hours: (day) => (day < 10 || day >= 40 ? 24 : 0),
    between: 'switched off',
    synchronised: false,
  },
];

/**
 * Lets an author fall silent when such a machine is switched on for the first time.
 * @param atMost days
 * @returns days from then to the release, which a warning by mail comes before; null when none comes within `atMost`
 */
export async function daysToRelease(
  { hours, timesADay = 1, between, calendar, synchronised, numbersBoots = true }: Omit<UptimePattern, 'name'>,
  atMost = AT_MOST,
): Promise<number | null> {
  const { db } = await openInstance();
  const rules = rulesFor(hours);
  let time = 0;
  const machine = new Machine(() => time, START, {
    synchronises: synchronised,
    stops: between === 'stopped',
    numbersBoots,
  });
  let dark = 0;
  const journal = keptJournal();
  const secret = hash('sha256', 'uptime', 'buffer');
  const startOne = () =>
    startServer({
      ...{ db, rules, secret, journal, alone: true },
      clocks: machine.startProcess(),
      sms: () => false,
      carry: () => 'accepted',
      onError(error) {
        throw error;
      },
    });
  let server: Server | null = startOne();
  await server.tick();
  const author = await addAuthor({ db, now: () => START, log: noLog }, 'author', null);
  await server.serve((store) =>
    writeScroll(
      store,
      {
        ...{ author, period: PERIOD, dueAt: null, warning: 'mail' as const },
        ...{ channel: 'email' as const, address: 'recipient@example.org' },
      },
      'author@example.org',
    ),
  );
  try {
    for (let start = 0; start < atMost * DAY; start += DAY / timesADay) {
      const end = start + hours(Math.floor(start / DAY)) * HOUR;
      if (end > time && server === null) {
        machine.reboot();
        if (calendar === 'stands still') machine.offset -= dark;
        if (calendar === 'ahead') machine.offset = 400 * DAY;
        server = startOne();
        await server.tick();
      }
      for (; time < end; time += rules.tick) {
        // Somebody sets it right after two hours.
        if (calendar === 'ahead' && time >= start + 2 * HOUR) machine.offset = 0;
        if (calendar === 'jitters') machine.jitter = machine.jitter > 0 ? 0 : JITTER;
        await server?.tick();
        if (await isAnythingDue(db, time)) await server?.deliver();
        if (time < PERIOD) continue;
        const [scroll] = await allScrolls(db);
        if (scroll?.state === 'released') return time / DAY;
      }
      const next = start + DAY / timesADay;
      if (time === next) continue;
      if (between === 'switched off') server = null;
      else machine.wakeAfter(next - time);
      dark = next - time;
      time = next;
    }
    return null;
  } finally {
    await db.destroy();
  }
}

const released = (days: number | null) => (days === null ? 'never' : `${days.toFixed(1)} days`);

const clockOf = ({ synchronised, calendar }: UptimePattern): string => {
  if (calendar === 'stands still') return 'not synchronised, stands still between';
  if (calendar === 'ahead') return 'ahead by a year at each start, set right two hours later';
  if (calendar === 'jitters') return 'set by twenty minutes forth and back without end';
  return synchronised ? 'synchronised' : 'not synchronised';
};

function betweenOf({ between, numbersBoots = true }: UptimePattern): string {
  const how = between === 'stopped' ? 'suspended, its boot clock too' : between;
  if (!numbersBoots) return `${how}, and its boots have no number (macOS)`;
  return between === 'stopped' ? `${how} (virtual machine, WSL)` : how;
}

/** The table as docs/legacy.md has it. */
export async function uptimeTable(): Promise<string> {
  const lines = ['| the server is on | between | clock | released after |', '|---|---|---|---|'];
  for (const pattern of uptimePatterns) {
    const days = await daysToRelease(pattern);
    lines.push(`| ${pattern.name} | ${betweenOf(pattern)} | ${clockOf(pattern)} | ${released(days)} |`);
  }
  return lines.join('\n');
}
