// What the list of myths has of its own. What every list does is tested with memories and the ledger.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Myth } from '../../../shared/nouns/myth.ts';
import { storyTypes } from '../../../shared/nouns/story-types.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { failure, openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import { type Person, signUpByPassphrase } from '../../../testing/people.ts';

const PATH = '/api/myth-stories';
const whole = { title: 'bmFtZQ==', storyType: 'eulogy', encryptedContent: 'd29yZHM=' };

describeOnEachEngine('the list of myths', (engine) => {
  let instance: TestInstance;
  let person: Person;
  beforeAll(async () => {
    instance = await openTestInstance({ engine });
  });
  afterAll(() => instance.close());
  beforeEach(async () => {
    person = await signUpByPassphrase(instance);
  });

  const create = (fields: Record<string, unknown> = {}) =>
    person.request('POST', PATH, { body: { ...whole, ...fields } });

  it('keeps a story with its kind, and changes and deletes it', async () => {
    const created = await create({ details: 'eyJ2IjoxfQ==' });
    expect(created.status).toBe(201);
    const myth = (await created.json()) as Myth;
    const now = new Date(instance.clock.now()).toISOString();
    expect(myth).toEqual({
      ...{ id: expect.any(Number), ...whole, details: 'eyJ2IjoxfQ==' },
      ...{ createdAt: now, updatedAt: now, version: 1, sealId: null, keyFingerprint: null },
    });
    const patch = { version: 1, title: 'bmV3', storyType: 'breakup', encryptedContent: 'bmV3ZXI=' };
    const changed = await person.request('PATCH', `${PATH}/${myth.id}`, { body: patch });
    expect(await changed.json()).toEqual({ ...myth, ...patch, version: 2 });
    const stale = await person.request('PATCH', `${PATH}/${myth.id}`, { body: patch });
    expect(await failure(stale)).toEqual({ status: 409, code: 'stale-version' });
    expect((await person.request('DELETE', `${PATH}/${myth.id}`)).status).toBe(204);
    expect(await (await person.request('GET', PATH)).json()).toEqual([]);
  });

  it.each(storyTypes)('keeps a $label', async ({ value }) => {
    expect(((await (await create({ storyType: value })).json()) as Myth).storyType).toBe(value);
  });

  it.each([
    ['an unknown kind', { storyType: 'sonnet' }],
    ['no kind', { storyType: undefined }],
    ['a blank title', { title: ' ' }],
    ['no words', { encryptedContent: undefined }],
  ])('refuses %s', async (_, fields) => {
    expect(await failure(await create(fields))).toEqual({ status: 422, code: 'invalid-input' });
  });
});
