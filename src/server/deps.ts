// What every feature is handed: the composition root's one bag. Tests hand in their own.
import type { Logger } from 'pino';
import type { Entitlement } from '../shared/entitlements.ts';
import type { SwitchRules } from '../shared/nouns/switch-rules.ts';
import type { FileStore } from './adapters/file-store.ts';
import type { HolderSource } from './adapters/holder-reading.ts';
import type { Weave } from './adapters/loom-thread.ts';
import type { Payments } from './adapters/payments.ts';
import type { Sisters } from './adapters/sisters.ts';
import type { Speech } from './adapters/speech.ts';
import type { StoryWriter } from './adapters/story-writer.ts';
import type { Transports } from './adapters/transport.ts';
import type { BodyRooms } from './body-room.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Database, Engine } from './db/open.ts';
import type { Digests } from './digests.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { HeavyAnswers } from './heavy-answers.ts';
import type { CurrentHolders } from './holders/current-holders.ts';
import type { Metrics } from './metrics.ts';
import type { Puzzle } from './puzzle/puzzle.ts';
import type { StorageState } from './storage.ts';
import type { Uploads } from './upload-limits.ts';
import type { WebFiles } from './web-files.ts';

/** What one feature grants an account at this moment. It answers from the database: no request waits for a vendor. */
export type EntitlementSource = (accountId: number) => Promise<readonly Entitlement[]>;

export interface Deps {
  config: Config;
  db: Database;
  engine: Engine;
  now: Clock;
  /** What day it is by this machine, also after it was put right: for the switch, which doubts it by itself. */
  calendar: Clock;
  log: Logger;
  /** Keyed hashes under the instance secret. */
  digests: Digests;
  metrics: Metrics;
  heavyAnswers: HeavyAnswers;
  bodyRooms: BodyRooms;
  /** How files are received. */
  uploads: Uploads;
  /** Where the bytes of files stand. */
  fileStore: FileStore;
  /** The kinds of jobs that this server runs. */
  jobKinds: readonly string[];
  /** What carries messages out of the server. */
  transports: Transports;
  /** Who takes payments; null where nothing is sold, and every feature is open. */
  payments: Payments | null;
  /** What turns speech into text; null where nothing does. */
  speech: Speech | null;
  /** The language model that writes stories; null where none is configured. */
  storyWriter: StoryWriter | null;
  /** Composes stories without a model. */
  weave: Weave;
  /** The instances that this one is joined with; null where it is joined with none. */
  sisters: Sisters | null;
  /** The dead man's switch in numbers. */
  rules: SwitchRules;
  /** Called before anything whose time in counted time matters: ticks if this machine has been away. */
  catchUp: () => Promise<unknown>;
  /** Whether counted time goes on. */
  heartbeat: Heartbeat;
  /** Whether the disk takes what is written. */
  storage: StorageState;
  /** The same of the store of files. */
  fileStorage: StorageState;
  web: WebFiles;
  /** Who reads the chain, for the job that does; null without a token. No request ever asks it. */
  holderSource: HolderSource | null;
  /** Who holds the token, as this server knows it. */
  holders: CurrentHolders;
  /** What solves the game. No answer that was not earned has anything of it. */
  puzzle: Puzzle;
  /** What grants accounts more than every account may. */
  entitlementSources: readonly EntitlementSource[];
  /** Called once when the set-up token was entered. */
  forgetSetupToken: () => void;
  /** Tests only: every reply is compared with its contract. */
  checkReplies: boolean;
}
