import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from './errors.ts';
import {
  createHeavyAnswers,
  type HeavyAnswerLimits,
  type HeavyAnswers,
  type HeavyBody,
} from './heavy-answers.ts';

const limits: HeavyAnswerLimits = {
  heavy: 100,
  makers: 2,
  perAccount: 3,
  waiting: 4,
  patience: 5000,
  together: 1_000_000,
  checkEvery: 1000,
  grace: 10_000,
  bytesPerSecond: 10_000,
};
const never = new AbortController().signal;

let cuts = 0;
const opened: HeavyAnswers[] = [];
function heavyAnswers(own: Partial<HeavyAnswerLimits> = {}): HeavyAnswers {
  cuts = 0;
  const made = createHeavyAnswers({ ...limits, ...own }, () => Date.now(), {
    countCut: () => {
      cuts += 1;
    },
  });
  opened.push(made);
  return made;
}
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  for (const one of opened.splice(0)) one.stop();
  vi.useRealTimers();
});

/** Takes a turn, and says in a list when it was given. */
function taking(answers: HeavyAnswers, given: string[]) {
  return (holder: string, signal = never) =>
    answers.takeTurn(holder, signal).then((giveBack) => {
      given.push(holder);
      return giveBack;
    });
}
const settled = () => vi.advanceTimersByTimeAsync(0);
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => (error instanceof AppError ? error.code : error),
  );

describe('turns', () => {
  it('are given to so many at a time, and to the accounts in rotation', async () => {
    const given: string[] = [];
    const take = taking(heavyAnswers(), given);
    const turns = ['greedy', 'greedy', 'greedy', 'greedy', 'greedy', 'quiet', 'other'].map((one) =>
      take(one),
    );
    await settled();
    expect(given).toEqual(['greedy', 'greedy']);
    (await turns[0])?.();
    await settled();
    expect(given).toEqual(['greedy', 'greedy', 'greedy']);
    (await turns[1])?.();
    await settled();
    expect(given.slice(3)).toEqual(['quiet']);
    (await turns[5])?.();
    (await turns[2])?.();
    await settled();
    expect(given.slice(4)).toEqual(['other', 'greedy']);
  });

  it('are given back once, however often it is said', async () => {
    const given: string[] = [];
    const take = taking(heavyAnswers({ makers: 1 }), given);
    const [first] = [await take('a'), take('b'), take('c')];
    first();
    first();
    await settled();
    expect(given).toEqual(['a', 'b']);
  });

  it('are refused beyond what may wait for one account, and to nobody else', async () => {
    const answers = heavyAnswers({ makers: 1 });
    const take = taking(answers, []);
    await take('greedy');
    for (let i = 0; i < limits.waiting; i += 1) void take('greedy');
    expect(await refusal(take('greedy'))).toBe('too-many');
    const other = take('other');
    await settled();
    expect(
      await Promise.race([other.then(() => 'given'), refusal(other), settled().then(() => 'waits')]),
    ).toBe('waits');
  });

  it('are not kept for a client that has left', async () => {
    const given: string[] = [];
    const take = taking(heavyAnswers({ makers: 1 }), given);
    const first = await take('a');
    const client = new AbortController();
    const left = refusal(take('b', client.signal));
    const stays = take('c');
    client.abort();
    expect(await left).toBe('too-many');
    expect(await refusal(take('a', client.signal))).toBe('too-many');
    first();
    await stays;
    expect(given).toEqual(['a', 'c']);
  });

  it('are refused after a while to whoever does not read what they have, and the next call is not', async () => {
    const answers = heavyAnswers({ bytesPerSecond: 1 });
    const take = taking(answers, []);
    const bodies = Array.from(
      { length: 3 },
      () => answers.bodyOf('greedy', 'x'.repeat(200_000)) as HeavyBody,
    );
    // So much stands in a connection that the pace falls behind after a day only.
    const readers = bodies.map(({ stream }) => stream.getReader());
    for (const reader of readers) await reader.read();
    const calls = [refusal(take('greedy')), refusal(take('greedy'))];
    await vi.advanceTimersByTimeAsync(limits.patience + limits.checkEvery);
    expect(await Promise.all(calls)).toEqual(['too-many', 'too-many']);
    expect(cuts).toBe(0);
    await readers[0]?.cancel();
    expect(await refusal(take('greedy'))).toBe(null);
  });

  it('wait until an answer of the same account was read', async () => {
    const given: string[] = [];
    const answers = heavyAnswers();
    const take = taking(answers, given);
    const bodies = Array.from({ length: 3 }, () => answers.bodyOf('greedy', 'x'.repeat(200)) as HeavyBody);
    const mine = take('greedy');
    await take('other');
    expect(given).toEqual(['other']);
    await new Response(bodies[1]?.stream).text();
    await mine;
    expect(given).toEqual(['other', 'greedy']);
  });
});

describe('a body', () => {
  it('is its text where that is light', () => {
    expect(heavyAnswers().bodyOf('a', 'x'.repeat(99))).toBe('x'.repeat(99));
  });

  it('comes in pieces where it is heavy, every byte of it', async () => {
    const text = 'é€x'.repeat(50_000);
    const body = heavyAnswers().bodyOf('a', text) as HeavyBody;
    expect(body.length).toBe(Buffer.byteLength(text));
    expect(await new Response(body.stream).text()).toBe(text);
    expect(cuts).toBe(0);
  });

  it('holds its whole no longer than until its last piece was taken', async () => {
    const body = heavyAnswers().bodyOf('a', 'x'.repeat(100_000)) as HeavyBody;
    for await (const piece of body.stream) expect(piece.buffer.byteLength).toBe(piece.byteLength);
  });

  const read = ({ stream }: HeavyBody) =>
    new Response(stream).text().then(
      (text) => text.length,
      () => 'cut',
    );

  it('makes room: the oldest of whoever holds the most ends', async () => {
    const answers = heavyAnswers({ together: 1000 });
    const body = (holder: string, size: number) => answers.bodyOf(holder, 'x'.repeat(size)) as HeavyBody;
    const honest = body('honest', 300);
    const [first, second] = [body('greedy', 200), body('greedy', 200)];
    const [third, late] = [body('greedy', 200), body('late', 200)];
    expect(await Promise.all([honest, first, second, third, late].map(read))).toEqual([
      300,
      'cut',
      200,
      200,
      200,
    ]);
    expect(cuts).toBe(1);
  });

  it('makes room: the slowest ends of those that have had their grace, and no quick one that is larger', async () => {
    const answers = heavyAnswers({ together: 3_000_000, bytesPerSecond: 1 });
    const body = (holder: string, size: number) =>
      (answers.bodyOf(holder, 'x'.repeat(size)) as HeavyBody).stream.getReader();
    const slow = ['a', 'b', 'c'].map((holder) => body(holder, 500_000));
    const quick = body('quick', 1_400_000);
    for (const reader of slow) await reader.read();
    for (let i = 0; i < 10; i += 1) await quick.read();
    await vi.advanceTimersByTimeAsync(limits.grace + 1);
    body('d', 500_000);
    await expect(slow[0]?.read()).rejects.toThrow(AppError);
    expect((await quick.read()).done).toBe(false);
    expect(cuts).toBe(1);
  });

  it('is carried even where it is larger than all that may be held', async () => {
    const answers = heavyAnswers({ together: 1000 });
    expect(await read(answers.bodyOf('a', 'x'.repeat(5000)) as HeavyBody)).toBe(5000);
  });

  it('ends when it is read too slowly, and not when it is read at the slowest pace', async () => {
    const answers = heavyAnswers({ together: 3_000_000 });
    const text = 'x'.repeat(1_000_000);
    const [slow, steady] = ['slow', 'steady'].map((one) =>
      (answers.bodyOf(one, text) as HeavyBody).stream.getReader(),
    );
    await slow?.read();
    for (let i = 0; i < 10; i += 1) {
      await steady?.read();
      await vi.advanceTimersByTimeAsync(5000);
    }
    await expect(slow?.read()).rejects.toThrow(AppError);
    expect((await steady?.read())?.done).toBe(false);
    expect(cuts).toBe(1);
  });

  it('that nobody takes any more makes room without being counted as cut', async () => {
    const answers = heavyAnswers({ together: 1000 });
    await (answers.bodyOf('a', 'x'.repeat(900)) as HeavyBody).stream.cancel();
    expect(await read(answers.bodyOf('b', 'x'.repeat(900)) as HeavyBody)).toBe(900);
    expect(cuts).toBe(0);
  });
});
