// Limits on messages: every kind counts against its address, its author and the server, whatever is held back leaves
// later, and nobody is kept waiting by how much somebody else has to send.
import { afterEach, expect, it, vi } from 'vitest';
import { messageKinds } from '../../../shared/nouns/switch.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { passTime, plantMessages } from '../../../testing/messages.ts';
import {
  aCourier,
  aServer,
  aWatchedHouse,
  HOURLY,
  memoryJournal,
  type Watched,
} from '../../../testing/switch.ts';
import { PERHAPS } from './delivery-store.ts';

// Weeks of beats, and hundreds of messages.
vi.setConfig({ testTimeout: 5 * 60_000 });

const houses: Watched[] = [];
afterEach(async () => {
  for (const house of houses.splice(0)) await house.close();
});

describeOnEachEngine('a limit on messages', (engine) => {
  async function aHouse(env: Record<string, string> = {}) {
    const house = await aWatchedHouse({ engine, rules: HOURLY, alone: false, env });
    houses.push(house);
    return house;
  }
  const aSecondServer = async (house: Watched) => {
    const server = aServer(house.house, memoryJournal(house.server.journal.entry));
    await server.beat();
    return server;
  };
  const idsOf = (house: Watched) => house.mail.letters.map(({ id }) => id);
  const waiting = async (house: Watched) =>
    (await house.messages()).filter(({ state }) => state === 'waiting');
  const metrics = async (house: Watched) => (await house.deps.metrics.render(null)).body;
  const cancel = (house: Watched, ids: string[]) =>
    house.deps.db.updateTable('messages').set({ state: 'cancelled' }).where('public_id', 'in', ids).execute();

  const limits = [
    ['address', { MESSAGES_PER_ADDRESS: '2', ADDRESS_PROOFS_PER_ADDRESS: '2' }],
    ['account', { MESSAGES_PER_ACCOUNT: '2' }],
    ['server', { MAILS_PER_DAY: '2' }],
  ] as const;
  const cases = messageKinds.flatMap((kind) => limits.map(([limit, env]) => ({ kind, limit, env })));

  it.each(cases)(
    'of one $limit holds a $kind back for a day, and loses none',
    async ({ kind, limit, env }) => {
      const house = await aHouse(env);
      const one = await house.anAuthor();
      for (let i = 0; i < 3; i += 1) {
        const author = limit === 'account' ? one : await house.anAuthor();
        const address = limit === 'address' ? 'ada@mail.example' : `ada${i}@mail.example`;
        await plantMessages(house, author, 1, { kind, address, deadline: DAY });
      }
      await house.server.deliver();
      expect(house.mail.letters).toHaveLength(2);
      expect(await waiting(house)).toMatchObject([
        { withheld: limit, attempts: 0, why: expect.stringMatching(/^Withheld: this \w+ has .* for today/) },
      ]);
      await passTime(house, DAY - MINUTE, 8 * HOUR);
      expect(house.mail.letters).toHaveLength(2);
      await passTime(house, MINUTE, MINUTE);
      expect(house.mail.letters).toHaveLength(3);
      expect(await house.messages()).toMatchObject([{}, {}, { state: 'sent', withheld: null, why: null }]);
      expect(await metrics(house)).toContain(
        `latebra_messages_withheld_total{kind="${kind}",channel="email",limit="${limit}"} 1`,
      );
      expect(await house.deps.db.selectFrom('jobs').selectAll().execute()).toEqual([]);
    },
  );

  it('of one telephone and of all text messages holds them back, too', async () => {
    const house = await aHouse({ MESSAGES_PER_ADDRESS: '2', TEXTS_PER_DAY: '3' });
    const texts = aCourier();
    house.deps.couriers.sms = texts;
    const author = await house.anAuthor();
    await house.deps.db.updateTable('accounts').set({ texts_permitted: 1 }).execute();
    await plantMessages(house, author, 3, { channel: 'sms', address: '+447700900001' });
    await plantMessages(house, author, 2, { channel: 'sms', address: '+447700900002' });
    await house.server.deliver();
    expect(texts.letters).toHaveLength(3);
    expect((await waiting(house)).map(({ withheld }) => withheld).sort()).toEqual(['address', 'server']);
    await plantMessages(house, author, 1);
    await house.server.deliver();
    expect(house.mail.letters).toHaveLength(1);
    await passTime(house, DAY, 8 * HOUR);
    expect(texts.letters).toHaveLength(5);
  });

  it('is kept by many servers at once, however the address is spelled', async () => {
    const house = await aHouse();
    const spellings = [
      'ada.l@mail.example',
      'ADA.L@mail.example',
      'adal+x@mail.example',
      'a.dal@Mail.example',
    ];
    for (const address of spellings) {
      await plantMessages(house, await house.anAuthor(), 15, { address });
    }
    await plantMessages(house, await house.anAuthor(), 1, { address: 'eve@mail.example' });
    const servers = [house.server];
    for (let i = 0; i < 4; i += 1) servers.push(await aSecondServer(house));
    await Promise.all(servers.map((server) => server.deliver()));
    expect(house.mail.letters).toHaveLength(21);
    for (let day = 2; day <= 3; day += 1) {
      await house.setClock({ house_time: day * DAY });
      await Promise.all(servers.map((server) => server.deliver()));
      await house.server.deliver();
      expect(house.mail.letters).toHaveLength(20 * day + 1);
    }
    expect(new Set(idsOf(house)).size).toBe(61);
    expect(await waiting(house)).toEqual([]);
  });

  it('of address proofs leaves the rest of what an address gets to others', async () => {
    const house = await aHouse();
    for (let i = 0; i < 30; i += 1) {
      await plantMessages(house, await house.anAuthor(), 2, { kind: 'prove-address' });
    }
    await plantMessages(house, await house.anAuthor(), 25);
    await house.server.deliver();
    const kinds = house.mail.letters.map(({ subject }) => subject);
    expect(kinds.filter((kind) => kind === 'prove-address')).toHaveLength(3);
    expect(kinds).toHaveLength(20);
  });

  it('does not let what strangers send to an address hold back the warnings that its owner asked for', async () => {
    const house = await aHouse({ MESSAGES_PER_ADDRESS: '2' });
    await plantMessages(house, await house.anAuthor(), 9);
    await house.server.deliver();
    await plantMessages(house, await house.anAuthor(), 2, { kind: 'warning', deadline: DAY });
    await house.server.deliver();
    expect(house.mail.letters.map(({ subject }) => subject)).toEqual([
      ...['release', 'release'],
      ...['warning', 'warning'],
    ]);
  });

  it('lets authors take turns: two with hundreds of letters do not keep a third one waiting', async () => {
    const house = await aHouse({ MESSAGES_PER_ADDRESS: '4' });
    const many = engine === 'sqlite' ? 1000 : 150;
    const hostile = [await house.anAuthor(), await house.anAuthor()];
    for (const author of hostile) await plantMessages(house, author, many);
    await house.server.deliver();
    const third = await house.anAuthor();
    for (let day = 1; day <= 6; day += 1) {
      const [letter = ''] = await plantMessages(house, third, 1);
      await house.server.deliver();
      expect(idsOf(house)).not.toContain(letter);
      await passTime(house, DAY, 6 * HOUR);
      expect(idsOf(house), `day ${day}`).toContain(letter);
      expect(house.mail.letters).toHaveLength(4 * (day + 1));
    }
    const sent = (await house.messages()).filter(({ state }) => state === 'sent');
    const byHostile = hostile.map((author) => sent.filter(({ account_id }) => account_id === author).length);
    expect(Math.abs((byHostile[0] ?? 0) - (byHostile[1] ?? 0))).toBeLessThanOrEqual(4);
  });

  it('lets accounts that came after a watch began go behind it, and those from before once each', async () => {
    const house = await aHouse({ MESSAGES_PER_ADDRESS: '5' });
    await house.setClock({ house_time: 100 * DAY });
    const before = [];
    for (let i = 0; i < 11; i += 1) before.push(await house.anAuthor());
    for (const author of before) await plantMessages(house, author, 3, { in_line_since: 10 * DAY });
    const since = 20 * DAY;
    for (let i = 0; i < 40; i += 1) {
      await plantMessages(house, await house.anAuthor(), 3, { in_line_since: since + i + 1 });
    }
    await house.server.deliver();
    const [letter = ''] = await plantMessages(house, await house.anAuthor(), 1, { in_line_since: since });
    await house.server.deliver();
    // Five have left already; six of the others that were there before stand ahead of it.
    await passTime(house, DAY, 12 * HOUR);
    expect(idsOf(house)).not.toContain(letter);
    await passTime(house, DAY, 12 * HOUR);
    expect(idsOf(house)).toContain(letter);
    const first = new Set(
      (await house.messages()).filter(({ state }) => state === 'sent').map(({ account_id }) => account_id),
    );
    for (const author of before) expect(first).toContain(author);
  });

  it('of the whole server is shared by turns as well', async () => {
    const house = await aHouse({ MAILS_PER_DAY: '6' });
    for (let i = 0; i < 3; i += 1) {
      const author = await house.anAuthor();
      for (let n = 0; n < 20; n += 1)
        await plantMessages(house, author, 1, { address: `${i}x${n}@mail.example` });
    }
    await house.server.deliver();
    const quiet = await house.anAuthor();
    const [warning = ''] = await plantMessages(house, quiet, 1, { kind: 'warning', deadline: DAY });
    await passTime(house, DAY, 12 * HOUR);
    expect(idsOf(house)).toContain(warning);
  });

  it('whose slots are held by what waits for another limit gives them back when that is cancelled', async () => {
    const house = await aHouse({ MESSAGES_PER_ADDRESS: '1', MAILS_PER_DAY: '1' });
    await plantMessages(house, await house.anAuthor(), 1, { address: 'eve@mail.example' });
    await house.server.deliver();
    const held = await plantMessages(house, await house.anAuthor(), 1);
    await house.server.deliver();
    const [other = ''] = await plantMessages(house, await house.anAuthor(), 1);
    await house.server.deliver();
    expect((await waiting(house)).map(({ withheld }) => withheld)).toEqual(['server', 'address']);
    await cancel(house, held);
    await passTime(house, DAY, HOUR);
    expect(idsOf(house)).toContain(other);
  });

  it('counts a message once in a day, however often it is tried', async () => {
    const house = await aHouse({ MESSAGES_PER_ADDRESS: '2' });
    house.mail.answer = () => ({ refused: 'for-now', why: 'Not now.' });
    const author = await house.anAuthor();
    await plantMessages(house, author, 1);
    await house.server.deliver();
    await passTime(house, 30 * MINUTE, 5 * MINUTE);
    const tries = house.mail.letters.length;
    expect(tries).toBeGreaterThan(2);
    house.mail.answer = () => 'accepted';
    await plantMessages(house, author, 2);
    await house.server.deliver();
    expect(house.mail.letters).toHaveLength(tries + 1);
    await passTime(house, 3 * HOUR, HOUR);
    expect(house.mail.letters).toHaveLength(tries + 2);
    expect(await waiting(house)).toHaveLength(1);
    await passTime(house, DAY, HOUR);
    expect(await waiting(house)).toEqual([]);
  });

  it('gives nothing up that it has held back for months, nor says that it was never handed over', async () => {
    const house = await aHouse({ MESSAGES_PER_ADDRESS: '1' });
    const author = await house.anAuthor();
    await plantMessages(house, author, 1);
    await house.server.deliver();
    const [late = ''] = await plantMessages(house, author, 1, { why: PERHAPS });
    await house.server.deliver();
    expect(await waiting(house)).toMatchObject([{ why: expect.stringContaining(PERHAPS) }]);
    house.mail.answer = () => ({ refused: 'for-now', why: 'Not now.' });
    await house.setClock({ house_time: 60 * DAY });
    await house.server.deliver();
    expect(idsOf(house)).toContain(late);
    expect(await waiting(house)).toMatchObject([{ why: `Not now. ${PERHAPS}`, withheld: null }]);
  });

  it('that keeps warnings back makes no release early and holds none for ever', async () => {
    const house = await aHouse({ MAILS_PER_DAY: '1' });
    const flooder = await house.anAuthor();
    await plantMessages(house, flooder, 1, { address: 'eve@mail.example' });
    await house.server.deliver();
    const author = await house.anAuthor();
    await house.deps.db
      .insertInto('warning_addresses')
      .values({
        account_id: author,
        address: 'author@mail.example',
        proved_at: 1,
        asked_address: null,
        asked_message: null,
      })
      .execute();
    const scroll = await house.watchSilence(author, 2, { warning: 'mail' });
    // Somebody else has the only slot of every day.
    const flood = async () => {
      await house.deps.db.deleteFrom('message_slots').execute();
      const time = (await house.clock()).house_time;
      const slot = { limit_key: 'server:email', message: 'another', author_hash: 'another' };
      await house.deps.db
        .insertInto('message_slots')
        .values({ ...slot, taken_at: time, held: 0, turn: 1 })
        .execute();
    };
    const live = async (days: number) => {
      for (let i = 0; i < days; i += 1) {
        await flood();
        await house.live(DAY - HOUR, { deliver: true });
        await flood();
        await house.live(HOUR, { deliver: true });
      }
    };
    await live(15);
    expect(await house.stateOf(scroll)).toBe('watching');
    expect(await house.messages({ kind: 'warning' })).toContainEqual(
      expect.objectContaining({ state: 'waiting', withheld: 'server' }),
    );
    await live(2);
    expect(await house.stateOf(scroll)).toBe('released');
  });
});
