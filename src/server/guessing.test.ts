// The attack: somebody guesses at a link, a scroll or a name without end, from one address or from many. Whoever has the
// right proof, and has not guessed, comes in every time.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DAY, HOUR, SECOND } from '../shared/time.ts';
import { countedAs } from '../testing/attempts.ts';
import { describeOnEachEngine } from '../testing/engines.ts';
import { openTestInstance, type RequestOptions, type TestInstance } from '../testing/instance.ts';
import { anAuthKey, type Person, signUpByPassphrase } from '../testing/people.ts';
import { anOpeningScroll, openByClaim, take } from '../testing/scrolls.ts';
import { aProof, aShare, redeem, type Sender } from '../testing/shares.ts';
import { CEILING } from './http/guesses.ts';

// Thousands of requests each, on a machine that may be busy.
vi.setConfig({ testTimeout: 300_000 });

describeOnEachEngine('while somebody guesses', (engine) => {
  let instance: TestInstance;
  let servers: TestInstance[];
  let owner: Person;
  beforeAll(async () => {
    instance = await openTestInstance({ engine });
    servers = [instance, instance.sibling()];
    owner = await signUpByPassphrase(instance);
  });
  afterAll(() => instance.close());

  let addresses = 0;
  /** An address that nobody has had before. */
  const freshAddress = () => {
    addresses += 1;
    return addresses % 2 === 0
      ? `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`
      : `2001:db8:${(addresses >> 12).toString(16)}:${(addresses & 4095).toString(16)}::1`;
  };
  const browserAt = (from: string): Sender => ({
    request: (method, path, options: RequestOptions = {}) =>
      (servers[addresses % 2] as TestInstance).request(method, path, { from, ...options }),
  });

  /** Guesses for some seconds, so many a second, all of a second at once. Counts the answers by status. */
  async function guessFor(seconds: number, perSecond: number, guess: () => Promise<Response>) {
    const counts = new Map<number, number>();
    for (let second = 0; second < seconds; second += 1) {
      instance.clock.advance(SECOND);
      for (const { status } of await Promise.all(Array.from({ length: perSecond }, guess))) {
        counts.set(status, (counts.get(status) ?? 0) + 1);
      }
    }
    return { heard: counts.get(401) ?? 0, refused: counts.get(429) ?? 0, kinds: counts.size };
  }

  describe('many times a second at a link with a passphrase', () => {
    it.each([
      ['from one address', () => '198.51.100.66'],
      ['from another address each time', freshAddress],
    ])('%s, each of seventeen right readers opens theirs', async (_, guesser) => {
      let opened = 0;
      for (let i = 0; i < 17; i += 1) {
        const share = await aShare(owner, { passphrase: true });
        await guessFor(3, 20, () => redeem(browserAt(guesser()), share, { claim: aProof() }));
        // In the midst of it, not after it.
        const [answer] = await Promise.all([
          redeem(browserAt(freshAddress()), share),
          ...Array.from({ length: 20 }, () => redeem(browserAt(guesser()), share, { claim: aProof() })),
        ]);
        if (answer.status === 200) opened += 1;
      }
      expect(opened).toBe(17);
    });

    it('the guesser is soon told to wait, and its neighbours in the same network with it', async () => {
      const share = await aShare(owner, { passphrase: true });
      const tally = await guessFor(60, 6, () =>
        redeem(browserAt('2001:db8:ffff:1::bad'), share, { claim: aProof() }),
      );
      // Four at once, then one after 1, 2, 4, 8, 16 seconds.
      expect(tally).toEqual({ heard: 9, refused: 351, kinds: 2 });
      const neighbour = await redeem(browserAt('2001:db8:ffff:1::600d'), share);
      expect(neighbour.status).toBe(429);
      expect(Number(neighbour.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await redeem(browserAt('2001:db8:ffff:2::600d'), share)).status).toBe(200);
    });
  });

  describe('thirty times a second at a released scroll, of which they know the address alone', () => {
    const released = async () => {
      const { scroll, claim } = await anOpeningScroll(owner, 'passphrase');
      await take(owner, scroll, 'activate', { handedOver: true });
      await take(owner, scroll, 'release');
      return { scroll, claim };
    };

    it.each([
      ['from one address', () => '198.51.100.67'],
      ['from another address each time, past the ceiling of the day', freshAddress],
    ])('%s, fourteen of fourteen right readers open it', async (_, guesser) => {
      const { scroll, claim } = await released();
      let opened = 0;
      for (let i = 0; i < 14; i += 1) {
        await guessFor(4, 30, () => openByClaim(browserAt(guesser()), scroll, aProof()));
        const [answer] = await Promise.all([
          openByClaim(browserAt(freshAddress()), scroll, claim),
          ...Array.from({ length: 30 }, () => openByClaim(browserAt(guesser()), scroll, aProof())),
        ]);
        if (answer.status === 200) opened += 1;
      }
      expect(opened).toBe(14);
    });

    it('past the ceiling a reader who mistypes twice still opens it, and may open it again', async () => {
      const { scroll, claim } = await released();
      const guess = () => openByClaim(browserAt(freshAddress()), scroll, aProof());
      expect((await countedAs(instance, CEILING, guess)).status).toBe(401);
      await guessFor(2, 30, guess);
      const reader = browserAt(freshAddress());
      for (let i = 0; i < 2; i += 1) expect((await openByClaim(reader, scroll, aProof())).status).toBe(401);
      for (let i = 0; i < 5; i += 1) expect((await openByClaim(reader, scroll, claim)).status).toBe(200);
      // Four wrong ones are too many there, and the wait that is told is the rest of the day.
      for (let i = 0; i < 3; i += 1) expect((await openByClaim(reader, scroll, aProof())).status).toBe(401);
      const refused = await openByClaim(reader, scroll, claim);
      expect(refused.status).toBe(429);
      const wait = Number(refused.headers.get('retry-after'));
      expect(wait).toBeGreaterThan((DAY - HOUR) / SECOND);
      instance.clock.advance(wait * SECOND);
      expect((await openByClaim(reader, scroll, claim)).status).toBe(200);
    });
  });

  it('at a name, from one address and from hundreds, its owner enters', async () => {
    const enter = (authKey: string, from: string) =>
      browserAt(from).request('POST', '/api/gate/passphrase/enter', {
        body: { name: owner.name, authKey },
      });
    for (const guesser of [() => '198.51.100.68', freshAddress]) {
      for (let i = 0; i < 5; i += 1) {
        await guessFor(4, 20, () => enter(anAuthKey(), guesser()));
        expect((await enter(owner.authKey, freshAddress())).status).toBe(200);
      }
    }
  });
});
