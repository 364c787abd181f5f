// The arithmetic of guessing: what one guesser has, what all together have, and that nobody has less for another's sake.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, MINUTE, SECOND } from '../../shared/time.ts';
import { countedAs } from '../../testing/attempts.ts';
import { describeOnEachEngine } from '../../testing/engines.ts';
import { openTestInstance, type TestInstance } from '../../testing/instance.ts';
import { AppError } from '../errors.ts';
import { deleteExpired } from '../expiry.ts';
import { expireAttempts } from './attempt-store.ts';
import { CEILING, CLAIMS, countGuess, FREE_GUESSES, GUESSES_LAST } from './guesses.ts';

describeOnEachEngine('guesses at a secret', (engine) => {
  let instance: TestInstance;
  beforeAll(async () => {
    instance = await openTestInstance({ engine });
  });
  afterAll(() => instance.close());

  let secrets = 0;
  const aSecret = () => `secret ${++secrets}`;
  let guessers = 0;
  const aGuesser = () => `guesser ${++guessers}`;
  const hear = (at: string, by: string, { deps } = instance) =>
    countGuess(deps, { at, by, allowance: CLAIMS });
  /** A wrong guess: null when it was heard, or the seconds that it is told to wait. */
  const guess = (at: string, by: string, at_ = instance) =>
    hear(at, by, at_).then(
      () => null,
      (error: unknown) => {
        if (error instanceof AppError && error.code === 'too-many') return error.retryAfter;
        throw error;
      },
    );
  const counters = async () =>
    (await instance.deps.db.selectFrom('attempts').select('count').execute()).length;
  /** Many at once, but not more than a pool of connections can take in. */
  async function inTurns<T>(items: T[], act: (item: T) => Promise<unknown>): Promise<void> {
    for (let i = 0; i < items.length; i += 50) await Promise.all(items.slice(i, i + 50).map(act));
  }
  /** Uses up what a secret takes in a day. Returns some of those who have guessed at it, once each. */
  async function reachCeiling(at: string): Promise<string[]> {
    const crowd = Array.from({ length: 50 }, aGuesser);
    await countedAs(instance, CEILING - crowd.length, () => guess(at, aGuesser()));
    await inTurns(crowd, (by) => guess(at, by));
    return crowd;
  }

  describe('by one guesser', () => {
    it('are free three times, then wait for a second, and twice as long each time, up to ten minutes', async () => {
      const [at, by] = [aSecret(), aGuesser()];
      for (let i = 0; i < FREE_GUESSES; i += 1) expect(await guess(at, by)).toBeNull();
      for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600]) {
        expect(await guess(at, by)).toBeNull();
        expect(await guess(at, by)).toBe(seconds);
        instance.clock.advance(seconds * SECOND - 1);
        expect(await guess(at, by)).toBe(1);
        instance.clock.advance(1);
      }
    });

    it('are a hundred and fifty-six in a day, as the threat model says', async () => {
      const [at, by] = [aSecret(), aGuesser()];
      const end = instance.clock.now() + DAY;
      let heard = 0;
      while (instance.clock.now() < end) {
        const wait = await guess(at, by);
        if (wait === null) heard += 1;
        else instance.clock.advance(wait * SECOND);
      }
      expect(heard).toBe(156);
      expect(await guess(at, by)).toBeNull();
    });

    it('are four of two hundred at the same moment, also between two servers', async () => {
      const servers = [instance, instance.sibling()];
      const [at, by] = [aSecret(), aGuesser()];
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, i) => guess(at, by, servers[i % 2] as TestInstance)),
      );
      expect(answers.filter((wait) => wait === null)).toHaveLength(FREE_GUESSES + 1);
    });

    it('are a hundred and twenty in ten minutes at whatever secrets, and of more no row is left', async () => {
      const by = aGuesser();
      await deleteExpired(instance.deps);
      const before = await counters();
      const answers: (number | null)[] = [];
      await inTurns(Array.from({ length: 150 }, aSecret), async (at) => answers.push(await guess(at, by)));
      expect(answers.filter((wait) => wait === null)).toHaveLength(120);
      expect(new Set(answers)).toEqual(new Set([null, 600]));
      // The guesser's own, and two for each guess that was heard: the secret's, and that of both together.
      expect((await counters()) - before).toBe(1 + 120 + 120);
      instance.clock.advance(10 * MINUTE);
      expect(await guess(aSecret(), by)).toBeNull();
    });

    it('are forgiven by a right one, which costs nobody anything', async () => {
      const [at, by] = [aSecret(), aGuesser()];
      for (let round = 0; round < 60; round += 1) {
        for (let i = 0; i < FREE_GUESSES - 1; i += 1) expect(await guess(at, by)).toBeNull();
        await (await hear(at, by)).forgive();
        if (round % 40 === 39) instance.clock.advance(10 * MINUTE);
      }
    });

    it('are as if they had not been, once they are withdrawn', async () => {
      const [at, by] = [aSecret(), aGuesser()];
      for (let i = 0; i < 150; i += 1) await (await hear(at, by)).withdraw();
      for (let i = 0; i < FREE_GUESSES; i += 1) expect(await guess(at, by)).toBeNull();
    });
  });

  it('that are withdrawn, or forgiven, once their window is over take nothing from the one after it', async () => {
    const by = aGuesser();
    const [withdrawn, right] = [await hear(aSecret(), by), await hear(aSecret(), by)];
    instance.clock.advance(CLAIMS.window);
    for (let i = 0; i < CLAIMS.attempts; i += 1) expect(await guess(aSecret(), by)).toBeNull();
    await withdrawn.withdraw();
    await right.forgive();
    expect(await guess(aSecret(), by)).not.toBeNull();
  });

  describe('by many', () => {
    it('delay nobody else, however they wait themselves', async () => {
      const [at, guesser] = [aSecret(), aGuesser()];
      for (let i = 0; i < 50; i += 1) await guess(at, guesser);
      expect(await guess(at, guesser)).not.toBeNull();
      for (let i = 0; i < FREE_GUESSES; i += 1) expect(await guess(at, 'somebody else')).toBeNull();
    });

    it('past a thousand in a day leave each guesser the free ones, and whoever has not guessed as before', async () => {
      const at = aSecret();
      const [old = ''] = await reachCeiling(at);
      // One who has guessed before, one who has not: each has three in all, and then waits for the day to end.
      for (const [by, left] of [
        [old, FREE_GUESSES - 1],
        [aGuesser(), FREE_GUESSES],
      ] as const) {
        for (let i = 0; i < left; i += 1) expect(await guess(at, by)).toBeNull();
        const wait = (await guess(at, by)) ?? 0;
        expect(wait).toBeGreaterThan((DAY - MINUTE) / SECOND);
        instance.clock.advance(SECOND);
        expect(await guess(at, by)).toBeGreaterThan((DAY - MINUTE) / SECOND);
      }
      await (await hear(at, aGuesser())).forgive();
      expect(await guess(aSecret(), old)).toBeNull();
      instance.clock.advance(GUESSES_LAST);
      for (let i = 0; i <= FREE_GUESSES; i += 1) expect(await guess(at, old)).toBeNull();
    });

    it('at the same moment get no more past the ceiling than their free ones', async () => {
      const at = aSecret();
      const crowd = (await reachCeiling(at)).slice(0, 20);
      let heard = 0;
      await inTurns(
        crowd.flatMap((by) => Array.from({ length: 10 }, () => by)),
        async (by) => {
          if ((await guess(at, by)) === null) heard += 1;
        },
      );
      expect(heard).toBe(20 * (FREE_GUESSES - 1));
    });
  });

  it('at a name that holds the words of a counter are guesses at that name alone', async () => {
    const [at, by] = [aSecret(), aGuesser()];
    for (let i = 0; i < FREE_GUESSES; i += 1) expect(await guess(at, by)).toBeNull();
    expect(await guess(at, by)).toBeNull();
    // Whoever may choose what is guessed at must neither end somebody's wait nor make them wait.
    for (const named of [`${at} by ${by}`, `${by} at ${at}`, `by ${by} at ${at}`]) {
      expect(await guess(named, aGuesser())).toBeNull();
      expect(await guess(at, by)).toBe(1);
    }
    const another = aGuesser();
    for (let i = 0; i < 9; i += 1) await guess(`${at} by ${another}`, aGuesser());
    for (let i = 0; i <= FREE_GUESSES; i += 1) expect(await guess(at, another)).toBeNull();
  });

  describe('are forgotten', () => {
    it('after a day, by the sweep', async () => {
      instance.clock.advance(2 * DAY);
      await deleteExpired(instance.deps);
      expect(await counters()).toBe(0);
      await guess(aSecret(), aGuesser());
      instance.clock.advance(GUESSES_LAST - 1);
      await deleteExpired(instance.deps);
      expect(await counters()).toBe(2);
      instance.clock.advance(1);
      await deleteExpired(instance.deps);
      expect(await counters()).toBe(0);
    });

    it('where they are too many for the database, from those that say least', async () => {
      const [at, guesser] = [aSecret(), aGuesser()];
      for (let i = 0; i < 20; i += 1) await guess(at, guesser);
      await inTurns(Array.from({ length: 100 }, aSecret), (other) => guess(other, aGuesser()));
      await expireAttempts(instance.deps, 30);
      expect(await counters()).toBe(30);
      expect(await guess(at, guesser)).not.toBeNull();
    });
  });
});
