// A program that hangs, and how a test sees that it runs and that it is gone.
import { readdirSync } from 'node:fs';

/** A script that tells that it runs by a folder beside it, because it may write no file, and then hangs. */
export const HANGS = 'mkdir "$(dirname "$0")/running-$$"; exec sleep 100000';

/** Waits until it runs. Returns its process id. */
export async function untilRunning(folder: string): Promise<number> {
  for (;;) {
    const running = readdirSync(folder).find((name) => name.startsWith('running-'));
    if (running) return Number(running.slice('running-'.length));
    await new Promise(setImmediate);
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
