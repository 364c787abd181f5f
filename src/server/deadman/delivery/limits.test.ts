// Limits on messages: every kind counts against its address, its author and the server, whatever is held back leaves
// later, and nobody is kept waiting by how much somebody else has to send.
import { afterEach, expect, it, vi } from 'vitest';
import { type MessageKind, messageKinds } from '../../../shared/nouns/outbox.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { passTime, plantMessages } from '../../../testing/messages.ts';
import {
  aServer,
  aTransport,
  aWatchedInstance,
  HOURLY,
  memoryJournal,
  type Watched,
} from '../../../testing/switch.ts';
import { PERHAPS } from './delivery-store.ts';

// Weeks of ticks, and hundreds of messages.
vi.setConfig({ testTimeout: 5 * 60_000 });

const instances: Watched[] = [];
afterEach(async () => {
  for (const instance of instances.splice(0)) await instance.close();
});

describeOnEachEngine('a limit on messages', (engine) => {
  async function anInstance(env: Record<string, string> = {}) {
    const instance = await aWatchedInstance({ engine, rules: HOURLY, alone: false, env });
    instances.push(instance);
    return instance;
  }
  const aSecondServer = async (instance: Watched) => {
    const server = aServer(instance.instance, memoryJournal(instance.server.journal.entry));
    await server.tick();
    return server;
  };
  const idsOf = (instance: Watched) => instance.mail.letters.map(({ id }) => id);
  const waiting = async (instance: Watched) =>
    (await instance.messages()).filter(({ state }) => state === 'waiting');
  const metrics = async (instance: Watched) => (await instance.deps.metrics.render(null)).body;
  const cancel = (instance: Watched, ids: string[]) =>
    instance.deps.db
      .updateTable('messages')
      .set({ state: 'cancelled' })
      .where('public_id', 'in', ids)
      .execute();

  const limits = [
    ['address', { MESSAGES_PER_ADDRESS: '2', ADDRESS_PROOFS_PER_ADDRESS: '2' }],
    ['account', { MESSAGES_PER_ACCOUNT: '2' }],
    ['server', { MAILS_PER_DAY: '2' }],
  ] as const;
  /** What takes no place of its author's from the letters. */
  const apart: readonly MessageKind[] = [
    ...(['after-release', 'contact-warning', 'postponed', 'rehearsal-due'] as const),
    ...(['kit-asked', 'kit-stopped', 'kit-opened', 'kit-made', 'kit-removed'] as const),
  ];
  const cases = messageKinds.flatMap((kind) =>
    limits
      .filter(([limit]) => limit !== 'account' || !apart.includes(kind))
      // Of another instance's letters this server sends fewer than of its own.
      .filter(([limit]) => limit !== 'server' || kind !== 'sister-letter')
      .map(([limit, env]) => ({ kind, limit, env })),
  );

  it.each(apart)('of an author holds no %s back', async (kind) => {
    const instance = await anInstance({ MESSAGES_PER_ACCOUNT: '2' });
    const author = await instance.anAuthor();
    for (let i = 0; i < 3; i += 1)
      await plantMessages(instance, author, 1, { kind, address: `ada${i}@mail.example` });
    await instance.server.deliver();
    expect(instance.mail.letters).toHaveLength(3);
  });

  it.each(cases)(
    'of one $limit holds a $kind back for a day, and loses none',
    async ({ kind, limit, env }) => {
      const instance = await anInstance(env);
      const one = await instance.anAuthor();
      for (let i = 0; i < 3; i += 1) {
        const author = limit === 'account' ? one : await instance.anAuthor();
        const address = limit === 'address' ? 'ada@mail.example' : `ada${i}@mail.example`;
        await plantMessages(instance, author, 1, { kind, address });
      }
      await instance.server.deliver();
      expect(instance.mail.letters).toHaveLength(2);
      expect(await waiting(instance)).toMatchObject([
        { withheld: limit, attempts: 0, why: expect.stringMatching(/^Withheld: this \w+ has .* for today/) },
      ]);
      await passTime(instance, DAY - MINUTE, 8 * HOUR);
      expect(instance.mail.letters).toHaveLength(2);
      await passTime(instance, MINUTE, MINUTE);
      expect(instance.mail.letters).toHaveLength(3);
      expect(await instance.messages()).toMatchObject([{}, {}, { state: 'sent', withheld: null, why: null }]);
      expect(await metrics(instance)).toContain(
        `latebra_messages_withheld_total{kind="${kind}",channel="email",limit="${limit}"} 1`,
      );
      expect(await instance.deps.db.selectFrom('jobs').selectAll().execute()).toEqual([]);
    },
  );

  it('of an author counts rehearsals apart, and holds those back that are more', async () => {
    const instance = await anInstance({ MESSAGES_PER_ACCOUNT: '2' });
    const author = await instance.anAuthor();
    const plant = (kind: MessageKind, i: number) =>
      plantMessages(instance, author, 1, { kind, address: `${kind}${i}@mail.example` });
    for (let i = 0; i < 4; i += 1) await plant('rehearsal', i);
    for (let i = 0; i < 2; i += 1) await plant('release', i);
    await instance.server.deliver();
    const kinds = instance.mail.letters.map(({ subject }) => subject).sort();
    expect(kinds).toEqual(['rehearsal', 'rehearsal', 'release', 'release']);
    expect(await waiting(instance)).toMatchObject([
      { kind: 'rehearsal', withheld: 'account' },
      { kind: 'rehearsal', withheld: 'account' },
    ]);
    await passTime(instance, DAY, 8 * HOUR);
    expect(await waiting(instance)).toEqual([]);
  });

  it('of one telephone and of all text messages holds them back, too', async () => {
    const instance = await anInstance({ MESSAGES_PER_ADDRESS: '2', TEXTS_PER_DAY: '3' });
    const texts = aTransport();
    instance.deps.transports.sms = texts;
    const author = await instance.anAuthor();
    await instance.deps.db.updateTable('accounts').set({ texts_permitted: 1 }).execute();
    await plantMessages(instance, author, 3, { channel: 'sms', address: '+447700900001' });
    await plantMessages(instance, author, 2, { channel: 'sms', address: '+447700900002' });
    await instance.server.deliver();
    expect(texts.letters).toHaveLength(3);
    expect((await waiting(instance)).map(({ withheld }) => withheld).sort()).toEqual(['address', 'server']);
    await plantMessages(instance, author, 1);
    await instance.server.deliver();
    expect(instance.mail.letters).toHaveLength(1);
    await passTime(instance, DAY, 8 * HOUR);
    expect(texts.letters).toHaveLength(5);
  });

  it('is kept by many servers at once, however the address is spelled', async () => {
    const instance = await anInstance();
    const spellings = [
      'ada.l@mail.example',
      'ADA.L@mail.example',
      'adal+x@mail.example',
      'a.dal@Mail.example',
    ];
    for (const address of spellings) {
      await plantMessages(instance, await instance.anAuthor(), 15, { address });
    }
    await plantMessages(instance, await instance.anAuthor(), 1, { address: 'eve@mail.example' });
    const servers = [instance.server];
    for (let i = 0; i < 4; i += 1) servers.push(await aSecondServer(instance));
    await Promise.all(servers.map((server) => server.deliver()));
    expect(instance.mail.letters).toHaveLength(21);
    for (let day = 2; day <= 3; day += 1) {
      await instance.setClock({ counted_time: day * DAY });
      await Promise.all(servers.map((server) => server.deliver()));
      await instance.server.deliver();
      expect(instance.mail.letters).toHaveLength(20 * day + 1);
    }
    expect(new Set(idsOf(instance)).size).toBe(61);
    expect(await waiting(instance)).toEqual([]);
  });

  it('of address proofs leaves the rest of what an address gets to others', async () => {
    const instance = await anInstance();
    for (let i = 0; i < 30; i += 1) {
      await plantMessages(instance, await instance.anAuthor(), 2, { kind: 'prove-address' });
    }
    await plantMessages(instance, await instance.anAuthor(), 25);
    await instance.server.deliver();
    const kinds = instance.mail.letters.map(({ subject }) => subject);
    expect(kinds.filter((kind) => kind === 'prove-address')).toHaveLength(3);
    expect(kinds).toHaveLength(20);
  });

  it('does not let what strangers send to an address hold back the warnings that its owner asked for', async () => {
    const instance = await anInstance({ MESSAGES_PER_ADDRESS: '2' });
    await plantMessages(instance, await instance.anAuthor(), 9);
    await instance.server.deliver();
    await plantMessages(instance, await instance.anAuthor(), 2, { kind: 'warning' });
    await instance.server.deliver();
    expect(instance.mail.letters.map(({ subject }) => subject)).toEqual([
      ...['release', 'release'],
      ...['warning', 'warning'],
    ]);
  });

  it('lets authors take turns: two with hundreds of letters do not keep a third one waiting', async () => {
    const instance = await anInstance({ MESSAGES_PER_ADDRESS: '4' });
    const many = engine === 'sqlite' ? 1000 : 150;
    const hostile = [await instance.anAuthor(), await instance.anAuthor()];
    for (const author of hostile) await plantMessages(instance, author, many);
    await instance.server.deliver();
    const third = await instance.anAuthor();
    for (let day = 1; day <= 6; day += 1) {
      const [letter = ''] = await plantMessages(instance, third, 1);
      await instance.server.deliver();
      expect(idsOf(instance)).not.toContain(letter);
      await passTime(instance, DAY, 6 * HOUR);
      expect(idsOf(instance), `day ${day}`).toContain(letter);
      expect(instance.mail.letters).toHaveLength(4 * (day + 1));
    }
    const sent = (await instance.messages()).filter(({ state }) => state === 'sent');
    const byHostile = hostile.map((author) => sent.filter(({ account_id }) => account_id === author).length);
    expect(Math.abs((byHostile[0] ?? 0) - (byHostile[1] ?? 0))).toBeLessThanOrEqual(4);
  });

  it('lets accounts that came after a watch began go behind it, and those from before once each', async () => {
    const instance = await anInstance({ MESSAGES_PER_ADDRESS: '5' });
    await instance.setClock({ counted_time: 100 * DAY });
    const before = [];
    for (let i = 0; i < 11; i += 1) before.push(await instance.anAuthor());
    for (const author of before) await plantMessages(instance, author, 3, { in_line_since: 10 * DAY });
    const since = 20 * DAY;
    for (let i = 0; i < 40; i += 1) {
      await plantMessages(instance, await instance.anAuthor(), 3, { in_line_since: since + i + 1 });
    }
    await instance.server.deliver();
    const [letter = ''] = await plantMessages(instance, await instance.anAuthor(), 1, {
      in_line_since: since,
    });
    await instance.server.deliver();
    // Five have left already; six of the others that were there before stand ahead of it.
    await passTime(instance, DAY, 12 * HOUR);
    expect(idsOf(instance)).not.toContain(letter);
    await passTime(instance, DAY, 12 * HOUR);
    expect(idsOf(instance)).toContain(letter);
    const first = new Set(
      (await instance.messages()).filter(({ state }) => state === 'sent').map(({ account_id }) => account_id),
    );
    for (const author of before) expect(first).toContain(author);
  });

  it('of mails about letters of other instances leaves half for the server’s own, and a quarter for other homes', async () => {
    const instance = await anInstance({ MAILS_PER_DAY: '8' });
    const { db } = instance.deps;
    const send = async (home: string, count: number) => {
      for (let i = 0; i < count; i += 1) {
        const id = `${home} ${i}`;
        await db
          .insertInto('sister_letters')
          .values({
            ...{
              id,
              from_origin: home,
              edition: 1,
              life_key: '',
              needed: 2,
              days: 31,
              sisters: '[]',
              place: 0,
            },
            ...{ bytes: 0, kept_at: 0, watching_since: 0 },
          })
          .execute();
        // Each to another stranger, and by an author of its own.
        await plantMessages(instance, 0, 1, {
          ...{ kind: 'sister-letter', scroll_public_id: id, address: `${home}${i}@mail.example` },
          ...{ account_id: null, author_hash: `sister ${id}` },
        });
      }
      await instance.server.deliver();
    };
    const sent = () => instance.mail.letters.map(({ to }) => to.replace(/\d.*/, ''));
    await send('relay', 6);
    expect(sent()).toEqual(['relay', 'relay']);
    await send('other', 1);
    await send('third', 4);
    expect(sent().slice(2)).toEqual(['other', 'third']);
    expect(await waiting(instance)).toMatchObject(
      Array.from({ length: 7 }, () => ({ withheld: 'sisters', attempts: 0 })),
    );
    for (let i = 0; i < 4; i += 1)
      await plantMessages(instance, await instance.anAuthor(), 1, { address: `own${i}@mail.example` });
    await instance.server.deliver();
    expect(sent().slice(4)).toEqual(['own', 'own', 'own', 'own']);
    // Nothing of what was more is lost.
    await passTime(instance, 4 * DAY, 12 * HOUR);
    expect(sent()).toHaveLength(15);
    expect(await waiting(instance)).toEqual([]);
  });

  it('of the whole server is shared by turns as well', async () => {
    const instance = await anInstance({ MAILS_PER_DAY: '6' });
    for (let i = 0; i < 3; i += 1) {
      const author = await instance.anAuthor();
      for (let n = 0; n < 20; n += 1)
        await plantMessages(instance, author, 1, { address: `${i}x${n}@mail.example` });
    }
    await instance.server.deliver();
    const quiet = await instance.anAuthor();
    const [warning = ''] = await plantMessages(instance, quiet, 1, { kind: 'warning' });
    await passTime(instance, DAY, 12 * HOUR);
    expect(idsOf(instance)).toContain(warning);
  });

  it('whose slots are held by what waits for another limit gives them back when that is cancelled', async () => {
    const instance = await anInstance({ MESSAGES_PER_ADDRESS: '1', MAILS_PER_DAY: '1' });
    await plantMessages(instance, await instance.anAuthor(), 1, { address: 'eve@mail.example' });
    await instance.server.deliver();
    const held = await plantMessages(instance, await instance.anAuthor(), 1);
    await instance.server.deliver();
    const [other = ''] = await plantMessages(instance, await instance.anAuthor(), 1);
    await instance.server.deliver();
    expect((await waiting(instance)).map(({ withheld }) => withheld)).toEqual(['server', 'address']);
    await cancel(instance, held);
    await passTime(instance, DAY, HOUR);
    expect(idsOf(instance)).toContain(other);
  });

  it('counts a message once in a day, however often it is tried', async () => {
    const instance = await anInstance({ MESSAGES_PER_ADDRESS: '2' });
    instance.mail.answer = () => ({ refused: 'for-now', why: 'Not now.' });
    const author = await instance.anAuthor();
    await plantMessages(instance, author, 1);
    await instance.server.deliver();
    await passTime(instance, 30 * MINUTE, 5 * MINUTE);
    const tries = instance.mail.letters.length;
    expect(tries).toBeGreaterThan(2);
    instance.mail.answer = () => 'accepted';
    await plantMessages(instance, author, 2);
    await instance.server.deliver();
    expect(instance.mail.letters).toHaveLength(tries + 1);
    await passTime(instance, 3 * HOUR, HOUR);
    expect(instance.mail.letters).toHaveLength(tries + 2);
    expect(await waiting(instance)).toHaveLength(1);
    await passTime(instance, DAY, HOUR);
    expect(await waiting(instance)).toEqual([]);
  });

  it('gives nothing up that it has held back for months, nor says that it was never handed over', async () => {
    const instance = await anInstance({ MESSAGES_PER_ADDRESS: '1' });
    const author = await instance.anAuthor();
    await plantMessages(instance, author, 1);
    await instance.server.deliver();
    const [late = ''] = await plantMessages(instance, author, 1, { why: PERHAPS });
    await instance.server.deliver();
    expect(await waiting(instance)).toMatchObject([{ why: expect.stringContaining(PERHAPS) }]);
    instance.mail.answer = () => ({ refused: 'for-now', why: 'Not now.' });
    await instance.setClock({ counted_time: 60 * DAY });
    await instance.server.deliver();
    expect(idsOf(instance)).toContain(late);
    expect(await waiting(instance)).toMatchObject([{ why: `Not now. ${PERHAPS}`, withheld: null }]);
  });

  it('that keeps warnings back makes no release early and holds none for ever', async () => {
    const instance = await anInstance({ MAILS_PER_DAY: '1' });
    const flooder = await instance.anAuthor();
    await plantMessages(instance, flooder, 1, { address: 'eve@mail.example' });
    await instance.server.deliver();
    const author = await instance.anAuthor();
    await instance.deps.db
      .insertInto('warning_addresses')
      .values({
        account_id: author,
        address: 'author@mail.example',
        proved_at: 1,
        asked_address: null,
        asked_message: null,
      })
      .execute();
    const scroll = await instance.watchSilence(author, 2, { warning: 'mail' });
    // Somebody else has the only slot of every day.
    const flood = async () => {
      await instance.deps.db.deleteFrom('message_slots').execute();
      const time = (await instance.clock()).counted_time;
      const slot = { limit_key: 'server:email', message: 'another', author_hash: 'another' };
      await instance.deps.db
        .insertInto('message_slots')
        .values({ ...slot, taken_at: time, held: 0, turn: 1 })
        .execute();
    };
    const live = async (days: number) => {
      for (let i = 0; i < days; i += 1) {
        await flood();
        await instance.live(DAY - HOUR, { deliver: true, tick: 4 * HOUR });
        await flood();
        await instance.live(HOUR, { deliver: true });
      }
    };
    await live(15);
    expect(await instance.stateOf(scroll)).toBe('watching');
    expect(await instance.messages({ kind: 'warning' })).toContainEqual(
      expect.objectContaining({ state: 'waiting', withheld: 'server' }),
    );
    await live(2);
    expect(await instance.stateOf(scroll)).toBe('released');
  });
});
