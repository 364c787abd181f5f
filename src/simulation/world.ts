// The world around a simulated server: true time, its machine's calendar, its servers, its mail, its administrator.

import { hash } from 'node:crypto';
import type { Delivery, Letter } from '../server/adapters/transport.ts';
import type { Database } from '../server/db/open.ts';
import { confirmHere } from '../server/deadman/routes/outbox/store.ts';
import type { SwitchStore } from '../server/deadman/watch/silence.ts';
import { createDigests } from '../server/digests.ts';
import { DAY, HOUR, MINUTE } from '../shared/time.ts';
import { Address } from './address.ts';
import { copyKinds, tryCopy } from './copies.ts';
import { type Image, type Instance, openInstance } from './instance-store.ts';
import { Breach } from './invariants.ts';
import { isAnythingDue } from './ledger-store.ts';
import { Machine } from './machine.ts';
import { fatalPoints } from './mortal.ts';
import { Oracle } from './oracle.ts';
import {
  type Author,
  imagineAuthor,
  imagineScroll,
  KNOWN_VAULT,
  nextActivity,
  refusesAll,
} from './people.ts';
import * as people from './people-store.ts';
import { createRandom, type Random } from './random.ts';
import { type Scenario, slowRules } from './scenario.ts';
import { type KeptJournal, keptJournal, noLog, type Server, startServer } from './server.ts';

const YEAR = 365 * DAY;
const START = Date.parse('2030-01-01T00:00:00Z');
const rules = slowRules;

/** A place for a process, with what its machine keeps for it. */
interface ProcessSlot {
  journal: KeptJournal;
  server: Server | null;
  /** When somebody starts it again. */
  startsAt: number;
}

/** How far a calendar that jitters is from where it would be, at most. */
const JITTER = 12 * MINUTE;
/** How long the calendar is right between two jumps, at least. */
const BETWEEN_JUMPS = 4 * DAY;

export class World {
  time = 0;
  steps = 0;
  readonly oracle: Oracle;
  readonly scenario: Scenario;
  readonly #random: Random;
  /** For what befalls mails, pauses and PUBLIC_URL: it leaves the course of everything else as it is. */
  readonly #luck: Random;
  readonly #address = new Address();
  /** Whether a look of this step was answered, and whether its servers all live. */
  #looks = { answered: false, areSettled: false };
  #openings: { at: number; publicId: string }[] = [];
  #postponements: { at: number; link: string; contact: string }[] = [];
  /** The last link of each contact. */
  readonly #links = new Map<string, string>();
  /** Whose contact has an address. */
  readonly #contacts = new Map<string, number>();
  readonly #secret: Buffer;
  readonly #folder: string;
  #instance: Instance;
  readonly #authors = new Map<number, Author>();
  #births: number[] = [];
  #confirmations: { at: number; author: number; message: string }[] = [];
  #slots: ProcessSlot[] = [];
  readonly #machine: Machine;
  /** For how long the machine is about to be suspended. */
  #suspension = 0;
  #isSuspended = false;
  /** Until when its calendar is wrong, and since when it is right. */
  #wrongUntil = 0;
  #rightSince = 0;
  #mail: 'up' | 'down' | 'hanging' = 'up';
  #mailUntil = 0;
  #asleepUntil = 0;
  #asleepFor = 0;
  #confirmAt: number | null = null;
  #backups: { image: Image; at: number }[] = [];
  #fault: unknown = null;
  #quiet = false;
  #deaths = 0;
  #copies = 0;

  private constructor(scenario: Scenario, folder: string, instance: Instance) {
    this.scenario = scenario;
    this.#folder = folder;
    this.#instance = instance;
    this.#random = createRandom(scenario.seed);
    this.#luck = createRandom(~scenario.seed);
    this.#machine = new Machine(() => this.time, START, {
      pauses: this.#random.chance(0.7),
      stops: this.#luck.chance(0.3),
      synchronises: this.#random.chance(0.5),
    });
    this.#secret = hash('sha256', `secret ${scenario.seed}`, 'buffer');
    const { limits, resume, jitters } = scenario;
    const calendar = { at: (time: number) => START + time, blurs: jitters ? 2 * JITTER + rules.drift : 0 };
    this.oracle = new Oracle(rules, calendar, limits.perAddress, resume);
  }

  static async begin(scenario: Scenario, folder: string): Promise<World> {
    const world = new World(scenario, folder, await openInstance());
    await world.#people();
    return world;
  }

  end(): Promise<void> {
    return this.#db.destroy();
  }

  async live(): Promise<void> {
    const span = this.scenario.days * DAY;
    while (this.time < span) await this.#step();
    this.#calmDown();
    while (this.time < span + this.scenario.epilogue * DAY) await this.#step();
    await this.#deliver();
    await this.oracle.conclude(this.#db);
  }

  async #people(): Promise<void> {
    const { authors, scrolls, days } = this.scenario;
    const random = this.#random;
    for (let i = 0; i < authors; i += 1) {
      const name = `author-${i}`;
      const mailbox = random.chance(0.9) ? `${name}@example.org` : null;
      const id = await people.addAuthor(
        { db: this.#db, now: () => START, log: noLog },
        name,
        i === 0 ? KNOWN_VAULT : null,
      );
      // Every third author has a contact; some of these have no address any more.
      if (i % 3 === 1) {
        const contact = `${i % 6 === 1 ? 'contact' : 'gone-contact'}-${i}@example.org`;
        await people.nameContact({ ...this.#bare(), now: () => START }, id, contact);
        this.#contacts.set(contact, id);
        this.oracle.contacts.named(id);
      }
      this.#authors.set(id, imagineAuthor(random, { id, mailbox }, days * DAY));
    }
    await people.addAdministrator({ db: this.#db, now: () => START, log: noLog });
    for (let i = 0; i < scrolls; i += 1) this.#births.push(random.between(0, 0.75) * days * DAY);
    this.#births.sort((one, other) => one - other);
    for (let i = 0; i < this.scenario.servers; i += 1) {
      this.#slots.push({ journal: keptJournal(), server: null, startsAt: 0 });
    }
  }

  /** Of no server: before there is one. */
  #bare(): SwitchStore {
    const digests = createDigests(this.#secret);
    return { db: this.#db, now: () => START + this.time, log: noLog, rules, digests };
  }

  /** From here on nothing happens any more. */
  #calmDown(): void {
    this.#quiet = true;
    this.#machine.offset = 0;
    this.#machine.jitter = 0;
    this.#mail = 'up';
    this.#address.recover();
    this.#asleepUntil = 0;
    this.#suspension = 0;
    for (const { server } of this.#slots) if (server) server.mortal.fuse = null;
  }

  /** Whether something that happens so often in a year happens now. */
  #happens(perYear: number): boolean {
    return !this.#quiet && this.#random.chance((perYear * rules.tick) / YEAR);
  }

  /** The same for what has no part in the course of everything else. */
  #befalls(perYear: number): boolean {
    return this.#luck.chance((perYear * rules.tick) / YEAR) && !this.#quiet;
  }

  get #db(): Database {
    return this.#instance.db;
  }

  get #up(): Server[] {
    return this.#slots.flatMap(({ server }) => (server && !server.mortal.dead ? [server] : []));
  }

  // One tick of the world.

  async #step(): Promise<void> {
    this.steps += 1;
    const before = this.#up;
    const length = await this.#passTime();
    await this.#servers();
    const lasted = before.filter((server) => this.#up.includes(server));
    const numbers = this.oracle.clock?.tick_number;
    const paused = this.oracle.clock?.paused_reason;
    const deaths = this.#deaths;
    await this.#lookFromOutside(lasted);
    await this.#tick();
    await this.#look();
    if (this.scenario.unreachable > 0) this.oracle.looked(this.#looks);
    const ticked = this.oracle.clock?.tick_number !== numbers;
    await this.#deliver();
    await this.#padToOverflow();
    const confirmed = await this.#administrator();
    const clean = ticked && this.#deaths === deaths && !confirmed;
    const isPaused = this.oracle.clock?.paused_reason != null;
    const same = clean && (paused !== null) === isPaused;
    if (same && lasted.length === this.#slots.length && before.length === lasted.length) {
      const expected = this.#settled(lasted) ? Math.min(length, rules.tick) : 0;
      if (isPaused) this.oracle.pauses.expect(expected);
      else this.oracle.expect(expected);
    }
    if (this.steps % 24 === 0) {
      await this.oracle.audit(this.#db, clean);
      await this.#history();
    }
    if (this.#happens(this.scenario.copies)) await this.#copy();
  }

  #settledWith: Server[] = [];
  #settledSteps = 0;
  /** Whether the same servers have run for long enough to know each other's ticks. */
  #settled(servers: Server[]): boolean {
    const same =
      servers.length === this.#settledWith.length && servers.every((one) => this.#settledWith.includes(one));
    this.#settledSteps = same ? this.#settledSteps + 1 : 0;
    this.#settledWith = servers;
    return this.#settledSteps > 5;
  }

  /** Lets people live until the next tick is due. Returns how much of it a process has counted. */
  async #passTime(): Promise<number> {
    const random = this.#random;
    const from = this.time;
    let to = Math.max(from + rules.tick, this.#asleepUntil);
    // A machine that is busy ticks late.
    if (!this.#quiet && random.chance(0.05))
      to = Math.max(to, from + Math.round(rules.tick * random.between(1, 2.4)));
    to = Math.max(to, from + this.#suspension);
    this.#isSuspended = this.#suspension > 0;
    await this.#liveUntil(to);
    this.time = to;
    const behind = this.#machine.wakeAfter(this.#suspension);
    this.#isSuspended = false;
    this.#suspension = 0;
    return to - from - behind;
  }

  async #liveUntil(to: number): Promise<void> {
    const due = [...this.#authors.values()].filter(({ nextActivity }) => nextActivity <= to);
    due.sort((one, other) => one.nextActivity - other.nextActivity);
    for (const author of due) {
      while (author.nextActivity <= to) {
        this.time = author.nextActivity;
        author.nextActivity = nextActivity(this.#random, author, this.time);
        await this.#visit(author);
      }
    }
    while (this.#births[0] !== undefined && this.#births[0] <= to) {
      this.time = Math.max(this.time, Math.ceil(this.#births[0]));
      this.#births.shift();
      await this.#write();
    }
    const confirmations = this.#confirmations
      .filter(({ at }) => at <= to)
      .sort((one, other) => one.at - other.at);
    this.#confirmations = this.#confirmations.filter(({ at }) => at > to);
    for (const { at, author, message } of confirmations) {
      this.time = Math.max(this.time, at);
      await this.#press(author, message);
    }
    const openings = this.#openings.filter(({ at }) => at <= to).sort((one, other) => one.at - other.at);
    this.#openings = this.#openings.filter(({ at }) => at > to);
    for (const { at, publicId } of openings) {
      this.time = Math.max(this.time, at);
      await this.#open(publicId);
    }
    await this.#postponeUntil(to);
  }

  async #postponeUntil(to: number): Promise<void> {
    const due = this.#postponements.filter(({ at }) => at <= to).sort((one, other) => one.at - other.at);
    this.#postponements = this.#postponements.filter(({ at }) => at > to);
    for (const { at, link, contact } of due) {
      this.time = Math.max(this.time, at);
      await this.#postpone(link, contact);
    }
  }

  #someServer(): Server | null {
    const up = this.#isSuspended ? [] : this.#up;
    const server = up.length > 0 ? this.#random.pick(up) : null;
    return this.#address.isReached ? server : null;
  }

  /** One that has counted what its machine has slept, as servers do before they answer. */
  async #askSomeServer(): Promise<Server | null> {
    const server = this.#someServer();
    if (await server?.catchUp()) await this.#look();
    return server?.mortal.dead ? null : server;
  }

  async #visit(author: Author): Promise<void> {
    const server = await this.#askSomeServer();
    if (!server) return;
    const time = this.time;
    const watching = await server.serve((store) => people.live(store, author.id));
    this.#throwFault();
    if (!watching) return;
    this.#last_activity(author, watching, time);
    const id = this.#random.pick(watching);
    if (id === undefined || !this.#random.chance(0.04)) return;
    await this.#changeMind(server, author, id);
  }

  #last_activity(author: Author, watching: number[], time: number): void {
    author.lastActivityAt = time;
    this.oracle.count('signs of life');
    this.oracle.contacts.lived(author.id, watching);
    this.oracle.lived(watching, time);
  }

  async #changeMind(server: Server, author: Author, id: number): Promise<void> {
    const truth = this.oracle.scrolls.get(id);
    if (!truth) return;
    const time = this.time;
    const choice = this.#random.next();
    if (choice < 0.3) {
      if (this.oracle.clock?.paused_reason) return;
      this.oracle.byHand(id, true);
      const released = await server.serve((store) => people.releaseByHand(store, id, author.id));
      if (!released) this.oracle.byHand(id, false);
      await this.#look();
    } else if (choice < 0.6) {
      if (await server.serve((store) => people.disarmScroll(store, id, author.id)))
        this.oracle.count('disarmed');
    } else if (choice < 0.68) {
      if (await server.serve((store) => people.deleteScroll(store, id, author.id))) {
        this.oracle.deleted(id);
        this.oracle.count('deleted');
      }
    } else if (choice < 0.76) {
      const watching = await server.serve((store) => people.forgetAddress(store, author.id));
      if (watching) {
        this.#last_activity(author, watching, time);
        this.oracle.unwarned(watching);
        this.oracle.afterReleases.unwarned(author.id);
        this.oracle.count('warning addresses removed');
      }
    } else {
      const wish = imagineScroll(this.#random, author, START + time, this.scenario.silences);
      const { channel, address } = truth.wish;
      const changed = { ...wish, channel, address };
      const begun = await server.serve((store) => people.changeScroll(store, id, changed, author.mailbox));
      if (begun) {
        const { warning, watching } = begun;
        Object.assign(truth, { wish: { ...changed, warning } });
        this.#last_activity(author, watching, time);
        this.oracle.count('changed');
      }
    }
    this.#throwFault();
  }

  async #write(): Promise<void> {
    const living = [...this.#authors.values()].filter(({ diesAt }) => diesAt > this.time);
    const server = await this.#askSomeServer();
    if (!server || living.length === 0) {
      this.#births.push(this.time + DAY);
      this.#births.sort((one, other) => one - other);
      return;
    }
    const author = this.#random.pick(living);
    const { silences, mailboxes } = this.scenario;
    const wish = imagineScroll(this.#random, author, START + this.time, silences, mailboxes);
    const time = this.time;
    const written = await server.serve((store) => people.writeScroll(store, wish, author.mailbox));
    this.#throwFault();
    if (!written) return;
    const { warning, watching } = written;
    this.oracle.wrote(written, { ...wish, warning }, time);
    this.oracle.count('written');
    this.#last_activity(author, watching, time);
  }

  async #press(author: number, message: string): Promise<void> {
    const person = this.#authors.get(author);
    const server = await this.#askSomeServer();
    if (!person || !server) return;
    const watching = await server.serve((store) => people.press(store, author, message));
    this.#throwFault();
    if (!watching) return this.oracle.count('presses that counted for nothing');
    this.oracle.count('confirmations');
    this.#last_activity(person, watching, this.time);
  }

  async #open(publicId: string): Promise<void> {
    const up = this.#isSuspended || !this.#address.isReached ? [] : this.#up;
    if (up.length === 0) {
      this.#openings.push({ at: this.time + DAY, publicId });
      return;
    }
    // What was written before the opening is none of its business.
    await this.#look();
    const opened = await this.#luck.pick(up).serve((store) => people.openLetter(store, publicId));
    this.#throwFault();
    if (opened) this.oracle.followUps.opened(publicId);
  }

  // The machine.

  async #servers(): Promise<void> {
    const random = this.#random;
    if (this.#machine.offset !== 0 && (this.time >= this.#wrongUntil || this.#asleepUntil === this.time)) {
      this.#machine.offset = 0;
      this.#rightSince = this.time;
    }
    this.#jump();
    if (this.scenario.jitters && !this.#quiet)
      this.#machine.jitter = Math.round(this.#luck.between(-JITTER, JITTER));
    this.#armFuses();
    this.#address.recoverBy(this.time);
    if (this.#befalls(this.scenario.unreachable) && !this.#address.fails) {
      this.#address.fail(this.#luck, this.time, this.#slots.length);
      this.oracle.count('times that PUBLIC_URL failed');
    }
    if (this.#happens(this.scenario.mailOutages)) {
      this.#mail = random.pick(['down', 'hanging']);
      this.#mailUntil = this.time + random.between(0.2, 24) * DAY;
      this.oracle.count('mail outages');
    }
    if (this.time >= this.#mailUntil) this.#mail = 'up';
    for (const slot of this.#slots) {
      if (this.#happens(this.scenario.lostJournals)) {
        slot.journal.lose();
        slot.server = null;
        this.oracle.count('journals lost');
      }
    }
    if (this.#happens(this.scenario.restores)) await this.#restore();
    if (this.#asleepUntil > 0 && this.time >= this.#asleepUntil) {
      this.#machine.reboot();
      this.#asleepUntil = 0;
      this.#bootWrongly();
    }
    this.#sleep();
    for (const slot of this.#slots) {
      if (slot.server || this.time < slot.startsAt || this.time < this.#asleepUntil) continue;
      const server = await this.#start(slot);
      // Its queue is looked at more often than its heart ticks.
      if (this.#random.chance(0.5)) await server.deliver();
    }
    this.#throwFault();
  }

  #sleep(): void {
    const night = this.scenario.nights && !this.#quiet && this.steps % 14 === 0;
    if (!night && !this.#happens(this.scenario.outages)) return;
    const random = this.#random;
    const length = night ? 9 * HOUR : HOUR * Math.exp(random.between(Math.log(1), Math.log(60 * 24)));
    if (random.chance(0.4)) {
      this.#suspension = Math.round(length);
      this.oracle.count('suspensions');
      return;
    }
    this.#asleepUntil = this.time + Math.round(length);
    this.#asleepFor = Math.round(length);
    for (const slot of this.#slots) {
      slot.server = null;
      slot.startsAt = this.#asleepUntil;
    }
    this.oracle.count('outages');
  }

  /** A board without a battery begins with whatever its calendar says, or where it ended, until somebody tells it better. */
  #bootWrongly(): void {
    const random = this.#random;
    if (this.#quiet || this.#machine.offset !== 0 || !random.chance(this.scenario.wrongBoots)) return;
    const by = Math.round(random.between(1, 400) * DAY);
    const stoodStill = random.chance(0.4);
    this.#machine.offset = stoodStill ? -this.#asleepFor : random.chance(0.7) ? -by : by;
    this.#wrongUntil = this.time + Math.round(random.between(0, stoodStill ? 60 : 8) * HOUR);
    this.oracle.count(`booted with a calendar that ${stoodStill ? 'stood still' : 'was wrong'}`);
  }

  #jump(): void {
    const random = this.#random;
    const paused = this.oracle.clock?.paused_reason;
    if (this.#machine.offset !== 0 || paused || this.time < this.#rightSince + BETWEEN_JUMPS) return;
    if (!this.#happens(this.scenario.jumps)) return;
    const far = random.chance(0.06);
    const forth = far || random.chance(0.6);
    const near = random.chance(0.5) ? DAY : 50 * DAY;
    const by = Math.round(far ? random.between(95, 400) * DAY : random.between(4 * HOUR, near));
    this.#machine.offset = forth ? by : -by;
    // A calendar that runs ahead by less than a day is believed after one.
    this.#wrongUntil = this.time + random.between(0.1, forth && by <= DAY ? 19 / 24 : 5) * DAY;
    this.oracle.count(forth ? 'calendar set forth' : 'calendar set back');
    // It may happen while nobody looks, or kill.
    if (random.chance(0.4)) for (const slot of this.#slots) slot.server = null;
    if (random.chance(0.3))
      for (const server of this.#up) server.mortal.fuse = { point: 'statement', left: random.whole(0, 9) };
  }

  #armFuses(): void {
    for (const server of this.#up) {
      if (!this.#happens(this.scenario.kills)) continue;
      const point = this.#random.pick(fatalPoints);
      server.mortal.fuse = { point, left: this.#random.whole(0, point === 'statement' ? 40 : 2) };
    }
  }

  async #start(slot: ProcessSlot): Promise<Server> {
    const server = startServer({
      db: this.#db,
      alone: this.scenario.servers === 1,
      rules,
      secret: this.#secret,
      journal: slot.journal,
      clocks: this.#machine.startProcess(),
      sms: () => this.#quiet || this.time > (this.scenario.days * DAY) / 12,
      carry: (letter) => this.#carry(letter),
      limits: this.scenario.limits,
      resume: this.scenario.resume,
      ...(this.scenario.unreachable > 0 && {
        leads: () => {
          const answers = this.#address.answers(this.#slots.indexOf(slot));
          if (answers) this.oracle.reach.answered(this.time, false);
          return answers ? this.#db : null;
        },
      }),
      onWithheld: () => this.oracle.count('messages withheld'),
      onError: (error) => {
        this.#fault ??= error;
      },
    });
    this.oracle.count('starts');
    slot.server = server;
    // Before it answers anybody.
    await server.tick();
    await this.#look();
    return server;
  }

  /** @param lasted the servers that ran through this step so far */
  async #lookFromOutside(lasted: Server[]): Promise<void> {
    const servers = this.#up;
    let answered = false;
    for (const server of servers) {
      if (!(await server.look())) continue;
      answered = true;
      this.oracle.reach.answered(this.time, true);
    }
    this.#throwFault();
    const all = this.#up;
    this.#looks = {
      answered,
      areSettled: all.length > 0 && all.length === servers.length && all.every((one) => lasted.includes(one)),
    };
  }

  async #tick(): Promise<void> {
    const random = this.#random;
    const servers = this.#up;
    if (random.chance(0.5)) servers.reverse();
    const work: Promise<void>[] = [];
    const concurrent = random.chance(0.5);
    for (const server of servers) {
      const tick = server.tick();
      if (concurrent) work.push(tick);
      else await tick;
    }
    for (const act of this.#lastMoments()) {
      for (let turns = random.whole(0, 90); turns > 0; turns -= 1) await null;
      work.push(act());
    }
    await Promise.all(work);
    this.#throwFault();
  }

  /** What people do in the very moment in which the server decides. */
  #lastMoments(): (() => Promise<void>)[] {
    const random = this.#random;
    if (this.#quiet || this.oracle.clock?.paused_reason) return [];
    const acts: (() => Promise<void>)[] = [];
    const today = START + this.time;
    for (const { id, wish, provenAt } of this.oracle.waiting) {
      const author = this.#authors.get(wish.author);
      if (!author || author.diesAt < this.time) continue;
      const silent = this.time - provenAt - (wish.period ?? Number.POSITIVE_INFINITY);
      // A life counts from two ticks ahead: this is when it runs out.
      if (silent > 1.5 * HOUR && silent < 4.5 * HOUR && random.chance(0.3)) {
        acts.push(() => this.#liveNow(author));
      } else if (
        wish.dueAt !== null &&
        wish.dueAt <= today &&
        today < wish.dueAt + DAY &&
        random.chance(0.1)
      ) {
        acts.push(() => this.#releaseNow(id, author));
      }
    }
    return acts;
  }

  async #liveNow(author: Author): Promise<void> {
    const moment = this.time;
    const watching = await this.#someServer()?.serve((store) => people.live(store, author.id));
    if (!watching) return;
    this.oracle.count('signs of life in the moment of a tick');
    this.#last_activity(author, watching, moment);
  }

  async #releaseNow(id: number, author: Author): Promise<void> {
    const released = await this.#someServer()?.serve((store) => people.releaseByHand(store, id, author.id));
    if (released) this.oracle.byHand(id, true);
    else this.oracle.count('came too late to release by hand');
  }

  async #look(): Promise<void> {
    await this.oracle.look(this.#db, this.time, this.#machine);
  }

  async #deliver(): Promise<void> {
    const { clock } = this.oracle;
    const calendar = START + this.time + this.#machine.offset;
    if (!clock || !(await isAnythingDue(this.#db, clock.counted_time, calendar))) return;
    const servers = this.#up;
    // Several at once race for the same jobs.
    const some = this.#random.chance(0.3) ? servers : servers.slice(0, 1);
    // One whose tick was lost counts before it writes down what it has sent, and may release something then.
    for (const server of some) if (await server.catchUp()) await this.#look();
    await Promise.all(some.map((server) => server.deliver()));
    this.#throwFault();
  }

  #carry(letter: Letter): Delivery {
    if (refusesAll(letter.to)) return { refused: 'for-good', why: 'There is no such address.' };
    const isLocal = letter.to === people.ADMIN_MAILBOX;
    if (!isLocal && this.#mail === 'down')
      return { refused: 'for-now', why: 'The mail server is out of reach.' };
    if (!isLocal && this.#mail === 'hanging')
      return { refused: 'for-now', why: 'The mail server did not answer in time.' };
    const arrives = letter.to.startsWith('+') || !this.#luck.chance(this.scenario.droppedMails);
    const truth = this.oracle.accepted(letter, arrives);
    if (letter.subject === 'contact-warning' && arrives) this.#postponeLater(letter);
    this.#readLater(letter, arrives);
    const asked = letter.subject === 'prove-address';
    const author = asked
      ? [...this.#authors.values()].find(({ mailbox }) => mailbox === letter.to)
      : truth && this.#authors.get(truth.wish.author);
    if (author && author.diesAt > this.time && (asked || author.temperament === 'confirmations')) {
      const at = this.time + Math.ceil(this.#random.between(0.1, 30) * HOUR);
      if (arrives) this.#confirmations.push({ at, author: author.id, message: letter.id });
    }
    return 'accepted';
  }

  /** Most contacts press the link that they were sent last, some of them more than once, and some too late. */
  #postponeLater({ html, to }: Letter): void {
    const link = html || this.#links.get(to);
    if (link === undefined) return;
    this.#links.set(to, link);
    for (let presses = this.#luck.whole(0, 2); presses > 0; presses -= 1) {
      const at = this.time + Math.ceil(this.#luck.wait(presses > 1 ? 20 * DAY : 2 * DAY));
      this.#postponements.push({ at, link, contact: to });
    }
  }

  async #postpone(link: string, contact: string): Promise<void> {
    const server = await this.#askSomeServer();
    if (!server) return;
    // What was counted before the press is none of its business.
    await this.#look();
    const author = this.#contacts.get(contact);
    const postponed = await server.serve((store) => people.postpone(store, link));
    this.#throwFault();
    await this.#look();
    if (author === undefined) return;
    const { counted_time = 0, may_add = 0, unticked_may_add = 0 } = this.oracle.clock ?? {};
    if (postponed) this.oracle.contacts.postponed(author, counted_time + may_add + unticked_may_add);
    else this.oracle.count('presses of contacts that counted for nothing');
  }

  /** Some open the letter that they are told of. */
  #readLater({ subject, text }: Letter, arrives: boolean): void {
    const opens = this.#luck.chance(this.scenario.openings);
    const at = this.time + Math.ceil(this.#luck.wait(5 * DAY));
    const isTold = subject === 'release' || subject === 'reminder';
    if (arrives && opens && isTold) this.#openings.push({ at, publicId: text });
  }

  /** Takes the dead off their places, and says when they are started again. */
  async #padToOverflow(): Promise<void> {
    for (const slot of this.#slots) {
      const { server } = slot;
      if (!server?.mortal.dead) continue;
      this.#deaths += 1;
      this.oracle.count(`killed: ${server.mortal.diedAt}`);
      await this.oracle.died(this.#db, server.handed);
      slot.server = null;
      slot.startsAt = this.time + Math.round(this.#random.between(0, 6) * HOUR);
    }
  }

  // What the administrator does.

  /** Whether the administrator has confirmed. */
  async #administrator(): Promise<boolean> {
    const paused = this.oracle.clock?.paused_reason;
    if (!paused) {
      this.#confirmAt = null;
      return false;
    }
    this.#confirmAt ??= this.#confirms();
    // Who takes the place of an administrator who has died does it in the end.
    const isTime = this.time >= this.#confirmAt || this.#quiet;
    if (!isTime || this.#up.length === 0) return false;
    this.#confirmAt = null;
    const server = this.#random.pick(this.#up);
    this.oracle.pauses.confirmed(true);
    const confirmed = await server.serve(async (store) => {
      await confirmHere(store);
      return true;
    });
    await this.#look();
    this.oracle.pauses.confirmed(false);
    return confirmed === true;
  }

  /** When the administrator confirms: never, if they have died. */
  #confirms(): number {
    const after = Math.round(this.#random.between(0.5, 5) * DAY);
    if (!this.#luck.chance(this.scenario.unanswered)) return this.time + after;
    this.oracle.count('paused, and nobody answers');
    return Number.POSITIVE_INFINITY;
  }

  /** A backup for each month. */
  async #history(): Promise<void> {
    const last = this.#backups.at(-1)?.at ?? 0;
    if (this.time - last < 30 * DAY) return;
    this.#backups.push({ image: this.#instance.image(), at: this.time });
  }

  async #restore(): Promise<void> {
    const backup = this.#backups.findLast(({ at }) => this.time - at > 25 * DAY);
    if (!backup || this.oracle.mustPause) return;
    await this.#db.destroy();
    this.#instance = await openInstance(backup.image);
    this.#backups = this.#backups.filter(({ at }) => at <= backup.at);
    for (const slot of this.#slots) Object.assign(slot, { server: null, startsAt: this.time });
    this.#confirmAt = null;
    await this.oracle.restored(
      this.#db,
      new Map([...this.#authors.values()].map(({ id, lastActivityAt }) => [id, lastActivityAt])),
    );
    this.oracle.count('restored');
  }

  async #copy(): Promise<void> {
    const { paused_reason, out_of_reach_since } = this.oracle.clock ?? {};
    if (paused_reason !== null || out_of_reach_since !== null) return;
    const kind = copyKinds[this.#copies % copyKinds.length] ?? 'moved';
    this.#copies += 1;
    const alone =
      kind === 'another key' || kind === 'no journal'
        ? this.#random.chance(0.5)
        : kind !== 'put back after an empty one';
    await tryCopy({
      instance: this.#instance,
      folder: this.#folder,
      kind,
      alone,
      rules,
      secret: this.#secret,
      calendar: START + this.time,
    });
    this.oracle.count(`copied: ${kind}`);
  }

  #throwFault(): void {
    const fault = this.#fault;
    if (fault === null) return;
    this.#fault = null;
    if (fault instanceof Breach) throw fault;
    throw new Breach(
      'nothing fails',
      fault instanceof Error ? (fault.stack ?? fault.message) : String(fault),
    );
  }
}
