// What follows a release: reminders until the letter is opened, then those who come after, then nothing.
import fc from 'fast-check';
import { expressionBuilder } from 'kysely';
import { afterEach, describe, expect, it, test } from 'vitest';
import { switchRules } from '../../../shared/nouns/switch-rules.ts';
import { DAY, HOUR } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { aWatchedInstance, HOURLY, type Watched } from '../../../testing/switch.ts';
import type { Schema } from '../../db/schema.ts';
import { transact } from '../../db/transact.ts';
import { stopReminders } from '../routes/last-activity/stop-reminders-store.ts';
import { markPassedOn, retryMessage } from '../routes/outbox/store.ts';
import { openReleased } from '../routes/scrolls/opening-store.ts';
import { deleteWhisper } from '../routes/scrolls/whisper-store.ts';
import { releaseScroll } from '../watch/release-store.ts';
import { followUp, nextFollowUp } from './follow-up-store.ts';
import { FOLLOW_UP } from './message-store.ts';

const { reminders: STEPS, unopenedAfter } = switchRules;
/** Two months are some hundred ticks. */
const RULES = { ...HOURLY, tick: 12 * HOUR, outage: 2 * DAY, drift: 2 * DAY, jitter: 2 * DAY };

describe('what is due of a recipient', () => {
  const told = {
    recipientType: 'email' as const,
    reminders: 0,
    isStopped: false,
    releasedAt: 0,
    newest: { state: 'sent' as const },
    acceptedAt: 10 * DAY,
  };
  const due = (fields: Partial<Omit<typeof told, 'newest'>> & { newest?: unknown }, day: number) =>
    nextFollowUp({ ...told, ...fields } as never, day * DAY, switchRules);

  test.each([
    ['nothing before three days', {}, 12.9, { do: 'wait', at: 13 * DAY }],
    ['the first reminder after three', {}, 13, { do: 'remind', next: 24 * DAY }],
    ['the second after fourteen', { reminders: 1 }, 24, { do: 'remind', next: 55 * DAY }],
    ['the third after forty-five', { reminders: 2 }, 55, { do: 'remind', next: 70 * DAY }],
    ['nothing more after it', { reminders: 3 }, 69, { do: 'wait', at: 70 * DAY }],
    ['the end after sixty', { reminders: 3 }, 70, { do: 'give-up' }],
    [
      'a day’s sleep while a message waits',
      { newest: { state: 'waiting' } },
      30,
      { do: 'wait', at: 31 * DAY },
    ],
    [
      'the end for one that waits for what never comes',
      { newest: { state: 'waiting' }, acceptedAt: null as never },
      60,
      { do: 'give-up' },
    ],
    [
      'a day’s sleep for a reminder that waits although the letter was told of lately',
      { newest: { state: 'waiting' }, reminders: 1 },
      60,
      { do: 'wait', at: 61 * DAY },
    ],
    ['the end for one that waits for too long', { newest: { state: 'waiting' } }, 70, { do: 'give-up' }],
    [
      'nothing within three days of a reminder that had waited',
      { newest: { state: 'sent', sent_counted: 23 * DAY }, reminders: 1 },
      24,
      { do: 'wait', at: 26 * DAY },
    ],
    [
      'no end within three days of the last one',
      { newest: { state: 'sent', sent_counted: 69 * DAY }, reminders: 3 },
      70,
      { do: 'wait', at: 72 * DAY },
    ],
    ['no reminder to somebody who wants none', { isStopped: true }, 13, { do: 'wait', at: 70 * DAY }],
    ['the end for somebody who wanted none', { isStopped: true }, 70, { do: 'give-up' }],
    [
      'the end where the address was refused',
      { newest: { state: 'failed', refused: 1 } },
      11,
      { do: 'give-up' },
    ],
    [
      'the end where the letter itself was given up',
      { newest: { state: 'failed', refused: 0 }, acceptedAt: null as never },
      11,
      { do: 'give-up' },
    ],
    [
      'the next one where a message failed for another reason',
      { newest: { state: 'failed', refused: 0 }, reminders: 1 },
      24,
      { do: 'remind', next: 55 * DAY },
    ],
    ['no reminder of a whisper', { recipientType: 'whisper' as never }, 60, { do: 'wait', at: 70 * DAY }],
    [
      'no reminder to whoever looks for themselves',
      { recipientType: 'card' as never, newest: null, acceptedAt: null as never },
      60,
      { do: 'give-up' },
    ],
  ])('%s', (_, fields, day, expected) => expect(due(fields, day)).toEqual(expected));

  test('two reminders never go within three days, however late the first one is', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(2), (late, reminders) => {
        const now = 10 + late;
        const answer = due({ reminders }, now);
        if (answer.do === 'remind') expect(answer.next).toBeGreaterThanOrEqual((now + 3) * DAY);
      }),
    );
  });
});

describeOnEachEngine('after a release', (engine) => {
  let watched: Watched;
  afterEach(() => watched.close());

  async function released(...others: Parameters<Watched['aScroll']>[2][]) {
    watched = await aWatchedInstance({ engine, rules: RULES });
    const author = await watched.anAuthor();
    const values = { state: 'watching', trigger_type: 'manual', author_name: 'Agnes' } as const;
    const id = await watched.aScroll(author, values, ...others.map((one) => one ?? {}));
    await transact(watched.deps.db, (tx) => releaseScroll(watched.deps, tx, id));
    await watched.server.deliver();
    return id;
  }
  const days = (count: number) => watched.live(count * DAY, { deliver: true });
  const sent = () => watched.mail.letters.map(({ to, subject }) => `${subject} ${to}`);
  const open = async (recipientId: number) => {
    const eb = expressionBuilder<Schema, 'scroll_recipients'>();
    const opens = eb('scroll_recipients.id', '=', recipientId);
    return openReleased(watched.deps, opens, watched.deps.now());
  };
  const jobs = () => watched.deps.db.selectFrom('jobs').selectAll().where('kind', '=', FOLLOW_UP).execute();

  it('reminds after 3, 14 and 45 days, then takes the letter for unopened', async () => {
    const id = await released();
    expect(sent()).toEqual(['release recipient@example.org']);
    let day = 0;
    const until = async (end: number) => {
      await days(end - day);
      day = end;
    };
    for (const [i, step] of STEPS.entries()) {
      await until(step / DAY - 0.5);
      expect(watched.mail.letters).toHaveLength(i + 1);
      await until(step / DAY + 1.5);
      expect(watched.mail.letters).toHaveLength(i + 2);
    }
    expect(sent().slice(1)).toEqual(Array(3).fill('reminder recipient@example.org'));
    expect(await watched.messages({ kind: 'reminder' })).toMatchObject(
      [1, 2, 3].map((n) => ({ step: n, author_name: 'Agnes' })),
    );
    await days(30);
    expect(await watched.recipients(id)).toMatchObject([
      { reminders: 3, unopened_since: expect.any(Number), opened_at: null },
    ]);
    expect(watched.mail.letters).toHaveLength(4);
    expect(await jobs()).toEqual([]);
  });

  it('reminds no more once the letter is opened, and a reminder that waits never leaves', async () => {
    const id = await released();
    await days(4);
    expect(watched.mail.letters).toHaveLength(2);
    watched.mail.answer = () => ({ refused: 'for-now', why: 'It is busy.' });
    await days(11);
    const [recipient] = await watched.recipients(id);
    expect(await watched.messages({ kind: 'reminder' })).toMatchObject([
      { state: 'sent' },
      { state: 'waiting' },
    ]);
    const tries = watched.mail.letters.length;
    await open(recipient?.id ?? 0);
    watched.mail.answer = () => 'accepted';
    await days(70);
    expect(watched.mail.letters).toHaveLength(tries);
    expect(await watched.messages({ kind: 'reminder' })).toMatchObject([
      { state: 'sent' },
      { state: 'cancelled' },
    ]);
    expect(await watched.recipients(id)).toMatchObject([{ unopened_since: null }]);
    expect(await jobs()).toEqual([]);
  });

  it('reminds no more once the recipient wants that; the letter stays, and others are told when they would be', async () => {
    const id = await released({ tell: 'if-unopened' });
    await days(4);
    expect(watched.mail.letters).toHaveLength(2);
    watched.mail.answer = () => ({ refused: 'for-now', why: 'It is busy.' });
    await days(11);
    const [first] = await watched.recipients(id);
    expect(await stopReminders(watched.deps, first?.public_id ?? '')).toBe(true);
    watched.mail.answer = () => 'accepted';
    await days(unopenedAfter / DAY - 13);
    expect(await watched.messages({ kind: 'reminder' })).toMatchObject([
      { state: 'sent' },
      { state: 'cancelled' },
    ]);
    expect(await watched.recipients(id)).toMatchObject([
      { unopened_since: expect.any(Number) },
      { released_at: expect.any(Number) },
    ]);
    expect(await open(first?.id ?? 0)).not.toBeNull();
  });

  it('counts from when the message was accepted', async () => {
    watched = await aWatchedInstance({ engine, rules: RULES });
    watched.mail.answer = () => ({ refused: 'for-now', why: 'It is busy.' });
    const id = await watched.aScroll(await watched.anAuthor(), { state: 'watching', trigger_type: 'manual' });
    await transact(watched.deps.db, (tx) => releaseScroll(watched.deps, tx, id));
    await days(10);
    expect(await watched.messages({ kind: 'reminder' })).toEqual([]);
    watched.mail.answer = () => 'accepted';
    await days(2);
    expect((await watched.messages({ kind: 'release' }))[0]?.state).toBe('sent');
    await days(1);
    expect(await watched.messages({ kind: 'reminder' })).toEqual([]);
    await days(3);
    expect(await watched.messages({ kind: 'reminder' })).toHaveLength(1);
  });

  it('tells those who come after the others once nobody of these has opened it', async () => {
    const id = await released({}, { tell: 'if-unopened' });
    expect(sent().sort()).toEqual(['release recipient1@example.org', 'release recipient@example.org']);
    await days(unopenedAfter / DAY + 2);
    const all = sent();
    expect(all.filter((letter) => letter.startsWith('release')).sort()).toEqual([
      'release recipient1@example.org',
      'release recipient2@example.org',
      'release recipient@example.org',
    ]);
    const [, , last] = await watched.recipients(id);
    expect(last).toMatchObject({ released_at: expect.any(Number), unopened_since: null });
    await days(4);
    expect(sent().filter((letter) => letter.endsWith('recipient2@example.org'))).toEqual([
      'release recipient2@example.org',
      'reminder recipient2@example.org',
    ]);
  });

  it('tells nobody after them where one of them has opened it', async () => {
    const id = await released({}, { tell: 'if-unopened' });
    const [, second] = await watched.recipients(id);
    await open(second?.id ?? 0);
    await days(unopenedAfter / DAY + 5);
    expect(sent().filter((letter) => letter.startsWith('release'))).toHaveLength(2);
    expect(await watched.recipients(id)).toMatchObject([
      { unopened_since: expect.any(Number) },
      { unopened_since: null },
      { released_at: null },
    ]);
  });

  it('tells those who come after at once where the first address takes no mail', async () => {
    watched = await aWatchedInstance({ engine, rules: RULES });
    watched.mail.answer = ({ to }) =>
      to === 'recipient@example.org' ? { refused: 'for-good', why: 'There is no such mailbox.' } : 'accepted';
    const author = await watched.anAuthor();
    const values = { state: 'watching', trigger_type: 'manual' } as const;
    const id = await watched.aScroll(author, values, { tell: 'if-unopened' });
    await transact(watched.deps.db, (tx) => releaseScroll(watched.deps, tx, id));
    await days(2);
    expect(sent()).toContain('release recipient1@example.org');
    // Passed on by hand, it is followed by reminders after all.
    const [failed] = await watched.messages({ kind: 'release' });
    await markPassedOn(watched.deps, failed?.id ?? 0);
    watched.mail.answer = () => 'accepted';
    await days(5);
    expect(sent()).toContain('reminder recipient@example.org');
    expect((await watched.recipients(id))[0]).toMatchObject({ unopened_since: null });
  });

  it('reminds of nothing more once the address of a reminder is refused', async () => {
    const id = await released();
    watched.mail.answer = () => ({ refused: 'for-good', why: 'There is no such mailbox.' });
    await days(6);
    expect(await watched.messages({ kind: 'reminder' })).toMatchObject([{ state: 'failed', refused: 1 }]);
    watched.mail.answer = () => 'accepted';
    await days(60);
    expect(await watched.messages({ kind: 'reminder' })).toHaveLength(1);
    expect((await watched.recipients(id))[0]?.unopened_since).not.toBeNull();
  });

  it('goes on with the other reminders although one was given up for another reason', async () => {
    await released();
    await days(4);
    const failed = { state: 'failed', refused: 0, sent_counted: null } as const;
    await watched.deps.db.updateTable('messages').set(failed).where('kind', '=', 'reminder').execute();
    await days(45);
    expect((await watched.messages({ kind: 'reminder' })).map(({ state }) => state)).toEqual([
      'failed',
      'sent',
      'sent',
    ]);
  });

  it('tells those who come after while mail is down for months, and reminds the first of all three times after it', async () => {
    watched = await aWatchedInstance({ engine, rules: RULES });
    watched.mail.answer = ({ to }) =>
      to === 'recipient@example.org' ? { refused: 'for-now', why: 'It is down.' } : 'accepted';
    const values = { state: 'watching', trigger_type: 'manual' } as const;
    const id = await watched.aScroll(await watched.anAuthor(), values, { tell: 'if-unopened' });
    await transact(watched.deps.db, (tx) => releaseScroll(watched.deps, tx, id));
    await days(100);
    const first = async () => (await watched.recipients(id))[0];
    expect(sent()).toContain('release recipient1@example.org');
    expect(await first()).toMatchObject({ unopened_since: expect.any(Number), reminders: 0 });
    expect((await watched.messages({ kind: 'release' }))[0]).toMatchObject({ state: 'waiting' });
    watched.mail.letters.length = 0;
    watched.mail.answer = () => 'accepted';
    await days(8);
    expect(sent()).toContain('release recipient@example.org');
    expect(await first()).toMatchObject({ unopened_since: null });
    await days(61);
    expect(sent().filter((letter) => letter === 'reminder recipient@example.org')).toHaveLength(3);
    expect(sent().filter((letter) => letter.startsWith('release'))).toHaveLength(1);
    expect(await first()).toMatchObject({ unopened_since: expect.any(Number), reminders: 3 });
  });

  it('loses no reminder where mail is down for two months in the middle', async () => {
    await released();
    watched.mail.answer = () => ({ refused: 'for-now', why: 'It is down.' });
    await days(90);
    expect(await watched.messages({ kind: 'reminder' })).toMatchObject([{ state: 'waiting', step: 1 }]);
    watched.mail.answer = () => 'accepted';
    watched.mail.letters.length = 0;
    const at: number[] = [];
    for (let day = 0; day < 30; day += 1) {
      const before = watched.mail.letters.length;
      await days(1);
      if (watched.mail.letters.length > before) at.push(day);
    }
    expect(sent()).toEqual(Array(3).fill('reminder recipient@example.org'));
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(3);
    expect((at[2] ?? 0) - (at[1] ?? 0)).toBeGreaterThanOrEqual(3);
  });

  it('follows a message that the administrator has tried again', async () => {
    const id = await released();
    const { db } = watched.deps;
    const [message] = await watched.messages();
    await db.updateTable('messages').set({ state: 'failed', refused: 1, sent_counted: null }).execute();
    await days(2);
    expect((await watched.recipients(id))[0]?.unopened_since).not.toBeNull();
    await retryMessage(watched.deps, message?.id ?? 0);
    await days(5);
    expect(sent()).toEqual([
      'release recipient@example.org',
      'release recipient@example.org',
      'reminder recipient@example.org',
    ]);
  });

  it('tries no reminder again that had failed, once the letter was opened', async () => {
    const id = await released();
    watched.mail.answer = () => ({ refused: 'for-good', why: 'The mailbox is full.' });
    await days(4);
    const [reminder] = await watched.messages({ kind: 'reminder' });
    expect(reminder?.state).toBe('failed');
    const [recipient] = await watched.recipients(id);
    await open(recipient?.id ?? 0);
    const tries = watched.mail.letters.length;
    await retryMessage(watched.deps, reminder?.id ?? 0);
    await days(2);
    expect(watched.mail.letters).toHaveLength(tries);
  });

  it('reminds whoever looks for themselves by nothing, and goes on to those who come after', async () => {
    watched = await aWatchedInstance({ engine, rules: RULES });
    const values = {
      state: 'watching',
      trigger_type: 'manual',
      recipient_type: 'card',
      recipient_address: 'card',
    } as const;
    const id = await watched.aScroll(await watched.anAuthor(), values, { tell: 'if-unopened' });
    await transact(watched.deps.db, (tx) => releaseScroll(watched.deps, tx, id));
    await days(unopenedAfter / DAY - 1);
    expect(sent()).toEqual([]);
    await days(3);
    expect(sent()).toEqual(['release recipient1@example.org']);
  });

  it('writes each reminder once, whichever servers run its job, and however often', async () => {
    await released();
    const { db } = watched.deps;
    const [job] = await jobs();
    if (!job) throw new Error('There is no job.');
    const { counted_time } = await watched.clock();
    const later = counted_time + 4 * DAY;
    const leased = { ...job, lease: 'one' };
    await Promise.all([1, 2, 3].map(() => followUp(watched.deps, leased, later)));
    expect(await watched.messages({ kind: 'reminder' })).toHaveLength(1);
    // A database that was restored before it was written writes it under the same number.
    const [first] = await watched.messages({ kind: 'reminder' });
    await db.deleteFrom('messages').where('kind', '=', 'reminder').execute();
    await db.updateTable('scroll_recipients').set({ reminders: 0 }).execute();
    await followUp(watched.deps, leased, later);
    expect((await watched.messages({ kind: 'reminder' }))[0]?.public_id).toBe(first?.public_id);
  });

  it('sends nothing while the switch is paused, and not all at once after it', async () => {
    await released();
    await watched.setClock({ paused_reason: 'restored', paused_at: 1 });
    await days(50);
    expect(watched.mail.letters).toHaveLength(1);
    await watched.confirm();
    await days(1);
    expect(watched.mail.letters.length).toBeLessThanOrEqual(2);
  });

  describe('of a scroll that a destroyed vault has left, whose whisper is deleted', () => {
    /** A whisper, a mail at the release, and one who comes after both. */
    async function leftWhisper(...atRelease: Parameters<Watched['aScroll']>[2][]) {
      watched = await aWatchedInstance({ engine, rules: RULES });
      const reader = await watched.anAuthor();
      const values = {
        state: 'watching',
        trigger_type: 'manual',
        recipient_type: 'whisper',
        recipient_address: 'a'.repeat(32),
        recipient_account_id: reader,
      } as const;
      const author = await watched.anAuthor();
      const id = await watched.aScroll(author, values, ...atRelease, { tell: 'if-unopened' });
      const { db } = watched.deps;
      await transact(db, (tx) => releaseScroll(watched.deps, tx, id));
      await watched.server.deliver();
      const { counted_time } = await watched.clock();
      const left = { account_id: null, author_hash: 'gone', kept_until: counted_time + 365 * DAY };
      await db.updateTable('legacy_scrolls').set(left).where('id', '=', id).execute();
      await db.updateTable('scroll_recipients').set({ account_id: null }).execute();
      await db.updateTable('messages').set({ account_id: null, author_hash: 'gone' }).execute();
      const [whisper] = await watched.recipients(id);
      return { id, reader, whisper: whisper?.id ?? 0, publicId: whisper?.public_id ?? '' };
    }

    it('tells those who come after, where it was not opened', async () => {
      const { reader, publicId } = await leftWhisper();
      expect(await deleteWhisper(watched.deps, reader, publicId)).toBe(true);
      expect(await deleteWhisper(watched.deps, reader, publicId)).toBe(false);
      await days(unopenedAfter / DAY - 2);
      expect(sent()).toEqual([]);
      await days(4);
      expect(sent()).toEqual(['release recipient1@example.org']);
    });

    it('tells nobody after it, where it was opened', async () => {
      const { id, reader, whisper, publicId } = await leftWhisper({});
      await open(whisper);
      expect(await deleteWhisper(watched.deps, reader, publicId)).toBe(true);
      await days(unopenedAfter / DAY + 5);
      expect(sent().filter((letter) => letter.startsWith('release'))).toEqual([
        'release recipient1@example.org',
      ]);
      expect((await watched.recipients(id)).at(-1)).toMatchObject({ released_at: null });
    });
  });

  it('ends with the scroll, and is not written within the last month of one that was left', async () => {
    const id = await released();
    const { db } = watched.deps;
    const { counted_time } = await watched.clock();
    await db
      .updateTable('legacy_scrolls')
      .set({ account_id: null, kept_until: counted_time + 32 * DAY })
      .where('id', '=', id)
      .execute();
    await days(5);
    expect(watched.mail.letters).toHaveLength(1);
    expect(await jobs()).toEqual([]);
  });
});
