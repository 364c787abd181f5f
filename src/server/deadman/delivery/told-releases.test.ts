// The mail to an author after a release: one for all that is released within a day, and with no part in the release.
import { afterEach, expect, it } from 'vitest';
import { DAY, HOUR } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { aWatchedInstance, type Watched } from '../../../testing/switch.ts';
import { transact } from '../../db/transact.ts';
import { removeWarningAddress } from '../routes/last-activity/store.ts';
import { deleteScroll } from '../routes/scrolls/watch-store.ts';
import { lockLastActivity } from '../watch/last-activity-store.ts';
import { releaseScroll } from '../watch/release-store.ts';
import { findWaiting } from './delivery-store.ts';

const instances: Watched[] = [];
afterEach(async () => {
  for (const instance of instances.splice(0)) await instance.close();
});

describeOnEachEngine('after a release', (engine) => {
  async function anInstance() {
    const instance = await aWatchedInstance({ engine });
    instances.push(instance);
    return instance;
  }
  async function anAuthor(instance: Watched, address = 'author@example.org') {
    const account_id = await instance.anAuthor();
    const proved = { address, proved_at: 1, asked_address: null, asked_message: null };
    await instance.deps.db
      .insertInto('warning_addresses')
      .values({ account_id, ...proved })
      .execute();
    return account_id;
  }
  const releaseNow = (instance: Watched, author: number, id: number) =>
    transact(instance.deps.db, async (tx) => {
      await lockLastActivity(tx, author);
      return releaseScroll(instance.deps, tx, id);
    });
  const toldMails = (instance: Watched) => instance.messages({ kind: 'after-release' });
  const arrived = (instance: Watched) =>
    instance.mail.letters.filter(({ subject }) => subject === 'after-release');
  /** The releases that each mail tells of, in its order. */
  async function told(instance: Watched) {
    const mails = await toldMails(instance);
    const rows = await instance.deps.db
      .selectFrom('told_releases')
      .selectAll()
      .orderBy('released_at')
      .orderBy('scroll_id')
      .execute();
    return mails.map(({ id, state }) => ({
      state,
      of: rows.flatMap((row) => (row.message_id === id ? [row.scroll_id] : [])),
    }));
  }

  it.each<[string, (instance: Watched, author: number) => Promise<number>]>([
    ['by silence', (instance, author) => instance.watchSilence(author, 1)],
    ['on a date', (instance, author) => instance.waitUntil(author, instance.deps.now() + DAY)],
    [
      'by hand',
      async (instance, author) => {
        const id = await instance.aScroll(author, { state: 'watching', trigger_type: 'manual' });
        await releaseNow(instance, author, id);
        return id;
      },
    ],
  ])('%s its author is told, at the proved address', async (_, watch) => {
    const instance = await anInstance();
    const id = await watch(instance, await anAuthor(instance));
    await instance.live(DAY + 4 * HOUR, { deliver: true });
    expect(await instance.stateOf(id)).toBe('released');
    expect(await told(instance)).toEqual([{ state: 'sent', of: [id] }]);
    expect(arrived(instance)).toMatchObject([{ to: 'author@example.org' }]);
  });

  it('somebody who has proved no address is told nothing, and the release is the same', async () => {
    const instance = await anInstance();
    const author = await instance.anAuthor();
    await instance.deps.db
      .insertInto('warning_addresses')
      .values({
        account_id: author,
        address: null,
        proved_at: null,
        asked_address: 'a@b.example',
        asked_message: null,
      })
      .execute();
    const id = await instance.watchSilence(author, 1);
    await instance.live(DAY + 4 * HOUR, { deliver: true });
    expect(await instance.stateOf(id)).toBe('released');
    expect(await toldMails(instance)).toEqual([]);
  });

  it('all that is released together is in one mail, and what follows waits for a day', async () => {
    const instance = await anInstance();
    const author = await anAuthor(instance);
    const other = await anAuthor(instance, 'other@example.org');
    const together = [await instance.watchSilence(author, 1), await instance.watchSilence(author, 1)];
    const later = await instance.waitUntil(author, instance.deps.now() + DAY + 9 * HOUR);
    const latest = await instance.waitUntil(author, instance.deps.now() + DAY + 12 * HOUR);
    const others = await instance.watchSilence(other, 1);
    await instance.live(DAY + 15 * HOUR, { deliver: true });
    expect(await instance.stateOf(latest)).toBe('released');
    expect(arrived(instance)).toHaveLength(2);
    expect(await told(instance)).toEqual([
      { state: 'sent', of: together },
      { state: 'sent', of: [others] },
      { state: 'waiting', of: [later, latest] },
    ]);
    await instance.live(DAY, { deliver: true });
    expect(arrived(instance)).toHaveLength(3);
    const [first, , third] = await toldMails(instance);
    expect((third?.sent_counted ?? 0) - (first?.sent_counted ?? 0)).toBeGreaterThanOrEqual(DAY);
  });

  it('what is released while a mail is on its way takes that mail’s releases along, and loses none', async () => {
    const instance = await anInstance();
    const author = await anAuthor(instance);
    const [one, other] = [
      await instance.aScroll(author, { state: 'watching', trigger_type: 'manual' }),
      await instance.aScroll(author, { state: 'watching', trigger_type: 'manual' }),
    ];
    await releaseNow(instance, author, one);
    instance.mail.answer = async ({ subject }) => {
      if (subject === 'after-release') {
        instance.mail.answer = () => 'accepted';
        await releaseNow(instance, author, other);
      }
      return 'accepted' as const;
    };
    await instance.live(2 * HOUR, { deliver: true });
    expect(await told(instance)).toEqual([
      { state: 'cancelled', of: [one] },
      { state: 'sent', of: [one, other] },
    ]);
  });

  it('a refused address changes nothing of the release, nor of its message', async () => {
    const instance = await anInstance();
    const author = await anAuthor(instance);
    instance.mail.answer = ({ subject }) =>
      subject === 'after-release' ? { refused: 'for-good', why: 'No such mailbox.' } : 'accepted';
    const id = await instance.watchSilence(author, 1);
    await instance.live(DAY + 4 * HOUR, { deliver: true });
    expect(await instance.stateOf(id)).toBe('released');
    expect(await instance.messages()).toMatchObject([
      { kind: 'release', state: 'sent' },
      { kind: 'after-release', state: 'failed', why: 'No such mailbox.' },
    ]);
  });

  it('it says what is so when it leaves: opened, not left yet, told later, deleted', async () => {
    const instance = await anInstance();
    const author = await anAuthor(instance);
    const id = await instance.watchSilence(
      author,
      1,
      { label: 'For Anna' },
      { tell: 'at-release', recipient_type: 'sms', recipient_address: '+447700900123' },
      { tell: 'if-unopened' },
    );
    await instance.live(DAY + 3 * HOUR);
    const [, , mail] = await instance.messages();
    if (mail?.kind !== 'after-release') throw new Error('nobody was told');
    const { db } = instance.deps;
    const isTold = async () => (await findWaiting(db, mail.public_id))?.releases;
    expect(await isTold()).toMatchObject([
      { scroll_id: id, label: 'For Anna', recipients: 2, opened: 0, unsent: 2, later: 1 },
    ]);
    const [first] = await instance.recipients(id);
    await db
      .updateTable('scroll_recipients')
      .set({ opened_at: 1 })
      .where('id', '=', first?.id ?? 0)
      .execute();
    await db
      .updateTable('messages')
      .set({ state: 'sent' })
      .where('recipient_id', '=', first?.id ?? 0)
      .execute();
    expect(await isTold()).toMatchObject([{ opened: 1, unsent: 1, later: 1 }]);
    await deleteScroll(instance.deps, author, { id, fresh: true });
    expect(await isTold()).toMatchObject([{ scroll_id: null, label: null, recipients: 2 }]);
    await removeWarningAddress(instance.deps, author);
    expect((await toldMails(instance)).map(({ state }) => state)).toEqual(['cancelled']);
  });
});
