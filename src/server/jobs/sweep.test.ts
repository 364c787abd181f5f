import type { Logger } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MINUTE } from '../../shared/time.ts';
import { startSweeping } from './sweep.ts';

const log = { error: vi.fn() };
const start = (sweep: () => Promise<void>) => startSweeping(sweep, log as unknown as Logger);

beforeEach(() => {
  vi.useFakeTimers();
  log.error.mockClear();
});
afterEach(() => vi.useRealTimers());

it('comes at once and every minute, until it is stopped', async () => {
  const sweep = vi.fn(async () => {});
  const stop = start(sweep);
  expect(sweep).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(sweep).toHaveBeenCalledTimes(2);
  await stop();
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(sweep).toHaveBeenCalledTimes(2);
});

it('one sweep comes after the other, and stopping waits for the one under way', async () => {
  let finish = () => {};
  const sweep = vi.fn(
    (_: AbortSignal) =>
      new Promise<void>((resolve) => {
        finish = resolve;
      }),
  );
  const stop = startSweeping(sweep, log as unknown as Logger);
  await vi.advanceTimersByTimeAsync(3 * MINUTE);
  expect(sweep).toHaveBeenCalledTimes(1);
  const stopped = vi.fn();
  const stopping = stop().then(stopped);
  await vi.advanceTimersByTimeAsync(0);
  expect(sweep.mock.calls[0]?.[0].aborted).toBe(true);
  expect(stopped).not.toHaveBeenCalled();
  finish();
  await stopping;
  expect(stopped).toHaveBeenCalled();
});

it('one that fails is logged, and the next one comes', async () => {
  const sweep = vi.fn(async () => {
    throw new Error('The database is gone.');
  });
  const stop = start(sweep);
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(log.error).toHaveBeenCalledWith(expect.anything(), 'sweeping failed');
  expect(sweep).toHaveBeenCalledTimes(2);
  await stop();
});
