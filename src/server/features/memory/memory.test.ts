import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Memory } from '../../../shared/nouns/memory.ts';
import { ENTRY_DETAILS_MAX } from '../../../shared/sealed-kinds.ts';
import { DAY, HOUR } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { failure, openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import { keepVaultKey, type Person, signUpByPassphrase } from '../../../testing/people.ts';

const PATH = '/api/memory-entries';
const aSealId = (n: number) => Buffer.from(String(n).padStart(16, '0')).toString('base64url');

describeOnEachEngine('memories', (engine) => {
  let instance: TestInstance;
  let person: Person;
  beforeAll(async () => {
    instance = await openTestInstance({ engine });
  });
  afterAll(() => instance.close());
  beforeEach(async () => {
    person = await signUpByPassphrase(instance);
  });

  async function create(fields: Record<string, unknown> = {}, by = person): Promise<Memory> {
    const body = { title: 'dGl0bGU=', encryptedContent: 'd29yZHM=', ...fields };
    const response = await by.request('POST', PATH, { body });
    expect(response.status).toBe(201);
    return (await response.json()) as Memory;
  }
  const get = async (id: number) => (await (await person.request('GET', `${PATH}/${id}`)).json()) as Memory;
  const patch = (memory: Memory, fields: Record<string, unknown> = {}) =>
    person.request('PATCH', `${PATH}/${memory.id}`, {
      body: { version: memory.version, title: 'bmV3', encryptedContent: 'bmV3ZXI=', ...fields },
    });
  const inOneDay = () => new Date(instance.clock.now() + DAY).toISOString();

  it('keeps a memory with the fields of the specification alone', async () => {
    const memory = await create({ timeLockUntil: null });
    expect(memory).toEqual({
      id: expect.any(Number),
      title: 'dGl0bGU=',
      encryptedContent: 'd29yZHM=',
      details: null,
      timeLockUntil: null,
      createdAt: new Date(instance.clock.now()).toISOString(),
      updatedAt: new Date(instance.clock.now()).toISOString(),
      version: 1,
      sealId: null,
      keyFingerprint: null,
    });
    expect(await get(memory.id)).toEqual(memory);
  });

  it('keeps nothing that was sealed under a key which is not the vault’s any more', async () => {
    const { clientKey } = await keepVaultKey(person);
    const { fingerprint } = clientKey;
    const mine = await create({ sealId: aSealId(3), keyFingerprint: fingerprint });
    const stale = await person.request('POST', PATH, {
      body: { title: 'dGl0bGU=', encryptedContent: 'd29yZHM=', keyFingerprint: 'ffffffffffffffff' },
    });
    expect(await failure(stale)).toEqual({ status: 409, code: 'key-changed' });
    expect(await failure(await patch(mine, { keyFingerprint: 'ffffffffffffffff' }))).toEqual({
      status: 409,
      code: 'key-changed',
    });
    expect((await patch(mine, { keyFingerprint: fingerprint })).status).toBe(200);
    expect((await (await person.request('GET', PATH)).json()) as Memory[]).toHaveLength(1);
  });

  it('takes a second try with another lock for another memory, not for the first one again', async () => {
    const sealed = { title: 'dGl0bGU=', encryptedContent: 'd29yZHM=', sealId: aSealId(4) };
    await create(sealed);
    expect((await create(sealed)).timeLockUntil).toBeNull();
    const locked = await person.request('POST', PATH, { body: { ...sealed, timeLockUntil: inOneDay() } });
    expect(await failure(locked)).toEqual({ status: 409, code: 'seal-reused' });
  });

  it('makes a page shorter when its memories are large, and loses none over the pages', async () => {
    const large = 'A'.repeat(1_900_000);
    const ids: number[] = [];
    for (let i = 0; i < 10; i += 1) ids.unshift((await create({ encryptedContent: large })).id);
    const read = async (first: string) => {
      const pages: number[][] = [];
      for (let path: string | undefined = first; path; ) {
        const response = await person.request('GET', path);
        pages.push(((await response.json()) as Memory[]).map(({ id }) => id));
        path = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
      }
      return pages;
    };
    expect(await read(`${PATH}?limit=100`)).toEqual([ids.slice(0, 4), ids.slice(4, 8), ids.slice(8)]);
    // Without a limit all of it, up to sixteen mebibytes.
    expect(await read(PATH)).toEqual([ids.slice(0, 8), ids.slice(8)]);
  });

  it('gives every seal and key fingerprint back as they came', async () => {
    const memory = await create({ sealId: aSealId(1), keyFingerprint: '0123456789abcdef' });
    expect(memory).toMatchObject({ sealId: aSealId(1), keyFingerprint: '0123456789abcdef' });
  });

  it.each([
    ['a missing title', { title: undefined }],
    ['a blank title', { title: ' \n ' }],
    ['missing content', { encryptedContent: undefined }],
    ['a title that is no text', { title: 7 }],
    ['an endless title', { title: 'A'.repeat(8 * 1024 + 1) }],
    ['a lock that is no date', { timeLockUntil: 'tomorrow' }],
    ['a lock on a day that does not exist', { timeLockUntil: '2031-02-30T00:00:00Z' }],
    ['a lock beyond the last year that can be written', { timeLockUntil: '9999-12-31T23:59:59-14:00' }],
    ['a lock before the first year', { timeLockUntil: '0000-01-01T00:00:00+14:00' }],
    ['a lock of a day that does not exist, without an offset', { timeLockUntil: '2031-02-30T03:04' }],
    ['a lock at an hour that does not exist', { timeLockUntil: '2031-02-03T24:01' }],
    ['a lock that is blank', { timeLockUntil: ' ' }],
    ['a seal of the wrong length', { sealId: 'short' }],
    ['a key fingerprint in capitals', { keyFingerprint: '0123456789ABCDEF' }],
    ['a NUL character, which PostgreSQL cannot store', { title: 'a\u0000b' }],
    ['half of a surrogate pair, which no database stores faithfully', { encryptedContent: '\ud800' }],
  ])('refuses %s', async (_, fields) => {
    const body = { title: 'dGl0bGU=', encryptedContent: 'd29yZHM=', ...fields };
    expect(await failure(await person.request('POST', PATH, { body }))).toEqual({
      status: 422,
      code: 'invalid-input',
    });
  });

  it('refuses content beyond two megabytes with 422, and a body beyond three with 413', async () => {
    const send = (length: number) =>
      person.request('POST', PATH, { body: { title: 'dA==', encryptedContent: 'A'.repeat(length) } });
    expect((await send(2 * 1024 * 1024)).status).toBe(201);
    expect(await failure(await send(2 * 1024 * 1024 + 1))).toEqual({ status: 422, code: 'invalid-input' });
    expect(await failure(await send(3 * 1024 * 1024))).toEqual({ status: 413, code: 'too-large' });
  });

  it('lists newest first, page by page or all at once, over fifteen hundred rows', async () => {
    const rows = Array.from({ length: 1500 }, (_, i) => ({
      title: `dA${i}`,
      encrypted_content: 'd29yZHM=',
      time_lock_until: null,
      seal_id: null,
      key_fingerprint: null,
      version: 1,
      created_at: instance.clock.now(),
      updated_at: instance.clock.now(),
    }));
    const owner = await instance.deps.db
      .selectFrom('accounts')
      .select('id')
      .where('uid', '=', person.user.id)
      .executeTakeFirstOrThrow();
    for (let i = 0; i < rows.length; i += 200) {
      const some = rows.slice(i, i + 200).map((row) => ({ ...row, account_id: owner.id }));
      await instance.deps.db.insertInto('memory_entries').values(some).execute();
    }
    const stranger = await signUpByPassphrase(instance);
    await create({}, stranger);

    const seen: Memory[] = [];
    let pages = 0;
    let next: string | undefined = `${PATH}?limit=500`;
    while (next) {
      const response = await person.request('GET', next);
      seen.push(...((await response.json()) as Memory[]));
      next = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
      pages += 1;
    }
    // Nobody can know that nothing stands behind a full page.
    expect(pages).toBe(4);
    expect(seen.map(({ title }) => title)).toEqual(rows.map(({ title }) => title).reverse());
    const whole = await person.request('GET', PATH);
    expect(await whole.json()).toEqual(seen);
    expect(whole.headers.get('link')).toBeNull();
    expect(await (await person.request('GET', '/api/summary')).json()).toMatchObject({ memories: 1500 });
  });

  it.each(['limit=0', 'limit=501', 'limit=1.5', 'limit=many', 'before=0', 'before=-3', 'before=x', 'limit='])(
    'refuses a page of ?%s',
    async (query) => {
      expect((await person.request('GET', `${PATH}?${query}`)).status).toBe(422);
    },
  );

  it('answers a page that begins beyond every row', async () => {
    await create();
    const page = await person.request('GET', `${PATH}?before=${Number.MAX_SAFE_INTEGER}`);
    expect(((await page.json()) as Memory[]).length).toBe(1);
  });

  it.each([
    '0',
    '-1',
    '1.5',
    'x',
    '1e3',
    '999999999999999',
    '9007199254740993',
    '9'.repeat(40),
    '%00',
    '%20',
  ])('knows no memory of the number %s', async (id) => {
    for (const [method, body] of [
      ['GET', undefined],
      ['DELETE', undefined],
      ['PATCH', { version: 1, title: 'dA==', encryptedContent: 'dA==' }],
    ] as const) {
      expect((await person.request(method, `${PATH}/${id}`, { body })).status).toBe(404);
    }
  });

  describe('under a time lock', () => {
    it('withholds the words in every answer until the date, and serves them from it on', async () => {
      const until = inOneDay();
      const sealId = aSealId(2);
      const memory = await create({ timeLockUntil: until, sealId });
      expect(memory).toMatchObject({ encryptedContent: null, timeLockUntil: until });
      expect(await create({ timeLockUntil: until, sealId })).toEqual(memory);
      expect(await get(memory.id)).toEqual(memory);
      const list = await person.request('GET', PATH);
      expect(await list.json()).toEqual([memory]);

      instance.clock.advance(DAY - 1);
      expect((await get(memory.id)).encryptedContent).toBeNull();
      instance.clock.advance(1);
      expect((await get(memory.id)).encryptedContent).toBe('d29yZHM=');
    });

    it('reads a lock with another offset as the same moment', async () => {
      const memory = await create({ timeLockUntil: '2040-01-01T02:00:00+02:00' });
      expect(memory.timeLockUntil).toBe('2040-01-01T00:00:00.000Z');
    });

    it.each([
      ['a moment without an offset, in UTC', '2040-01-02T03:04', '2040-01-02T03:04:00.000Z'],
      ['the same with seconds', '2040-01-02T03:04:05', '2040-01-02T03:04:05.000Z'],
      ['the same with milliseconds', '2040-01-02T03:04:05.678', '2040-01-02T03:04:05.678Z'],
      ['a date alone, from its beginning in UTC', '2040-01-02', '2040-01-02T00:00:00.000Z'],
      ['the empty text of a field that was left alone, which is no lock', '', null],
    ])('reads what a form sends: %s', async (_, timeLockUntil, kept) => {
      const memory = await create({ timeLockUntil });
      expect(memory.timeLockUntil).toBe(kept);
      const plain = await create({ timeLockUntil: null });
      const changed = (await (await patch(plain, { timeLockUntil })).json()) as Memory;
      expect(changed.timeLockUntil).toBe(kept);
    });

    it('is not removed by the empty text of a form either', async () => {
      const memory = await create({ timeLockUntil: inOneDay() });
      expect(await failure(await patch(memory, { timeLockUntil: '' }))).toEqual({
        status: 409,
        code: 'lock-stands',
      });
    });

    it('is unlocked from the beginning when the date has passed', async () => {
      const memory = await create({ timeLockUntil: '2001-01-01T00:00:00Z' });
      expect(memory.encryptedContent).toBe('d29yZHM=');
    });

    it('can be neither changed, shortened nor removed, nor prolonged while it holds', async () => {
      const memory = await create({ timeLockUntil: inOneDay() });
      const earlier = new Date(instance.clock.now() + HOUR).toISOString();
      const later = new Date(instance.clock.now() + 2 * DAY).toISOString();
      const lockStands = { status: 409, code: 'lock-stands' };
      const timeLocked = { status: 409, code: 'time-locked' };
      expect(await failure(await patch(memory))).toEqual(timeLocked);
      expect(await failure(await patch(memory, { timeLockUntil: later }))).toEqual(timeLocked);
      expect(await failure(await patch(memory, { timeLockUntil: earlier }))).toEqual(lockStands);
      expect(await failure(await patch(memory, { timeLockUntil: null }))).toEqual(lockStands);
      expect(await get(memory.id)).toEqual(memory);
    });

    it('may be deleted', async () => {
      const memory = await create({ timeLockUntil: inOneDay() });
      expect((await person.request('DELETE', `${PATH}/${memory.id}`)).status).toBe(204);
      expect((await person.request('GET', `${PATH}/${memory.id}`)).status).toBe(404);
    });

    it('can be set on an open memory, whose words are then withheld in that very answer', async () => {
      const memory = await create();
      const response = await patch(memory, { timeLockUntil: inOneDay() });
      expect(await response.json()).toMatchObject({ encryptedContent: null, version: 2 });
      expect((await get(memory.id)).encryptedContent).toBeNull();
    });

    it('that has run out stays as a date when a patch does not speak of it', async () => {
      const memory = await create({ timeLockUntil: inOneDay() });
      instance.clock.advance(DAY);
      const patched = (await (await patch(memory)).json()) as Memory;
      expect(patched).toMatchObject({ timeLockUntil: memory.timeLockUntil, encryptedContent: 'bmV3ZXI=' });
    });
  });

  describe('when it is changed', () => {
    it('carries the new words, the next version and the time of the change', async () => {
      const memory = await create();
      instance.clock.advance(HOUR);
      const response = await patch(memory, { keyFingerprint: 'fedcba9876543210' });
      expect(await response.json()).toEqual({
        ...memory,
        title: 'bmV3',
        encryptedContent: 'bmV3ZXI=',
        version: 2,
        keyFingerprint: 'fedcba9876543210',
        updatedAt: new Date(instance.clock.now()).toISOString(),
      });
    });

    it('refuses a stale version and keeps what stands', async () => {
      const memory = await create();
      expect((await patch(memory)).status).toBe(200);
      expect(await failure(await patch(memory))).toEqual({ status: 409, code: 'stale-version' });
      expect((await get(memory.id)).version).toBe(2);
    });

    it.each([0, -1, 1.5, 2 ** 31, Number.MAX_SAFE_INTEGER, 1e300, null, '1'])(
      'refuses the version %s without falling over',
      async (version) => {
        const memory = await create();
        const { status } = await patch(memory, { version });
        expect([409, 422]).toContain(status);
      },
    );

    it('lets exactly one of fifty writers of one version win', async () => {
      const memory = await create();
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) => patch(memory, { title: `dGl0bGU${i}` })),
      );
      const winners = answers.filter(({ status }) => status === 200);
      expect(winners).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
      expect(await get(memory.id)).toEqual(await winners[0]?.json());
    });
  });

  describe('with details', () => {
    const details = 'ZGV0YWlscw==';

    it('answers them as they came, and counts them in the size of a page', async () => {
      const memory = await create({ details });
      expect(memory.details).toBe(details);
      expect(await get(memory.id)).toEqual(memory);
      for (let i = 0; i < 4; i += 1)
        await create({ encryptedContent: 'A'.repeat(2_080_000), details: 'A'.repeat(65_536) });
      const page = (await (await person.request('GET', `${PATH}?limit=4`)).json()) as Memory[];
      expect(page).toHaveLength(3);
    });

    it.each([
      ['that are blank', ' '],
      ['without end', 'A'.repeat(ENTRY_DETAILS_MAX + 1)],
    ])('refuses those %s', async (_, blank) => {
      const body = { title: 'dGl0bGU=', encryptedContent: 'd29yZHM=', details: blank };
      expect((await person.request('POST', PATH, { body })).status).toBe(422);
    });

    it('keeps them when a change does not speak of them, and takes them away for null', async () => {
      let memory = await create({ details });
      memory = (await (await patch(memory)).json()) as Memory;
      expect(memory).toMatchObject({ details, version: 2 });
      memory = (await (await patch(memory, { details: 'bmV3' })).json()) as Memory;
      expect(memory).toMatchObject({ details: 'bmV3', version: 3 });
      memory = (await (await patch(memory, { details: null })).json()) as Memory;
      expect(memory).toMatchObject({ details: null, version: 4 });
    });

    it('parts none from the key that opens them: a change under another key names them', async () => {
      const { fingerprint } = (await keepVaultKey(person)).clientKey;
      const memory = await create({ details });
      const under = { keyFingerprint: fingerprint };
      expect(await failure(await patch(memory, under))).toEqual({ status: 409, code: 'key-changed' });
      expect(await get(memory.id)).toEqual(memory);
      expect((await patch(await create(), under)).status).toBe(200);
      expect(await (await patch(memory, { ...under, details: 'bmV3' })).json()).toMatchObject({
        details: 'bmV3',
      });
    });

    it('withholds them with the words while a lock holds', async () => {
      const memory = await create({ details, timeLockUntil: inOneDay() });
      expect(memory).toMatchObject({ details: null, encryptedContent: null });
      instance.clock.advance(DAY);
      expect(await get(memory.id)).toMatchObject({ details, encryptedContent: 'd29yZHM=' });
    });

    it('takes a second try with other details for another memory', async () => {
      const sealId = aSealId(9);
      const memory = await create({ sealId, details });
      expect(await create({ sealId, details })).toEqual(memory);
      const body = { title: 'dGl0bGU=', encryptedContent: 'd29yZHM=', sealId };
      expect(await failure(await person.request('POST', PATH, { body }))).toEqual({
        status: 409,
        code: 'seal-reused',
      });
    });
  });

  describe('when a create is repeated', () => {
    it('keeps one seal once, however often it is sent', async () => {
      const sealId = aSealId(3);
      const created = await Promise.all(Array.from({ length: 10 }, () => create({ sealId })));
      expect(new Set(created.map(({ id }) => id)).size).toBe(1);
      expect(await (await person.request('GET', '/api/summary')).json()).toMatchObject({ memories: 1 });
    });

    it('refuses a seal that belongs to other words', async () => {
      await create({ sealId: aSealId(4) });
      const again = { title: 'dGl0bGU=', encryptedContent: 'b3RoZXI=', sealId: aSealId(4) };
      expect(await failure(await person.request('POST', PATH, { body: again }))).toEqual({
        status: 409,
        code: 'seal-reused',
      });
    });

    it('lets two vaults carry the same seal', async () => {
      const stranger = await signUpByPassphrase(instance);
      await create({ sealId: aSealId(5) });
      await create({ sealId: aSealId(5) }, stranger);
    });
  });

  it('is deleted once, by one of many', async () => {
    const memory = await create();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => person.request('DELETE', `${PATH}/${memory.id}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(404)]);
  });

  it('never gives the number of a deleted memory to another one', async () => {
    const first = await create();
    await person.request('DELETE', `${PATH}/${first.id}`);
    expect((await create()).id).toBeGreaterThan(first.id);
  });
});
