import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Relationship } from '../../../shared/nouns/relationship.ts';
import { DAY, HOUR } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { failure, openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import { keepVaultKey, type Person, signUpByPassphrase } from '../../../testing/people.ts';
import { deleteExpired } from '../../expiry.ts';

const PATH = '/api/relationship-entries';
const aSealId = (n: number) => Buffer.from(String(n).padStart(16, '0')).toString('base64url');
const specified = {
  personName: 'bmFtZQ==',
  eventType: 'moment',
  encryptedContent: 'd29yZHM=',
  emotionalWeight: 5,
};

describeOnEachEngine('the ledger', (engine) => {
  let instance: TestInstance;
  let person: Person;
  beforeAll(async () => {
    instance = await openTestInstance({ engine });
  });
  afterAll(() => instance.close());
  beforeEach(async () => {
    person = await signUpByPassphrase(instance);
  });

  const send = (fields: Record<string, unknown> = {}, by = person) =>
    by.request('POST', PATH, { body: { ...specified, ...fields } });
  async function create(fields: Record<string, unknown> = {}, by = person): Promise<Relationship> {
    const response = await send(fields, by);
    expect(response.status).toBe(201);
    return (await response.json()) as Relationship;
  }
  const get = async (id: number) =>
    (await (await person.request('GET', `${PATH}/${id}`)).json()) as Relationship;
  const list = async () => (await (await person.request('GET', PATH)).json()) as Relationship[];
  const patch = ({ id, version }: Relationship, fields: Record<string, unknown> = {}) =>
    person.request('PATCH', `${PATH}/${id}`, {
      body: {
        version,
        personName: 'bmV3',
        eventType: 'ending',
        encryptedContent: 'bmV3ZXI=',
        emotionalWeight: 1,
        ...fields,
      },
    });

  it('keeps a moment with the fields of the specification alone', async () => {
    const entry = await create();
    const now = new Date(instance.clock.now()).toISOString();
    expect(entry).toEqual({
      id: expect.any(Number),
      ...specified,
      details: null,
      createdAt: now,
      updatedAt: now,
      version: 1,
      sealId: null,
      keyFingerprint: null,
    });
    expect(await get(entry.id)).toEqual(entry);
    expect(await list()).toEqual([entry]);
  });

  it.each([undefined, null])('takes a weight of %s for 3', async (emotionalWeight) => {
    expect((await create({ emotionalWeight })).emotionalWeight).toBe(3);
  });

  it('believes an earlier date of sealing, and takes one to come for now', async () => {
    const early = '1999-12-31T23:59:59.000Z';
    expect((await create({ createdAt: early })).createdAt).toBe(early);
    const late = new Date(instance.clock.now() + DAY).toISOString();
    expect((await create({ createdAt: late })).createdAt).toBe(new Date(instance.clock.now()).toISOString());
  });

  it.each([
    ['a missing name', { personName: undefined }],
    ['a blank name', { personName: ' \n ' }],
    ['missing content', { encryptedContent: undefined }],
    ['no kind of moment', { eventType: undefined }],
    ['an unknown kind of moment', { eventType: 'wedding' }],
    ['a weight of 0', { emotionalWeight: 0 }],
    ['a weight of 6', { emotionalWeight: 6 }],
    ['half a weight', { emotionalWeight: 2.5 }],
    ['a weight as a word', { emotionalWeight: '3' }],
    ['a date that is none', { createdAt: 'yesterday' }],
    ['a seal of the wrong length', { sealId: 'short' }],
  ])('refuses %s', async (_, fields) => {
    expect(await failure(await send(fields))).toEqual({ status: 422, code: 'invalid-input' });
  });

  it('keeps nothing that was sealed under a key which is not the vault’s any more', async () => {
    const { fingerprint } = (await keepVaultKey(person)).clientKey;
    const entry = await create({ sealId: aSealId(1), keyFingerprint: fingerprint });
    const changed = { status: 409, code: 'key-changed' };
    expect(await failure(await send({ keyFingerprint: 'ffffffffffffffff' }))).toEqual(changed);
    expect(await failure(await patch(entry, { keyFingerprint: 'ffffffffffffffff' }))).toEqual(changed);
    expect((await patch(entry, { keyFingerprint: fingerprint })).status).toBe(200);
    expect(await list()).toHaveLength(1);
  });

  it('lists newest first, page by page, and only what is mine', async () => {
    await create({}, await signUpByPassphrase(instance));
    const ids: number[] = [];
    for (let i = 0; i < 7; i += 1) ids.unshift((await create()).id);
    expect(await readPages(`${PATH}?limit=3`)).toEqual([ids.slice(0, 3), ids.slice(3, 6), ids.slice(6)]);
  });

  it('makes a page shorter when its entries are large, and loses none over the pages', async () => {
    const ids: number[] = [];
    for (let i = 0; i < 6; i += 1) {
      ids.unshift((await create({ encryptedContent: 'A'.repeat(1_900_000) })).id);
    }
    expect(await readPages(`${PATH}?limit=100`)).toEqual([ids.slice(0, 4), ids.slice(4)]);
    expect(await readPages(PATH)).toEqual([ids]);
  });

  async function readPages(first: string): Promise<number[][]> {
    const pages: number[][] = [];
    for (let path: string | undefined = first; path; ) {
      const response = await person.request('GET', path);
      pages.push(((await response.json()) as Relationship[]).map(({ id }) => id));
      path = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
    }
    return pages;
  }

  describe('when an entry is changed', () => {
    it('carries the new fields, the next version and the time of the change', async () => {
      const entry = await create();
      instance.clock.advance(HOUR);
      const response = await patch(entry, { keyFingerprint: 'fedcba9876543210' });
      expect(await response.json()).toEqual({
        ...entry,
        personName: 'bmV3',
        eventType: 'ending',
        encryptedContent: 'bmV3ZXI=',
        emotionalWeight: 1,
        version: 2,
        keyFingerprint: 'fedcba9876543210',
        updatedAt: new Date(instance.clock.now()).toISOString(),
      });
    });

    it('lets exactly one of fifty writers of one version win', async () => {
      const entry = await create();
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) => patch(entry, { personName: `bmFtZQ${i}` })),
      );
      const winners = answers.filter(({ status }) => status === 200);
      expect(winners).toHaveLength(1);
      expect(await get(entry.id)).toEqual(await winners[0]?.json());
      expect(await failure(await patch(entry))).toEqual({ status: 409, code: 'stale-version' });
    });
  });

  describe('when a create is repeated', () => {
    it('keeps one seal once, however often it is sent', async () => {
      const entries = await Promise.all(Array.from({ length: 10 }, () => create({ sealId: aSealId(2) })));
      expect(new Set(entries.map(({ id }) => id)).size).toBe(1);
      expect(await list()).toHaveLength(1);
    });

    it.each([
      ['words', { encryptedContent: 'b3RoZXI=' }],
      ['a name', { personName: 'b3RoZXI=' }],
      ['a kind', { eventType: 'betrayal' }],
      ['a weight', { emotionalWeight: null }],
    ])('refuses a seal that belongs to other fields: %s', async (_, fields) => {
      await create({ sealId: aSealId(3) });
      const again = await send({ sealId: aSealId(3), ...fields });
      expect(await failure(again)).toEqual({ status: 409, code: 'seal-reused' });
    });

    it('lets two vaults carry the same seal', async () => {
      await create({ sealId: aSealId(4) });
      await create({ sealId: aSealId(4) }, await signUpByPassphrase(instance));
    });
  });

  it('is deleted once, by one of many, and never by somebody else', async () => {
    const entry = await create();
    const stranger = await signUpByPassphrase(instance);
    expect((await stranger.request('DELETE', `${PATH}/${entry.id}`)).status).toBe(404);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => person.request('DELETE', `${PATH}/${entry.id}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(404)]);
    expect(await failure(await patch(entry))).toEqual({ status: 409, code: 'entry-deleted' });
  });

  it('goes with its account', async () => {
    await create();
    const ofAccount = instance.deps.db.selectFrom('accounts').select('id').where('uid', '=', person.user.id);
    const { id } = await ofAccount.executeTakeFirstOrThrow();
    await instance.deps.db.deleteFrom('accounts').where('id', '=', id).execute();
    await deleteExpired(instance.deps);
    const left = instance.deps.db
      .selectFrom('relationship_entries')
      .select('id')
      .where('account_id', '=', id);
    expect(await left.execute()).toEqual([]);
  });
});
