import { describe, expect, it } from 'vitest';
import { createStoryPlaces, type PlaceLimits } from './places.ts';

const never = () => new AbortController().signal;
const limits = (over: Partial<PlaceLimits> = {}): PlaceLimits => ({
  atOnce: 1,
  waiting: 2,
  patience: never,
  ...over,
});

describe('places for stories', () => {
  it('let an account begin once at a time, and others as well', () => {
    const { begin } = createStoryPlaces(limits());
    const leave = begin('ada');
    expect(() => begin('ada')).toThrow(expect.objectContaining({ code: 'story-underway', status: 409 }));
    begin('ben');
    leave();
    begin('ada');
  });

  it('have a line of a few, in order', async () => {
    const { take } = createStoryPlaces(limits());
    const order: string[] = [];
    const giveBack = await take(never());
    const waiting = ['first', 'second'].map(async (name) => {
      const leave = await take(never());
      order.push(name);
      leave();
    });
    await expect(take(never())).rejects.toMatchObject({ code: 'writer-busy', status: 503, retryAfter: 30 });
    expect(order).toEqual([]);
    giveBack();
    await Promise.all(waiting);
    expect(order).toEqual(['first', 'second']);
    (await take(never()))();
  });

  it('are not waited for longer than somebody has patience', async () => {
    const patience = new AbortController();
    const { take } = createStoryPlaces(limits({ patience: () => patience.signal }));
    await take(never());
    const waits = take(never());
    patience.abort();
    await expect(waits).rejects.toMatchObject({ code: 'writer-busy' });
  });

  it('are free again of who has left the line', async () => {
    const { take } = createStoryPlaces(limits({ waiting: 1 }));
    const giveBack = await take(never());
    const leaving = new AbortController();
    const waits = take(leaving.signal);
    await expect(take(never())).rejects.toMatchObject({ code: 'writer-busy' });
    leaving.abort();
    await expect(waits).rejects.toMatchObject({ code: 'too-many' });
    const next = take(never());
    giveBack();
    (await next)();
  });
});
