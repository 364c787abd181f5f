// Which accounts the administrator is shown who decides whose text messages leave: nobody can be crowded out.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TextPermission } from '../../../../shared/nouns/outbox.ts';
import { describeOnEachEngine } from '../../../../testing/engines.ts';
import { failure, openTestInstance, type TestInstance } from '../../../../testing/instance.ts';
import { type Person, signUpByPassphrase } from '../../../../testing/people.ts';
import { type Planting, plantingFor, plantMessage } from '../../../../testing/planting.ts';

const LIST = '/api/text-permissions';

describeOnEachEngine('the administrator’s list of text messages', (engine) => {
  let instance: TestInstance;
  let admin: Person;
  beforeAll(async () => {
    instance = await openTestInstance({ engine });
    admin = await signUpByPassphrase(instance);
    await instance.deps.db.updateTable('accounts').set({ is_admin: 1 }).execute();
  });
  afterAll(() => instance.close());
  beforeEach(async () => {
    const { db } = instance.deps;
    for (const table of ['messages', 'legacy_scrolls'] as const) await db.deleteFrom(table).execute();
    await db.updateTable('accounts').set({ texts_permitted: 0 }).execute();
  });

  /** An account with a scroll for a telephone, and so many messages of it that wait for the permission. */
  async function anAuthor(waiting = 0): Promise<Person> {
    const person = await signUpByPassphrase(instance);
    const plant = await plantingFor(instance, person, '');
    await plant.legacyScroll({ recipient_type: 'sms', recipient_address: '+447700900123' });
    for (let i = 0; i < waiting; i += 1) await aWaitingText(plant);
    return person;
  }
  const aWaitingText = ({ accountId }: Planting, fields: object = {}) =>
    plantMessage(instance, {
      kind: 'release',
      channel: 'sms',
      account_id: accountId,
      withheld: 'permission',
      ...fields,
    });
  /** Hundreds of accounts with a scroll each, made by no request. */
  async function crowd(count: number): Promise<void> {
    const { db } = instance.deps;
    const [one] = await db.selectFrom('legacy_scrolls').selectAll().limit(1).execute();
    const [to] = await db.selectFrom('scroll_recipients').selectAll().limit(1).execute();
    if (!one || !to) throw new Error('There is no scroll to copy.');
    for (let i = 0; i < count; i += 100) {
      const uids = Array.from({ length: 100 }, () => crypto.randomUUID());
      const made = await db
        .insertInto('accounts')
        .values(uids.map((uid) => ({ uid, is_admin: 0 as const, created_at: 0 })))
        .returning('id')
        .execute();
      const { id: _, ...scroll } = one;
      const written = await db
        .insertInto('legacy_scrolls')
        .values(made.map(({ id }) => ({ ...scroll, account_id: id })))
        .returning(['id', 'account_id'])
        .execute();
      const { id: __, ...recipient } = to;
      await db
        .insertInto('scroll_recipients')
        .values(
          written.map(({ id, account_id }, n) => ({
            ...{ ...recipient, account_id, scroll_id: id },
            public_id: `${uids[n]}`,
          })),
        )
        .execute();
    }
  }
  async function list(query = ''): Promise<TextPermission[]> {
    const response = await admin.request('GET', LIST + query);
    expect(response.status).toBe(200);
    return (await response.json()) as TextPermission[];
  }
  async function pages(query: string): Promise<string[][]> {
    const found: string[][] = [];
    for (let path: string | undefined = LIST + query; path; ) {
      const response = await admin.request('GET', path);
      found.push(((await response.json()) as TextPermission[]).map(({ accountId }) => accountId));
      path = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
    }
    return found;
  }
  const numbers = (people: Person[]) => people.map(({ user }) => user.id);

  it('shows everybody, however many accounts are older or newer', async () => {
    const first = await anAuthor();
    await crowd(600);
    const last = await anAuthor(2);
    const all = await list();
    expect(all).toHaveLength(602);
    expect(all[0]).toEqual({
      id: expect.any(Number),
      accountId: last.user.id,
      name: last.name.toLowerCase(),
      scrolls: 1,
      waiting: 2,
      permitted: false,
    });
    expect(all.at(-1)?.accountId).toBe(first.user.id);
  });

  it('shows those with waiting messages by themselves, and the others, page by page', async () => {
    const people: Person[] = [];
    for (const waiting of [1, 0, 3, 0, 1, 0]) people.unshift(await anAuthor(waiting));
    const [, c, , b, , a] = people as [Person, Person, Person, Person, Person, Person];
    expect(await pages('?limit=2&waiting=yes')).toEqual([numbers([c, b]), numbers([a])]);
    const others = people.filter((person) => ![a, b, c].includes(person));
    expect(await pages('?limit=2&waiting=no')).toEqual([
      numbers(others.slice(0, 2)),
      numbers(others.slice(2)),
    ]);
    expect((await pages('?limit=4')).flat()).toEqual(numbers(people));
    expect((await admin.request('GET', `${LIST}?waiting=perhaps`)).status).toBe(422);
  });

  it('counts as waiting what waits for the permission, and nothing else', async () => {
    const person = await anAuthor();
    const plant = await plantingFor(instance, person, '');
    for (const fields of [
      { state: 'sent' },
      { state: 'cancelled' },
      { withheld: 'server' },
      { withheld: null },
    ])
      await aWaitingText(plant, fields);
    expect(await list('?waiting=yes')).toEqual([]);
    await aWaitingText(plant);
    expect(await list('?waiting=yes')).toMatchObject([{ accountId: person.user.id, waiting: 1 }]);
    expect(await list('?waiting=no')).toEqual([]);
  });

  it('leads on past a page of administrators, whom it does not show', async () => {
    const author = await anAuthor();
    const named = [await anAuthor(), await anAuthor(), await anAuthor()];
    instance.deps.config.adminSubjects = new Set(numbers(named));
    expect(await pages('?limit=2')).toEqual([numbers([author])]);
    expect(await pages('?limit=1')).toEqual([numbers([author]), []]);
    instance.deps.config.adminSubjects = new Set();
  });

  describe('finds an account by its number', () => {
    const find = (number: string, by = admin) => by.request('GET', `${LIST}/${number}`);

    it('also one without any scroll, and permits it', async () => {
      const person = await signUpByPassphrase(instance);
      expect(await list()).toEqual([]);
      const found = await (await find(person.user.id)).json();
      expect(found).toMatchObject({ accountId: person.user.id, scrolls: 0, waiting: 0, permitted: false });
      await admin.request('POST', '/api/proof/passphrase', { body: { authKey: admin.authKey } });
      const granted = await admin.request('POST', `${LIST}/${person.user.id}/grant`);
      expect(await granted.json()).toEqual({ ...(found as object), permitted: true });
      expect(await (await find(person.user.id)).json()).toMatchObject({ permitted: true });
      expect(await list()).toHaveLength(1);
    });

    it('and no other: neither nobody’s nor an administrator’s, nor for anybody else', async () => {
      const person = await anAuthor();
      for (const number of [crypto.randomUUID(), '1', admin.user.id]) {
        expect(await failure(await find(number))).toEqual({ status: 404, code: 'not-found' });
      }
      expect(await failure(await find(person.user.id, person))).toEqual({ status: 403, code: 'not-admin' });
    });
  });
});
