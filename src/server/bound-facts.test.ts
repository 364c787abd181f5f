// What is sealed in with a row changes by a write that carries new ciphertext, and by nothing else: a browser would say that
// the server has changed it. And a version counts those writes.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type BoundFacts, boundTexts } from '../shared/sealed-facts.ts';
import type { KindName } from '../shared/sealed-kinds.ts';
import { HOUR } from '../shared/time.ts';
import { describeOnEachEngine } from '../testing/engines.ts';
import { openTestInstance, type TestInstance } from '../testing/instance.ts';
import { type Person, signUpByPassphrase } from '../testing/people.ts';
import { anOpeningScroll, patchScroll, step } from '../testing/scrolls.ts';
import { aLink, putSeal, reserve } from '../testing/shares.ts';

const aSealId = () => randomBytes(16).toString('base64url');
const WORDS = { title: 'bmV3', encryptedContent: 'bmV3' };

describeOnEachEngine('what is sealed in with a row', (engine) => {
  let instance: TestInstance;
  let person: Person;
  beforeAll(async () => {
    instance = await openTestInstance({ engine });
  });
  afterAll(() => instance.close());
  beforeEach(async () => {
    person = await signUpByPassphrase(instance);
  });

  async function send<Row>(method: string, path: string, body?: object): Promise<Row> {
    const answer = await person.request(method, path, body && { body });
    expect(answer.ok, `${method} ${path}: ${await answer.clone().text()}`).toBe(true);
    return (answer.status === 204 ? null : await answer.json()) as Row;
  }
  const factsOf = <K extends KindName>(kind: K, row: object) => boundTexts(kind, row as BoundFacts<K>);
  /** One row of a list, as a browser that comes later is told of it. */
  async function listed(path: string, id: number): Promise<object> {
    const all = await send<{ id: number }[]>('GET', path);
    return all.find((row) => row.id === id) ?? expect.fail('it is in no list');
  }

  const lists = [
    ['memory', 'memory-entries', { timeLockUntil: '2020-05-03T00:00:00.000Z' }],
    ['relationship', 'relationship-entries', { eventType: 'ending', emotionalWeight: 5 }],
    ['myth', 'myth-stories', { storyType: 'eulogy' }],
  ] as const;
  it.each(lists)(
    'stays while a %s is deleted and restored, and counts one up when it is written',
    async (kind, path, clear) => {
      const name = kind === 'relationship' ? { personName: 'bmV3' } : { title: 'bmV3' };
      const texts = { ...name, encryptedContent: 'bmV3' };
      const row = await send<{ id: number; version: number }>('POST', `/api/${path}`, {
        ...texts,
        ...clear,
        sealId: aSealId(),
      });
      const facts = factsOf(kind, row);
      // As the browser has sealed them before the server answered.
      expect(facts).toEqual(factsOf(kind, { ...clear, version: 1 }));
      instance.clock.advance(HOUR);
      await send('DELETE', `/api/${path}/${row.id}`);
      await send('POST', `/api/deleted-${path}/${row.id}/restore`);
      expect(factsOf(kind, await listed(`/api/${path}`, row.id))).toEqual(facts);
      await send('PATCH', `/api/${path}/${row.id}`, { ...texts, ...clear, version: 1 });
      expect(factsOf(kind, await listed(`/api/${path}`, row.id))).toEqual(
        factsOf(kind, { ...clear, version: 2 }),
      );
    },
  );

  it('stays while a scroll watches, is disarmed and released, and counts one up when it is written', async () => {
    const { scroll } = await anOpeningScroll(person);
    const kind = 'legacy-scroll';
    const facts = factsOf(kind, scroll);
    expect(facts.slice(0, 3)).toEqual(['1', 'inactivity', '30']);
    for (const verb of ['activate', 'disarm', 'activate', 'release'] as const) {
      const answer = await step(person, scroll, verb, verb === 'activate' ? { handedOver: true } : undefined);
      expect(answer.status, await answer.clone().text()).toBe(200);
      expect(factsOf(kind, (await answer.json()) as object), verb).toEqual(facts);
    }
    expect(factsOf(kind, await listed('/api/legacy-scrolls', scroll.id))).toEqual(facts);
    const { scroll: other } = await anOpeningScroll(person);
    const changed = (await (await patchScroll(person, other, { triggerValue: '60' })).json()) as object;
    const [, ...before] = factsOf(kind, other);
    expect(factsOf(kind, changed)).toEqual(['2', ...before.map((text) => (text === '30' ? '60' : text))]);
  });

  it('stays while a ghost is read, and while a link is sealed and opened', async () => {
    const clear = { maxReads: 3, expiresAt: new Date(instance.clock.now() + HOUR).toISOString() };
    const ghost = await send<{ id: number }>('POST', '/api/ghost-entries', {
      ...clear,
      encryptedContent: 'bmV3',
    });
    const read = await send<object>('POST', `/api/ghost-entries/${ghost.id}/read`);
    for (const row of [ghost, read]) expect(factsOf('ghost', row)).toEqual(factsOf('ghost', clear));

    const memory = await send<{ id: number }>('POST', '/api/memory-entries', WORDS);
    const reserved = await reserve(person, { entryType: 'memory', entryId: memory.id });
    const { expiresAt } = reserved;
    const answer = await putSeal(person, reserved.id, aLink({ passphrase: true }).seal);
    const sealed = factsOf('sacred-key', { entryType: 'memory', expiresAt, hasPassphrase: true });
    expect(factsOf('sacred-key', (await answer.json()) as object)).toEqual(sealed);
    instance.clock.advance(HOUR);
    expect(factsOf('sacred-key', await listed('/api/shareable-keys', reserved.id))).toEqual(sealed);
  });
});
