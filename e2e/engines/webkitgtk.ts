// WebKitGTK by WebDriver, which is HTTP and JSON. A driver keeps one session, and so each tab has a driver and a browser of
// its own. They draw on a screen that is nowhere: Xvfb's.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Engine, type Key, type Tab, VIEWPORT } from './tab.ts';
import { until } from './until.ts';

/** The paths of WebKitWebDriver, of the browser it drives, and of Xvfb. */
export interface WebKitPrograms {
  driver: string;
  browser: string;
  screen: string;
}

/** As WebDriver writes them: https://www.w3.org/TR/webdriver2/#keyboard-actions */
const ENTER = '\uE007';
const KEYS: Record<Key, string> = { ArrowDown: '\uE015', ArrowUp: '\uE013' };

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill();
  await ended;
}

/** A port on which nothing listens at the moment: WebKitWebDriver cannot choose one and tell which. */
function sparePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** Answers the name of Xvfb's display, such as ":99", once it takes clients. */
async function displayOf(screen: ChildProcess): Promise<string> {
  const number = await new Promise<string>((resolve, reject) => {
    screen.once('error', reject);
    screen.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}.`)));
    let written = '';
    screen.stdio[3]?.on('data', (chunk) => {
      written += chunk;
      if (written.includes('\n')) resolve(written.trim());
    });
  });
  return `:${number}`;
}

/** Starts what tabs share; the browsers come with them. */
export async function launchWebKit(programs: WebKitPrograms): Promise<Engine> {
  const home = mkdtempSync(join(tmpdir(), 'latebra-webkit-'));
  // No motion: drawing it takes a part of every wait.
  const settings = join(home, '.config', 'gtk-3.0');
  mkdirSync(settings, { recursive: true });
  writeFileSync(join(settings, 'settings.ini'), '[Settings]\ngtk-enable-animations=0\n');

  const children: ChildProcess[] = [];
  const start = (program: string, args: string[], options: SpawnOptions): ChildProcess => {
    const child = spawn(program, args, options);
    children.push(child);
    return child;
  };
  // A browser ends with its screen.
  const killAll = () => {
    for (const child of children) child.kill();
  };
  process.once('exit', killAll);

  const size = `${VIEWPORT.width + 160}x${VIEWPORT.height + 160}x24`;
  const screen = start(programs.screen, ['-displayfd', '3', '-screen', '0', size, '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_RUNTIME_DIR: home,
    DISPLAY: await displayOf(screen),
    GDK_BACKEND: 'x11',
    // There is no bus for assistive technology to listen on.
    NO_AT_BRIDGE: '1',
  };
  return {
    async newTab() {
      const port = await sparePort();
      const driver = start(programs.driver, [`--port=${port}`], { stdio: 'ignore', env });
      return openTab(`http://127.0.0.1:${port}`, driver, programs.browser);
    },
    async close() {
      process.off('exit', killAll);
      await Promise.all(children.map(stopProcess));
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** @param binary the browser that the driver shall start */
async function openTab(origin: string, driver: ChildProcess, binary: string): Promise<Tab> {
  async function call<Reply>(method: string, path: string, body?: object): Promise<Reply> {
    const answer = await fetch(origin + path, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const { value } = (await answer.json()) as { value: Reply & { error?: string; message?: string } };
    if (!answer.ok) throw new Error(`${method} ${path}: ${value.error}. ${value.message}`);
    return value;
  }

  await until(
    'WebKitWebDriver listens',
    () => call<{ ready: boolean }>('GET', '/status'),
    (status) => status.ready,
  );
  const options = { binary, args: ['--automation'] };
  const { sessionId } = await call<{ sessionId: string }>('POST', '/session', {
    capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } },
  });
  const session = <Reply>(method: string, path: string, body?: object) =>
    call<Reply>(method, `/session/${sessionId}${path}`, body);
  await session('POST', '/window/rect', { x: 0, y: 0, ...VIEWPORT });
  const act = (...actions: object[]) => session<null>('POST', '/actions', { actions });

  return {
    open: async (url) => void (await session('POST', '/url', { url })),
    reload: async () => void (await session('POST', '/refresh', {})),
    evaluate: (expression) => session('POST', '/execute/sync', { script: `return ${expression}`, args: [] }),
    async click(x, y) {
      const actions = [
        { type: 'pointerMove', x: Math.round(x), y: Math.round(y), origin: 'viewport' },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ];
      await act({ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions });
    },
    async type(text) {
      const element = Object.values(await session<Record<string, string>>('GET', '/element/active'))[0];
      await session('POST', `/element/${element}/value`, { text: text.replaceAll('\n', ENTER) });
    },
    async press(key) {
      const actions = ['keyDown', 'keyUp'].map((type) => ({ type, value: KEYS[key] }));
      await act({ type: 'key', id: 'keyboard', actions });
    },
    async screenshot() {
      return Buffer.from(await session<string>('GET', '/screenshot'), 'base64');
    },
    // WebDriver has no console, and under it the browser does not write its own.
    said: () => [],
    async close() {
      await session('DELETE', '');
      await stopProcess(driver);
    },
  };
}
