// A switch whose time tests move: a calendar and a monotonic clock, a journal in memory, transports that keep what they
// are given, and scrolls written straight into their table.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Insertable, Updateable } from 'kysely';
import type { Delivery, Letter, Transport } from '../server/adapters/transport.ts';
import type { Readings } from '../server/clock.ts';
import type {
  InstanceClockTable,
  LegacyScrollsTable,
  ScrollRecipientsTable,
} from '../server/db/schema/deadman.ts';
import type { MessagesTable } from '../server/db/schema/messages.ts';
import { transact } from '../server/db/transact.ts';
import type { InstanceClock } from '../server/deadman/clock/counted-time-store.ts';
import { confirmSwitch, readInstanceClock } from '../server/deadman/clock/counted-time-store.ts';
import { instanceName } from '../server/deadman/clock/instance.ts';
import type { Journal, JournalEntry } from '../server/deadman/clock/journal.ts';
import { uptimeMarks } from '../server/deadman/clock/uptime-store.ts';
import { deliveryJobs } from '../server/deadman/delivery/delivery-jobs.ts';
import { createSwitch, type Switch } from '../server/deadman/engine.ts';
import { noticeJobs } from '../server/deadman/pause/notices.ts';
import { whilePaused } from '../server/deadman/pause/paused-switch.ts';
import { sisterJobs } from '../server/deadman/sisters/release.ts';
import { endSisterSilences } from '../server/deadman/sisters/silence-store.ts';
import { recordActivity } from '../server/deadman/watch/last-activity-store.ts';
import { knownOrigin } from '../server/deadman/watchdog/outside-look.ts';
import type { Deps } from '../server/deps.ts';
import { createJobRunner } from '../server/jobs/runner.ts';
import { switchRules } from '../shared/nouns/switch-rules.ts';
import { DAY, HOUR } from '../shared/time.ts';
import { type InstanceOptions, openTestInstance, type TestInstance } from './instance.ts';
import { type ScrollValues, splitScroll } from './scroll-rows.ts';

/** An hour is one tick, so that a month is some hundred of them. */
export const HOURLY = { ...switchRules, tick: HOUR, dark: 4 * HOUR, drift: 2 * HOUR, jitter: 2 * HOUR };

export interface TestJournal extends Journal {
  entry: JournalEntry | null;
  copied: boolean;
  /** What writing throws. */
  broken: Error | null;
}

export function memoryJournal(entry: JournalEntry | null = null): TestJournal {
  const journal: TestJournal = {
    entry,
    copied: false,
    broken: null,
    read: () => (journal.entry ? { entry: journal.entry, copied: journal.copied } : null),
    write(next) {
      if (journal.broken) throw journal.broken;
      journal.entry = next;
      journal.copied = false;
    },
  };
  return journal;
}

export interface TestTransport extends Transport {
  letters: Letter[];
  /** What becomes of the next letters; accepted unless told. */
  answer: (letter: Letter) => Delivery | Promise<Delivery>;
}

export function aTransport(): TestTransport {
  const transport: TestTransport = {
    letters: [],
    answer: () => 'accepted',
    async send(letter) {
      transport.letters.push(letter);
      return transport.answer(letter);
    },
  };
  return transport;
}

/** What a message says, in as many words as a test needs. */
export const write = (message: { public_id: string; address: string; kind: string }): Letter => ({
  id: message.public_id,
  to: message.address,
  subject: message.kind,
  text: message.kind,
  html: message.kind,
  unsubscribe: null,
});

/** A server with a monotonic clock of its own. */
export interface TestServer extends Switch {
  /** Delivers what waits and is due. */
  deliver(): Promise<void>;
  deps: Deps;
  journal: TestJournal;
  /** The clocks of its machine but for the calendar; tests may move them. */
  time: Omit<Readings, 'calendar'>;
}

/** @param alone false for one of several, on whichever engine */
export function aServer(
  instance: TestInstance,
  journal = memoryJournal(),
  alone = instance.deps.engine === 'sqlite',
): TestServer {
  // Every server has a machine of its own, whose calendar follows a time server unless a test says no.
  const time: TestServer['time'] = { elapsed: 0, bootId: null, synchronised: true };
  const { deps } = instance;
  const theSwitch = createSwitch(deps, {
    machine: () => time,
    journal,
    alone,
    origin: knownOrigin(deps.config),
    whilePaused: (clock) => whilePaused(deps, clock),
    endSisterSilences: (clock) => endSisterSilences(deps, clock),
    markUptime: uptimeMarks(deps.db),
  });
  const deliver = createJobRunner(
    deps,
    {
      ...deliveryJobs(deps, write),
      ...noticeJobs({ ...deps, hasLooked: () => true }, write),
      ...sisterJobs(deps),
    },
    {
      uptime: theSwitch.countedTime,
      calendar: async () => deps.calendar(),
    },
  );
  return { deps, journal, time, ...theSwitch, deliver };
}

export interface Watched {
  instance: TestInstance;
  deps: Deps;
  readonly server: TestServer;
  mail: TestTransport;
  /**
   * Lets time pass, beating its way through; deliveries only when asked for.
   * @param options `tick`: how long after one tick the next one comes, where it is no matter that they come late; as its
   *   rules say unless told
   */
  live(milliseconds: number, options?: { deliver?: boolean; tick?: number }): Promise<void>;
  /** Begins anew on the same database, with the journal that is found then. */
  restart(journal: TestJournal): Promise<void>;
  /** Nobody is there for a while; every clock goes on. */
  sleep(milliseconds: number): void;
  /** Somebody sets the calendar forward by so much, or back. */
  setCalendar(by: number): void;
  clock(): Promise<InstanceClock>;
  setClock(values: Updateable<InstanceClockTable>): Promise<void>;
  anAuthor(): Promise<number>;
  aScroll(
    accountId: number,
    values?: ScrollValues,
    ...others: Partial<Insertable<ScrollRecipientsTable>>[]
  ): Promise<number>;
  /** Watches for so many days of silence from now on. */
  watchSilence(
    accountId: number,
    days: number,
    values?: ScrollValues,
    ...others: Partial<Insertable<ScrollRecipientsTable>>[]
  ): Promise<number>;
  /** Waits for a moment of the calendar. */
  waitUntil(accountId: number, dueAt: number): Promise<number>;
  stateOf(scrollId: number): Promise<string>;
  scroll(scrollId: number): ReturnType<typeof readScroll>;
  recipients(scrollId: number): ReturnType<typeof readRecipients>;
  messages(of?: Partial<Pick<MessagesTable, 'kind'>>): ReturnType<typeof readMessages>;
  stillHere(accountId: number, by?: 'person' | 'press'): Promise<number | null>;
  confirm(): Promise<void>;
  close(): Promise<void>;
}

const readScroll = ({ db }: Deps, id: number) =>
  db.selectFrom('legacy_scrolls').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

const readRecipients = ({ db }: Deps, id: number) =>
  db.selectFrom('scroll_recipients').selectAll().where('scroll_id', '=', id).orderBy('position').execute();

const readMessages = ({ db }: Deps, kind?: MessagesTable['kind']) => {
  const query = db.selectFrom('messages').selectAll().orderBy('id');
  return (kind ? query.where('kind', '=', kind) : query).execute();
};

/**
 * A server whose switch works: it has had its first tick.
 * @param options `alone`: whether its server is the only one; a test that moves counted time itself says no, because a
 * server that is alone takes that for another history
 */
export async function aWatchedInstance(
  options: InstanceOptions & { rules?: Deps['rules']; alone?: boolean } = {},
): Promise<Watched> {
  const mail = aTransport();
  const instance = await openTestInstance({
    ...options,
    deps: { rules: options.rules ?? HOURLY, transports: { email: mail, sms: null }, ...options.deps },
  });
  const { deps } = instance;
  let server = aServer(instance, memoryJournal(), options.alone);
  await server.tick();
  const aScroll: Watched['aScroll'] = async (accountId, values = {}, ...others) => {
    const { scroll, recipient } = splitScroll(values);
    const time = deps.now();
    const { id } = await deps.db
      .insertInto('legacy_scrolls')
      .values({ ...aRow(accountId, time), ...scroll })
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const [position, one] of [recipient, ...others].entries()) {
      await deps.db
        .insertInto('scroll_recipients')
        .values({ ...aRecipient(id, accountId, position), ...one })
        .execute();
    }
    return id;
  };
  return {
    instance,
    deps,
    get server() {
      return server;
    },
    mail,
    async restart(journal) {
      server = aServer(instance, journal, options.alone);
      await server.tick();
    },
    async live(milliseconds, { deliver = false, tick = deps.rules.tick } = {}) {
      for (let left = milliseconds; left > 0; left -= tick) {
        const step = Math.min(left, tick);
        instance.clock.advance(step);
        server.time.elapsed += step;
        await server.tick();
        if (deliver) await server.deliver();
      }
    },
    sleep(milliseconds) {
      instance.clock.advance(milliseconds);
      server.time.elapsed += milliseconds;
    },
    setCalendar: (by) => instance.clock.advance(by),
    clock: () => readInstanceClock(deps.db),
    setClock: async (values) => {
      await deps.db.updateTable('instance_clock').set(values).execute();
    },
    anAuthor: async () => {
      const { id } = await deps.db
        .insertInto('accounts')
        .values({ uid: randomUUID(), is_admin: 0, created_at: deps.now() } as never)
        .returning('id')
        .executeTakeFirstOrThrow();
      await transact(deps.db, (tx) => recordActivity(deps, tx, id, 'person'));
      return id;
    },
    aScroll,
    watchSilence: async (accountId, days, values, ...others) => {
      const watch = {
        state: 'watching',
        period: days * DAY,
        watching_since: (await readInstanceClock(deps.db)).counted_time,
        warning: 'dashboard',
        ...values,
      } as const;
      return aScroll(accountId, watch, ...others);
    },
    waitUntil: (accountId, due_at) => aScroll(accountId, { state: 'watching', trigger_type: 'date', due_at }),
    stateOf: async (id) => (await readScroll(deps, id)).state,
    scroll: (id) => readScroll(deps, id),
    recipients: (id) => readRecipients(deps, id),
    messages: ({ kind } = {}) => readMessages(deps, kind),
    stillHere: (accountId, by = 'person') =>
      transact(deps.db, (tx) => recordActivity(deps, tx, accountId, by)),
    confirm: () =>
      confirmSwitch(deps.db, {
        instance: instanceName(deps.digests),
        at: deps.now(),
        holdFor: deps.rules.holdAfterOutage,
      }),
    close: () => instance.close(),
  };
}

function aRow(accountId: number, time: number): Insertable<LegacyScrollsTable> {
  return {
    account_id: accountId,
    title: 'c2VhbGVk',
    encrypted_content: 'c2VhbGVk',
    encrypted_scroll_key: null,
    author_name: null,
    trigger_type: 'inactivity',
    trigger_value: '30',
    time_zone: 'UTC',
    period: null,
    due_at: null,
    watching_since: null,
    warning: null,
    warning_accepted: null,
    releasable_at: null,
    handed_over_at: null,
    released_at: null,
    kept_until: null,
    author_hash: null,
    seal_id: null,
    key_fingerprint: null,
    created_at: time,
    updated_at: time,
  };
}

const aRecipient = (
  scroll_id: number,
  account_id: number,
  position: number,
): Insertable<ScrollRecipientsTable> => ({
  ...{ scroll_id, account_id, position },
  public_id: randomBytes(16).toString('base64url'),
  recipient_type: 'email',
  recipient_address: position === 0 ? 'recipient@example.org' : `recipient${position}@example.org`,
  recipient_account_id: null,
  access: 'card',
  card_number: null,
  claim_hash: null,
  stretching: null,
  wrapped_key: null,
  envelope: null,
  released_at: null,
  released_counted: null,
  opened_at: null,
  unopened_since: null,
  reminders_stopped_at: null,
});
