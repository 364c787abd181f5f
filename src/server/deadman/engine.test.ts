// Keeping a switch going, and stopping it: nothing begins after it was told to stop, and what fails harms nobody.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { switchRules } from '../../shared/nouns/switch-rules.ts';
import { MINUTE } from '../../shared/time.ts';
import { openTestInstance, type TestInstance } from '../../testing/instance.ts';
import { aServer, memoryJournal } from '../../testing/switch.ts';
import { createSwitch, keepGoing } from './engine.ts';

const slowLanes = [async () => {}];

let instance: TestInstance;
beforeEach(async () => {
  instance = await openTestInstance();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await instance.close();
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

it('the switch ticks at once, then delivers, and goes on by the minute', async () => {
  const [tick, deliver] = [vi.fn(async () => {}), vi.fn(async () => {})];
  const stop = keepGoing({ tick, runJobs: deliver, slowLanes }, instance.deps);
  await settled();
  expect([tick.mock.calls.length, deliver.mock.calls.length]).toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(switchRules.tick);
  expect(tick).toHaveBeenCalledTimes(2);
  expect(deliver.mock.calls.length).toBeGreaterThanOrEqual(12);
  await stop();
  const before = deliver.mock.calls.length;
  await vi.advanceTimersByTimeAsync(10 * switchRules.tick);
  expect([tick.mock.calls.length, deliver.mock.calls.length]).toEqual([2, before]);
});

it('what one tick leaves is decided by the next ones, which come at once, and others have their turn between', async () => {
  let due = 3;
  const tick = vi.fn(async () => {
    due -= 1;
  });
  const deliver = vi.fn(async () => {});
  const stop = keepGoing({ tick, hasMore: () => due > 0, runJobs: deliver, slowLanes }, instance.deps);
  await settled();
  expect([tick.mock.calls.length, deliver.mock.calls.length]).toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(1000);
  expect([tick.mock.calls.length, deliver.mock.calls.length]).toEqual([3, 3]);
  await vi.advanceTimersByTimeAsync(switchRules.tick - 2000);
  expect(tick).toHaveBeenCalledTimes(3);
  await stop();
});

it('a full disk is told once, however often the work is tried', async () => {
  const full = async () => {
    throw Object.assign(new Error('no room'), { code: 'SQLITE_FULL' });
  };
  const stop = keepGoing({ tick: full, runJobs: full, slowLanes: [full] }, instance.deps);
  await vi.advanceTimersByTimeAsync(3 * switchRules.tick);
  await stop();
  expect(instance.log.map(({ code }) => code)).toEqual(['SQLITE_FULL']);
  expect(instance.deps.storage.isFull()).toBe(true);
});

it('a tick that takes long is not begun twice, and nothing is delivered after the switch was stopped', async () => {
  const [monitor, deliver] = [held(), vi.fn(async () => {})];
  const stop = keepGoing({ tick: monitor.work, runJobs: deliver, slowLanes }, instance.deps);
  await vi.advanceTimersByTimeAsync(3 * switchRules.tick);
  expect(monitor.work).toHaveBeenCalledTimes(1);
  const before = deliver.mock.calls.length;
  let stopped = false;
  const stopping = stop().then(() => {
    stopped = true;
  });
  await settled();
  expect(stopped).toBe(false);
  monitor.end();
  await stopping;
  await settled();
  expect(deliver).toHaveBeenCalledTimes(before);
});

it('stopping waits five seconds for a delivery that hangs, and no longer', async () => {
  const transport = held();
  const stop = keepGoing({ tick: async () => {}, runJobs: transport.work, slowLanes }, instance.deps);
  await settled();
  expect(transport.work).toHaveBeenCalledTimes(1);
  const stopping = stop();
  await vi.advanceTimersByTimeAsync(5_000);
  await stopping;
});

it('a tick that fails is logged, and tried again within seconds', async () => {
  const tick = vi.fn((): Promise<void> => Promise.reject(new Error('no database')));
  const stop = keepGoing({ tick, runJobs: async () => {}, slowLanes }, instance.deps);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(tick).toHaveBeenCalledTimes(2);
  expect(instance.log.filter(({ msg }) => msg === 'a tick failed')).toHaveLength(2);
  tick.mockImplementation(async () => {});
  await vi.advanceTimersByTimeAsync(5_000);
  expect(tick).toHaveBeenCalledTimes(3);
  await vi.advanceTimersByTimeAsync(switchRules.tick - 15_000);
  expect(tick).toHaveBeenCalledTimes(3);
  await stop();
});

it('a tick and a delivery that never end are given up, and others begin', async () => {
  const [tick, deliver] = [held(), held()];
  const stop = keepGoing({ tick: tick.work, runJobs: deliver.work, slowLanes }, instance.deps);
  await vi.advanceTimersByTimeAsync(5 * MINUTE - 1000);
  expect([tick.work.mock.calls.length, deliver.work.mock.calls.length]).toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(20_000);
  expect([tick.work.mock.calls.length, deliver.work.mock.calls.length]).toEqual([2, 2]);
  const said = instance.log.map(({ msg, err }) => [msg, (err as Error).message]);
  expect(said).toContainEqual(['a tick failed', 'It has not ended for 5 minutes.']);
  const stopping = stop();
  await vi.advanceTimersByTimeAsync(5_000);
  await stopping;
});

it('whether counted time goes on is looked at by the minute, also while a tick hangs', async () => {
  const report = vi.fn();
  const tick = held();
  const stop = keepGoing(
    { tick: tick.work, runJobs: async () => {}, slowLanes },
    { ...instance.deps, heartbeat: { report } },
  );
  await vi.advanceTimersByTimeAsync(3 * switchRules.tick);
  expect(report).toHaveBeenCalledTimes(3);
  tick.end();
  await stop();
});

it('a server that never ticks, since another one does, believes the calendar all the same', async () => {
  const [ticking, other] = [aServer(instance), aServer(instance, memoryJournal(), false)];
  await ticking.tick();
  const proved: number[] = [];
  const watching = createSwitch(instance.deps, {
    machine: () => other.time,
    journal: memoryJournal(ticking.journal.entry),
    alone: false,
    origin: null,
    onProved: (calendar) => proved.push(calendar),
  });
  for (let minute = 0; minute < 3; minute += 1) {
    instance.clock.advance(MINUTE);
    for (const { time } of [ticking, other]) time.elapsed += MINUTE;
    await ticking.tick();
    await watching.tick();
  }
  expect(proved).toHaveLength(3);
  expect(proved.at(-1)).toBe(instance.clock.now());
});

it('a slow job that hangs keeps neither a delivery nor another lane of slow jobs waiting', async () => {
  const [slow, deliver, other] = [held(), vi.fn(async () => {}), vi.fn(async () => {})];
  const stop = keepGoing(
    { tick: async () => {}, runJobs: deliver, slowLanes: [slow.work, other] },
    instance.deps,
  );
  await vi.advanceTimersByTimeAsync(switchRules.tick);
  expect(slow.work).toHaveBeenCalledTimes(1);
  expect(deliver.mock.calls.length).toBeGreaterThanOrEqual(12);
  expect(other.mock.calls.length).toBeGreaterThanOrEqual(12);
  slow.end();
  await stop();
});
