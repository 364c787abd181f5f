// Delivery: accepted once, tried again by counted time, given up late, and never from a server that may be a copy.
import { afterEach, expect, it, vi } from 'vitest';
import { switchRules } from '../../../shared/nouns/switch-rules.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { aServer, aWatchedInstance, HOURLY, memoryJournal, type Watched } from '../../../testing/switch.ts';
import type { Delivery } from '../../adapters/transport.ts';
import { deleteExpired } from '../../expiry.ts';
import { LEASE_LASTS, releaseLeases } from '../../jobs/queue-store.ts';
import { releaseScroll } from '../watch/release-store.ts';
import { PERHAPS } from './delivery-store.ts';
import { DELIVER, writeMessage } from './message-store.ts';
import { hashOfAuthor } from './send-limits.ts';
import { nameScrolls } from './warned-scrolls-store.ts';

const instances: Watched[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const instance of instances.splice(0)) await instance.close();
});

const NOT_NOW: Delivery = { refused: 'for-now', why: 'Not now.' };

describeOnEachEngine('delivery', (engine) => {
  async function anInstance(rules = HOURLY) {
    const instance = await aWatchedInstance({ engine, rules, alone: false });
    instances.push(instance);
    return { instance, author: await instance.anAuthor() };
  }
  /** A scroll that its author has just released. */
  async function aRelease(instance: Watched, author: number, values = {}) {
    const id = await instance.aScroll(author, { state: 'watching', trigger_type: 'manual', ...values });
    const released = await instance.deps.db
      .transaction()
      .execute((tx) => releaseScroll(instance.deps, tx, id));
    expect(released).toBe(true);
    return id;
  }
  const jobs = (instance: Watched) =>
    instance.deps.db.selectFrom('jobs').selectAll().where('kind', '=', DELIVER).execute();
  const only = async (instance: Watched) => {
    const [message, ...more] = await instance.messages();
    expect(more).toEqual([]);
    return message;
  };

  it('of what was accepted happens once, under a number that a restored server would give it too', async () => {
    const { instance, author } = await anInstance();
    const id = await aRelease(instance, author);
    await instance.server.deliver();
    await instance.server.deliver();
    expect(instance.mail.letters).toHaveLength(1);
    expect(await only(instance)).toMatchObject({
      state: 'sent',
      attempts: 1,
      sent_at: instance.deps.now(),
      why: null,
    });
    expect(await jobs(instance)).toEqual([]);
    const { db } = instance.deps;
    await db.deleteFrom('messages').execute();
    await db.updateTable('legacy_scrolls').set({ state: 'watching' }).execute();
    await db.transaction().execute((tx) => releaseScroll(instance.deps, tx, id));
    await instance.server.deliver();
    expect(new Set(instance.mail.letters.map((letter) => letter.id)).size).toBe(1);
  });

  it('by many servers at once happens once for each message', async () => {
    const { instance, author } = await anInstance();
    for (let i = 0; i < 20; i += 1) await aRelease(instance, author);
    const servers = Array.from({ length: 5 }, () =>
      aServer(instance.instance, memoryJournal(instance.server.journal.entry)),
    );
    for (const server of servers) await server.tick();
    await Promise.all(servers.map((server) => server.deliver()));
    await instance.server.deliver();
    expect(instance.mail.letters).toHaveLength(20);
    expect(new Set(instance.mail.letters.map((letter) => letter.id)).size).toBe(20);
  });

  it('that is refused for now is tried after 1, 5, 15 minutes, 1, 3, 6, 12 hours, then daily, and weekly after thirty days', async () => {
    const { instance, author } = await anInstance(switchRules);
    instance.mail.answer = () => NOT_NOW;
    await aRelease(instance, author);
    await instance.server.deliver();
    const waits: number[] = [];
    for (let n = 0; n < 9; n += 1) {
      const [job] = await jobs(instance);
      const now = (await instance.clock()).counted_time;
      waits.push((job?.run_at ?? 0) - now);
      await instance.server.deliver();
      expect(instance.mail.letters).toHaveLength(n + 1);
      await instance.setClock({ counted_time: job?.run_at ?? 0 });
      await instance.server.deliver();
    }
    const minutes = [1, 5, 15, 60, 180, 360, 720, 1440, 1440];
    expect(waits).toEqual(minutes.map((count) => count * MINUTE));
    expect(await only(instance)).toMatchObject({ state: 'waiting', attempts: 10, why: 'Not now.' });
    await instance.setClock({ counted_time: 31 * DAY });
    await instance.server.deliver();
    const [weekly] = await jobs(instance);
    expect((weekly?.run_at ?? 0) - (await instance.clock()).counted_time).toBe(7 * DAY);
    instance.mail.answer = () => 'accepted';
    await instance.setClock({ counted_time: weekly?.run_at ?? 0 });
    await instance.server.deliver();
    expect(await only(instance)).toMatchObject({ state: 'sent', attempts: 12, why: null });
  });

  it.each(['release', 'reminder'] as const)(
    'of a %s is tried for two years, and ends at once where the address itself is refused',
    async (kind) => {
      const { instance, author } = await anInstance();
      instance.mail.answer = () => NOT_NOW;
      await aRelease(instance, author);
      await instance.deps.db.updateTable('messages').set({ kind }).execute();
      await instance.server.deliver();
      const { counted_time: begun } = await instance.clock();
      const tryOn = async (day: number) => {
        await instance.setClock({ counted_time: begun + day * DAY });
        await instance.server.deliver();
      };
      for (const day of [29, 31, 60, 365, 729]) {
        await tryOn(day);
        expect(await only(instance)).toMatchObject({ state: 'waiting', refused: 0 });
      }
      await tryOn(737);
      expect(await only(instance)).toMatchObject({ state: 'failed', refused: 0, why: 'Not now.' });
      expect(await jobs(instance)).toEqual([]);
      instance.mail.answer = () => ({ refused: 'for-good', why: 'Nobody there.' });
      await aRelease(instance, author);
      await instance.server.deliver();
      expect(await instance.messages()).toMatchObject([
        {},
        { state: 'failed', refused: 1, why: 'Nobody there.', attempts: 1 },
      ]);
      expect(await jobs(instance)).toEqual([]);
    },
  );

  it('without a transport waits for one, however long', async () => {
    const { instance, author } = await anInstance();
    instance.deps.transports.email = null;
    await aRelease(instance, author);
    await instance.setClock({ counted_time: 40 * DAY });
    await instance.live(3 * HOUR, { deliver: true });
    expect(await only(instance)).toMatchObject({ state: 'waiting', attempts: 0, why: null });
    instance.deps.transports.email = instance.mail;
    await instance.live(HOUR, { deliver: true });
    expect(await only(instance)).toMatchObject({ state: 'sent' });
  });

  it('of a whisper needs a vault to appear in', async () => {
    const { instance, author } = await anInstance();
    const recipient = await instance.anAuthor();
    const whisper = { recipient_type: 'whisper', recipient_address: 'ab'.repeat(16) };
    await aRelease(instance, author, { ...whisper, recipient_account_id: recipient });
    await aRelease(instance, author, whisper);
    // One that was destroyed, and is not erased yet.
    const gone = await instance.anAuthor();
    await aRelease(instance, author, { ...whisper, recipient_account_id: gone });
    await instance.deps.db.deleteFrom('accounts').where('id', '=', gone).execute();
    await instance.server.deliver();
    const failed = { state: 'failed', why: expect.stringContaining('No vault') };
    expect(await instance.messages()).toMatchObject([{ state: 'sent' }, failed, failed]);
    expect(instance.mail.letters).toEqual([]);
  });

  it('changes nothing of a message that was cancelled on its way', async () => {
    const { instance, author } = await anInstance();
    for (const outcome of ['accepted', NOT_NOW] as const) {
      await aRelease(instance, author);
      instance.mail.answer = async () => {
        await instance.deps.db.updateTable('messages').set({ state: 'cancelled' }).execute();
        return outcome;
      };
      await instance.server.deliver();
      await instance.live(2 * HOUR, { deliver: true });
    }
    expect((await instance.messages()).map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);
    expect(await jobs(instance)).toEqual([]);
  });

  it('survives a transport that throws, and tells of it without its words', async () => {
    const { instance, author } = await anInstance();
    instance.mail.answer = () => Promise.reject(new Error('out of order'));
    for (let i = 0; i < 6; i += 1) await aRelease(instance, author);
    await instance.server.deliver();
    const messages = await instance.messages();
    expect(messages).toHaveLength(6);
    for (const message of messages) {
      expect(message).toMatchObject({ state: 'waiting', attempts: 1 });
      expect(message.why).not.toContain('out of order');
    }
    instance.mail.answer = () => 'accepted';
    await instance.live(HOUR, { deliver: true });
    expect((await instance.messages()).every(({ state }) => state === 'sent')).toBe(true);
  });

  it('that hangs keeps no other message, and is tried again', async () => {
    const { instance, author } = await anInstance();
    const id = await aRelease(instance, author);
    let hanging = () => {};
    const hung = new Promise<void>((resolve) => {
      hanging = resolve;
    });
    instance.mail.answer = () => {
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
    const delivery = instance.server.deliver();
    await hung;
    instance.mail.answer = () => 'accepted';
    const other = await aRelease(instance, author);
    await aServerOf(instance).then((server) => server.deliver());
    // The server whose transport hangs may have taken it as well; either sends it before the hanging ends.
    while ((await instance.messages())[1]?.state !== 'sent');
    expect(await instance.messages()).toMatchObject([
      { scroll_id: id, state: 'waiting' },
      { scroll_id: other, state: 'sent' },
    ]);
    for (const end of patience) end();
    await delivery;
    expect(await instance.messages()).toMatchObject([{ state: 'waiting', why: 'It took too long.' }, {}]);
    await instance.live(3 * HOUR, { deliver: true });
    expect(await instance.messages()).toMatchObject([{ state: 'sent' }, { state: 'sent' }]);
  });
  const aServerOf = async (instance: Watched) => {
    const server = aServer(instance.instance, memoryJournal(instance.server.journal.entry));
    await server.tick();
    return server;
  };

  it('by a server that died comes back when its lease is over, and the late one changes nothing', async () => {
    const { instance, author } = await anInstance(switchRules);
    await aRelease(instance, author);
    let answer: (delivery: Delivery) => void = () => {};
    let asked = () => {};
    const begun = new Promise<void>((resolve) => {
      asked = resolve;
    });
    instance.mail.answer = () => {
      asked();
      return new Promise((resolve) => {
        answer = resolve;
      });
    };
    const dead = instance.server.deliver();
    await begun;
    instance.mail.answer = () => 'accepted';
    const other = await aServerOf(instance);
    await other.deliver();
    expect(instance.mail.letters).toHaveLength(1);
    await instance.setClock({ counted_time: (await instance.clock()).counted_time + LEASE_LASTS });
    await other.deliver();
    expect(await only(instance)).toMatchObject({ state: 'sent', attempts: 1, why: PERHAPS });
    answer({ refused: 'for-good', why: 'Too late.' });
    await dead;
    expect(await only(instance)).toMatchObject({ state: 'sent', attempts: 1, why: PERHAPS });
    expect(new Set(instance.mail.letters.map((letter) => letter.id)).size).toBe(1);
  });

  it('repeats little where servers die at every record, and says that it may have been handed over', async () => {
    const { instance, author } = await anInstance(switchRules);
    await aRelease(instance, author);
    const { db } = instance.deps;
    for (let kill = 0; kill < 10; kill += 1) {
      // What a server that was killed would have written down changes nothing.
      instance.mail.answer = async () => {
        await db.updateTable('messages').set({ state: 'cancelled' }).execute();
        await db.updateTable('jobs').set({ lease: 'of the dead' }).execute();
        return 'accepted' as const;
      };
      await instance.server.deliver();
      await db.updateTable('messages').set({ state: 'waiting' }).execute();
      await releaseLeases(db);
    }
    expect(instance.mail.letters).toHaveLength(2);
    expect(await only(instance)).toMatchObject({ state: 'waiting', why: PERHAPS });
    instance.mail.answer = () => NOT_NOW;
    await instance.setClock({ counted_time: (await instance.clock()).counted_time + HOUR });
    await instance.server.deliver();
    expect(instance.mail.letters).toHaveLength(3);
    expect(await only(instance)).toMatchObject({ state: 'waiting', why: `Not now. ${PERHAPS}` });
    instance.mail.answer = () => 'accepted';
    await instance.setClock({ counted_time: (await instance.clock()).counted_time + MINUTE });
    await instance.server.deliver();
    expect(await only(instance)).toMatchObject({ state: 'sent', why: PERHAPS });
    expect(await jobs(instance)).toEqual([]);
  });

  it('waits while the switch is paused, and leaves no server under another key', async () => {
    const { instance, author } = await anInstance();
    await aRelease(instance, author);
    await instance.setClock({ paused_reason: 'restored' });
    await instance.server.deliver();
    await instance.setClock({ paused_reason: null });
    const { instance: name, counted_time } = await instance.clock();
    await instance.setClock({ instance: 'another' });
    await instance.server.deliver();
    // Nor one that went back since the last tick.
    await instance.live(HOUR);
    await instance.setClock({ instance: name, paused_reason: null });
    await instance.live(2 * HOUR);
    await instance.setClock({ counted_time });
    await instance.server.deliver();
    expect(instance.mail.letters).toEqual([]);
    expect(await only(instance)).toMatchObject({ state: 'waiting', attempts: 0 });
  });

  it('loses no message whose administrator asks for another try just then', async () => {
    const { instance, author } = await anInstance();
    for (let round = 0; round < 8; round += 1) {
      await aRelease(instance, author);
      instance.mail.answer = () => ({ refused: 'for-good', why: 'Nobody there.' });
      const { db } = instance.deps;
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
      await Promise.all([instance.server.deliver(), retry(), retry()]);
      const [waiting, left] = [await instance.messages(), await jobs(instance)];
      for (const { public_id } of waiting.filter(({ state }) => state === 'waiting')) {
        expect(left.map(({ dedupe_key }) => dedupe_key)).toContain(public_id);
      }
      instance.mail.answer = () => 'accepted';
      await instance.server.deliver();
    }
  });

  it('of a warning and a release by hand at once takes turns', async () => {
    const { instance, author } = await anInstance();
    for (let round = 0; round < 10; round += 1) {
      const id = await instance.watchSilence(author, 2, { warning: 'mail' });
      const { db, now } = instance.deps;
      const clock = { time: now(), countedTime: (await instance.clock()).counted_time };
      await db.transaction().execute(async (tx) => {
        const number = await writeMessage(
          tx,
          {
            kind: 'warning',
            channel: 'email',
            address: 'author@example.org',
            account_id: author,
            scroll_id: null,
            scroll_public_id: null,
          },
          clock,
        );
        await nameScrolls(tx, number, [{ scroll_id: id, step: 1, due_in: DAY }]);
      });
      await Promise.all([
        instance.server.deliver(),
        db.transaction().execute((tx) => releaseScroll(instance.deps, tx, id)),
      ]);
      await instance.server.deliver();
    }
    const states = (await instance.messages()).map(({ kind, state }) => `${kind} ${state}`);
    expect(states.filter((state) => state === 'release sent')).toHaveLength(10);
    expect(states.filter((state) => state === 'warning waiting')).toEqual([]);
    expect(instance.instance.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  it('leaves no word, key or proof of a scroll in messages, jobs, journal or log', async () => {
    const { instance, author } = await anInstance();
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
    await aRelease(instance, author, sealed);
    await instance.watchSilence(author, 1, sealed);
    instance.mail.answer = () => NOT_NOW;
    await instance.live(2 * DAY, { deliver: true });
    const everything = JSON.stringify([
      await instance.messages(),
      await jobs(instance),
      await instance.clock(),
      instance.server.journal.entry,
      instance.mail.letters,
      instance.instance.log,
    ]);
    expect(everything).toContain('recipient@example.org');
    expect(everything).not.toContain('PLANTED');
    expect(JSON.stringify(instance.instance.log)).not.toContain('recipient@example.org');
  });

  it('sends nothing of a vault that was destroyed, also before it is erased', async () => {
    const { instance, author } = await anInstance();
    await aRelease(instance, author);
    const { db } = instance.deps;
    await db.deleteFrom('accounts').where('id', '=', author).execute();
    await instance.server.deliver();
    await instance.live(HOUR, { deliver: true });
    expect(instance.mail.letters).toEqual([]);
    await deleteExpired(instance.deps);
    expect([await instance.messages(), await jobs(instance)]).toEqual([[], []]);
  });

  it('loses nothing that a destroyed vault leaves, and sends it once it was let go', async () => {
    const { instance, author } = await anInstance();
    await aRelease(instance, author);
    const watching = await instance.aScroll(author, { state: 'watching', trigger_type: 'manual' });
    const { db } = instance.deps;
    const leaving = { state: 'leaving', kept_until: 365 * DAY } as const;
    await db.updateTable('vaults').set(leaving).where('id', '=', author).execute();
    await db.deleteFrom('accounts').where('id', '=', author).execute();
    await instance.server.deliver();
    expect(instance.mail.letters).toEqual([]);
    await deleteExpired(instance.deps);
    await instance.live(HOUR, { deliver: true });
    expect(instance.mail.letters).toHaveLength(2);
    const rows = await instance.messages();
    expect(rows).toMatchObject(Array(2).fill({ state: 'sent', account_id: null }));
    expect(new Set(rows.map(({ author_hash }) => author_hash))).toEqual(
      new Set([hashOfAuthor(instance.deps.digests, author)]),
    );
    expect(await instance.scroll(watching)).toMatchObject({ state: 'released', account_id: null, title: '' });
  });
});
