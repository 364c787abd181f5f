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

const RESOLUTION = 1;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
const before = process.memoryUsage().rss;
delay.enable();
const began = performance.now();
const { rows } = await source.read(new AbortController().signal);
const seconds = (performance.now() - began) / 1000;
delay.disable();
process.send({
  holders: rows.length / 40,
  seconds,
  // The most that this process has ever had, in kilobytes.
  megabytes: (process.resourceUsage().maxRSS * 1024 - before) / 1e6,
  stall: delay.max / 1e6 - RESOLUTION,
});
process.disconnect();
