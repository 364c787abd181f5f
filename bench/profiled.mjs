// Loaded before the built server: at each SIGUSR2 it begins to note where its thread spends its time, or writes down what was noted.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';

/** Microseconds between two looks. */
const INTERVAL = 200;
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.setSamplingInterval', { interval: INTERVAL });

let [isNoting, count] = [false, 0];
process.on('SIGUSR2', async () => {
  isNoting = !isNoting;
  if (isNoting) return void session.post('Profiler.start');
  const { profile } = await session.post('Profiler.stop');
  writeFileSync(join(process.env.PROFILES, `${count++}.json`), JSON.stringify(profile));
});
