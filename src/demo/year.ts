// A year of the dead man's switch, and what came after it, in a minute: the real engine on a database of its own, with a calendar, a mail server
// and people that the demo moves.

import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Delivery } from '../server/adapters/transport.ts';
import type { Database } from '../server/db/open.ts';
import { readInstanceClock } from '../server/deadman/clock/counted-time-store.ts';
import { confirmHere } from '../server/deadman/routes/outbox/store.ts';
import { DAY, HOUR } from '../shared/time.ts';
import { type Image, type Instance, openInstance } from '../simulation/instance-store.ts';
import { Machine } from '../simulation/machine.ts';
import { addAuthor, live, press, type ScrollSpec, writeScroll } from '../simulation/people-store.ts';
import { slowRules as rules } from '../simulation/scenario.ts';
import { keptJournal, noLog, type Server, startServer } from '../simulation/server.ts';
import { Chronicle, type YearEnd } from './chronicle.ts';

const day = (text: string) => Date.parse(`${text.length > 5 ? '' : '2030-'}${text}T08:00:00Z`);
const START = Date.parse('2030-01-01T00:00:00Z');
const END = Date.parse('2031-05-15T00:00:00Z');

export interface YearOptions {
  say: (line: string) => void;
  /** Milliseconds to wait for each day. */
  pace: number;
}

export async function liveYear(options: YearOptions): Promise<YearEnd> {
  const year = new Year(await openInstance(), options);
  try {
    return await year.live();
  } finally {
    await year.close();
  }
}

class Year {
  readonly #options: YearOptions;
  readonly #chronicle: Chronicle;
  readonly #secret = randomBytes(32);
  readonly #journal = keptJournal();
  readonly #authors: number[] = [];
  #instance: Instance;
  #backup: Image | undefined;
  #server: Server | null = null;
  /** True time, by the true calendar. */
  #time = START;
  readonly #machine = new Machine(() => this.#time - START, START);
  #mail: Delivery = 'accepted';
  /** Whether the server is a laptop that is switched on for some hours each day. */
  #isLaptop = false;
  /** Warnings that wait for their reader to press. */
  readonly #unread: string[] = [];

  constructor(instance: Instance, options: YearOptions) {
    this.#instance = instance;
    this.#options = options;
    this.#chronicle = new Chronicle(options.say, rules);
  }

  get #db(): Database {
    return this.#instance.db;
  }

  close(): Promise<void> {
    return this.#db.destroy();
  }

  async live(): Promise<YearEnd> {
    const chronicle = this.#chronicle;
    chronicle.title();
    this.#start();
    await this.#server?.tick();
    await this.#writeScrolls();
    const plot = this.#plot().sort((one, other) => one.at - other.at);
    while (this.#time < END) {
      if (this.#isLaptop) await this.#liveAsLaptop();
      while (plot[0] && plot[0].at <= this.#time) await plot.shift()?.happens();
      await this.#server?.tick();
      await this.#server?.deliver();
      await chronicle.tell(this.#db, this.#time);
      this.#time += HOUR;
      if (this.#options.pace > 0 && this.#time % DAY === 0) await setTimeout(this.#options.pace);
    }
    return chronicle.end(this.#db);
  }

  async #liveAsLaptop(): Promise<void> {
    const hour = new Date(this.#time).getUTCHours();
    if (hour < 8 || hour >= 12) this.#server = null;
    else if (!this.#server) {
      this.#machine.reboot();
      await this.#start().tick();
    }
  }

  #start(): Server {
    const server = startServer({
      db: this.#db,
      alone: true,
      rules,
      secret: this.#secret,
      journal: this.#journal,
      clocks: this.#machine.startProcess(),
      resume: 'after-long',
      sms: () => false,
      carry: (letter) => {
        if (this.#mail === 'accepted' && letter.subject === 'warning' && letter.to.startsWith('reader')) {
          this.#unread.push(letter.id);
        }
        return this.#mail;
      },
      onError: (error) => {
        throw error;
      },
    });
    this.#server = server;
    return server;
  }

  async #writeScrolls(): Promise<void> {
    const wishes: [string, Pick<ScrollSpec, 'period' | 'dueAt' | 'warning'>][] = [
      ['silent', { period: 60 * DAY, dueAt: null, warning: 'mail' }],
      ['reader', { period: 40 * DAY, dueAt: null, warning: 'mail' }],
      ['sleeper', { period: 30 * DAY, dueAt: null, warning: 'dashboard' }],
      ['undelivered', { period: 30 * DAY, dueAt: null, warning: 'mail' }],
      ['patient', { period: null, dueAt: Date.parse('2030-08-15T00:00:00Z'), warning: 'dashboard' }],
      ['autumn', { period: null, dueAt: Date.parse('2030-09-10T00:00:00Z'), warning: 'dashboard' }],
      ['winter', { period: 30 * DAY, dueAt: null, warning: 'mail' }],
      ['administrator', { period: 20 * DAY, dueAt: null, warning: 'mail' }],
    ];
    for (const [i, [name, wish]] of wishes.entries()) {
      const author = await addAuthor({ db: this.#db, now: () => START, log: noLog }, name, null);
      this.#authors.push(author);
      const address = `recipient-${i + 1}@example.org`;
      await this.#server?.serve((store) =>
        writeScroll(store, { ...wish, author, channel: 'email', address }, `${name}@example.org`),
      );
      this.#chronicle.introduce(i + 1, wish);
    }
  }

  #plot(): { at: number; happens: () => Promise<void> | void }[] {
    const say = (who: string, text: string) => this.#chronicle.say(this.#time, who, text);
    const news = (at: string, text: string, happens: () => Promise<void> | void = () => {}) => ({
      at: day(at),
      happens: async () => {
        say('The server', text);
        await happens();
      },
    });
    const leaves = (scroll: number, at: string, text = 'Its author signs in for the last time.') => ({
      at: day(at) + HOUR,
      happens: () => say(`Scroll ${scroll}`, text),
    });
    return [
      ...this.#livesUntil(0, '01-20', 5),
      ...this.#livesUntil(2, '03-13', 5),
      ...this.#livesUntil(3, '05-16', 5),
      ...this.#livesUntil(6, '11-15', 5),
      ...this.#livesUntil(7, '2031-01-02', 5),
      ...[4, 5].flatMap((author) => this.#livesUntil(author, '12-31', 20)),
      ...Array.from({ length: (END - START) / DAY }, (_, i) => ({
        at: START + i * DAY + 10 * HOUR,
        happens: () => this.#read(),
      })),
      leaves(1, '01-20'),
      news('04-10', 'The server loses its power. Nobody notices for three weeks.', () => {
        this.#server = null;
      }),
      news('05-01', 'The server runs again.', () => {
        this.#machine.reboot();
        this.#start();
      }),
      news('06-01', 'From today the mail server refuses everything.', () => {
        this.#mail = { refused: 'for-now', why: 'The mail server is out of reach.' };
      }),
      news('06-24', 'The mail server takes mail again.', () => {
        this.#mail = 'accepted';
      }),
      news('08-01', 'The calendar is set forth by mistake: to the 20th of August.', () => {
        this.#machine.offset = 19 * DAY;
      }),
      {
        at: day('08-01') + 10 * HOUR,
        happens: () => {
          this.#machine.offset = 0;
          say('The server', 'The calendar is set back. No scroll was released.');
        },
      },
      news('09-01', 'A backup is made.', () => {
        this.#backup = this.#instance.image();
      }),
      news('10-01', 'The disk breaks. The backup of the 1st of September is put back.', () =>
        this.#restore(),
      ),
      news('10-04', 'Its administrator confirms that this database is the one that counts.', () =>
        this.#confirm(),
      ),
      news('11-10', 'It moves to a laptop that is switched on from eight to twelve each day.', () => {
        this.#isLaptop = true;
      }),
      leaves(7, '11-15'),
      {
        at: day('12-20') - HOUR,
        happens: () => {
          this.#machine.offset = -365 * DAY;
          const empty = 'Its battery is empty: today it starts with the calendar of last year.';
          say('The server', empty);
        },
      },
      {
        at: day('12-20') + HOUR,
        happens: () => {
          this.#machine.offset = 0;
          say('The server', 'The calendar is put right. Nothing was paused, held or released.');
        },
      },
      news('12-28', 'A backup is made.', () => {
        this.#backup = this.#instance.image();
      }),
      leaves(8, '2031-01-02', 'Its author, who administers the server, signs in for the last time.'),
      news(
        '2031-01-10',
        'The laptop breaks. Somebody puts the backup on another one, and knows no more.',
        () => this.#restore(),
      ),
    ];
  }

  #livesUntil(author: number, until: string, every: number) {
    const acts: { at: number; happens: () => Promise<void> }[] = [];
    for (let at = START + 9 * HOUR; at <= day(until); at += every * DAY) {
      acts.push({ at, happens: () => this.#last_activity(author) });
    }
    acts.push({ at: day(until), happens: () => this.#last_activity(author) });
    return acts;
  }

  async #last_activity(author: number): Promise<void> {
    await this.#server?.serve((store) => live(store, this.#authors[author] ?? 0));
  }

  /** The reader of mails presses what has come. After three in a row only a sign-in counts. */
  async #read(): Promise<void> {
    const message = this.#server && this.#unread.shift();
    if (!message) return;
    const author = this.#authors[1] ?? 0;
    const counted = await this.#server?.serve((store) => press(store, author, message));
    if (counted) {
      this.#chronicle.say(
        this.#time,
        'Scroll 2',
        'Its author presses the link in the mail. The silence begins anew.',
      );
      return;
    }
    this.#chronicle.say(
      this.#time,
      'Scroll 2',
      'A fourth press in a row counts for nothing. Its author signs in.',
    );
    await this.#last_activity(1);
  }

  async #restore(): Promise<void> {
    await this.#db.destroy();
    this.#instance = await openInstance(this.#backup);
    await this.#chronicle.begin(this.#db);
    this.#start();
  }

  async #confirm(): Promise<void> {
    await this.#server?.serve(confirmHere);
    await readInstanceClock(this.#db);
  }
}
