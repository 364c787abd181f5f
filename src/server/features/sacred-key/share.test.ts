// The recipient's half of sacred keys: what opens a link, what does not, and that it is opened once.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LEASE } from '../../../shared/share-lease.ts';
import { HOUR, MINUTE, SECOND } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { failure, openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import { type Person, signUpByPassphrase } from '../../../testing/people.ts';
import {
  acknowledge,
  aProof,
  aRedemptionId,
  aShare,
  redeem,
  type Share,
  STRETCHING,
  wordsOf,
} from '../../../testing/shares.ts';
import { rowsTouched } from '../../../testing/touched.ts';
import { deleteExpired } from '../../expiry.ts';

const times = <T>(n: number, act: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, i) => act(i)));

const notFound = { status: 404, code: 'not-found' };
const used = { status: 410, code: 'share-used' };
const expired = { status: 410, code: 'share-expired' };
const wrongDoor = { status: 403, code: 'wrong-link' };
const wrongClaim = { status: 401, code: 'wrong-claim' };

describeOnEachEngine('a one-time link', (engine) => {
  let instance: TestInstance;
  let owner: Person;
  beforeAll(async () => {
    instance = await openTestInstance({ engine });
    owner = await signUpByPassphrase(instance);
  });
  afterAll(() => instance.close());

  const stateOf = async ({ keyId }: Share) => (await instance.request('GET', `/api/shares/${keyId}`)).json();
  const rowOf = ({ keyId }: Share) =>
    instance.deps.db
      .selectFrom('shareable_keys')
      .selectAll()
      .where('key_id', '=', keyId)
      .executeTakeFirstOrThrow();
  /** A browser somewhere in the world, which the flood gate counts. */
  const elsewhere = {
    request: (method: string, path: string, options = {}) =>
      instance.request(method, path, { from: '198.51.100.7', ...options }),
  };

  it('gives its words to whoever proves that it is whole', async () => {
    const share = await aShare(owner);
    const response = await redeem(instance, share);
    const leaseUntil = new Date(instance.clock.now() + LEASE).toISOString();
    expect(await response.json()).toEqual({ encryptedContent: share.words, leaseUntil });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await stateOf(share)).toEqual({ state: 'used', stretching: null });
  });

  it('tells only whether it still opens, and how a passphrase is stretched while it does', async () => {
    expect(await stateOf(await aShare(owner))).toEqual({ state: 'waiting', stretching: null });
    const [guarded, late] = [
      await aShare(owner, { passphrase: true }),
      await aShare(owner, { passphrase: true, expiresInHours: 1 }),
    ];
    expect(await stateOf(guarded)).toEqual({ state: 'waiting', stretching: STRETCHING });
    await redeem(instance, guarded);
    expect(await stateOf(guarded)).toEqual({ state: 'used', stretching: null });
    instance.clock.advance(HOUR);
    expect(await stateOf(late)).toEqual({ state: 'expired', stretching: null });
    expect(await failure(await instance.request('GET', `/api/shares/${aRedemptionId()}`))).toEqual(notFound);
  });

  describe('is opened once', () => {
    it('by one of 200 at the same moment, who may come again while nobody else may', async () => {
      const share = await aShare(owner);
      const ids = Array.from({ length: 200 }, aRedemptionId);
      const press = () => Promise.all(ids.map((redemptionId) => redeem(elsewhere, share, { redemptionId })));
      const answers = await press();
      const winners = answers.flatMap(({ status }, i) => (status === 200 ? [i] : []));
      expect(winners).toHaveLength(1);
      const [winner] = winners as [number];
      expect(await wordsOf(answers[winner] as Response)).toBe(share.words);
      for (const [i, answer] of answers.entries()) {
        if (i !== winner) expect(await failure(answer)).toEqual(used);
      }
      const again = await press();
      expect(await wordsOf(again[winner] as Response)).toBe(share.words);
      expect(again.filter(({ status }) => status === 200)).toHaveLength(1);
    });

    it('also when the winner itself presses many times', async () => {
      const share = await aShare(owner);
      const redemptionId = aRedemptionId();
      const answers = await times(20, () => redeem(instance, share, { redemptionId }));
      for (const answer of answers) expect(await wordsOf(answer)).toBe(share.words);
    });

    it('and the winner’s number alone is not enough to come again', async () => {
      const share = await aShare(owner);
      const redemptionId = aRedemptionId();
      await redeem(instance, share, { redemptionId });
      for (const wrong of [{ door: aProof() }, { claim: aProof() }]) {
        expect(await failure(await redeem(instance, share, { redemptionId, ...wrong }))).toEqual(used);
      }
      expect(await wordsOf(await redeem(instance, share, { redemptionId }))).toBe(share.words);
    });

    it('and no more once the lease is over, which coming again does not lengthen', async () => {
      const share = await aShare(owner);
      const redemptionId = aRedemptionId();
      const first = (await (await redeem(instance, share, { redemptionId })).json()) as {
        leaseUntil: string;
      };
      instance.clock.advance(LEASE - 1);
      expect(await (await redeem(instance, share, { redemptionId })).json()).toEqual({
        encryptedContent: share.words,
        leaseUntil: first.leaseUntil,
      });
      instance.clock.advance(1);
      expect(await failure(await redeem(instance, share, { redemptionId }))).toEqual(used);
    });

    it('and the lease holds although the link expires meanwhile', async () => {
      const share = await aShare(owner, { expiresInHours: 1 });
      const redemptionId = aRedemptionId();
      instance.clock.advance(HOUR - 1);
      await redeem(instance, share, { redemptionId });
      instance.clock.advance(LEASE - 1);
      expect(await wordsOf(await redeem(instance, share, { redemptionId }))).toBe(share.words);
      expect(await stateOf(share)).toEqual({ state: 'used', stretching: null });
    });
  });

  describe('is acknowledged', () => {
    it('by its winner, as often as it likes, and then nobody gets anything', async () => {
      const share = await aShare(owner);
      const redemptionId = aRedemptionId();
      await redeem(instance, share, { redemptionId });
      for (let i = 0; i < 3; i += 1) {
        expect((await acknowledge(instance, share, redemptionId)).status).toBe(204);
        expect(await failure(await redeem(instance, share, { redemptionId }))).toEqual(used);
      }
      expect(await rowOf(share)).toMatchObject({ encrypted_content: null, claim_hash: null });
      const listed = (await (await owner.request('GET', '/api/shareable-keys?limit=1')).json()) as [object];
      expect(listed[0]).toMatchObject({ id: share.key.id, hasBeenUsed: true, sealed: true });
    });

    // The embedded database counts the rows that it touches.
    if (engine === 'sqlite') {
      it('once more without anything being written', async () => {
        const share = await aShare(owner);
        const redemptionId = aRedemptionId();
        await redeem(instance, share, { redemptionId });
        await acknowledge(instance, share, redemptionId);
        const before = await rowsTouched(instance.deps.db);
        expect((await acknowledge(instance, share, redemptionId)).status).toBe(204);
        expect(await rowsTouched(instance.deps.db)).toBe(before);
      });
    }

    it('by nobody else', async () => {
      const [share, unopened] = [await aShare(owner), await aShare(owner)];
      const redemptionId = aRedemptionId();
      await redeem(instance, share, { redemptionId });
      for (const answer of [
        await acknowledge(instance, share, aRedemptionId()),
        await acknowledge(instance, share, redemptionId, aProof()),
        await acknowledge(instance, unopened, redemptionId),
        await acknowledge(instance, { ...share, keyId: aRedemptionId() }, redemptionId),
      ]) {
        expect(await failure(answer)).toEqual(notFound);
      }
      expect(await wordsOf(await redeem(instance, share, { redemptionId }))).toBe(share.words);
      expect(await wordsOf(await redeem(instance, unopened))).toBe(unopened.words);
    });
  });

  describe('is not burned', () => {
    it('by previewers, however often they look at the page or ask for its state', async () => {
      const share = await aShare(owner);
      const before = await rowOf(share);
      for (const path of [`/share/${share.keyId}`, `/api/shares/${share.keyId}`]) {
        for (const method of ['GET', 'HEAD']) {
          const statuses = await times(100, async () => (await elsewhere.request(method, path)).status);
          expect(new Set(statuses)).toEqual(new Set([200]));
        }
      }
      expect(await rowOf(share)).toEqual(before);
      expect(await wordsOf(await redeem(elsewhere, share))).toBe(share.words);
    });

    it('by whoever has its number alone: nothing of that counts, and it opens at once', async () => {
      const share = await aShare(owner, { passphrase: true });
      const before = await rowOf(share);
      const withoutFragment = await times(100, () => redeem(elsewhere, share, { door: aProof() }));
      const guessing = await times(100, () => redeem(elsewhere, share, { door: aProof(), claim: aProof() }));
      for (const answer of [...withoutFragment, ...guessing]) {
        expect(await failure(answer)).toEqual(wrongDoor);
      }
      expect(await rowOf(share)).toEqual(before);
      expect(await wordsOf(await redeem(instance, share))).toBe(share.words);
    });

    it('by twenty wrong passphrases', async () => {
      const share = await aShare(owner, { passphrase: true });
      for (let i = 0; i < 20; i += 1) {
        expect(await failure(await redeem(instance, share, { claim: aProof() }))).toEqual(wrongClaim);
        instance.clock.advance(10 * MINUTE);
      }
      expect(await wordsOf(await redeem(instance, share))).toBe(share.words);
    });
  });

  describe('slows down whoever guesses at its passphrase', () => {
    const wait = async (answer: Response) => {
      const seconds = Number(answer.headers.get('retry-after'));
      expect(await failure(answer)).toEqual({ status: 429, code: 'too-many' });
      return seconds;
    };

    it('after three free tries by a second, then twice as long each time, up to ten minutes', async () => {
      const share = await aShare(owner, { passphrase: true });
      const guess = () => redeem(instance, share, { claim: aProof() });
      for (let i = 0; i < 3; i += 1) expect(await failure(await guess())).toEqual(wrongClaim);
      for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]) {
        expect(await failure(await guess())).toEqual(wrongClaim);
        expect(await wait(await guess())).toBe(seconds);
        instance.clock.advance(seconds * SECOND - 1);
        expect(await wait(await guess())).toBe(1);
        instance.clock.advance(1);
      }
    });

    it('and makes a right one from the same address wait as well, which costs it nothing', async () => {
      const share = await aShare(owner, { passphrase: true });
      for (let i = 0; i < 4; i += 1) await redeem(instance, share, { claim: aProof() });
      const before = await rowOf(share);
      for (let i = 0; i < 5; i += 1) expect(await wait(await redeem(instance, share))).toBe(1);
      expect(await failure(await redeem(instance, share, { door: aProof() }))).toEqual(wrongDoor);
      expect(await rowOf(share)).toEqual(before);
      expect(await stateOf(share)).toEqual({ state: 'waiting', stretching: STRETCHING });
      instance.clock.advance(SECOND);
      expect(await wordsOf(await redeem(instance, share))).toBe(share.words);
    });

    it('also when many guess at once: four are heard', async () => {
      const share = await aShare(owner, { passphrase: true });
      const answers = await times(200, () => redeem(elsewhere, share, { claim: aProof() }));
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(4);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(196);
    });
  });

  it('without a passphrase is not guessed at: a wrong claim is not counted', async () => {
    const share = await aShare(owner);
    for (let i = 0; i < 20; i += 1) {
      expect(await failure(await redeem(elsewhere, share, { claim: aProof() }))).toEqual(wrongClaim);
    }
    expect(await wordsOf(await redeem(elsewhere, share))).toBe(share.words);
  });

  it('is refused in an order that tells a stranger nothing new', async () => {
    const share = await aShare(owner, { passphrase: true, expiresInHours: 1 });
    const late = await aShare(owner, { passphrase: true, expiresInHours: 1 });
    const wrong = { door: aProof(), claim: aProof() };
    expect(await failure(await redeem(instance, { ...share, keyId: aRedemptionId() }))).toEqual(notFound);
    for (let i = 0; i < 4; i += 1) await redeem(instance, late, { claim: aProof() });
    expect(await failure(await redeem(instance, late, wrong))).toEqual(wrongDoor);
    expect((await redeem(instance, late, { claim: aProof() })).status).toBe(429);
    instance.clock.advance(SECOND);
    await redeem(instance, share);
    expect(await failure(await redeem(instance, share, wrong))).toEqual(used);
    instance.clock.advance(HOUR);
    expect(await failure(await redeem(instance, late, wrong))).toEqual(expired);
    expect(await failure(await redeem(instance, late))).toEqual(expired);
    expect(await failure(await redeem(instance, share))).toEqual(used);
  });

  it('stays expired once it has expired, also when the clock is set back', async () => {
    const share = await aShare(owner, { expiresInHours: 1 });
    instance.clock.advance(HOUR);
    await deleteExpired(instance.deps);
    instance.clock.advance(-HOUR);
    expect(await stateOf(share)).toEqual({ state: 'expired', stretching: null });
    expect(await failure(await redeem(instance, share))).toEqual(expired);
    expect(await failure(await redeem(instance, share, { claim: aProof() }))).toEqual(expired);
  });

  it('opens on another server of the same server as on this one', async () => {
    const share = await aShare(owner);
    const sibling = instance.sibling();
    const answers = await times(40, (i) => redeem(i % 2 ? instance : sibling, share));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 410)).toHaveLength(39);
  });

  it('appears in no line of the log and no measurement', async () => {
    instance.log.length = 0;
    const share = await aShare(owner);
    const redemptionId = aRedemptionId();
    const glued = `${share.keyId}%23${share.door}`;
    for (const path of [`/share/${share.keyId}`, `/share/${glued}`, `/api/shares/${glued}`]) {
      await instance.request('GET', path);
    }
    await instance.request('GET', `/share/${glued}`, { headers: { host: '127.0.0.1:3000' } });
    await instance.request('GET', `/share/${glued}`, { headers: { host: 'elsewhere.example' } });
    await redeem(instance, share, { claim: aProof() });
    await redeem(instance, share, { redemptionId });
    await acknowledge(instance, share, redemptionId);
    const { body } = await instance.deps.metrics.render(null);
    const told = JSON.stringify(instance.log) + body;
    expect(instance.log.length).toBeGreaterThan(8);
    for (const secret of [share.keyId, share.door, share.claim, redemptionId, share.words, '%23']) {
      expect(told).not.toContain(secret);
    }
    expect(told).toContain('/share/{keyId}');
    expect(told).toContain('/api/shares/{keyId}/redeem');
  });
});
