// A client that knows the specification alone knows no pages: every list answers all of it when it is asked without a limit.
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { contractRows } from '../../shared/http/contract.ts';
import { fieldsOf } from '../../shared/http/field-classes.ts';
import { describeOnEachEngine } from '../../testing/engines.ts';
import { openTestInstance, type TestInstance } from '../../testing/instance.ts';
import { aMember, type Person, signUpByPassphrase } from '../../testing/people.ts';
import { aSealId, ciphertext, plantingFor, plantMessage } from '../../testing/planting.ts';

const MANY = 120;

describeOnEachEngine('a whole list', (engine) => {
  let instance: TestInstance;
  let person: Person;
  let plant: Awaited<ReturnType<typeof plantingFor>>;
  beforeEach(async () => {
    instance = await openTestInstance({ engine });
    const member = await aMember(instance);
    person = member;
    plant = await plantingFor(instance, member, member.envelope.clientKey.fingerprint);
    const { db } = instance.deps;
    await db.updateTable('accounts').set({ is_admin: 1 }).where('id', '=', plant.accountId).execute();
  });
  afterEach(() => instance.close());

  it('is answered by every list of the contract, however many rows it has', async () => {
    const writer = await plantingFor(instance, await signUpByPassphrase(instance), '');
    const released = {
      state: 'released',
      released_at: instance.clock.now(),
      recipient_type: 'whisper',
      recipient_account_id: plant.accountId,
    } as const;
    const deleted = { deleted_at: instance.clock.now() };
    const plantAccount = (texts_permitted: 0 | 1) =>
      instance.deps.db
        .insertInto('accounts')
        .values({ uid: aSealId(), is_admin: 0, texts_permitted, created_at: 0 })
        .execute();
    // Two are there: the reader and the writer.
    for (let i = 2; i < MANY; i += 1) await plantAccount(0);
    const planted: Record<string, () => Promise<unknown>> = {
      '/api/admin/accounts': async () => {},
      '/api/memory-entries': () => plant.memory(),
      '/api/relationship-entries': () => plant.relationship(),
      '/api/myth-stories': () => plant.myth(),
      '/api/deleted-memory-entries': () => plant.memory(deleted),
      '/api/deleted-relationship-entries': () => plant.relationship(deleted),
      '/api/deleted-myth-stories': () => plant.myth(deleted),
      '/api/ghost-entries': () => plant.ghost(),
      '/api/shareable-keys': () => plant.sacredKey(),
      '/api/legacy-scrolls': () => plant.legacyScroll(),
      '/api/whispers': () => writer.legacyScroll(released),
      '/api/outbox': () => plantMessage(instance),
      '/api/text-permissions': () => plantAccount(1),
    };
    const lists = contractRows().filter(
      ({ row }) => row.query && fieldsOf(row.query).some(({ path }) => path === 'before'),
    );
    expect(Object.keys(planted).sort()).toEqual(lists.map(({ row }) => row.path).sort());
    for (const [path, plantOne] of Object.entries(planted)) {
      for (let i = 0; i < MANY; i += 1) await plantOne();
      const response = await person.request('GET', path);
      const rows = (await response.json()) as { id: number }[];
      expect(rows, path).toHaveLength(MANY);
      expect(response.headers.get('link'), path).toBeNull();
      const [, , third] = rows;
      const rest = await person.request('GET', `${path}?before=${third?.id}`);
      expect(await rest.json(), path).toHaveLength(MANY - 3);
    }
  });

  it('of heavy rows names what follows without a limit, and lets others in meanwhile', async () => {
    for (let i = 0; i < 10; i += 1) await plant.memory({ encrypted_content: ciphertext(1_400_000) });
    let [turns, ended] = [0, false];
    const others = (async () => {
      for (; !ended; turns += 1) await setImmediate();
    })();
    const response = await person.request('GET', '/api/memory-entries');
    ended = true;
    await others;
    const rows = (await response.json()) as { id: number }[];
    expect(rows).toHaveLength(8);
    expect(response.headers.get('link')).toBe(`</api/memory-entries?before=${rows.at(-1)?.id}>; rel="next"`);
    // Nobody takes the body of such an answer, and nobody waits for it.
    for (let n = 0; n < 5; n += 1) {
      expect((await person.request('HEAD', '/api/memory-entries')).status).toBe(200);
    }
    // Two rows or so at a time.
    expect(turns).toBeGreaterThanOrEqual(4);
  });
});
