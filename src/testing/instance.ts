// A whole server without a port: the real app on a real database, a clock that tests move, and a log that they read.
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Hono } from 'hono';
import { createFileFolder } from '../server/adapters/file-folder.ts';
import { createSisters } from '../server/adapters/sisters.ts';
import { createStripePayments } from '../server/adapters/stripe.ts';
import { createApp } from '../server/app.ts';
import { createBodyRooms } from '../server/body-room.ts';
import { readConfig } from '../server/config.ts';
import type { Engine } from '../server/db/open.ts';
import { DELIVER, NEXT_IN_LINE } from '../server/deadman/delivery/message-store.ts';
import type { Deps } from '../server/deps.ts';
import { createDigests } from '../server/digests.ts';
import { setServerQuota } from '../server/entitlements/quota-store.ts';
import { planEntitlements } from '../server/features/billing/entitlements.ts';
import { CHECK, END, RECONCILE, SYNC } from '../server/features/billing/store.ts';
import { READ_HOLDERS } from '../server/features/holders/refresher.ts';
import { walletEntitlements } from '../server/features/linked-wallet/entitlements.ts';
import { createHeavyAnswers, heavyAnswerLimits } from '../server/heavy-answers.ts';
import { createCurrentHolders } from '../server/holders/current-holders.ts';
import { createLog } from '../server/log.ts';
import { createMetrics } from '../server/metrics.ts';
import { createPuzzle } from '../server/puzzle/puzzle.ts';
import { shippedPuzzle } from '../server/puzzle/shipped.ts';
import { createStorageState } from '../server/storage.ts';
import { uploadLimits } from '../server/upload-limits.ts';
import { switchRules } from '../shared/nouns/switch-rules.ts';
import { type TestClock, testClock } from './clock.ts';
import { openTestDatabase, type TestDatabase } from './engines.ts';
import { stubWebFiles } from './web-files.ts';

export interface RequestOptions {
  /** Sent as JSON unless it is a string, a form, bytes or a stream of them. */
  body?: unknown;
  /** Ends the request as a client does that leaves. */
  signal?: AbortSignal;
  cookie?: string | undefined;
  headers?: Record<string, string>;
  /** The address of whoever asks; without one there is no socket to ask. */
  from?: string;
}

export type Requester = (method: string, path: string, options?: RequestOptions) => Promise<Response>;

export interface TestInstance {
  app: Hono;
  deps: Deps;
  clock: TestClock;
  database: TestDatabase;
  /** The folder of files; there once the first part has come. */
  filesFolder: string;
  /** The log's lines, parsed. */
  log: Record<string, unknown>[];
  /** How often the app asked for the set-up token's file to be forgotten. */
  forgotten: () => number;
  request: Requester;
  /** Another server on the same database, configured as this one but for these variables. */
  sibling(env?: Record<string, string>): TestInstance;
  close(): Promise<void>;
}

export interface InstanceOptions {
  engine?: Engine;
  /** Environment variables, read as main.ts would. */
  env?: Record<string, string>;
  deps?: Partial<Deps>;
  clock?: TestClock;
}

/** Where a test server stands unless PUBLIC_URL says otherwise. */
export const ORIGIN = 'http://localhost:3000';

export async function openTestInstance(options: InstanceOptions = {}): Promise<TestInstance> {
  const database = await openTestDatabase(options.engine ?? 'sqlite');
  await setServerQuota(database.db, readConfig(options.env ?? {}));
  return assemble({
    ...options,
    database,
    secret: randomBytes(32),
    clock: options.clock ?? testClock(),
    filesFolder: join(tmpdir(), `latebra-files-${randomBytes(8).toString('hex')}`),
  });
}

function assemble(
  parts: InstanceOptions & { database: TestDatabase; secret: Buffer; clock: TestClock; filesFolder: string },
): TestInstance {
  const { database, clock, filesFolder } = parts;
  const config = readConfig({ LOG_LEVEL: 'debug', ...parts.env });
  const secret = config.secretKey ?? parts.secret;
  const log: Record<string, unknown>[] = [];
  let forgotten = 0;
  const metrics = createMetrics('0.0.0-test');
  const holderSource = parts.deps?.holderSource ?? null;
  // Each server has a memory of its own.
  const holders = createCurrentHolders({
    db: database.db,
    now: parts.deps?.now ?? clock.now,
    mint: holderSource?.mint ?? null,
    refresh: config.holderRefresh,
  });
  const logger = createLog(config.logLevel, { write: (line) => log.push(JSON.parse(line)) });
  const deps: Deps = {
    config,
    db: database.db,
    engine: database.engine,
    now: clock.now,
    calendar: parts.deps?.now ?? clock.now,
    log: logger,
    digests: createDigests(secret),
    sisters: createSisters({ config, digests: createDigests(secret), elapsed: clock.now }),
    metrics,
    heavyAnswers: createHeavyAnswers(heavyAnswerLimits, clock.now, metrics),
    bodyRooms: createBodyRooms(),
    catchUp: async () => {},
    uploads: { limits: uploadLimits, elapsed: clock.now },
    fileStore: createFileFolder(filesFolder),
    transports: { email: null, sms: null },
    payments:
      config.payments && createStripePayments({ payments: config.payments, now: clock.now, retries: 0 }),
    speech: null,
    storyWriter: null,
    weave: async ({ sourceContent }) => ({ title: 'Woven', text: sourceContent }),
    rules: switchRules,
    heartbeat: { see: () => {}, age: () => 0, standsStill: () => false, report: () => {} },
    storage: createStorageState(logger),
    fileStorage: createStorageState(logger, 'files'),
    web: stubWebFiles(),
    forgetSetupToken: () => {
      forgotten += 1;
    },
    holderSource,
    holders,
    puzzle: createPuzzle(shippedPuzzle),
    jobKinds: [
      DELIVER,
      NEXT_IN_LINE,
      READ_HOLDERS,
      ...(config.payments ? [SYNC, END, CHECK, RECONCILE] : []),
    ],
    entitlementSources: [
      walletEntitlements({ db: database.db, holders }),
      planEntitlements({ config, db: database.db }),
    ],
    checkReplies: true,
    ...parts.deps,
  };
  const app = createApp(deps);
  const base = config.publicUrl?.origin ?? ORIGIN;
  return {
    app,
    deps,
    clock,
    database,
    filesFolder,
    log,
    forgotten: () => forgotten,
    request: async (method, path, { body, cookie, headers, from, signal } = {}) =>
      app.request(
        new Request(base + path, {
          method,
          headers: {
            host: new URL(base).host,
            ...(body === undefined || isRaw(body) ? {} : { 'content-type': 'application/json' }),
            ...(cookie === undefined ? {} : { cookie }),
            ...headers,
          },
          ...(body === undefined ? {} : { body: asBody(body), duplex: 'half' }),
          ...(signal ? { signal } : {}),
          redirect: 'manual',
        }),
        undefined,
        from === undefined ? undefined : { incoming: { socket: { remoteAddress: from } } },
      ),
    sibling: (env) => assemble({ ...parts, env: { ...parts.env, ...env } }),
    async close() {
      await database.close();
      rmSync(filesFolder, { recursive: true, force: true });
    },
  };
}

/** Whether a body goes as it is, and says its own type or none. */
const isRaw = (body: unknown): body is NonNullable<RequestInit['body']> =>
  body instanceof FormData || body instanceof Uint8Array || body instanceof ReadableStream;

const asBody = (body: unknown) => (isRaw(body) || typeof body === 'string' ? body : JSON.stringify(body));

/** The `name=value` of the cookie that an answer sets, ready to be sent back. Empty when it sets none. */
export function cookieOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .join('; ');
}

/** What an answer says of its failure. */
export async function failure(response: Response): Promise<{ status: number; code: string }> {
  const { code } = (await response.json()) as { code: string };
  return { status: response.status, code };
}
