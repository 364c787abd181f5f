// Assembles a running server from a configuration: files, database, app, listener. main.ts and tests start it by this.

import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Logger } from 'pino';
import type { SignUpMode } from '../shared/nouns/sign-up.ts';
import { type SwitchRules, switchRules } from '../shared/nouns/switch-rules.ts';
import type { FileStore } from './adapters/file-store.ts';
import { createWeave } from './adapters/loom-thread.ts';
import { openFileStore } from './adapters/open-file-store.ts';
import { createSisters } from './adapters/sisters.ts';
import { createHolderSource, type HolderSourceOptions } from './adapters/solana.ts';
import { createSpeech } from './adapters/speech.ts';
import { createStoryWriter } from './adapters/story-writer.ts';
import { createStripePayments } from './adapters/stripe.ts';
import { systemClock } from './adapters/system-clock.ts';
import { createTransports } from './adapters/transports.ts';
import { createApp } from './app.ts';
import { createBodyRooms } from './body-room.ts';
import { boundedClock, type Clock, type MachineClock } from './clock.ts';
import type { Config } from './config.ts';
import type { OpenedDatabase } from './db/open.ts';
import { assembleSwitch } from './deadman/assembled-switch.ts';
import { deliveryJobs } from './deadman/delivery/delivery-jobs.ts';
import { letterWriter } from './deadman/delivery/message-writer.ts';
import { keepGoing, type Switch, type Work } from './deadman/engine.ts';
import { noticeJobs } from './deadman/pause/notices.ts';
import { sisterJobs } from './deadman/sisters/release.ts';
import { createOutsideLook } from './deadman/watchdog/outside-look.ts';
import type { Deps } from './deps.ts';
import { createDigests } from './digests.ts';
import { setServerQuota } from './entitlements/quota-store.ts';
import { deleteExpired } from './expiry.ts';
import { loadWhenIdle } from './features/auth/passkey-loading.ts';
import { signUpMode } from './features/auth/sign-up-store.ts';
import { planEntitlements } from './features/billing/entitlements.ts';
import { beginReconciling, billingJobs } from './features/billing/jobs.ts';
import { writePlanQuotas } from './features/billing/store.ts';
import { createFileErasing } from './features/files/erasing.ts';
import { beginReading, holderJobs } from './features/holders/refresher.ts';
import { walletEntitlements } from './features/linked-wallet/entitlements.ts';
import { createHeartbeat } from './heartbeat.ts';
import { createHeavyAnswers, heavyAnswerLimits } from './heavy-answers.ts';
import { createCurrentHolders, READ_WITHIN } from './holders/current-holders.ts';
import {
  type ConnectionLimits,
  connectionLimits,
  guardConnections,
  oneByOne,
  serverOptions,
} from './http/connections.ts';
import { forgetSetupToken, instanceSecret, lockDataDir, prepareDataDir } from './instance-files.ts';
import { releaseLeases } from './jobs/queue-store.ts';
import { createJobRunner } from './jobs/runner.ts';
import { startSweeping } from './jobs/sweep.ts';
import { close, listen } from './listen.ts';
import { createMetrics } from './metrics.ts';
import { openDatabase } from './open-database.ts';
import { createPuzzle, readPuzzleFile } from './puzzle/puzzle.ts';
import { offerSetupToken } from './setup-token.ts';
import { asStartProblem, createStorageState } from './storage.ts';
import { uploadLimits } from './upload-limits.ts';
import { loadWebFiles } from './web-files.ts';

export interface StartOptions {
  config: Config;
  log: Logger;
  version: string;
  /** The folder that the build made for the web app. */
  webRoot: string;
  now?: Clock;
  /** Milliseconds that only ever advance. */
  elapsed?: Clock;
  /** The clocks that nobody can set; tests have their own. */
  machine?: MachineClock;
  /** The dead man's switch in numbers; a rehearsal may set its own. */
  rules?: SwitchRules;
  /** How long clients may take; tests are less patient. */
  connections?: ConnectionLimits;
}

/** Its work goes on by itself; tests that move time tick and run jobs besides. */
export interface RunningInstance extends Work {
  port: number;
  /** The token that the first admin enters, while nobody has. */
  setupToken: string | null;
  /** Who could create an account when it started. */
  signUp: SignUpMode;
  deps: Deps;
  /** Lets running requests finish (ten seconds at most), closes the database, gives the data folder back. */
  stop(): Promise<void>;
}

/** @throws StartProblem with a sentence for whoever started it */
export async function startInstance(options: StartOptions): Promise<RunningInstance> {
  try {
    return await assemble(options);
  } catch (error) {
    throw asStartProblem(error, options.config.dataDir);
  }
}

const CLOCK_SET_FORWARD =
  'the clock of this machine was set forward; locks keep to the old time until it has proved itself';

function warnOfUnnamedProxy(config: Config, log: Logger): void {
  if (config.publicUrl?.protocol === 'https:' && config.trustedProxies === null) {
    log.warn(
      'PUBLIC_URL is https, so a proxy stands in front of this server, and TRUSTED_PROXIES does not name its address: until it does, everybody behind it counts as one visitor',
    );
  }
}

type GivenParts = Required<
  Pick<StartOptions, 'config' | 'log' | 'version' | 'webRoot' | 'rules' | 'elapsed'>
>;

/** What the server is made of, as far as it needs no clock but the wall's and knows nothing of the switch. */
function partsOf(
  { config, log, version, webRoot, rules, elapsed }: GivenParts,
  opened: OpenedDatabase,
  fileStore: FileStore,
  now: Clock,
) {
  const { db } = opened;
  const metrics = createMetrics(version);
  const storage = createStorageState(log);
  const fileStorage = createStorageState(log, 'files');
  const heartbeat = createHeartbeat({ log, rules }, elapsed);
  const heavyAnswers = createHeavyAnswers(heavyAnswerLimits, elapsed, metrics);
  const holderSource = config.token && createHolderSource(sourceOptions(config.token));
  const holders = createCurrentHolders({
    db,
    now,
    mint: holderSource?.mint ?? null,
    refresh: config.holderRefresh,
  });
  const speech = createSpeech(config);
  if (config.stt && !speech) {
    log.warn('STT_BASE_URL is set, and ffmpeg is not on the PATH: until it is, nothing is transcribed');
  }
  const digests = createDigests(config.secretKey ?? instanceSecret(config.dataDir));
  return {
    config,
    db,
    engine: opened.engine,
    now,
    log,
    digests,
    sisters: createSisters({ config, digests, elapsed }),
    metrics,
    heavyAnswers,
    bodyRooms: createBodyRooms(),
    uploads: { limits: uploadLimits, elapsed },
    fileStore,
    transports: createTransports(config),
    payments: config.payments && createStripePayments({ payments: config.payments, now }),
    speech,
    storyWriter: createStoryWriter(config),
    weave: createWeave(),
    rules,
    heartbeat,
    storage,
    fileStorage,
    web: loadWebFiles(webRoot),
    holderSource,
    holders,
    forgetSetupToken: () => forgetSetupToken(config.dataDir),
    entitlementSources: [walletEntitlements({ db, holders }), planEntitlements({ config, db })],
    checkReplies: false,
  };
}

async function assemble({
  config,
  log,
  version,
  webRoot,
  elapsed = () => performance.now(),
  machine = systemClock(),
  rules = switchRules,
  connections = connectionLimits,
  now: given,
}: StartOptions): Promise<RunningInstance> {
  const bounded = boundedClock({ onHeldBack: () => log.warn(CLOCK_SET_FORWARD) });
  const now = given ?? bounded.now;
  warnOfUnnamedProxy(config, log);
  const puzzle = createPuzzle(readPuzzleFile(config.puzzleFile));
  prepareDataDir(config.dataDir);
  const unlock = config.databaseUrl ? () => {} : await lockDataDir(config.dataDir);
  let opened: OpenedDatabase | undefined;
  try {
    opened = await openDatabase(config);
    const fileStore = await openFileStore(config, log);
    const { db } = opened;
    await setServerQuota(db, config);
    await writePlanQuotas({ config, db });
    const parts = {
      ...partsOf({ config, log, version, webRoot, rules, elapsed }, opened, fileStore, now),
      calendar: given ?? Date.now,
      puzzle,
      catchUp: () => theSwitch.catchUp(),
    };
    const write = letterWriter(parts);
    const outside = createOutsideLook(parts, () => machine().elapsed);
    const { hasLooked } = outside;
    const jobs = { ...deliveryJobs(parts, write), ...noticeJobs({ ...parts, hasLooked }, write) };
    const stopping = new AbortController();
    // The chain, the payment provider and other instances are asked in lanes of their own: one that is silent keeps up nothing else.
    const slowJobs = [holderJobs(parts, stopping.signal), billingJobs(parts), sisterJobs(parts)];
    const deps: Deps = { ...parts, jobKinds: [jobs, ...slowJobs].flatMap(Object.keys) };
    const setupToken = await offerSetupToken(deps);
    // Here is one process, and it has just begun: whoever has taken a job is gone.
    if (opened.engine === 'sqlite') await releaseLeases(db);
    const theSwitch: Switch = assembleSwitch(deps, { machine, hasLooked, onProved: bounded.accept });
    const { countedTime } = theSwitch;
    /** It writes, so the disk takes what it is given. */
    const tick = async () => {
      await theSwitch.tick();
      parts.storage.stored();
      // Nothing is written there by itself: whoever sends a part next finds out.
      parts.fileStorage.tryAgain();
    };
    // Before anybody is answered: what happens from now on must not age by the time that nobody was here.
    await theSwitch.tick();
    await beginReading(deps);
    await beginReconciling(deps);
    const times = { uptime: countedTime, calendar: async () => deps.calendar() };
    const runJobs = createJobRunner(deps, jobs, times);
    const slowLanes = [
      ...slowJobs.map((kinds) => createJobRunner(deps, kinds, times)),
      outside.look,
      createFileErasing(deps, stopping.signal),
    ];
    const server = createServer(
      serverOptions(connections),
      oneByOne(getRequestListener(createApp(deps).fetch)),
    );
    const stopGuarding = guardConnections(server, config, connections, elapsed);
    const port = await listen(server, config);
    const stopSweeping = startSweeping(async (signal) => {
      await parts.storage.tryTo(deleteExpired(deps, signal));
    }, log);
    const stopWork = keepGoing({ tick, hasMore: theSwitch.hasMore, runJobs, slowLanes }, deps);
    // With a provider nobody comes in by a passkey.
    const stopLoading = config.oidc ? () => {} : loadWhenIdle({ log });
    return {
      port,
      setupToken,
      signUp: await signUpMode(deps),
      deps,
      tick,
      runJobs,
      slowLanes,
      async stop() {
        stopping.abort();
        stopGuarding();
        stopLoading();
        parts.heavyAnswers.stop();
        await Promise.all([stopSweeping(), stopWork(), close(server)]);
        await db.destroy();
        unlock();
      },
    };
  } catch (error) {
    // Closing a database on a full disk can fail as well.
    await opened?.db.destroy().catch(() => {});
    unlock();
    throw error;
  }
}

const sourceOptions = ({ mint, rpcUrl, exclude }: NonNullable<Config['token']>): HolderSourceOptions => ({
  url: rpcUrl,
  mint,
  exclude,
  timeoutMs: READ_WITHIN,
});
