// The vocabulary of the browser tests: a server of their own with a clock that can be moved, a browser whose passkeys
// are virtual, and a console in which nothing unexpected may be said.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BrowserContext, test as base, type CDPSession, expect, type Page } from '@playwright/test';
import { VIRTUAL_AUTHENTICATOR } from '../scripts/chromium.mjs';
import { readConfig } from '../src/server/config.ts';
import { createLog } from '../src/server/log.ts';
import { type RunningInstance, startInstance } from '../src/server/start.ts';
import { switchRules } from '../src/shared/nouns/switch-rules.ts';
import { watchPages } from './traffic.ts';

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const webRoot = fileURLToPath(new URL('../dist/web', import.meta.url));

export interface TestInstance {
  url: string;
  dataDir: string;
  setupToken: string | null;
  /** Every log line so far. */
  log: string[];
  /** Moves the server's clock forward, in milliseconds. */
  advance(milliseconds: number): void;
  /** Lives through as much time, tick by tick, and delivers what becomes due; in milliseconds. */
  live(milliseconds: number): Promise<void>;
  /** Runs what is due of the jobs that ask others, such as the payment provider. */
  runSlowJobs(): Promise<void>;
  /** Has the chain read again, as it is a minute later. */
  readHolders(): Promise<void>;
  /** Epoch milliseconds, as the server sees it. */
  now(): number;
  /** Stops and starts again on the same folder at the same address; `between` is done while it is down. */
  restart(between?: () => void | Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

/** One tick an hour, so that a month is some hundred of them. */
const RULES = { ...switchRules, tick: HOUR, outage: 4 * HOUR, drift: 2 * HOUR };

/** Starts a server on a spare port with the web app that `npm run build` made. */
export async function openInstance(env: Record<string, string> = {}): Promise<TestInstance> {
  const dataDir = mkdtempSync(join(tmpdir(), 'latebra-e2e-'));
  const log: string[] = [];
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const start = (port: string): Promise<RunningInstance> =>
    startInstance({
      config: readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'debug', ...env, PORT: port }),
      log: createLog('debug', { write: (line) => log.push(line) }),
      version: 'test',
      webRoot,
      now,
      elapsed: () => performance.now() + ahead,
      machine: () => ({ elapsed: performance.now() + ahead, bootId: null, synchronised: true }),
      rules: RULES,
    });
  let instance = await start(env.PORT ?? '0');
  const { port, setupToken } = instance;
  const runSlowJobs = async () => {
    await Promise.all(instance.slowLanes.map((run) => run()));
  };
  return {
    url: `http://localhost:${port}`,
    dataDir,
    setupToken,
    log,
    advance: (milliseconds) => {
      ahead += milliseconds;
    },
    async live(milliseconds) {
      for (let left = milliseconds; left > 0; left -= RULES.tick) {
        ahead += Math.min(left, RULES.tick);
        await instance.tick();
        await instance.runJobs();
      }
    },
    runSlowJobs,
    async readHolders() {
      ahead += MINUTE;
      const since = now();
      const { db } = instance.deps;
      const isRead = async () => {
        await runSlowJobs();
        const row = await db.selectFrom('holder_lists').select('tried_at').executeTakeFirst();
        return row !== undefined && row.tried_at >= since;
      };
      // The server's own loop may be at it.
      await expect.poll(isRead).toBe(true);
    },
    now,
    async restart(between = () => {}) {
      await instance.stop();
      await between();
      instance = await start(String(port));
    },
    async stop() {
      await instance.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const authenticators = new WeakMap<Page, { session: CDPSession; authenticatorId: string }>();

/** Gives a page's browser an authenticator that verifies its user and, unless told, keeps PRF secrets. */
export async function addAuthenticator(page: Page, { prf = true } = {}): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...VIRTUAL_AUTHENTICATOR, hasPrf: prf },
  });
  authenticators.set(page, { session, authenticatorId });
}

/**
 * Syncs every passkey of one page's authenticator to a new one of another page's; what they keep for PRF stays
 * behind, as virtual authenticators do not give it out.
 */
export async function copyPasskeys(from: Page, to: Page, options: { prf?: boolean } = {}): Promise<void> {
  const source = authenticators.get(from);
  if (!source) throw new Error('there is no authenticator to copy from');
  await addAuthenticator(to, options);
  const target = authenticators.get(to);
  const { credentials } = await source.session.send('WebAuthn.getCredentials', {
    authenticatorId: source.authenticatorId,
  });
  for (const credential of credentials) {
    await target?.session.send('WebAuthn.addCredential', {
      authenticatorId: target.authenticatorId,
      credential,
    });
  }
}

/** Fails a test whose pages say something in the console that it did not announce. */
export class ConsoleWatch {
  readonly said: string[] = [];
  /** A page looks at its book when it is idle: after its session ended in another tab, that may be too late. */
  private readonly expected: RegExp[] = [
    /status of 401 .*\/api\/book$/,
    // Said by the test's own browser where it allows no service worker (playwright.config.ts).
    /^Service Worker registration blocked by Playwright/,
  ];

  watch(context: BrowserContext): void {
    const note = (text: string) => {
      if (!this.expected.some((pattern) => pattern.test(text))) this.said.push(text);
    };
    context.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning')
        note(`${message.text()} ${message.location().url}`);
    });
    context.on('weberror', (webError) => note(String(webError.error().stack ?? webError.error())));
  }

  /** Announces what will be said, such as the browser's own note of a refused request. */
  expect(pattern: RegExp): void {
    this.expected.push(pattern);
  }
}

export interface Fixtures {
  instance: TestInstance;
  quiet: ConsoleWatch;
}

export const test = base.extend<Fixtures, { watched: undefined }>({
  watched: [
    async ({ browser }, use) => {
      watchPages(browser);
      await use(undefined);
    },
    { auto: true, scope: 'worker' },
  ],
  instance: async ({ context }, use) => {
    const instance = await openInstance();
    await use(instance);
    // A page that is still fetching what it may need next would otherwise find the server gone, and say so.
    await Promise.all(context.pages().map((page) => page.close()));
    await instance.stop();
  },
  quiet: [
    async ({ context }, use) => {
      const watch = new ConsoleWatch();
      watch.watch(context);
      await use(watch);
      expect(watch.said, 'nothing unexpected was said in the console').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
