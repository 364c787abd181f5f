// Keeping a switch going, and stopping it: nothing begins after it was told to stop, and what fails harms nobody.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { switchRules } from '../../shared/nouns/switch.ts';
import { openTestHouse, type TestHouse } from '../../testing/instance.ts';
import { keepGoing } from './engine.ts';

let house: TestHouse;
beforeEach(async () => {
  house = await openTestHouse();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await house.close();
});

/** Work that a test lets end. */
function held() {
  let end = () => {};
  const work = vi.fn(
    () =>
      new Promise<void>((resolve) => {
        end = resolve;
      }),
  );
  return { work, end: () => end() };
}

const settled = async () => {
  for (let i = 0; i < 20; i += 1) await Promise.resolve();
};

it('the switch beats at once, then delivers, and goes on by the minute', async () => {
  const [beat, deliver] = [vi.fn(async () => {}), vi.fn(async () => {})];
  const stop = keepGoing({ beat, runJobs: deliver }, house.deps);
  await settled();
  expect([beat.mock.calls.length, deliver.mock.calls.length]).toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(switchRules.beat);
  expect(beat).toHaveBeenCalledTimes(2);
  expect(deliver.mock.calls.length).toBeGreaterThanOrEqual(12);
  await stop();
  const before = deliver.mock.calls.length;
  await vi.advanceTimersByTimeAsync(10 * switchRules.beat);
  expect([beat.mock.calls.length, deliver.mock.calls.length]).toEqual([2, before]);
});

it('a beat that takes long is not begun twice, and nothing is delivered after the switch was stopped', async () => {
  const [heart, deliver] = [held(), vi.fn(async () => {})];
  const stop = keepGoing({ beat: heart.work, runJobs: deliver }, house.deps);
  await vi.advanceTimersByTimeAsync(3 * switchRules.beat);
  expect(heart.work).toHaveBeenCalledTimes(1);
  const before = deliver.mock.calls.length;
  let stopped = false;
  const stopping = stop().then(() => {
    stopped = true;
  });
  await settled();
  expect(stopped).toBe(false);
  heart.end();
  await stopping;
  await settled();
  expect(deliver).toHaveBeenCalledTimes(before);
});

it('stopping waits five seconds for a delivery that hangs, and no longer', async () => {
  const courier = held();
  const stop = keepGoing({ beat: async () => {}, runJobs: courier.work }, house.deps);
  await settled();
  expect(courier.work).toHaveBeenCalledTimes(1);
  const stopping = stop();
  await vi.advanceTimersByTimeAsync(5_000);
  await stopping;
});

it('a beat that fails is logged, and the next one comes', async () => {
  const beat = vi.fn(() => Promise.reject(new Error('no database')));
  const stop = keepGoing({ beat, runJobs: async () => {} }, house.deps);
  await vi.advanceTimersByTimeAsync(2 * switchRules.beat);
  expect(beat).toHaveBeenCalledTimes(3);
  expect(house.log.filter(({ msg }) => msg === 'a heartbeat failed')).toHaveLength(3);
  await stop();
});
