// Floods as hostile accounts would try them, through the API: of one mailbox, of a hundred telephones, and of an address
// to which somebody else has a letter.
import { afterEach, expect, it, vi } from 'vitest';
import type { Message, TextPermission } from '../../../shared/nouns/outbox.ts';
import type { WarningAddress } from '../../../shared/nouns/warning-addresses.ts';
import { DAY, HOUR } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { failure } from '../../../testing/instance.ts';
import { passTime } from '../../../testing/messages.ts';
import { enterByPassphrase, type Person, signUpByPassphrase } from '../../../testing/people.ts';
import { aWatch, scrollsOf, take } from '../../../testing/scrolls.ts';
import { aTransport, aWatchedInstance, HOURLY, type Watched } from '../../../testing/switch.ts';
import { deleteExpired } from '../../expiry.ts';
import { givenUpSentences, NEVER_PERMITTED } from './send-limits.ts';

// Hundreds of requests each.
vi.setConfig({ testTimeout: 5 * 60_000 });

const instances: Watched[] = [];
afterEach(async () => {
  for (const instance of instances.splice(0)) await instance.close();
});

describeOnEachEngine('a flood', (engine) => {
  async function anInstance(env: Record<string, string> = {}) {
    const watched = await aWatchedInstance({ engine, rules: HOURLY, alone: false, env });
    instances.push(watched);
    const texts = aTransport();
    watched.deps.transports.sms = texts;
    return { watched, instance: watched.instance, texts };
  }
  const ask = (person: Person, address: string) =>
    person.request('PUT', '/api/warning-address', { body: { address } });
  const warningAddress = async (person: Person) =>
    (await (await person.request('GET', '/api/warning-address')).json()) as WarningAddress;
  const release = async (person: Person, fields: object) =>
    take(
      person,
      await aWatch(person, { triggerType: 'manual', triggerValue: 'manual', ...fields }),
      'release',
    );
  async function anAdmin({ instance }: Watched): Promise<Person> {
    const admin = await signUpByPassphrase(instance);
    const { db } = instance.deps;
    await db.updateTable('accounts').set({ is_admin: 1 }).where('uid', '=', admin.user.id).execute();
    return admin;
  }
  const outbox = async (admin: Person) =>
    (await (await admin.request('GET', '/api/outbox?limit=500')).json()) as Message[];

  it('of one mailbox by thirty new accounts gets three mails through in a day, and tells them nothing', async () => {
    const { watched, instance } = await anInstance();
    const accounts: Person[] = [];
    for (let i = 0; i < 30; i += 1) {
      const person = await signUpByPassphrase(instance);
      accounts.push(person);
      const asked = await ask(person, `Vic.tim+${i}@mail.example`);
      expect(await asked.json()).toEqual({
        address: `Vic.tim+${i}@mail.example`,
        provedAt: null,
        request: { state: 'waiting', why: null },
      });
      expect(await failure(await ask(person, 'victim@mail.example'))).toEqual({
        status: 429,
        code: 'too-many',
      });
    }
    await watched.server.deliver();
    await passTime(watched, DAY - HOUR, HOUR);
    expect(watched.mail.letters).toHaveLength(3);
    const last = accounts.at(-1) as Person;
    const { request } = await warningAddress(last);
    expect(request?.why).toBe(
      'This server sends only so many messages a day. This one leaves when its turn comes.',
    );
    await passTime(watched, HOUR, HOUR);
    expect(watched.mail.letters).toHaveLength(6);
  });

  it('of proofs does not shut the owner of an older account out of their own address', async () => {
    const { watched, instance } = await anInstance();
    const owner = await signUpByPassphrase(instance);
    instance.clock.advance(HOUR);
    await watched.setClock({ counted_time: HOUR });
    for (let i = 0; i < 12; i += 1) await ask(await signUpByPassphrase(instance), 'owner@mail.example');
    await watched.server.deliver();
    const back = await enterByPassphrase(instance, owner);
    await ask(back, 'owner@mail.example');
    await watched.server.deliver();
    expect((await warningAddress(back)).request?.state).toBe('waiting');
    await passTime(watched, DAY, 8 * HOUR);
    const again = await enterByPassphrase(instance, owner);
    expect((await warningAddress(again)).request?.state).toBe('sent');
  });

  it('of a hundred telephones by five accounts sends nothing before the administrator permits it', async () => {
    const { watched, instance, texts } = await anInstance();
    const admin = await anAdmin(watched);
    const accounts: Person[] = [];
    for (let i = 0; i < 5; i += 1) {
      const person = await signUpByPassphrase(instance);
      accounts.push(person);
      for (let n = 0; n < 20; n += 1) {
        await release(person, { recipientType: 'sms', recipientAddress: `+44770090${i}${100 + n}` });
      }
    }
    await watched.server.deliver();
    await passTime(watched, 3 * DAY, 12 * HOUR);
    expect(texts.letters).toEqual([]);
    const waits = 'Withheld: text messages of this account wait for the administrator’s permission.';
    expect(await outbox(admin)).toHaveLength(100);
    for (const message of await outbox(admin)) {
      expect(message).toMatchObject({
        state: 'waiting',
        withheld: 'permission',
        why: waits,
        nextTryAt: null,
      });
      expect(message.body).toContain('/legacy/');
    }
    const [one, two] = accounts as [Person, Person];
    expect((await scrollsOf(one))[0]?.recipients[0]?.delivery).toMatchObject({
      state: 'waiting',
      why: waits,
    });
    const list = async () =>
      (await (await admin.request('GET', '/api/text-permissions')).json()) as TextPermission[];
    expect(await list()).toEqual(
      accounts.toReversed().map(({ user, name }) => ({
        id: expect.any(Number),
        accountId: user.id,
        name: name.toLowerCase(),
        scrolls: 20,
        waiting: 20,
        permitted: false,
      })),
    );
    await admin.request('POST', '/api/proof/passphrase', { body: { authKey: admin.authKey } });
    const decide = (person: Person, word: 'grant' | 'revoke', by = admin) =>
      by.request('POST', `/api/text-permissions/${person.user.id}/${word}`);
    await one.request('POST', '/api/proof/passphrase', { body: { authKey: one.authKey } });
    expect(await failure(await decide(one, 'grant', one))).toEqual({ status: 403, code: 'not-admin' });
    expect(await (await decide(one, 'grant')).json()).toMatchObject({ permitted: true, scrolls: 20 });
    await watched.server.deliver();
    expect(texts.letters).toHaveLength(20);
    expect(await (await decide(one, 'revoke')).json()).toMatchObject({ permitted: false });
    expect((await decide({ ...one, user: { ...one.user, id: 'nobody' } }, 'grant')).status).toBe(404);
    await decide(two, 'grant');
    await decide(two, 'revoke');
    await watched.server.deliver();
    expect(texts.letters).toHaveLength(20);
    expect((await watched.deps.metrics.render(null)).body).toContain(
      'latebra_messages_withheld_total{kind="release",channel="sms",limit="permission"} 100',
    );
  });

  it('of texts that a destroyed vault leaves without a permission ends on a last day, which the outbox shows', async () => {
    const { watched, instance, texts } = await anInstance();
    const admin = await anAdmin(watched);
    const [refused, permitted] = [await signUpByPassphrase(instance), await signUpByPassphrase(instance)];
    await instance.deps.db
      .updateTable('accounts')
      .set({ texts_permitted: 1 })
      .where('uid', '=', permitted.user.id)
      .execute();
    for (const person of [refused, permitted]) {
      await aWatch(person, { recipientType: 'sms', recipientAddress: '+447700900123' });
      const body = { confirm: 'DESTROY', scrolls: 'release' };
      expect((await person.request('POST', '/api/vault/destroy', { body })).status).toBe(204);
    }
    await watched.server.deliver();
    expect(texts.letters).toHaveLength(1);
    const find = async () => {
      const again = await enterByPassphrase(instance, admin);
      return (await outbox(again)).filter(({ state }) => state !== 'sent');
    };
    const waits = { state: 'waiting', withheld: 'permission', why: NEVER_PERMITTED };
    expect(await find()).toMatchObject([{ ...waits, body: expect.stringContaining('/legacy/') }]);
    const { counted_time } = await watched.clock();
    const sweepAfter = async (days: number) => {
      await watched.setClock({ counted_time: counted_time + days * DAY });
      await watched.server.deliver();
      await deleteExpired(instance.deps);
      return find();
    };
    expect(await sweepAfter(334)).toMatchObject([waits]);
    expect(await sweepAfter(335)).toMatchObject([
      { state: 'failed', withheld: null, why: givenUpSentences.permission },
    ]);
    expect(await sweepAfter(365)).toEqual([]);
    expect(await instance.deps.db.selectFrom('legacy_scrolls').select('id').execute()).toEqual([]);
  });

  it('of text messages is not expected of an administrator, who needs no permission', async () => {
    const { watched, texts, instance } = await anInstance();
    const admin = await anAdmin(watched);
    const permitted = async (person: Person) =>
      ((await (await person.request('GET', '/api/legacy-transports')).json()) as { textsPermitted: boolean })
        .textsPermitted;
    expect(await permitted(admin)).toBe(true);
    expect(await permitted(await signUpByPassphrase(instance))).toBe(false);
    await release(admin, { recipientType: 'sms', recipientAddress: '+447700900123' });
    await watched.server.deliver();
    expect(texts.letters).toHaveLength(1);
    expect(await (await admin.request('GET', '/api/text-permissions')).json()).toEqual([]);
  });

  it('by two accounts, every day anew, does not keep a third one’s letter from the same address', async () => {
    const { watched, instance } = await anInstance({ MESSAGES_PER_ADDRESS: '4' });
    const to = { recipientAddress: 'ada@mail.example' };
    const hostile = [await signUpByPassphrase(instance), await signUpByPassphrase(instance)];
    const third = await signUpByPassphrase(instance);
    for (let day = 1; day <= 3; day += 1) {
      for (const person of hostile) {
        const fresh = await enterByPassphrase(instance, person);
        for (let i = 0; i < 6; i += 1) await release(fresh, to);
      }
      await watched.server.deliver();
      if (day === 2) await release(await enterByPassphrase(instance, third), to);
      await watched.server.deliver();
      await passTime(watched, DAY, 6 * HOUR);
      expect(watched.mail.letters).toHaveLength(4 * (day + 1));
    }
    const [scroll] = await scrollsOf(await enterByPassphrase(instance, third));
    expect(scroll?.recipients[0]?.delivery).toMatchObject({ state: 'sent' });
  });

  it('says when it lets the next message through', async () => {
    const { watched, instance } = await anInstance({ MESSAGES_PER_ADDRESS: '1' });
    const admin = await anAdmin(watched);
    const author = await signUpByPassphrase(instance);
    await release(author, {});
    await watched.server.deliver();
    await release(author, {});
    await watched.server.deliver();
    const nextTryAt = new Date(instance.clock.now() + DAY).toISOString();
    const why = expect.stringMatching(/^Withheld: this address has received its messages for today/);
    expect((await outbox(admin))[0]).toMatchObject({ withheld: 'address', nextTryAt, why });
    expect((await scrollsOf(author))[0]?.recipients[0]?.delivery).toMatchObject({
      state: 'waiting',
      nextTryAt,
      why,
    });
    await passTime(watched, DAY, 8 * HOUR);
    expect((await outbox(admin))[0]).toMatchObject({
      state: 'sent',
      withheld: null,
      nextTryAt: null,
      why: null,
    });
  });

  it('is not begun anew by destroying a vault, whose letters go on as one author’s', async () => {
    const { watched, instance, texts } = await anInstance({
      MESSAGES_PER_ADDRESS: '2',
      MESSAGES_PER_ACCOUNT: '3',
    });
    const destroy = (person: Person, scrolls: string) =>
      person.request('POST', '/api/vault/destroy', { body: { confirm: 'DESTROY', scrolls } });
    const one = await signUpByPassphrase(instance);
    for (let i = 0; i < 2; i += 1) await release(one, {});
    await watched.server.deliver();
    expect((await destroy(one, 'disarm')).status).toBe(204);
    const two = await signUpByPassphrase(instance);
    await release(two, {});
    await watched.server.deliver();
    expect(watched.mail.letters).toHaveLength(2);
    await watched.deps.db.updateTable('accounts').set({ texts_permitted: 1 }).execute();
    for (let i = 0; i < 3; i += 1) await aWatch(two, { recipientAddress: `eve${i}@mail.example` });
    await aWatch(two, { recipientType: 'sms', recipientAddress: '+447700900123' });
    await destroy(two, 'release');
    await watched.server.deliver();
    // Three in a day, and one of the three waits for its address.
    expect(watched.mail.letters.length + texts.letters.length).toBe(4);
    await passTime(watched, DAY, 8 * HOUR);
    expect(watched.mail.letters.length + texts.letters.length).toBe(7);
    expect(texts.letters).toHaveLength(1);
  });
});
