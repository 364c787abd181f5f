// Delivery: accepted once, tried again by house time, given up late, and never from a house that may be a copy.
import { afterEach, expect, it, vi } from 'vitest';
import { switchRules } from '../../../shared/nouns/switch.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { aServer, aWatchedHouse, HOURLY, memoryJournal, type Watched } from '../../../testing/switch.ts';
import type { Delivery } from '../../adapters/transport.ts';
import { deleteExpired } from '../../expiry.ts';
import { LEASE_LASTS, releaseLeases } from '../../jobs/queue-store.ts';
import { releaseScroll } from '../watch/release-store.ts';
import { PERHAPS } from './delivery-store.ts';
import { writeMessage } from './message-store.ts';
import { hashOfAuthor } from './send-limits.ts';

const houses: Watched[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const house of houses.splice(0)) await house.close();
});

const NOT_NOW: Delivery = { refused: 'for-now', why: 'Not now.' };

describeOnEachEngine('delivery', (engine) => {
  async function aHouse(rules = HOURLY) {
    const house = await aWatchedHouse({ engine, rules, alone: false });
    houses.push(house);
    return { house, author: await house.anAuthor() };
  }
  /** A scroll that its author has just released. */
  async function aRelease(house: Watched, author: number, values = {}) {
    const id = await house.aScroll(author, { state: 'watching', trigger_type: 'manual', ...values });
    const released = await house.deps.db.transaction().execute((tx) => releaseScroll(house.deps, tx, id));
    expect(released).toBe(true);
    return id;
  }
  const jobs = (house: Watched) => house.deps.db.selectFrom('jobs').selectAll().execute();
  const only = async (house: Watched) => {
    const [message, ...more] = await house.messages();
    expect(more).toEqual([]);
    return message;
  };

  it('of what was accepted happens once, under a number that a restored house would give it too', async () => {
    const { house, author } = await aHouse();
    const id = await aRelease(house, author);
    await house.server.deliver();
    await house.server.deliver();
    expect(house.mail.letters).toHaveLength(1);
    expect(await only(house)).toMatchObject({
      state: 'sent',
      attempts: 1,
      sent_at: house.deps.now(),
      why: null,
    });
    expect(await jobs(house)).toEqual([]);
    const { db } = house.deps;
    await db.deleteFrom('messages').execute();
    await db.updateTable('legacy_scrolls').set({ state: 'watching' }).execute();
    await db.transaction().execute((tx) => releaseScroll(house.deps, tx, id));
    await house.server.deliver();
    expect(new Set(house.mail.letters.map((letter) => letter.id)).size).toBe(1);
  });

  it('by many servers at once happens once for each message', async () => {
    const { house, author } = await aHouse();
    for (let i = 0; i < 20; i += 1) await aRelease(house, author);
    const servers = Array.from({ length: 5 }, () =>
      aServer(house.house, memoryJournal(house.server.journal.entry)),
    );
    for (const server of servers) await server.beat();
    await Promise.all(servers.map((server) => server.deliver()));
    await house.server.deliver();
    expect(house.mail.letters).toHaveLength(20);
    expect(new Set(house.mail.letters.map((letter) => letter.id)).size).toBe(20);
  });

  it('that is refused for now is tried after 1, 5, 15 minutes, 1, 3, 6, 12 hours, then daily', async () => {
    const { house, author } = await aHouse(switchRules);
    house.mail.answer = () => NOT_NOW;
    await aRelease(house, author);
    await house.server.deliver();
    const waits: number[] = [];
    for (let n = 0; n < 9; n += 1) {
      const [job] = await jobs(house);
      const now = (await house.clock()).house_time;
      waits.push((job?.run_at ?? 0) - now);
      await house.server.deliver();
      expect(house.mail.letters).toHaveLength(n + 1);
      await house.setClock({ house_time: job?.run_at ?? 0 });
      await house.server.deliver();
    }
    const minutes = [1, 5, 15, 60, 180, 360, 720, 1440, 1440];
    expect(waits).toEqual(minutes.map((count) => count * MINUTE));
    expect(await only(house)).toMatchObject({ state: 'waiting', attempts: 10, why: 'Not now.' });
    house.mail.answer = () => 'accepted';
    await house.setClock({ house_time: (await house.clock()).house_time + DAY });
    await house.server.deliver();
    expect(await only(house)).toMatchObject({ state: 'sent', attempts: 11, why: null });
  });

  it('is given up after thirty days of tries, and for good where an address takes nothing', async () => {
    const { house, author } = await aHouse();
    house.mail.answer = () => NOT_NOW;
    await aRelease(house, author);
    await house.server.deliver();
    await house.setClock({ house_time: 29 * DAY });
    await house.live(12 * HOUR, { deliver: true });
    expect(await only(house)).toMatchObject({ state: 'waiting' });
    await house.live(36 * HOUR, { deliver: true });
    expect(await only(house)).toMatchObject({ state: 'failed', why: 'Not now.' });
    expect(await jobs(house)).toEqual([]);
    house.mail.answer = () => ({ refused: 'for-good', why: 'Nobody there.' });
    await aRelease(house, author);
    await house.server.deliver();
    expect(await house.messages()).toMatchObject([
      {},
      { state: 'failed', why: 'Nobody there.', attempts: 1 },
    ]);
    expect(await jobs(house)).toEqual([]);
  });

  it('without a courier waits for one, however long', async () => {
    const { house, author } = await aHouse();
    house.deps.couriers.email = null;
    await aRelease(house, author);
    await house.setClock({ house_time: 40 * DAY });
    await house.live(3 * HOUR, { deliver: true });
    expect(await only(house)).toMatchObject({ state: 'waiting', attempts: 0, why: null });
    house.deps.couriers.email = house.mail;
    await house.live(HOUR, { deliver: true });
    expect(await only(house)).toMatchObject({ state: 'sent' });
  });

  it('of a whisper needs a vault to appear in', async () => {
    const { house, author } = await aHouse();
    const recipient = await house.anAuthor();
    const whisper = { recipient_type: 'whisper', recipient_address: 'ab'.repeat(16) };
    await aRelease(house, author, { ...whisper, recipient_account_id: recipient });
    await aRelease(house, author, whisper);
    // One that was destroyed, and is not erased yet.
    const gone = await house.anAuthor();
    await aRelease(house, author, { ...whisper, recipient_account_id: gone });
    await house.deps.db.deleteFrom('accounts').where('id', '=', gone).execute();
    await house.server.deliver();
    const failed = { state: 'failed', why: expect.stringContaining('No vault') };
    expect(await house.messages()).toMatchObject([{ state: 'sent' }, failed, failed]);
    expect(house.mail.letters).toEqual([]);
  });

  it('changes nothing of a message that was cancelled on its way', async () => {
    const { house, author } = await aHouse();
    for (const outcome of ['accepted', NOT_NOW] as const) {
      await aRelease(house, author);
      house.mail.answer = async () => {
        await house.deps.db.updateTable('messages').set({ state: 'cancelled' }).execute();
        return outcome;
      };
      await house.server.deliver();
      await house.live(2 * HOUR, { deliver: true });
    }
    expect((await house.messages()).map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);
    expect(await jobs(house)).toEqual([]);
  });

  it('survives a courier that throws, and tells of it without its words', async () => {
    const { house, author } = await aHouse();
    house.mail.answer = () => Promise.reject(new Error('out of order'));
    for (let i = 0; i < 6; i += 1) await aRelease(house, author);
    await house.server.deliver();
    const messages = await house.messages();
    expect(messages).toHaveLength(6);
    for (const message of messages) {
      expect(message).toMatchObject({ state: 'waiting', attempts: 1 });
      expect(message.why).not.toContain('out of order');
    }
    house.mail.answer = () => 'accepted';
    await house.live(HOUR, { deliver: true });
    expect((await house.messages()).every(({ state }) => state === 'sent')).toBe(true);
  });

  it('that hangs keeps no other message, and is tried again', async () => {
    const { house, author } = await aHouse();
    const id = await aRelease(house, author);
    let hanging = () => {};
    const hung = new Promise<void>((resolve) => {
      hanging = resolve;
    });
    house.mail.answer = () => {
      hanging();
      return new Promise(() => {});
    };
    // The patience of delivery alone is in this test's hands: the database's connections have timers of their own.
    const patience: (() => void)[] = [];
    const { setTimeout: real } = globalThis;
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, milliseconds?: number) => {
      if (milliseconds !== 2 * MINUTE) return real(work, milliseconds);
      patience.push(work);
      return real(() => {}, 0);
    }) as typeof setTimeout);
    const delivery = house.server.deliver();
    await hung;
    house.mail.answer = () => 'accepted';
    const other = await aRelease(house, author);
    await aServerOf(house).then((server) => server.deliver());
    // The server whose courier hangs may have taken it as well; either sends it before the hanging ends.
    while ((await house.messages())[1]?.state !== 'sent');
    expect(await house.messages()).toMatchObject([
      { scroll_id: id, state: 'waiting' },
      { scroll_id: other, state: 'sent' },
    ]);
    for (const end of patience) end();
    await delivery;
    expect(await house.messages()).toMatchObject([{ state: 'waiting', why: 'It took too long.' }, {}]);
    await house.live(3 * HOUR, { deliver: true });
    expect(await house.messages()).toMatchObject([{ state: 'sent' }, { state: 'sent' }]);
  });
  const aServerOf = async (house: Watched) => {
    const server = aServer(house.house, memoryJournal(house.server.journal.entry));
    await server.beat();
    return server;
  };

  it('by a server that died comes back when its lease is over, and the late one changes nothing', async () => {
    const { house, author } = await aHouse(switchRules);
    await aRelease(house, author);
    let answer: (delivery: Delivery) => void = () => {};
    let asked = () => {};
    const begun = new Promise<void>((resolve) => {
      asked = resolve;
    });
    house.mail.answer = () => {
      asked();
      return new Promise((resolve) => {
        answer = resolve;
      });
    };
    const dead = house.server.deliver();
    await begun;
    house.mail.answer = () => 'accepted';
    const other = await aServerOf(house);
    await other.deliver();
    expect(house.mail.letters).toHaveLength(1);
    await house.setClock({ house_time: (await house.clock()).house_time + LEASE_LASTS });
    await other.deliver();
    expect(await only(house)).toMatchObject({ state: 'sent', attempts: 1, why: PERHAPS });
    answer({ refused: 'for-good', why: 'Too late.' });
    await dead;
    expect(await only(house)).toMatchObject({ state: 'sent', attempts: 1, why: PERHAPS });
    expect(new Set(house.mail.letters.map((letter) => letter.id)).size).toBe(1);
  });

  it('repeats little where servers die at every record, and says that it may have been handed over', async () => {
    const { house, author } = await aHouse(switchRules);
    await aRelease(house, author);
    const { db } = house.deps;
    for (let kill = 0; kill < 10; kill += 1) {
      // What a server that was killed would have written down changes nothing.
      house.mail.answer = async () => {
        await db.updateTable('messages').set({ state: 'cancelled' }).execute();
        await db.updateTable('jobs').set({ lease: 'of the dead' }).execute();
        return 'accepted' as const;
      };
      await house.server.deliver();
      await db.updateTable('messages').set({ state: 'waiting' }).execute();
      await releaseLeases(db);
    }
    expect(house.mail.letters).toHaveLength(2);
    expect(await only(house)).toMatchObject({ state: 'waiting', why: PERHAPS });
    house.mail.answer = () => NOT_NOW;
    await house.setClock({ house_time: (await house.clock()).house_time + HOUR });
    await house.server.deliver();
    expect(house.mail.letters).toHaveLength(3);
    expect(await only(house)).toMatchObject({ state: 'waiting', why: `Not now. ${PERHAPS}` });
    house.mail.answer = () => 'accepted';
    await house.setClock({ house_time: (await house.clock()).house_time + MINUTE });
    await house.server.deliver();
    expect(await only(house)).toMatchObject({ state: 'sent', why: PERHAPS });
    expect(await jobs(house)).toEqual([]);
  });

  it('waits while the switch is paused, and leaves no house under another key', async () => {
    const { house, author } = await aHouse();
    await aRelease(house, author);
    await house.setClock({ paused_reason: 'restored' });
    await house.server.deliver();
    await house.setClock({ paused_reason: null });
    const { instance, house_time } = await house.clock();
    await house.setClock({ instance: 'another' });
    await house.server.deliver();
    // Nor one that went back since the last heartbeat.
    await house.live(HOUR);
    await house.setClock({ instance, paused_reason: null });
    await house.live(2 * HOUR);
    await house.setClock({ house_time });
    await house.server.deliver();
    expect(house.mail.letters).toEqual([]);
    expect(await only(house)).toMatchObject({ state: 'waiting', attempts: 0 });
  });

  it('loses no message whose keeper asks for another try just then', async () => {
    const { house, author } = await aHouse();
    for (let round = 0; round < 8; round += 1) {
      await aRelease(house, author);
      house.mail.answer = () => ({ refused: 'for-good', why: 'Nobody there.' });
      const { db } = house.deps;
      const retry = () =>
        db.transaction().execute(async (tx) => {
          const asked = await tx
            .updateTable('messages')
            .set({ state: 'waiting' })
            .where('state', 'in', ['waiting', 'failed'])
            .returning('public_id')
            .execute();
          const { enqueue } = await import('../../jobs/queue-store.ts');
          for (const { public_id } of asked) await enqueue(tx, 'deliver', public_id, 0);
        });
      await Promise.all([house.server.deliver(), retry(), retry()]);
      const [waiting, left] = [await house.messages(), await jobs(house)];
      for (const { public_id } of waiting.filter(({ state }) => state === 'waiting')) {
        expect(left.map(({ dedupe_key }) => dedupe_key)).toContain(public_id);
      }
      house.mail.answer = () => 'accepted';
      await house.server.deliver();
    }
  });

  it('of a warning and a release by hand at once takes turns', async () => {
    const { house, author } = await aHouse();
    for (let round = 0; round < 10; round += 1) {
      const id = await house.watchSilence(author, 2, { warning: 'mail' });
      const { db, now } = house.deps;
      const clock = { time: now(), houseTime: (await house.clock()).house_time };
      await db.transaction().execute((tx) =>
        writeMessage(
          tx,
          {
            kind: 'warning',
            channel: 'email',
            address: 'author@example.org',
            account_id: author,
            scroll_id: id,
            scroll_public_id: null,
          },
          clock,
        ),
      );
      await Promise.all([
        house.server.deliver(),
        db.transaction().execute((tx) => releaseScroll(house.deps, tx, id)),
      ]);
      await house.server.deliver();
    }
    const states = (await house.messages()).map(({ kind, state }) => `${kind} ${state}`);
    expect(states.filter((state) => state === 'release sent')).toHaveLength(10);
    expect(states.filter((state) => state === 'warning waiting')).toEqual([]);
    expect(house.house.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  it('leaves no word, key or proof of a scroll in messages, jobs, journal or log', async () => {
    const { house, author } = await aHouse();
    const planted = {
      words: 'PLANTED-WORDS',
      title: 'PLANTED-TITLE',
      key: 'PLANTED-KEY',
      claim: 'PLANTED-CLAIM',
    };
    const sealed = {
      title: planted.title,
      encrypted_content: planted.words,
      encrypted_scroll_key: planted.key,
      claim_hash: planted.claim,
      wrapped_key: planted.key,
    };
    await aRelease(house, author, sealed);
    await house.watchSilence(author, 1, sealed);
    house.mail.answer = () => NOT_NOW;
    await house.live(2 * DAY, { deliver: true });
    const everything = JSON.stringify([
      await house.messages(),
      await jobs(house),
      await house.clock(),
      house.server.journal.entry,
      house.mail.letters,
      house.house.log,
    ]);
    expect(everything).toContain('recipient@example.org');
    expect(everything).not.toContain('PLANTED');
    expect(JSON.stringify(house.house.log)).not.toContain('recipient@example.org');
  });

  it('sends nothing of a vault that was destroyed, also before it is erased', async () => {
    const { house, author } = await aHouse();
    await aRelease(house, author);
    const { db } = house.deps;
    await db.deleteFrom('accounts').where('id', '=', author).execute();
    await house.server.deliver();
    await house.live(HOUR, { deliver: true });
    expect(house.mail.letters).toEqual([]);
    await deleteExpired(house.deps);
    expect([await house.messages(), await jobs(house)]).toEqual([[], []]);
  });

  it('loses nothing that a destroyed vault leaves, and sends it once it was let go', async () => {
    const { house, author } = await aHouse();
    await aRelease(house, author);
    const watching = await house.aScroll(author, { state: 'watching', trigger_type: 'manual' });
    const { db } = house.deps;
    const leaving = { state: 'leaving', kept_until: 365 * DAY } as const;
    await db.updateTable('vaults').set(leaving).where('id', '=', author).execute();
    await db.deleteFrom('accounts').where('id', '=', author).execute();
    await house.server.deliver();
    expect(house.mail.letters).toEqual([]);
    await deleteExpired(house.deps);
    await house.live(HOUR, { deliver: true });
    expect(house.mail.letters).toHaveLength(2);
    const rows = await house.messages();
    expect(rows).toMatchObject(Array(2).fill({ state: 'sent', account_id: null }));
    expect(new Set(rows.map(({ author_hash }) => author_hash))).toEqual(
      new Set([hashOfAuthor(house.deps.digests, author)]),
    );
    expect(await house.scroll(watching)).toMatchObject({ state: 'released', account_id: null, title: '' });
  });
});
