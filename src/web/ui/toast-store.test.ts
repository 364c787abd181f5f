import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createToastStore, toastRemoveDelay } from './toast-store.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('one is kept at a time: a new one takes the place of the one before', () => {
  const store = createToastStore();
  store.show({ title: 'first' });
  store.show({ title: 'second', tone: 'info' });
  expect(store.entries()).toMatchObject([{ title: 'second', tone: 'info', open: true }]);
});

test('a dismissed one leaves the screen at once and the store after 1000000 ms', () => {
  const store = createToastStore();
  store.show({ title: 'first' }).dismiss();
  expect(store.entries()).toMatchObject([{ title: 'first', open: false }]);
  vi.advanceTimersByTime(toastRemoveDelay - 1);
  expect(store.entries()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(store.entries()).toEqual([]);
});

test('the clock of a replaced one does not take its successor away', () => {
  const store = createToastStore();
  store.show({ title: 'first' }).dismiss();
  vi.advanceTimersByTime(toastRemoveDelay / 2);
  store.show({ title: 'second' });
  vi.advanceTimersByTime(toastRemoveDelay);
  expect(store.entries()).toMatchObject([{ title: 'second', open: true }]);
  expect(vi.getTimerCount()).toBe(0);
});

test('dismissing what is gone, or twice, changes nothing and wakes nobody', () => {
  const store = createToastStore();
  const first = store.show({ title: 'first' });
  store.show({ title: 'second' });
  const listener = vi.fn();
  store.subscribe(listener);
  first.dismiss();
  expect(listener).not.toHaveBeenCalled();
  store.dismiss();
  store.dismiss();
  expect(listener).toHaveBeenCalledOnce();
});

test('a listener hears every change until it leaves, and unchanged entries keep their identity', () => {
  const store = createToastStore();
  const listener = vi.fn();
  const leave = store.subscribe(listener);
  store.show({ title: 'first' });
  const before = store.entries();
  expect(store.entries()).toBe(before);
  leave();
  store.show({ title: 'second' });
  expect(listener).toHaveBeenCalledOnce();
});

test('one that names a mistake leaves when it is corrected, and no other', () => {
  const store = createToastStore();
  store.show({ title: 'Incomplete Memory', tone: 'destructive', isMistake: true });
  store.dismissMistake();
  expect(store.entries()).toMatchObject([{ title: 'Incomplete Memory', open: false }]);
  store.show({ title: 'Sealing failed', tone: 'destructive' });
  store.dismissMistake();
  expect(store.entries()).toMatchObject([{ title: 'Sealing failed', open: true }]);
});
