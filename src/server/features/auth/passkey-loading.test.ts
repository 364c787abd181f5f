import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MINUTE } from '../../../shared/time.ts';
import { loadWhenIdle } from './passkey-loading.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const setUp = (shares: number[], outcome: () => Promise<unknown> = async () => {}) => {
  const load = vi.fn(outcome);
  const warn = vi.fn();
  const stop = loadWhenIdle({ log: { warn }, load, share: () => shares.shift() ?? 0 });
  return { load, warn, stop };
};

it('is loaded once, and not before the server has nothing to do', () => {
  const shares = [0.9, 0.3, 0.01];
  const { load } = setUp(shares);
  expect(load).not.toHaveBeenCalled();
  while (shares.length > 1) vi.advanceTimersToNextTimer();
  expect(load).not.toHaveBeenCalled();
  vi.advanceTimersToNextTimer();
  expect(load).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(MINUTE);
  expect(load).toHaveBeenCalledTimes(1);
});

it('is not loaded by a server that has stopped', () => {
  const { load, stop } = setUp([]);
  stop();
  vi.advanceTimersByTime(MINUTE);
  expect(load).not.toHaveBeenCalled();
});

it('ends no server that cannot load it, and is told of', async () => {
  const { warn } = setUp([], () => Promise.reject(new Error('it is not there')));
  vi.advanceTimersToNextTimer();
  await vi.waitFor(() => expect(warn).toHaveBeenCalledTimes(1));
});
