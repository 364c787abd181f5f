// The server of a web test: the real app on an embedded database in this process. It and the pages share one clock, which
// stands still until a test moves it.
import { afterAll, beforeAll, vi } from 'vitest';
import { openSelling, type SellingInstance } from '../../testing/billing.ts';
import { type InstanceOptions, openTestInstance, type TestInstance } from '../../testing/instance.ts';
import { aWatchedInstance, type Watched } from '../../testing/switch.ts';

const START = Date.parse('2030-06-01T12:00:00.000Z');

const clock = {
  now: () => Date.now(),
  set: (time: number | string) => void vi.setSystemTime(time),
  advance: (by: number) => void vi.setSystemTime(Date.now() + by),
};

/** A server for all tests of a file; each brings members of its own. */
export function anInstance(options: InstanceOptions = {}): () => TestInstance {
  let instance: TestInstance;
  beforeAll(async () => {
    vi.setSystemTime(START);
    instance = await openTestInstance({ ...options, clock });
  });
  afterAll(() => instance.close());
  return () => instance;
}

/** As `anInstance`, with the dead man's switch at work: it ticks and delivers while a test lets time pass. */
export function anInstanceOnWatch(options: InstanceOptions = {}): () => Watched {
  let watched: Watched;
  beforeAll(async () => {
    vi.setSystemTime(START);
    watched = await aWatchedInstance({ ...options, clock });
  });
  afterAll(() => watched.close());
  return () => watched;
}

/** As `anInstance`, selling the Enhanced plan by a stand-in for the payment provider. */
export function aSellingInstance(env: Record<string, string> = {}): () => SellingInstance {
  let instance: SellingInstance;
  beforeAll(async () => {
    vi.setSystemTime(START);
    instance = await openSelling({ env, clock });
  });
  afterAll(() => instance.close());
  return () => instance;
}
