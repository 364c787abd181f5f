// One instance of a simulated circle: the product's switch, jobs and answers on a database of its own, with clocks and a
// network of the world around it. One that lies has none of these: it says what its lie is.
import { randomBytes } from 'node:crypto';
import type { SisterIdentity } from '../../server/adapters/sister-identity.ts';
import type { SisterAnswer, Sisters } from '../../server/adapters/sisters.ts';
import type { Letter } from '../../server/adapters/transport.ts';
import { readConfig } from '../../server/config.ts';
import { deliveryJobs } from '../../server/deadman/delivery/delivery-jobs.ts';
import { createSwitch } from '../../server/deadman/engine.ts';
import { type AnswerDeps, exchangeShares } from '../../server/deadman/sisters/answers.ts';
import { sisterJobs } from '../../server/deadman/sisters/release.ts';
import { endSisterSilences } from '../../server/deadman/sisters/silence-store.ts';
import type { Deps } from '../../server/deps.ts';
import { createDigests } from '../../server/digests.ts';
import { createJobRunner } from '../../server/jobs/runner.ts';
import { errorCodes } from '../../shared/http/error-codes.ts';
import { switchRules } from '../../shared/nouns/switch-rules.ts';
import { DAY, HOUR } from '../../shared/time.ts';
import { openInstance } from '../instance-store.ts';
import { keptJournal, noLog } from '../server.ts';
import type { Keys } from './keys.ts';

/** How often it ticks. */
export const STEP = 12 * HOUR;
export const rules = { ...switchRules, tick: STEP, dark: DAY, outage: 2 * DAY, drift: 2 * DAY };

/** What is wrong with an instance; null for one that is as it should be. */
export type Fault =
  | 'dead'
  | 'ahead'
  | 'behind'
  | 'unsigned'
  | 'wrong-shares'
  | 'early'
  | 'withholding'
  | null;
export const faults = [
  'dead',
  'ahead',
  'behind',
  'unsigned',
  'wrong-shares',
  'early',
  'withholding',
] as const;
/** Those that have no server of their own. */
export const isLying = (fault: Fault): boolean =>
  fault === 'wrong-shares' || fault === 'early' || fault === 'withholding';

const RATES: Partial<Record<NonNullable<Fault>, number>> = { ahead: 3, behind: 0.4 };

export interface World {
  keys: Keys;
  /** True time, in milliseconds. */
  now: number;
  instances: SimulatedInstance[];
  /** What one that lies answers. */
  lie(instance: SimulatedInstance, path: string, body: unknown): Promise<SisterAnswer>;
  onMail(instance: SimulatedInstance, to: string): void;
}

export interface SimulatedInstance {
  number: number;
  origin: string;
  identity: SisterIdentity;
  fault: Fault;
  isUp: boolean;
  sisters: Sisters;
  deps: AnswerDeps;
  /** Lets its clocks go on. */
  pass(milliseconds: number): void;
  /** Ticks, and runs what is due. */
  live(): Promise<void>;
  close(): Promise<void>;
}

interface InstanceParts {
  number: number;
  fault: Fault;
  secret: Buffer;
  /** How far its calendar is off, in milliseconds. */
  skew: number;
}

export const originOf = (number: number): string => `https://sister${number}.example`;

export async function startInstance(
  world: World,
  { number, fault, secret, skew }: InstanceParts,
): Promise<SimulatedInstance> {
  const { keys } = world;
  const { db } = await openInstance();
  const identity = await keys.identity(secret);
  const began = world.now + skew;
  let elapsed = 0;
  const calendar = () => began + elapsed;
  const instance: Pick<SimulatedInstance, 'number'> = { number };
  const sisters: Sisters = {
    origin: originOf(number),
    listed: [],
    identity: async () => identity,
    keysOf: async ({ address }) => {
      const sister = world.instances.find((one) => one.identity.address === address);
      return sister?.isUp ? sister.identity : null;
    },
    heardOf: () => ({ ago: null, last: null }),
    ask: (sister, path, body) => ask(world, sister.origin, path, body),
    seal: keys.seal,
    verify: keys.verify,
  };
  const transport = {
    send: async (letter: Letter) => {
      world.onMail(all, letter.to);
      return 'accepted' as const;
    },
  };
  const deps = {
    ...{ db, engine: 'sqlite' as const, rules, now: calendar, calendar, log: noLog, sisters },
    config: { ...readConfig({ MAILS_PER_DAY: '100000' }), adminSubjects: new Set<string>() },
    digests: createDigests(secret),
    metrics: { countWithheld: () => {} } as unknown as Deps['metrics'],
    transports: { email: transport, sms: null },
    heartbeat: { see: () => {} },
    catchUp: () => theSwitch.catchUp(),
  };
  const theSwitch = createSwitch(deps, {
    machine: () => ({ elapsed, bootId: null, synchronised: true }),
    journal: keptJournal(),
    alone: true,
    origin: null,
    endSisterSilences: (clock) => endSisterSilences(deps, clock),
  });
  const write = ({ public_id: id, address: to }: { public_id: string; address: string }): Letter => ({
    ...{ id, to, subject: '', text: '', html: '', unsubscribe: null },
  });
  const runJobs = createJobRunner(
    deps,
    { ...sisterJobs(deps), ...deliveryJobs(deps, write) },
    { uptime: theSwitch.countedTime, calendar: async () => calendar() },
  );
  const all: SimulatedInstance = {
    ...instance,
    ...{ number, origin: originOf(number), identity, fault, isUp: true, sisters, deps },
    pass(milliseconds) {
      elapsed += milliseconds * ((fault && RATES[fault]) ?? 1);
    },
    async live() {
      await theSwitch.tick();
      await runJobs();
    },
    close: () => db.destroy(),
  };
  return all;
}

/** How one instance asks another. */
async function ask(world: World, origin: string, path: string, body: object): Promise<SisterAnswer> {
  const instance = world.instances.find((one) => one.origin === origin);
  if (!instance?.isUp) return null;
  if (isLying(instance.fault)) return world.lie(instance, path, body);
  const answer = await exchangeShares(instance.deps, body as Parameters<typeof exchangeShares>[1]);
  return typeof answer === 'string'
    ? { status: errorCodes[answer][0], body: null }
    : { status: 200, body: answer };
}

export const aSecret = (): Buffer => randomBytes(32);
