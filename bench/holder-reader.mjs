// Reads once and says what it took. Run by holders.mjs.
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { root } from './instance.mjs';

const [, , bundle, url, mint] = process.argv;
const { createHolderSource, readInThread } = await import(bundle);

const run = readInThread(pathToFileURL(join(root, 'dist', 'server', 'holder-worker.js')));
const source = createHolderSource({ url: new URL(url), mint, exclude: new Set(), timeoutMs: 60_000, run });
await wait(500);

/** Runs something and finds the longest time, in milliseconds, for which this thread's timers had to wait. */
async function longestStall(work) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const result = await work();
  delay.disable();
  return { result, stall: delay.max / 1e6 - 1 };
}

const before = process.memoryUsage().rss;
const began = performance.now();
const { result, stall } = await longestStall(() => source.read(new AbortController().signal));
const took = performance.now() - began;
// The most that this process has ever had, in kilobytes.
const megabytes = (process.resourceUsage().maxRSS * 1024 - before) / 1e6;
const { stall: idle } = await longestStall(() => wait(took));
process.send({ holders: result.rows.length / 40, seconds: took / 1000, megabytes, stall, idle });
process.disconnect();
