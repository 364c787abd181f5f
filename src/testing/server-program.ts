// The real server as a program: built once for the whole run, started as a process of its own, stopped or killed.
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeWebRoot } from './web-files.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface ServerProgram {
  /** What Node runs; the other programs stand beside it. */
  main: string;
  remove(): void;
}

/** Builds the server into a temporary folder that looks like an installed one: no `npm run build` is needed. */
export async function buildServerProgram(): Promise<ServerProgram> {
  const { buildServer } = await import('../../scripts/build/server.mjs');
  const home = mkdtempSync(join(tmpdir(), 'latebra-program-'));
  writeFileSync(join(home, 'package.json'), JSON.stringify({ type: 'module', version: '0.0.0-test' }));
  symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'), 'dir');
  const web = writeWebRoot();
  cpSync(web.root, join(home, 'dist/web'), { recursive: true });
  web.remove();
  await buildServer(join(home, 'dist/server'), { 'hurried-server': 'src/testing/hurried-server.ts' });
  return {
    main: join(home, 'dist/server/main.js'),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

export interface ServerProcess {
  child: ChildProcess;
  /** Where it listens. */
  url: string;
  /** Everything it has said so far. */
  output(): string;
  /** Sends a signal and waits for the end; resolves to the exit code, or null when a signal ended it. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** How a start went that did not lead to a server. */
export interface RefusedStart {
  code: number | null;
  output: string;
}

/** Starts the program. Resolves when it listens, or when it has ended instead. */
export async function startProgram(
  main: string,
  env: Record<string, string>,
): Promise<ServerProcess | RefusedStart> {
  const child = spawn(process.execPath, [main], {
    cwd: dirname(main),
    env: { PATH: process.env.PATH ?? '', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  const output = () => said.join('');
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const url = await new Promise<string | null>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said.push(text);
        const found = /listens at http:\/\/localhost:(\d+)/.exec(output());
        if (found) resolve(`http://127.0.0.1:${found[1]}`);
      });
    }
    child.once('close', () => resolve(null));
  });
  if (url === null) return { code: await ended, output: output() };
  return {
    child,
    url,
    output,
    end: (signal = 'SIGTERM') => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return ended;
    },
  };
}

/** Starts the program and expects it to listen. */
export async function startServer(main: string, env: Record<string, string>): Promise<ServerProcess> {
  const started = await startProgram(main, env);
  if ('url' in started) return started;
  throw new Error(`The server did not start: ${started.output}`);
}

/** A data folder that does not exist yet, in a place that goes when the test does. */
export function aDataDir(): { dataDir: string; remove(): void } {
  const place = mkdtempSync(join(tmpdir(), 'latebra-data-'));
  const dataDir = join(place, 'data');
  return { dataDir, remove: () => rmSync(place, { recursive: true, force: true }) };
}

/**
 * A server on a data folder of its own that may use so much memory, in MiB, and no more. It is killed, and the folder removed, by
 * what is put among the cleanups.
 */
export async function startSmallServer(
  main: string,
  heap: number,
  cleanups: (() => unknown)[],
): Promise<ServerProcess & { dataDir: string }> {
  const { dataDir, remove } = aDataDir();
  cleanups.push(remove);
  const server = await startServer(main, { DATA_DIR: dataDir, NODE_OPTIONS: `--max-old-space-size=${heap}` });
  cleanups.push(() => server.end('SIGKILL'));
  return { ...server, dataDir };
}
