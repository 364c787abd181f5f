// The owner's half of sacred keys.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ShareableKey } from '../../../shared/nouns/sacred-key.ts';
import { DAY, HOUR } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { failure, ORIGIN, openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import { aMember, type Person, signUpByPassphrase } from '../../../testing/people.ts';
import { aLink, aMemory, aShare, putSeal, redeem, reserve, someWords } from '../../../testing/shares.ts';
import { anEnvelope } from '../../../testing/vault-keys.ts';

const PATH = '/api/shareable-keys';
const notFound = { status: 404, code: 'not-found' };

describeOnEachEngine('sacred keys', (engine) => {
  let instance: TestInstance;
  let owner: Person;
  let stranger: Person;
  beforeAll(async () => {
    instance = await openTestInstance({ engine });
    owner = await signUpByPassphrase(instance);
    stranger = await signUpByPassphrase(instance);
  });
  afterAll(() => instance.close());

  const inHours = (hours: number) => new Date(instance.clock.now() + hours * HOUR).toISOString();
  const soon = () => inHours(1);
  const create = (body: unknown, who: Person = owner) => who.request('POST', PATH, { body });
  const list = async (query = '', who: Person = owner) =>
    (await (await who.request('GET', PATH + query)).json()) as ShareableKey[];
  const remove = (id: number, who: Person = owner) => who.request('DELETE', `${PATH}/${id}`);

  async function aRelationship(who: Person): Promise<number> {
    const { id: account } = await instance.deps.db
      .selectFrom('accounts')
      .select('id')
      .where('uid', '=', who.user.id)
      .executeTakeFirstOrThrow();
    const { id } = await instance.deps.db
      .insertInto('relationship_entries')
      .values({
        account_id: account,
        person_name: 'dA==',
        event_type: 'moment',
        encrypted_content: 'dA==',
        emotional_weight: 3,
        seal_id: null,
        key_fingerprint: null,
        version: 1,
        created_at: 0,
        updated_at: 0,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  describe('are reserved', () => {
    it('with the spec’s three fields, and say where the link will lead', async () => {
      const entryId = await aMemory(owner);
      const response = await create({ entryType: 'memory', entryId, expiresInHours: 24 });
      expect(response.status).toBe(201);
      const { shareUrl, keyId, ...key } = (await response.json()) as ShareableKey & { shareUrl: string };
      expect(keyId).toMatch(/^[\w-]{22}$/);
      expect(shareUrl).toBe(`${ORIGIN}/share/${keyId}`);
      expect(key).toEqual({
        id: key.id,
        entryType: 'memory',
        entryId,
        hasBeenUsed: false,
        expiresAt: inHours(24),
        createdAt: inHours(0),
        openedAt: null,
        sealed: false,
        hasPassphrase: false,
        encryptedSecret: null,
        sealId: null,
        keyFingerprint: null,
      });
    });

    it('for a week when nobody says for how long', async () => {
      for (const expiresInHours of [undefined, null]) {
        expect((await reserve(owner, { expiresInHours })).expiresAt).toBe(inHours(168));
      }
    });

    it.each([0, 721, -1, 1.5, '24'])('but not for %s hours', async (expiresInHours) => {
      const entryId = await aMemory(owner);
      const refused = await failure(await create({ entryType: 'memory', entryId, expiresInHours }));
      expect(refused).toEqual({ status: 422, code: 'invalid-input' });
    });

    it('for entries of the ledger as well, and never for one by the number of the other', async () => {
      const entryId = await aRelationship(owner);
      expect((await reserve(owner, { entryType: 'relationship', entryId })).entryType).toBe('relationship');
      const memory = await aMemory(owner);
      const beyond = Math.max(memory, entryId) + 1000;
      for (const [entryType, id] of [
        ['memory', beyond],
        ['relationship', beyond],
        ['relationship', memory === entryId ? beyond : memory + 500],
      ]) {
        expect(await failure(await create({ entryType, entryId: id }))).toEqual(notFound);
      }
    });

    it('for nobody else’s entry', async () => {
      const [memory, relationship] = [await aMemory(owner), await aRelationship(owner)];
      expect(await failure(await create({ entryType: 'memory', entryId: memory }, stranger))).toEqual(
        notFound,
      );
      expect(
        await failure(await create({ entryType: 'relationship', entryId: relationship }, stranger)),
      ).toEqual(notFound);
    });

    it('for no locked memory before its date', async () => {
      const entryId = await aMemory(owner, inHours(2));
      expect(await failure(await create({ entryType: 'memory', entryId }))).toEqual({
        status: 409,
        code: 'locked-from-sharing',
      });
      instance.clock.advance(2 * HOUR);
      expect((await create({ entryType: 'memory', entryId })).status).toBe(201);
    });

    it('and say that they are not ready until they are sealed, expire or are revoked', async () => {
      const { id, keyId } = await reserve(owner, { expiresInHours: 1 });
      const state = async (key: string) => instance.request('GET', `/api/shares/${key}`);
      expect(await (await state(keyId)).json()).toEqual({ state: 'unsealed', stretching: null });
      const share = { ...aLink(), keyId, words: '', key: {} as ShareableKey };
      expect(await failure(await redeem(instance, share))).toEqual({ status: 409, code: 'share-unsealed' });
      instance.clock.advance(HOUR);
      expect(await (await state(keyId)).json()).toEqual({ state: 'expired', stretching: null });
      expect(await failure(await redeem(instance, share))).toEqual({ status: 410, code: 'share-expired' });

      await owner.request('DELETE', `/api/shareable-keys/${id}`);
      expect(await failure(await state(keyId))).toEqual(notFound);
    });
  });

  describe('are sealed', () => {
    it('once: the very same again changes nothing, anything else is refused', async () => {
      const { id } = await reserve(owner);
      const { seal } = aLink({ passphrase: true });
      const first = (await (await putSeal(owner, id, seal)).json()) as ShareableKey;
      expect(first).toMatchObject({
        id,
        sealed: true,
        hasPassphrase: true,
        hasBeenUsed: false,
        encryptedSecret: seal.encryptedSecret,
        sealId: seal.sealId,
      });
      expect(await (await putSeal(owner, id, seal)).json()).toEqual(first);
      const others = [
        aLink().seal,
        { ...seal, encryptedContent: someWords() },
        { ...seal, stretching: null },
        { ...seal, claimHash: aLink().seal.claimHash },
        { ...seal, encryptedSecret: someWords() },
        { ...seal, sealId: null },
      ];
      for (const other of others) {
        expect(await failure(await putSeal(owner, id, other))).toEqual({
          status: 409,
          code: 'already-sealed',
        });
      }
      expect((await list('?limit=1'))[0]).toEqual(first);
    });

    it('by one of many that try at once', async () => {
      const { id } = await reserve(owner);
      const statuses = await Promise.all(
        Array.from({ length: 30 }, async () => (await putSeal(owner, id, aLink().seal)).status),
      );
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.filter((status) => status === 409)).toHaveLength(29);
    });

    it('by nobody else', async () => {
      const { id } = await reserve(owner);
      expect(await failure(await putSeal(stranger, id, aLink().seal))).toEqual(notFound);
      expect((await putSeal(owner, id, aLink().seal)).status).toBe(200);
    });

    it('not after they have expired', async () => {
      const { id } = await reserve(owner, { expiresInHours: 1 });
      instance.clock.advance(HOUR);
      expect(await failure(await putSeal(owner, id, aLink().seal))).toEqual({
        status: 410,
        code: 'share-expired',
      });
    });

    it('not when the memory was locked, or is gone, since they were reserved', async () => {
      const locked = await reserve(owner);
      const patch = { version: 1, title: 'dA==', encryptedContent: 'dA==', timeLockUntil: soon() };
      await owner.request('PATCH', `/api/memory-entries/${locked.entryId}`, { body: patch });
      expect(await failure(await putSeal(owner, locked.id, aLink().seal))).toEqual({
        status: 409,
        code: 'locked-from-sharing',
      });
      const gone = await reserve(owner);
      await owner.request('DELETE', `/api/memory-entries/${gone.entryId}`);
      expect(await failure(await putSeal(owner, gone.id, aLink().seal))).toEqual(notFound);
    });

    it('under the key of today alone', async () => {
      const member = await aMember(instance);
      const { id } = await reserve(member);
      const { seal } = aLink();
      const old = { ...seal, keyFingerprint: anEnvelope().clientKey.fingerprint };
      expect(await failure(await putSeal(member, id, old))).toEqual({ status: 409, code: 'key-changed' });
      const today = { ...seal, keyFingerprint: member.envelope.clientKey.fingerprint };
      expect((await putSeal(member, id, today)).status).toBe(200);
    });

    it('with a seal that no other key carries', async () => {
      const { key } = await aShare(owner);
      const { id } = await reserve(owner);
      const reused = { ...aLink().seal, sealId: key.sealId };
      expect(await failure(await putSeal(owner, id, reused))).toEqual({ status: 409, code: 'seal-reused' });
    });
  });

  describe('are listed', () => {
    it('to their owner alone, newest first, in pages, and say when each was opened', async () => {
      const person = await signUpByPassphrase(instance);
      const shares = [await aShare(person), await aShare(person), await aShare(person)];
      const ids = shares.map(({ key }) => key.id).reverse();
      expect((await list('', person)).map(({ id }) => id)).toEqual(ids);
      const first = await person.request('GET', `${PATH}?limit=2`);
      expect(first.headers.get('link')).toBe(`<${PATH}?limit=2&before=${ids[1]}>; rel="next"`);
      expect((await list(`?limit=2&before=${ids[1]}`, person)).map(({ id }) => id)).toEqual([ids[2]]);
      expect(await list('', await signUpByPassphrase(instance))).toEqual([]);

      const [opened] = shares;
      if (!opened) throw new Error('There is none.');
      await redeem(instance, opened);
      const row = (await list('', person)).find(({ id }) => id === opened.key.id);
      expect(row).toEqual({ ...opened.key, hasBeenUsed: true, openedAt: inHours(0) });
    });

    it('without their words, which are for the recipient', async () => {
      const share = await aShare(owner);
      expect(JSON.stringify(await list())).not.toContain(share.words);
    });

    it('in pages that do not grow too heavy', async () => {
      const person = await signUpByPassphrase(instance);
      const heavy = 'A'.repeat(64 * 1024);
      const now = instance.clock.now();
      const { id: account } = await instance.deps.db
        .selectFrom('accounts')
        .select('id')
        .where('uid', '=', person.user.id)
        .executeTakeFirstOrThrow();
      const rows = Array.from({ length: 140 }, (_, i) => ({
        account_id: account,
        key_id: `heavy ${i}`.padEnd(22, '_').replace(' ', '_'),
        entry_type: 'memory' as const,
        entry_id: 1,
        expires_at: now + DAY,
        created_at: now,
        encrypted_secret: heavy,
      }));
      await instance.deps.db.insertInto('shareable_keys').values(rows).execute();
      const page = await person.request('GET', `${PATH}?limit=500`);
      expect((await page.json()) as unknown[]).toHaveLength(126);
      expect(page.headers.get('link')).toContain('rel="next"');
    });
  });

  describe('are taken away', () => {
    it('by their owner alone, and open nothing any more', async () => {
      const share = await aShare(owner);
      expect(await failure(await remove(share.key.id, stranger))).toEqual(notFound);
      expect((await instance.request('GET', `/api/shares/${share.keyId}`)).status).toBe(200);
      expect((await remove(share.key.id)).status).toBe(204);
      expect(await failure(await remove(share.key.id))).toEqual(notFound);
      expect(await failure(await instance.request('GET', `/api/shares/${share.keyId}`))).toEqual(notFound);
      expect(await failure(await redeem(instance, share))).toEqual(notFound);
      expect((await list()).map(({ id }) => id)).not.toContain(share.key.id);
    });

    it('unsealed, used or expired as well', async () => {
      const unsealed = await reserve(owner);
      const used = await aShare(owner);
      await redeem(instance, used);
      const expired = await aShare(owner, { expiresInHours: 1 });
      instance.clock.advance(HOUR);
      for (const id of [unsealed.id, used.key.id, expired.key.id])
        expect((await remove(id)).status).toBe(204);
    });
  });
});

describe('the address in a sacred key', () => {
  const urlAt = async (env: Record<string, string>, host?: string) => {
    const instance = await openTestInstance({ env });
    const owner = await signUpByPassphrase(instance);
    const entryId = await aMemory(owner);
    const response = await owner.request('POST', PATH, {
      body: { entryType: 'memory', entryId },
      ...(host && { headers: { host } }),
    });
    const { shareUrl } = (await response.json()) as { shareUrl: string };
    await instance.close();
    return new URL(shareUrl).origin;
  };

  it('is PUBLIC_URL’s', async () => {
    expect(await urlAt({ PUBLIC_URL: 'https://vault.example' })).toBe('https://vault.example');
  });

  it('is otherwise this machine’s, at the port that was typed', async () => {
    expect(await urlAt({}, 'localhost:8080')).toBe('http://localhost:8080');
    expect(await urlAt({}, 'localhost')).toBe('http://localhost');
  });
});
