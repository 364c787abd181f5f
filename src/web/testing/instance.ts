// The server of a web test: the real app on an embedded database in this process. It and the pages share one clock, which
// stands still until a test moves it.
import { afterAll, beforeAll, vi } from 'vitest';
import { type HouseOptions, openTestHouse, type TestHouse } from '../../testing/instance.ts';
import { aWatchedHouse, type Watched } from '../../testing/switch.ts';

const START = Date.parse('2030-06-01T12:00:00.000Z');

const clock = {
  now: () => Date.now(),
  set: (time: number | string) => void vi.setSystemTime(time),
  advance: (by: number) => void vi.setSystemTime(Date.now() + by),
};

/** A house for all tests of a file; each brings residents of its own. */
export function aHouse(options: HouseOptions = {}): () => TestHouse {
  let house: TestHouse;
  beforeAll(async () => {
    vi.setSystemTime(START);
    house = await openTestHouse({ ...options, clock });
  });
  afterAll(() => house.close());
  return () => house;
}

/** As `aHouse`, with the dead man's switch at work: it beats and delivers while a test lets time pass. */
export function aHouseOnWatch(options: HouseOptions = {}): () => Watched {
  let watched: Watched;
  beforeAll(async () => {
    vi.setSystemTime(START);
    watched = await aWatchedHouse({ ...options, clock });
  });
  afterAll(() => watched.close());
  return () => watched;
}
