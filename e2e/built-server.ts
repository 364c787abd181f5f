// The server as `npm start` runs it: the built bundle in a process of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from './instance.ts';

export const main = fileURLToPath(new URL('../dist/server/main.js', import.meta.url));

export interface Running {
  child: ChildProcess;
  url: string;
  said: () => string;
  ended: Promise<number | null>;
}

/** Runs it without waiting for anything. */
export function runBuilt(dataDir: string, port = '0'): Omit<Running, 'url'> {
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, PORT: port, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  return { child, said: () => said, ended: new Promise((resolve) => child.once('exit', resolve)) };
}

/** Starts it, and waits until it listens. */
export async function startBuilt(dataDir: string, port?: string): Promise<Running> {
  const running = runBuilt(dataDir, port);
  await expect.poll(running.said).toMatch(/listens at http:\/\/localhost:\d+/);
  return { ...running, url: /http:\/\/localhost:\d+/.exec(running.said())?.[0] ?? '' };
}
