// When a page counts as having come to rest.
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DAY, SECOND } from '../../shared/time.ts';
import { later } from '../ui/later.tsx';
import { whenAtRest } from './when-at-rest.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('once nothing is fetched that somebody waits for: no answer, and no part of the app', async () => {
  const queryClient = new QueryClient();
  const work = vi.fn();
  let answer = (_: string) => {};
  void queryClient.fetchQuery({
    queryKey: ['a list'],
    queryFn: () => new Promise<string>((resolve) => (answer = resolve)),
  });
  let arrive = (_: { default: () => null }) => {};
  const part = later<object>(() => new Promise((resolve) => (arrive = resolve)));
  void part.preload();
  whenAtRest(queryClient, work);
  await vi.advanceTimersByTimeAsync(3 * SECOND);
  answer('rows');
  await vi.advanceTimersByTimeAsync(3 * SECOND);
  expect(work).not.toHaveBeenCalled();
  arrive({ default: () => null });
  await vi.advanceTimersByTimeAsync(2 * SECOND);
  expect(work).toHaveBeenCalledOnce();
});

test('after ten seconds also where something never comes', async () => {
  const queryClient = new QueryClient();
  void queryClient.fetchQuery({ queryKey: ['a list'], queryFn: () => new Promise(() => {}) });
  const work = vi.fn();
  whenAtRest(queryClient, work);
  await vi.advanceTimersByTimeAsync(9 * SECOND);
  expect(work).not.toHaveBeenCalled();
  vi.setSystemTime(Date.now() - DAY);
  await vi.advanceTimersByTimeAsync(SECOND);
  expect(work).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(20 * SECOND);
  expect(work).toHaveBeenCalledOnce();
});

test('never once it was called off, busy or not', async () => {
  const queryClient = new QueryClient();
  const work = vi.fn();
  whenAtRest(queryClient, work)();
  void queryClient.fetchQuery({ queryKey: ['a list'], queryFn: () => new Promise(() => {}) });
  const callOff = whenAtRest(queryClient, work);
  await vi.advanceTimersByTimeAsync(2 * SECOND);
  callOff();
  await vi.advanceTimersByTimeAsync(20 * SECOND);
  expect(work).not.toHaveBeenCalled();
});
