// What an administrator may do for the server and its people, and what not.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { KeptAccount } from '../../../shared/nouns/administration.ts';
import { DAY, HOUR } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { failure, openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import {
  aMember,
  enterByPassphrase,
  makeAdministrator,
  type Person,
  signUpByPassphrase,
} from '../../../testing/people.ts';
import { accountIdOf, plantingFor } from '../../../testing/planting.ts';
import { openPostOffice } from '../../../testing/post-office.ts';
import { anOpeningScroll, openByClaim, pageOf, take } from '../../../testing/scrolls.ts';

const ACCOUNTS = '/api/admin/accounts';
const KEY = '0'.repeat(16);

describeOnEachEngine('the administrator', (engine) => {
  let instance: TestInstance;
  let admin: Person;
  beforeEach(async () => {
    instance = await openTestInstance({ engine, env: { PUBLIC_URL: 'http://localhost:3000' } });
    admin = await signUpByPassphrase(instance, 'agnes');
    await makeAdministrator(instance, admin);
  });
  afterEach(() => instance.close());

  const listed = async (query = ''): Promise<KeptAccount[]> =>
    (await (await admin.request('GET', `${ACCOUNTS}${query}`)).json()) as KeptAccount[];
  const erase = (person: Person, body: object = { scrolls: 'disarm', confirm: 'ERASE' }) =>
    admin.request('POST', `${ACCOUNTS}/${person.user.id}/erase`, { body });

  describe('sees of the accounts', () => {
    it('what they are called, how much they store and when they were there, newest first', async () => {
      const began = instance.clock.now();
      instance.clock.advance(DAY);
      const boris = await aMember(instance, 'boris');
      const plant = await plantingFor(instance, boris, KEY);
      await plant.memory();
      instance.clock.advance(3 * DAY);
      await enterByPassphrase(instance, boris);
      const seen = new Date(instance.clock.now()).toISOString();
      admin = await enterByPassphrase(instance, admin);
      const { bytes } = (await (await boris.request('GET', '/api/usage')).json()) as { bytes: number };
      expect(bytes).toBeGreaterThan(0);
      expect(await listed()).toEqual([
        {
          id: expect.any(Number),
          accountId: boris.user.id,
          name: 'boris',
          isAdmin: false,
          bytes,
          createdAt: new Date(began + DAY).toISOString(),
          lastSeen: seen,
        },
        expect.objectContaining({ accountId: admin.user.id, name: 'agnes', isAdmin: true }),
      ]);
    });

    it('what a sign-in provider has told, where there is no name, and nothing where it told nothing', async () => {
      const [told, mailed, silent] = [
        await signUpByPassphrase(instance),
        await signUpByPassphrase(instance),
        await signUpByPassphrase(instance),
      ];
      const { db } = instance.deps;
      const change = (person: Person, fields: object) =>
        db
          .updateTable('accounts')
          .set({ name: null, ...fields })
          .where('uid', '=', person.user.id)
          .execute();
      await change(told, { first_name: 'Ada', last_name: 'Byron', email: 'ada@example.org' });
      await change(mailed, { email: 'boris@example.org' });
      await change(silent, {});
      const names = new Map((await listed()).map(({ accountId, name }) => [accountId, name]));
      expect([told, mailed, silent].map(({ user }) => names.get(user.id))).toEqual([
        'Ada Byron',
        'boris@example.org',
        null,
      ]);
    });

    it('a page at a time', async () => {
      for (let n = 0; n < 4; n += 1) await signUpByPassphrase(instance);
      const first = await admin.request('GET', `${ACCOUNTS}?limit=3`);
      expect(first.headers.get('link')).toContain('rel="next"');
      const page = (await first.json()) as KeptAccount[];
      expect(page).toHaveLength(3);
      const rest = await listed(`?limit=3&before=${page.at(-1)?.id}`);
      expect([...page, ...rest]).toEqual(await listed());
    });
  });

  describe('erases an account', () => {
    it('with everything in its vault, and its sessions end', async () => {
      const boris = await aMember(instance, 'boris');
      const id = await accountIdOf(instance, boris);
      await (await plantingFor(instance, boris, KEY)).memory();
      expect((await erase(boris)).status).toBe(204);
      expect(await failure(await boris.request('GET', '/api/auth/user'))).toEqual({
        status: 401,
        code: 'not-signed-in',
      });
      const { db } = instance.deps;
      expect(
        await db.selectFrom('memory_entries').select('id').where('account_id', '=', id).execute(),
      ).toEqual([]);
      expect(await db.selectFrom('vaults').select('id').where('id', '=', id).execute()).toEqual([]);
      expect((await listed()).map(({ name }) => name)).toEqual(['agnes']);
      const happened = await (await admin.request('GET', '/api/activity')).json();
      expect(happened).toContainEqual(expect.objectContaining({ kind: 'account-erased' }));
      expect(await failure(await erase(boris))).toEqual({ status: 404, code: 'not-found' });
    });

    it.each([
      ['disarm', 404],
      ['release', 200],
    ] as const)('and its watching letters as it was told: %s', async (scrolls, status) => {
      const boris = await aMember(instance, 'boris');
      const left = await anOpeningScroll(boris);
      await take(boris, left.scroll, 'activate', { handedOver: true });
      expect((await erase(boris, { scrolls, confirm: 'ERASE' })).status).toBe(204);
      expect((await instance.request('GET', pageOf(left.scroll))).status).toBe(status);
      expect((await openByClaim(instance, left.scroll, left.claim)).status).toBe(status);
    });

    it('not without the word, and not without a word about the letters', async () => {
      const boris = await aMember(instance, 'boris');
      for (const body of [
        { confirm: 'ERASE' },
        { scrolls: 'disarm' },
        { scrolls: 'disarm', confirm: 'erase' },
      ]) {
        expect((await erase(boris, body)).status).toBe(422);
      }
      expect((await boris.request('GET', '/api/auth/user')).status).toBe(200);
    });

    it('not of an administrator, themselves included', async () => {
      const second = await signUpByPassphrase(instance);
      await makeAdministrator(instance, second);
      for (const person of [second, admin]) {
        expect(await failure(await erase(person))).toEqual({ status: 409, code: 'is-administrator' });
        expect((await person.request('GET', '/api/auth/user')).status).toBe(200);
      }
    });
  });

  it('tells everybody something, and takes it back', async () => {
    const boris = await signUpByPassphrase(instance);
    const read = async () => (await boris.request('GET', '/api/notice')).json();
    const put = (says: string) => admin.request('PUT', '/api/admin/notice', { body: { says } });
    expect(await read()).toBeNull();
    await put('  The backup is of 3 May. ');
    const first = await read();
    expect(first).toEqual({
      says: 'The backup is of 3 May.',
      since: new Date(instance.clock.now()).toISOString(),
    });
    instance.clock.advance(1000);
    await put('The backup is of 4 May.');
    expect(await read()).toMatchObject({ says: 'The backup is of 4 May.' });
    expect(await (await put(' ')).json()).toBeNull();
    expect(await read()).toBeNull();
    expect((await put('x'.repeat(601))).status).toBe(422);
  });

  it('gives an invitation a name, which is listed and goes nowhere else', async () => {
    const body = { invited: ' Aunt Ines ', days: 3 };
    const made = await admin.request('POST', '/api/admin/invitations', { body });
    expect(await made.json()).toMatchObject({ invited: 'Aunt Ines', state: 'unused' });
    const list = await (await admin.request('GET', '/api/admin/invitations')).json();
    expect(list).toMatchObject([{ invited: 'Aunt Ines' }]);
    expect(JSON.stringify(instance.log)).not.toContain('Ines');
    const long = { invited: 'x'.repeat(61) };
    expect((await admin.request('POST', '/api/admin/invitations', { body: long })).status).toBe(422);
  });
});

describe('a test mail', () => {
  const open: { close(): Promise<unknown> }[] = [];
  afterEach(() => Promise.all(open.splice(0).map((one) => one.close())));

  async function withMail() {
    const office = await openPostOffice();
    const env = {
      PUBLIC_URL: 'http://localhost:3000',
      SMTP_URL: office.url,
      MAIL_FROM: 'vault@mail.example',
    };
    const { createTransports } = await import('../../adapters/transports.ts');
    const { readConfig } = await import('../../config.ts');
    const transports = createTransports(readConfig(env));
    const instance = await openTestInstance({ env, deps: { transports } });
    open.push(office, instance);
    const admin = await signUpByPassphrase(instance);
    await makeAdministrator(instance, admin);
    const send = async (to = 'ann@mail.example') => {
      const answer = await admin.request('POST', '/api/admin/test-mail', { body: { to } });
      return { status: answer.status, body: await answer.json() };
    };
    return { office, instance, send };
  }

  it('leaves at once, past the outbox, and what the mail server says is the answer', async () => {
    const { office, instance, send } = await withMail();
    expect(await send()).toEqual({ status: 200, body: { outcome: 'accepted', why: null } });
    expect(office.received[0]?.recipient).toBe('ann@mail.example');
    expect(office.received[0]?.mail.text).toContain('http://localhost:3000');
    office.behave('refuses for good');
    expect(await send()).toEqual({
      status: 200,
      body: { outcome: 'refused', why: 'The mail server refused this address (550).' },
    });
    await office.close();
    expect(await send()).toMatchObject({
      body: { outcome: 'refused', why: 'The mail server could not be reached.' },
    });
    expect(await instance.deps.db.selectFrom('messages').select('id').execute()).toEqual([]);
  });

  it('goes to no address that is none, and ten times an hour at most', async () => {
    const { office, instance, send } = await withMail();
    expect(await send('ann')).toMatchObject({
      body: { outcome: 'refused', why: 'This is not an e-mail address.' },
    });
    expect((await send(' ')).status).toBe(422);
    for (let n = 1; n < 10; n += 1) expect((await send()).status).toBe(200);
    expect((await send()).status).toBe(429);
    expect(office.received).toHaveLength(9);
    instance.clock.advance(HOUR);
    expect((await send()).status).toBe(403);
  });

  it('says that there is no mail server where none is set up', async () => {
    const instance = await openTestInstance();
    open.push(instance);
    const admin = await signUpByPassphrase(instance);
    await makeAdministrator(instance, admin);
    const answer = await admin.request('POST', '/api/admin/test-mail', { body: { to: 'ann@mail.example' } });
    expect(await answer.json()).toEqual({ outcome: 'no-mail', why: null });
  });
});
