import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ghost } from '../../../shared/nouns/ghost.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import { foundInFiles } from '../../../testing/data-folder.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { failure, openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import { keepVaultKey, type Person, signUpByPassphrase } from '../../../testing/people.ts';
import { deleteExpired } from '../../expiry.ts';

const PATH = '/api/ghost-entries';
const aSealId = (n: number) => Buffer.from(String(n).padStart(16, '0')).toString('base64url');
const gone = { status: 404, code: 'not-found' };

describeOnEachEngine('ghosts', (engine) => {
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
  const send = (fields: Record<string, unknown> = {}, by = person) =>
    by.request('POST', PATH, {
      body: { encryptedContent: 'd29yZHM=', maxReads: 1, expiresAt: fromNow(DAY), ...fields },
    });
  async function create(fields: Record<string, unknown> = {}, by = person): Promise<Ghost> {
    const response = await send(fields, by);
    expect(response.status).toBe(201);
    return (await response.json()) as Ghost;
  }
  const read = ({ id }: Ghost, by = person) => by.request('POST', `${PATH}/${id}/read`);
  const list = async () => (await (await person.request('GET', PATH)).json()) as Ghost[];
  const rows = (table: 'ghost_entries' | 'ghost_words') =>
    instance.deps.db.selectFrom(table).selectAll().execute();

  it('are kept with the fields of the specification alone, and listed without their words', async () => {
    const ghost = await create();
    expect(ghost).toEqual({
      id: expect.any(Number),
      encryptedContent: null,
      maxReads: 1,
      currentReads: 0,
      expiresAt: fromNow(DAY),
      createdAt: fromNow(0),
      sealId: null,
      keyFingerprint: null,
    });
    expect(await list()).toEqual([ghost]);
  });

  it('give their words to a reading, and count it', async () => {
    const ghost = await create({ maxReads: 2 });
    expect(await (await read(ghost)).json()).toEqual({
      ...ghost,
      encryptedContent: 'd29yZHM=',
      currentReads: 1,
    });
    expect(await list()).toEqual([{ ...ghost, currentReads: 1 }]);
  });

  it('vanish with the last reading: the words are gone, the row stays until it expires', async () => {
    const ghost = await create();
    const words = await rows('ghost_words');
    expect(await (await read(ghost)).json()).toMatchObject({ encryptedContent: 'd29yZHM=', currentReads: 1 });
    expect(await rows('ghost_words')).toHaveLength(words.length - 1);
    expect(await failure(await read(ghost))).toEqual(gone);
    instance.clock.advance(DAY - 1);
    expect(await list()).toEqual([{ ...ghost, currentReads: 1 }]);
    instance.clock.advance(1);
    expect(await list()).toEqual([]);
  });

  it.each([{ maxReads: null }, { maxReads: undefined }])(
    'without a limit are read as often as wanted: %o',
    async (fields) => {
      const ghost = await create(fields);
      expect(ghost.maxReads).toBeNull();
      for (let n = 1; n <= 12; n += 1) {
        expect(await (await read(ghost)).json()).toMatchObject({ currentReads: n });
      }
    },
  );

  it('give nothing from their hour on, and stay listed without words for a day', async () => {
    const ghost = await create({ maxReads: 3, expiresAt: fromNow(HOUR) });
    instance.clock.advance(HOUR - 1);
    expect((await read(ghost)).status).toBe(200);
    instance.clock.advance(1);
    expect(await failure(await read(ghost))).toEqual(gone);
    instance.clock.advance(DAY - 1);
    expect(await list()).toEqual([{ ...ghost, currentReads: 1 }]);
    instance.clock.advance(1);
    expect(await list()).toEqual([]);
  });

  it('obey a clock that is set back: what has expired can wait again, what has vanished cannot', async () => {
    const [kept, read1] = [
      await create({ expiresAt: fromNow(HOUR) }),
      await create({ expiresAt: fromNow(HOUR) }),
    ];
    expect((await read(read1)).status).toBe(200);
    instance.clock.advance(2 * HOUR);
    expect((await read(kept)).status).toBe(404);
    instance.clock.advance(-2 * HOUR);
    expect((await read(kept)).status).toBe(200);
    expect((await read(read1)).status).toBe(404);
  });

  it.each([
    ['no hour', { expiresAt: undefined }],
    ['an hour that is none', { expiresAt: 'soon' }],
    ['no words', { encryptedContent: undefined }],
    ['blank words', { encryptedContent: ' ' }],
    ['no readings', { maxReads: 0 }],
    ['half a reading', { maxReads: 0.5 }],
    ['more than a thousand readings', { maxReads: 1001 }],
    ['words beyond two megabytes', { encryptedContent: 'A'.repeat(2 * 1024 * 1024 + 1) }],
  ])('refuse %s', async (_, fields) => {
    expect(await failure(await send(fields))).toEqual({ status: 422, code: 'invalid-input' });
  });

  it('refuse an hour that has passed or lies too far ahead, and say so plainly', async () => {
    for (const [time, sentence] of [
      [0, 'The moment at which it vanishes has already passed.'],
      [-HOUR, 'The moment at which it vanishes has already passed.'],
      [366 * DAY + 1, 'A ghost entry can wait for 366 days at most.'],
    ] as const) {
      const response = await send({ expiresAt: fromNow(time) });
      expect(response.status).toBe(422);
      expect(await response.json()).toEqual({ code: 'invalid-input', message: sentence });
    }
    await create({ expiresAt: fromNow(1) });
    await create({ expiresAt: fromNow(366 * DAY) });
  });

  it('are not kept when they were sealed under a key which is not the vault’s any more', async () => {
    const { fingerprint } = (await keepVaultKey(person)).clientKey;
    await create({ keyFingerprint: fingerprint });
    const stale = await send({ keyFingerprint: 'ffffffffffffffff' });
    expect(await failure(stale)).toEqual({ status: 409, code: 'key-changed' });
    expect(await list()).toHaveLength(1);
  });

  it('are listed newest first, page by page', async () => {
    const ids: number[] = [];
    for (let i = 0; i < 5; i += 1) ids.unshift((await create()).id);
    const first = await person.request('GET', `${PATH}?limit=3`);
    expect(((await first.json()) as Ghost[]).map(({ id }) => id)).toEqual(ids.slice(0, 3));
    expect(first.headers.get('link')).toBe(`<${PATH}?limit=3&before=${ids[2]}>; rel="next"`);
    const rest = await person.request('GET', `${PATH}?limit=3&before=${ids[2]}`);
    expect(((await rest.json()) as Ghost[]).map(({ id }) => id)).toEqual(ids.slice(3));
    expect(rest.headers.get('link')).toBeNull();
  });

  describe('when a create is repeated', () => {
    it('are kept once, however often they are sent', async () => {
      const expiresAt = fromNow(DAY);
      const sealId = aSealId(1);
      const ghosts = await Promise.all(Array.from({ length: 10 }, () => create({ sealId, expiresAt })));
      expect(new Set(ghosts.map(({ id }) => id)).size).toBe(1);
      expect(await list()).toHaveLength(1);
    });

    it.each([
      ['words', { encryptedContent: 'b3RoZXI=' }],
      ['a limit', { maxReads: null }],
      ['an hour', { expiresAt: '2030-06-30T00:00:00Z' }],
    ])('refuse a seal that belongs to another one: %s', async (_, fields) => {
      instance.clock.set('2030-06-01T12:00:00Z');
      person = await signUpByPassphrase(instance);
      await create({ sealId: aSealId(2) });
      const again = await send({ sealId: aSealId(2), ...fields });
      expect(await failure(again)).toEqual({ status: 409, code: 'seal-reused' });
    });

    it('do not come back after they were read to the end', async () => {
      const expiresAt = fromNow(DAY);
      const ghost = await create({ sealId: aSealId(3), expiresAt });
      await read(ghost);
      const again = await send({ sealId: aSealId(3), expiresAt });
      expect(await failure(again)).toEqual({ status: 409, code: 'seal-reused' });
      expect(await failure(await read(ghost))).toEqual(gone);
    });
  });

  it('of three readings give exactly three to two hundred readers at once', async () => {
    const ghost = await create({ maxReads: 3, encryptedContent: 'dGhyZWU=' });
    const answers = await Promise.all(Array.from({ length: 200 }, () => read(ghost)));
    const bodies = await Promise.all(answers.map(async (answer) => [answer.status, await answer.json()]));
    const succeeded = bodies.filter(([status]) => status === 200).map(([, body]) => body as Ghost);
    expect(succeeded.map(({ currentReads }) => currentReads).sort()).toEqual([1, 2, 3]);
    expect(new Set(succeeded.map(({ encryptedContent }) => encryptedContent))).toEqual(new Set(['dGhyZWU=']));
    expect(bodies.filter(([status]) => status === 404)).toHaveLength(197);
    expect((await rows('ghost_words')).filter(({ ghost_id }) => ghost_id === ghost.id)).toEqual([]);
    expect(await list()).toEqual([{ ...ghost, currentReads: 3 }]);
  });

  it('are gone for everybody once they were deleted, also in the midst of readings', async () => {
    const ghost = await create({ maxReads: 1000 });
    const someReadings = (n: number) => Array.from({ length: n }, () => read(ghost));
    const answers = await Promise.all([
      ...someReadings(10),
      person.request('DELETE', `${PATH}/${ghost.id}`),
      ...someReadings(20),
    ]);
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    for (const { status } of answers) expect([200, 204, 404]).toContain(status);
    expect(await failure(await read(ghost))).toEqual(gone);
    expect((await rows('ghost_words')).filter(({ ghost_id }) => ghost_id === ghost.id)).toEqual([]);
  });

  it('are neither read nor deleted by somebody else', async () => {
    const ghost = await create();
    const stranger = await signUpByPassphrase(instance);
    expect(await failure(await read(ghost, stranger))).toEqual(gone);
    expect(await failure(await stranger.request('DELETE', `${PATH}/${ghost.id}`))).toEqual(gone);
    expect(await list()).toEqual([ghost]);
  });

  it('are deleted once, with their words', async () => {
    const ghost = await create();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => person.request('DELETE', `${PATH}/${ghost.id}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(404)]);
    expect((await rows('ghost_words')).filter(({ ghost_id }) => ghost_id === ghost.id)).toEqual([]);
  });

  it('lose their words to the sweep when they expire, and their row a day later', async () => {
    const sizes = async () => [(await rows('ghost_entries')).length, (await rows('ghost_words')).length];
    instance.clock.advance(400 * DAY);
    await deleteExpired(instance.deps);
    expect(await sizes()).toEqual([0, 0]);
    person = await signUpByPassphrase(instance);
    await create({ expiresAt: fromNow(HOUR) });
    await read(await create({ expiresAt: fromNow(HOUR) }));
    await create({ expiresAt: fromNow(2 * DAY) });
    instance.clock.advance(HOUR - MINUTE);
    await deleteExpired(instance.deps);
    expect(await sizes()).toEqual([3, 2]);
    instance.clock.advance(MINUTE);
    await deleteExpired(instance.deps);
    expect(await sizes()).toEqual([2, 1]);
    expect(await list()).toHaveLength(2);
    instance.clock.advance(DAY);
    await deleteExpired(instance.deps);
    expect(await sizes()).toEqual([1, 1]);
  });

  it('go with their account', async () => {
    const ghost = await create();
    await instance.deps.db.deleteFrom('accounts').where('uid', '=', person.user.id).execute();
    await deleteExpired(instance.deps);
    expect((await rows('ghost_entries')).filter(({ id }) => id === ghost.id)).toEqual([]);
    expect((await rows('ghost_words')).filter(({ ghost_id }) => ghost_id === ghost.id)).toEqual([]);
  });
});

describe('the words of a ghost (embedded database)', () => {
  let instance: TestInstance;
  let person: Person;
  /** Which ends of these words stand in a file. */
  const traces = (words: string) => foundInFiles(instance, [words.slice(0, 40), words.slice(-40)]);
  beforeAll(async () => {
    instance = await openTestInstance();
    person = await signUpByPassphrase(instance);
  });
  afterAll(() => instance.close());

  async function create(words: string, maxReads: number): Promise<string> {
    const expiresAt = new Date(instance.clock.now() + HOUR).toISOString();
    const body = { encryptedContent: words, maxReads, expiresAt };
    const { id } = (await (await person.request('POST', PATH, { body })).json()) as Ghost;
    return `${PATH}/${id}`;
  }
  // As long as what a browser sends: one line, a page, and what fills pages of the database.
  const lengths = [380, 3_900, 9_000, 200_000];
  const someWords = (length: number) => randomBytes(length).toString('base64').slice(0, length);

  it.each(lengths)('stand in no file after the last reading (%d characters)', async (length) => {
    const words = someWords(length);
    const path = await create(words, 2);
    await person.request('POST', `${path}/read`);
    expect(traces(words)).not.toEqual([]);
    expect((await person.request('POST', `${path}/read`)).status).toBe(200);
    expect(traces(words)).toEqual([]);
  });

  it('stand in no file after they were deleted, or swept away', async () => {
    const [deleted, expired] = [someWords(380), someWords(380)];
    const path = await create(deleted, 1);
    await create(expired, 1);
    await person.request('DELETE', path);
    expect(traces(deleted)).toEqual([]);
    expect(traces(expired)).not.toEqual([]);
    instance.clock.advance(HOUR);
    await deleteExpired(instance.deps);
    expect(traces(expired)).toEqual([]);
  });

  it('leave nothing behind among many others that come and go', async () => {
    const all = await Promise.all(
      Array.from({ length: 120 }, async (_, i) => {
        const words = someWords(lengths[i % 3] ?? 380);
        return { words, path: await create(words, 1) };
      }),
    );
    const read = all.filter((_, i) => i % 7 !== 0);
    await Promise.all(read.map(({ path }) => person.request('POST', `${path}/read`)));
    const pieces = read.flatMap(({ words }) => [0, 120, 240, 340].map((at) => words.slice(at, at + 40)));
    expect(foundInFiles(instance, pieces)).toEqual([]);
  });
});
