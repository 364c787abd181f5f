import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Breath } from '../../../shared/nouns/final-breath.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import { foundInFiles } from '../../../testing/data-folder.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { failure, openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import { keepVaultKey, type Person, signUpByPassphrase } from '../../../testing/people.ts';
import { deleteExpired } from '../../expiry.ts';

const PATH = '/api/final-breath';
const aSealId = (n: number) => Buffer.from(String(n).padStart(16, '0')).toString('base64url');
const aRedemptionId = () => randomBytes(16).toString('base64url');

const none = { status: 404, code: 'not-found' };
const released = { status: 410, code: 'breath-released' };
const sealed = { status: 409, code: 'breath-sealed' };

describeOnEachEngine('the final breath', (engine) => {
  let instance: TestInstance;
  let person: Person;
  beforeAll(async () => {
    instance = await openTestInstance({ engine });
  });
  afterAll(() => instance.close());
  beforeEach(async () => {
    person = await signUpByPassphrase(instance);
  });

  const fromNow = (time: number) => new Date(instance.clock.now() + time).toISOString();
  const send = (fields: Record<string, unknown> = {}) =>
    person.request('POST', PATH, { body: { encryptedContent: 'd29yZHM=', ...fields } });
  async function seal(fields: Record<string, unknown> = {}): Promise<Breath> {
    const response = await send(fields);
    expect(response.status).toBe(201);
    return (await response.json()) as Breath;
  }
  const look = async () => (await (await person.request('GET', PATH)).json()) as Breath | null;
  const burn = (by = person) => by.request('POST', `${PATH}/read`);
  const lease = (redemptionId: string, by = person) =>
    by.request('POST', `${PATH}/read`, { body: { redemptionId } });
  const acknowledge = (redemptionId: string, by = person) =>
    by.request('POST', `${PATH}/acknowledge`, { body: { redemptionId } });
  const rows = () => instance.deps.db.selectFrom('final_breaths').selectAll().execute();

  it('is null before there is one, and then seen without its words', async () => {
    expect(await look()).toBeNull();
    const breath = await seal();
    expect(breath).toEqual({
      encryptedContent: null,
      createdAt: fromNow(0),
      releasedAt: null,
      sealId: null,
      keyFingerprint: null,
    });
    expect(await look()).toEqual(breath);
  });

  it.each([
    ['no words', undefined],
    ['blank words', ' \n'],
    ['words beyond two megabytes', 'A'.repeat(2 * 1024 * 1024 + 1)],
  ])('refuses %s', async (_, encryptedContent) => {
    expect(await failure(await send({ encryptedContent }))).toEqual({ status: 422, code: 'invalid-input' });
  });

  it('is one: a second is refused, and the first one kept', async () => {
    const breath = await seal({ sealId: aSealId(1) });
    expect(await failure(await send({ encryptedContent: 'b3RoZXI=' }))).toEqual(sealed);
    expect(await failure(await send({ encryptedContent: 'b3RoZXI=', sealId: aSealId(1) }))).toEqual(sealed);
    expect(await look()).toEqual(breath);
  });

  it('is kept once when the same seal is sent again, as after a lost answer', async () => {
    const breath = await seal({ sealId: aSealId(2) });
    instance.clock.advance(HOUR);
    expect(await seal({ sealId: aSealId(2) })).toEqual(breath);
    await lease(aRedemptionId());
    expect(await failure(await send({ sealId: aSealId(2) }))).toEqual(sealed);
  });

  it('is not kept when it was sealed under a key which is not the vault’s any more', async () => {
    const { fingerprint } = (await keepVaultKey(person)).clientKey;
    const stale = await send({ keyFingerprint: 'ffffffffffffffff' });
    expect(await failure(stale)).toEqual({ status: 409, code: 'key-changed' });
    expect(await look()).toBeNull();
    expect(await seal({ keyFingerprint: fingerprint })).toMatchObject({ keyFingerprint: fingerprint });
  });

  it.each([2, 50])('is one also when %d are sealed at once', async (times) => {
    const answers = await Promise.all(
      Array.from({ length: times }, (_, i) => send({ sealId: aSealId(i), encryptedContent: `d29yZHM${i}` })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array(times - 1).fill(409)]);
    const winner = answers.find(({ status }) => status === 201);
    expect(await look()).toEqual(await winner?.json());
  });

  describe('read without a redemption id', () => {
    it('is gone with the answer, and another one can be written', async () => {
      const { createdAt } = await seal({ sealId: aSealId(3) });
      instance.clock.advance(HOUR);
      const response = await burn();
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({
        encryptedContent: 'd29yZHM=',
        createdAt,
        releasedAt: fromNow(0),
        leaseUntil: null,
        sealId: aSealId(3),
        keyFingerprint: null,
      });
      expect(await look()).toBeNull();
      expect(await failure(await burn())).toEqual(none);
      await seal();
    });

    it.each([{}, { redemptionId: null }])('takes the body %o for none', async (body) => {
      await seal();
      const response = await person.request('POST', `${PATH}/read`, { body });
      expect(await response.json()).toMatchObject({ leaseUntil: null });
      expect(await look()).toBeNull();
    });

    it('is given to one of two hundred readers at once', async () => {
      await seal();
      const statuses = (await Promise.all(Array.from({ length: 200 }, () => burn()))).map((a) => a.status);
      expect(statuses.sort()).toEqual([200, ...Array(199).fill(404)]);
    });
  });

  describe('read with a redemption id', () => {
    it('is released, and fetched again by the same id until its lease ends', async () => {
      const { createdAt } = await seal();
      const id = aRedemptionId();
      const first = await (await lease(id)).json();
      expect(first).toEqual({
        encryptedContent: 'd29yZHM=',
        createdAt,
        releasedAt: fromNow(0),
        leaseUntil: fromNow(10 * MINUTE),
        sealId: null,
        keyFingerprint: null,
      });
      instance.clock.advance(10 * MINUTE - 1);
      expect(await (await lease(id)).json()).toEqual(first);
      expect(await look()).toMatchObject({ encryptedContent: null, releasedAt: createdAt });
      instance.clock.advance(1);
      expect(await failure(await lease(id))).toEqual(none);
      expect(await look()).toBeNull();
    });

    it('is gone for every other id and reader', async () => {
      await seal();
      expect((await lease(aRedemptionId())).status).toBe(200);
      expect(await failure(await lease(aRedemptionId()))).toEqual(released);
      expect(await failure(await burn())).toEqual(released);
      expect(await failure(await person.request('DELETE', PATH))).toEqual(released);
      expect(await failure(await send({ encryptedContent: 'b3RoZXI=' }))).toEqual(sealed);
    });

    it('is given to one of two hundred browsers at once', async () => {
      await seal();
      const answers = await Promise.all(Array.from({ length: 200 }, () => lease(aRedemptionId())));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(199).fill(410)]);
    });

    it('is given to one browser that asks two hundred times at once, always with the same lease', async () => {
      await seal();
      const id = aRedemptionId();
      const answers = await Promise.all(Array.from({ length: 200 }, () => lease(id)));
      const bodies = new Set(await Promise.all(answers.map((answer) => answer.text())));
      expect(bodies.size).toBe(1);
    });

    it('is won once between those who burn and those who lease', async () => {
      await seal();
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, i) => (i % 2 ? burn() : lease(aRedemptionId()))),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    });

    it('is forgotten when its reader says so: once, and for nobody else', async () => {
      await seal();
      const id = aRedemptionId();
      await lease(id);
      expect(await failure(await acknowledge(aRedemptionId()))).toEqual(none);
      const stranger = await signUpByPassphrase(instance);
      expect(await failure(await acknowledge(id, stranger))).toEqual(none);
      expect((await lease(id)).status).toBe(200);
      expect((await acknowledge(id)).status).toBe(204);
      expect(await look()).toBeNull();
      // What was erased has left no mark by which a second acknowledgement could be told from a wrong one.
      expect(await failure(await acknowledge(id))).toEqual(none);
      expect(await failure(await lease(id))).toEqual(none);
      await seal();
    });

    it('gives way to a new one after its lease, whether or not the sweep has been', async () => {
      const id = aRedemptionId();
      await seal({ sealId: aSealId(4) });
      await lease(id);
      instance.clock.advance(10 * MINUTE);
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => send({ encryptedContent: `bmV3${i}` })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
      expect(await look()).toMatchObject({ createdAt: fromNow(0), releasedAt: null, sealId: null });
      expect(await failure(await acknowledge(id))).toEqual(none);
      expect((await lease(id)).status).toBe(200);
    });

    it('is erased by the sweep when its lease ends, and not before; a sealed one waits for ever', async () => {
      instance.clock.advance(DAY);
      await deleteExpired(instance.deps);
      const waiting = (await rows()).length;
      await seal();
      instance.clock.advance(1000 * DAY);
      person = await signUpByPassphrase(instance);
      await seal();
      await deleteExpired(instance.deps);
      expect(await rows()).toHaveLength(waiting + 2);
      await lease(aRedemptionId());
      instance.clock.advance(10 * MINUTE - 1);
      await deleteExpired(instance.deps);
      expect(await rows()).toHaveLength(waiting + 2);
      instance.clock.advance(1);
      await deleteExpired(instance.deps);
      expect(await rows()).toHaveLength(waiting + 1);
    });

    it.each(['', 'short', 7, 'A'.repeat(23)])('refuses the id %o and burns nothing', async (redemptionId) => {
      await seal();
      const response = await person.request('POST', `${PATH}/read`, { body: { redemptionId } });
      expect(await failure(response)).toEqual({ status: 422, code: 'invalid-input' });
      expect((await look())?.releasedAt).toBeNull();
    });
  });

  it('that was never written cannot be read, acknowledged or burned', async () => {
    expect(await failure(await burn())).toEqual(none);
    expect(await failure(await lease(aRedemptionId()))).toEqual(none);
    expect(await failure(await acknowledge(aRedemptionId()))).toEqual(none);
    expect(await failure(await person.request('DELETE', PATH))).toEqual(none);
  });

  it('can be burned unread, once', async () => {
    await seal();
    const answers = await Promise.all(Array.from({ length: 10 }, () => person.request('DELETE', PATH)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(404)]);
    expect(await failure(await burn())).toEqual(none);
  });

  it('belongs to one vault alone', async () => {
    await seal();
    const stranger = await signUpByPassphrase(instance);
    expect(await failure(await burn(stranger))).toEqual(none);
    expect(await failure(await lease(aRedemptionId(), stranger))).toEqual(none);
    expect(await failure(await stranger.request('DELETE', PATH))).toEqual(none);
    expect((await burn()).status).toBe(200);
  });

  it('goes with its account', async () => {
    const before = await rows();
    await seal();
    expect(await rows()).toHaveLength(before.length + 1);
    await instance.deps.db.deleteFrom('accounts').where('uid', '=', person.user.id).execute();
    expect(await rows()).toEqual(before);
  });
});

describe('the words of a breath (embedded database)', () => {
  let instance: TestInstance;
  let person: Person;
  const redemptionId = aRedemptionId();
  /** Which ends of these words stand in a file. */
  const traces = (words: string) => foundInFiles(instance, [words.slice(0, 40), words.slice(-40)]);
  beforeEach(async () => {
    instance = await openTestInstance();
    person = await signUpByPassphrase(instance);
  });

  const lease = () => person.request('POST', `${PATH}/read`, { body: { redemptionId } });
  it.each([
    ['were read', [() => person.request('POST', `${PATH}/read`)]],
    ['were burned unread', [() => person.request('DELETE', PATH)]],
    [
      'were acknowledged',
      [lease, () => person.request('POST', `${PATH}/acknowledge`, { body: { redemptionId } })],
    ],
    [
      'have outlasted their lease',
      [lease, () => instance.clock.advance(10 * MINUTE), () => deleteExpired(instance.deps)],
    ],
    [
      'were replaced by others after their lease',
      [
        lease,
        () => instance.clock.advance(10 * MINUTE),
        () => person.request('POST', PATH, { body: { encryptedContent: 'bmV3' } }),
      ],
    ],
  ])('stand in no file after they %s', async (_, steps) => {
    for (const length of [380, 9_000]) {
      const words = randomBytes(length).toString('base64').slice(0, length);
      person = await signUpByPassphrase(instance);
      await person.request('POST', PATH, { body: { encryptedContent: words } });
      expect(traces(words)).not.toEqual([]);
      for (const step of steps) await step();
      expect(traces(words)).toEqual([]);
    }
    await instance.close();
  });
});
