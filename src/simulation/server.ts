// One process of a simulated server: the real engine, with clocks and transports of the world around it.

import type { Delivery, Letter } from '../server/adapters/transport.ts';
import { boundedClock } from '../server/clock.ts';
import { type Config, readConfig } from '../server/config.ts';
import type { Database } from '../server/db/open.ts';
import type { InstanceClock } from '../server/deadman/clock/counted-time-store.ts';
import type { Journal, JournalEntry } from '../server/deadman/clock/journal.ts';
import type { Write } from '../server/deadman/delivery/deliver.ts';
import { deliveryJobs } from '../server/deadman/delivery/delivery-jobs.ts';
import type { MessageLimits } from '../server/deadman/delivery/send-limits.ts';
import { createSwitch, type Switch } from '../server/deadman/engine.ts';
import { noticeJobs } from '../server/deadman/pause/notices.ts';
import { whilePaused } from '../server/deadman/pause/paused-switch.ts';
import type { SwitchStore } from '../server/deadman/watch/silence.ts';
import {
  answerLook,
  createOutsideLook,
  knownOrigin,
  lookedAtOrigin,
} from '../server/deadman/watchdog/outside-look.ts';
import { noteReached } from '../server/deadman/watchdog/reach-store.ts';
import type { Deps } from '../server/deps.ts';
import { createDigests } from '../server/digests.ts';
import { createJobRunner } from '../server/jobs/runner.ts';
import type { SwitchRules } from '../shared/nouns/switch-rules.ts';
import { MINUTE } from '../shared/time.ts';
import type { ProcessClocks } from './machine.ts';
import { Killed, Mortal, mortalPlugin } from './mortal.ts';

/** A disk's journal without a disk. */
export interface KeptJournal extends Journal {
  /** The disk was replaced. */
  lose(): void;
}

export function keptJournal(): KeptJournal {
  let kept: JournalEntry | null = null;
  return {
    read: () => kept && { entry: kept, copied: false },
    write(entry) {
      kept = { ...entry };
    },
    lose() {
      kept = null;
    },
  };
}

/** So many looks find out that nobody answers. */
const MINUTES_OF_LOOKS = 5;
const silent = () => {};
export const noLog = { info: silent, warn: silent, error: silent } as unknown as Deps['log'];

export interface ServerParts {
  db: Database;
  /** Whether it is the only one, ever. */
  alone: boolean;
  rules: SwitchRules;
  secret: Buffer;
  journal: Journal;
  clocks: ProcessClocks;
  /** Whether text messages can be sent from here. */
  sms: () => boolean;
  carry: (letter: Letter) => Delivery;
  /** The usual ones, unless told. */
  limits?: MessageLimits;
  /** Whether a pause that nobody answers ends by itself. Unless told, it does not, and nobody is told of it by mail. */
  resume?: Config['switchResume'];
  /** The database of the server that PUBLIC_URL leads this one to; null for none. Unless told, it does not look. */
  leads?: () => Database | null;
  /** What messages say. Unless told, what an oracle reads of them. */
  write?: Write;
  /** Told of each message that stands in line for a limit. */
  onWithheld?: () => void;
  /** Told of each error that is not a death. */
  onError: (error: unknown) => void;
}

/** What the product's functions are handed when somebody asks this server for something. */
export type Asked = SwitchStore & Pick<Deps, 'calendar'>;

export interface Server {
  mortal: Mortal;
  /** What a transport has taken from it, and it has perhaps not written down. */
  handed: string[];
  tick(): Promise<void>;
  deliver(): Promise<void>;
  /** Looks from outside in as often as it does in some minutes. Returns whether that ended alive and with an answer. */
  look(): Promise<boolean>;
  /** Counts what its machine has slept. Returns whether it had; null when it died of it. */
  catchUp(): Promise<boolean | null>;
  /** Runs something that a person asks of this server; null when it died of it. */
  serve<T>(work: (store: Asked) => Promise<T>): Promise<T | null>;
}

const inShort: Write = ({
  public_id,
  address,
  kind,
  scroll_public_id,
  scrolls,
  releases,
  step,
  contact_link,
}) => ({
  id: public_id,
  to: address,
  subject: kind,
  text:
    scroll_public_id ??
    ([...scrolls, ...releases].map(({ scroll_id }) => scroll_id ?? 0).join(' ') || String(step)),
  // What a contact's link is made from.
  html: contact_link ?? '',
  unsubscribe: null,
});

export function startServer(parts: ServerParts): Server {
  const { secret, rules, alone, clocks, onError } = parts;
  const mortal = new Mortal();
  const { now, accept } = boundedClock(clocks);
  const handed: string[] = [];
  const note = (error: unknown) => {
    if (!(error instanceof Killed)) onError(error);
  };
  const log = {
    ...noLog,
    error: ({ err }: { err?: unknown }) => err !== undefined && note(err),
  } as Deps['log'];
  const transport = {
    async send(letter: Letter): Promise<Delivery> {
      mortal.pass('handing');
      const delivery = parts.carry(letter);
      if (delivery === 'accepted') {
        handed.push(letter.id);
        mortal.pass('handed');
      }
      return delivery;
    },
  };
  const deps = {
    db: parts.db.withPlugin(mortalPlugin(mortal)),
    // Several servers on one embedded database: its statements come one after the other, and no row is ever locked.
    engine: 'sqlite' as const,
    rules,
    now,
    calendar: clocks.wall,
    log,
    metrics: { countWithheld: () => parts.onWithheld?.() } as unknown as Deps['metrics'],
    config: {
      messageLimits: parts.limits ?? readConfig({}).messageLimits,
      adminSubjects: new Set<string>(),
      switchResume: parts.resume ?? ('after-long' as const),
      publicUrl: new URL('https://instance.example'),
      outsideLook: true,
    },
    digests: createDigests(secret),
    transports: {
      email: transport,
      get sms() {
        return parts.sms() ? transport : null;
      },
    },
    heartbeat: { see: () => {} },
    catchUp: (): Promise<boolean> => engineOf.catchUp(),
  };
  let [answers, minutes] = [0, 0];
  const outside = createOutsideLook(
    deps,
    () => clocks.sinceBoot() + minutes * MINUTE,
    async ({ searchParams }) => {
      const db = parts.leads?.();
      if (!db) throw new TypeError('fetch failed');
      answers += 1;
      const { digests } = deps;
      return Response.json({ look: await answerLook({ db, digests }, searchParams.get('challenge') ?? '') });
    },
  );
  const hasLooked = () => parts.leads === undefined || outside.hasLooked();
  const resumes = parts.resume !== undefined;
  const engineOf: Switch = createSwitch(deps, {
    machine: () => ({
      // As the product's own clock does where no boot is told from another.
      elapsed: clocks.bootId() === null ? clocks.monotonic() : clocks.sinceBoot(),
      bootId: clocks.bootId(),
      synchronised: clocks.synchronised(),
    }),
    ...(resumes && { whilePaused: (clock: InstanceClock) => whilePaused(deps, clock) }),
    onProved: accept,
    hasLooked,
    alone,
    origin: knownOrigin(deps.config),
    journal: {
      read: () => parts.journal.read(),
      write(entry) {
        mortal.pass('statement');
        parts.journal.write(entry);
      },
    },
  });
  const { write = inShort } = parts;
  const runJobs = createJobRunner(
    deps,
    {
      ...deliveryJobs(deps, write),
      ...(resumes && noticeJobs({ ...deps, hasLooked }, write)),
    },
    {
      uptime: engineOf.countedTime,
      calendar: async () => clocks.wall(),
    },
  );

  async function survive<T>(work: () => Promise<T>): Promise<T | null> {
    if (mortal.dead) return null;
    try {
      return await work();
    } catch (error) {
      note(error);
      return null;
    }
  }
  return {
    mortal,
    handed,
    tick: async () => {
      // Where nobody looks, the address leads here.
      if (resumes && !parts.leads) await noteReached(parts.db, lookedAtOrigin(deps) ?? '');
      await survive(engineOf.tick);
    },
    catchUp: () => survive(engineOf.catchUp),
    async deliver() {
      await survive(runJobs);
      if (!mortal.dead) handed.length = 0;
    },
    async look() {
      if (!parts.leads) return false;
      const before = answers;
      // Ticks are an hour apart: what it does by the minute happens at once.
      for (minutes = 0; minutes < MINUTES_OF_LOOKS; minutes += 1) await survive(outside.look);
      minutes = 0;
      return !mortal.dead && answers > before;
    },
    serve: (work) =>
      survive(async () => {
        await deps.catchUp();
        return work(deps);
      }),
  };
}
