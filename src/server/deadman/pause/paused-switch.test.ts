// A paused switch tells everybody whom it concerns, and goes on by itself when nobody answers: its administrator may be
// the one who died.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DAY, HOUR } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { aServer, aWatchedInstance, HOURLY, memoryJournal, type Watched } from '../../../testing/switch.ts';
import { lookedAtOrigin } from '../watchdog/outside-look.ts';
import { noteReached } from '../watchdog/reach-store.ts';
import { writeSomeNotices } from './notice-store.ts';
import { goesOnIn, whyItStays } from './paused-switch.ts';

/** Long ticks: these are years of pauses. */
const rules = { ...HOURLY, tick: 20 * HOUR, dark: DAY, standsStillAfter: 5 * DAY };

describeOnEachEngine('a paused switch', (engine) => {
  let w: Watched;
  let author: number;
  let scroll: number;

  async function begin(env: Record<string, string> = {}) {
    w = await aWatchedInstance({ engine, rules, env: { PUBLIC_URL: 'https://vault.example', ...env } });
    const origin = lookedAtOrigin(w.deps);
    if (origin) await noteReached(w.deps.db, origin);
    author = await anAuthorWithAddress('author@example.org');
    scroll = await w.watchSilence(author, 30, { warning: 'mail' });
    await w.live(2 * rules.tick);
  }
  beforeEach(() => begin());
  afterEach(() => w.close());

  async function anAuthorWithAddress(address: string, isAdmin = false) {
    const id = await w.anAuthor();
    await w.deps.db
      .insertInto('warning_addresses')
      .values({ account_id: id, address, proved_at: 1 } as never)
      .execute();
    if (isAdmin) await w.deps.db.updateTable('accounts').set({ is_admin: 1 }).where('id', '=', id).execute();
    return id;
  }
  /** An older database is brought back, so that the journal knows more than it. */
  const restore = () => {
    const { server } = w;
    if (server.journal.entry) server.journal.entry.releases += 1;
    return w.live(rules.tick);
  };
  const told = async () => (await w.messages()).map(({ kind, address, state }) => [kind, address, state]);
  const isPaused = async () => (await w.clock()).paused_reason !== null;
  const live = (days: number) => w.live(days * DAY, { deliver: true });

  it('tells each author whose scrolls watch, and each administrator, once, although counted time stands still', async () => {
    await anAuthorWithAddress('admin@example.org', true);
    await anAuthorWithAddress('nothing-watches@example.org');
    const byHand = await anAuthorWithAddress('by-hand@example.org');
    await w.aScroll(byHand, { state: 'watching', trigger_type: 'manual' });
    await w.waitUntil(await anAuthorWithAddress('a-day@example.org'), w.deps.now() + 300 * DAY);
    await restore();
    expect(await w.server.countedTime()).toBe(null);
    const { counted_time } = await w.clock();
    await live(3);
    expect((await told()).sort()).toEqual([
      ['confirm-switch', 'admin@example.org', 'sent'],
      ['paused', 'a-day@example.org', 'sent'],
      ['paused', 'author@example.org', 'sent'],
    ]);
    expect(w.mail.letters).toHaveLength(3);
    expect((await w.clock()).counted_time).toBe(counted_time);
    // Another server on the same database, which finds it paused, writes nothing more.
    const other = aServer(w.instance, memoryJournal(w.server.journal.entry), false);
    for (let i = 0; i < 5; i += 1) {
      other.time.elapsed += rules.tick;
      await other.tick();
      await other.deliver();
    }
    expect(w.mail.letters).toHaveLength(3);
  });

  it('asks whom the configuration names an administrator as well, and nobody who is called much like one', async () => {
    await w.close();
    await begin({ ADMIN_SUBJECTS: 'kept_by|me,named-by-number' });
    const named = async (address: string, values: { oidc_subject?: string; uid?: string }) => {
      const id = await anAuthorWithAddress(address);
      await w.deps.db.updateTable('accounts').set(values).where('id', '=', id).execute();
    };
    await named('subject@example.org', { oidc_subject: 'https://id.example.org kept_by|me' });
    await named('number@example.org', { uid: 'named-by-number' });
    await named('another@example.org', { oidc_subject: 'https://id.example.org keptxby|me' });
    await named('longer@example.org', { oidc_subject: 'https://id.example.org not kept_by|me' });
    await named('capitals@example.org', { oidc_subject: 'https://id.example.org KEPT_BY|ME' });
    await restore();
    await live(3);
    expect((await told()).filter(([kind]) => kind === 'confirm-switch')).toEqual([
      ['confirm-switch', 'subject@example.org', 'sent'],
      ['confirm-switch', 'number@example.org', 'sent'],
    ]);
  });

  it('goes on by itself after ninety counted days, with every silence anew and a hold', async () => {
    await restore();
    await live(89);
    expect(await isPaused()).toBe(true);
    await live(2);
    expect(await isPaused()).toBe(false);
    const clock = await w.clock();
    expect(clock).toMatchObject({ instance: expect.any(String), paused_for: 0, told_at: null });
    expect(clock.held_until - clock.counted_time).toBeGreaterThan(28 * DAY);
    await live(29);
    expect(await w.stateOf(scroll)).toBe('watching');
    expect(w.mail.letters.filter(({ subject }) => subject === 'warning').length).toBeGreaterThan(0);
    await live(4);
    expect(await w.stateOf(scroll)).toBe('released');
  });

  it('counts from the first mail to an author that was accepted, and not from one to the administrator', async () => {
    await anAuthorWithAddress('admin@example.org', true);
    w.mail.answer = ({ subject }) =>
      subject === 'paused' ? { refused: 'for-now', why: 'Not now.' } : 'accepted';
    await restore();
    await live(60);
    expect((await w.clock()).told_at).toBe(null);
    w.mail.answer = () => 'accepted';
    await live(80);
    expect(await isPaused()).toBe(true);
    await live(12);
    expect(await isPaused()).toBe(false);
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      'the addresses of its authors refuse',
      async () => {
        w.mail.answer = () => ({ refused: 'for-good', why: 'No such mailbox.' });
      },
    ],
    [
      'mail does not work',
      async () => {
        w.mail.answer = () => ({ refused: 'for-now', why: 'Not now.' });
      },
    ],
    ['no mail server is configured', async () => Object.assign(w.deps.transports, { email: null })],
    ['no author has an address', () => w.deps.db.deleteFrom('warning_addresses').execute()],
  ])('goes on by itself after a hundred and eighty counted days where %s', async (_, begins) => {
    await begins();
    await restore();
    await live(179);
    expect(await isPaused()).toBe(true);
    expect((await w.clock()).told_at).toBe(null);
    expect(w.mail.letters.some(({ subject }) => subject !== 'paused')).toBe(false);
    await live(2);
    expect(await isPaused()).toBe(false);
    const clock = await w.clock();
    expect(clock.firmly_held_until - clock.counted_time).toBeGreaterThan(28 * DAY);
    await live(29);
    expect(await w.stateOf(scroll)).toBe('watching');
  });

  it('lasts no longer because an author is told late', async () => {
    w.mail.answer = () => ({ refused: 'for-now', why: 'Not now.' });
    await restore();
    await live(150);
    w.mail.answer = () => 'accepted';
    await live(2);
    expect((await w.clock()).told_at).not.toBe(null);
    await live(27);
    expect(await isPaused()).toBe(true);
    await live(2);
    expect(await isPaused()).toBe(false);
  });

  it.each([
    ['is this machine’s own', { PUBLIC_URL: 'http://localhost:3000' }, 'no-address'],
    ['is not to be looked at', { OUTSIDE_LOOK: 'no' }, 'no-address'],
    ['is another one than before', { PUBLIC_URL: 'https://copy.example' }, 'another-address'],
    ['has never led to it', {}, 'not-reached'],
  ])('stays where its address %s: a copy looks like that', async (_, env, why) => {
    if (why === 'not-reached')
      await w.setClock({ home_origin: null, reached_origin: null, reached_counted: null });
    await restore();
    const { config } = w.instance.sibling({ PUBLIC_URL: 'https://vault.example', ...env }).deps;
    Object.assign(w.deps.config, config);
    await live(200);
    expect(await isPaused()).toBe(true);
    expect(whyItStays(await w.clock(), w.deps)).toBe(why);
  });

  it('says when it goes on, whether or not an author was told', async () => {
    const clock = await w.clock();
    const says = (paused_for: number, told_at: number | null, switchResume: 'never' | 'after-long') =>
      goesOnIn(
        { ...clock, paused_reason: 'restored', paused_for, told_at },
        { config: { ...w.deps.config, switchResume } },
        rules,
      );
    expect(says(0, null, 'after-long')).toBe(180 * DAY);
    expect(says(100 * DAY, null, 'after-long')).toBe(80 * DAY);
    expect(says(100 * DAY, 20 * DAY, 'after-long')).toBe(10 * DAY);
    expect(says(150 * DAY, 140 * DAY, 'after-long')).toBe(30 * DAY);
    expect(says(200 * DAY, null, 'after-long')).toBe(0);
    expect(says(200 * DAY, 20 * DAY, 'never')).toBe(null);
  });

  it('never goes on where its administrator has forbidden it', async () => {
    await w.close();
    await begin({ SWITCH_RESUME: 'never' });
    await restore();
    await live(200);
    expect(await isPaused()).toBe(true);
    expect(await told()).toEqual([['paused', 'author@example.org', 'sent']]);
  });

  it('counts an absence for a day, and what passes by its calendar alone not at all', async () => {
    await restore();
    await live(10);
    w.sleep(200 * DAY);
    await live(1);
    w.setCalendar(200 * DAY);
    await live(1);
    expect(await isPaused()).toBe(true);
    const { paused_for } = await w.clock();
    expect(paused_for).toBeGreaterThan(12 * DAY);
    expect(paused_for).toBeLessThan(14 * DAY);
  });

  it('lets nothing shorten the hold of thirty days, not even a short silence', async () => {
    const short = await w.watchSilence(await w.anAuthor(), 1);
    await restore();
    await live(92);
    expect(await isPaused()).toBe(false);
    await live(27);
    expect(await w.stateOf(short)).toBe('watching');
    await live(6);
    expect(await w.stateOf(short)).toBe('released');
  });

  it('tells of a backup from an earlier pause as of another one', async () => {
    await restore();
    await live(80);
    const { epoch, paused_for, told_at } = await w.clock();
    await w.confirm();
    await live(5);
    await w.setClock({ epoch, paused_for, told_at, paused_reason: 'restored', paused_at: 1 });
    await live(20);
    expect(await isPaused()).toBe(true);
    expect((await w.clock()).epoch).toBeGreaterThan(epoch);
    expect((await told()).filter(([kind, , state]) => kind === 'paused' && state === 'sent')).toHaveLength(2);
  });

  it('tells whoever proves another address meanwhile, there', async () => {
    await restore();
    await live(2);
    await w.deps.db.updateTable('warning_addresses').set({ address: 'new@example.org' }).execute();
    await live(2);
    expect((await told()).map(([, address]) => address)).toEqual(['author@example.org', 'new@example.org']);
  });

  it('tells in time although the calendar was a year ahead when it was paused', async () => {
    w.server.time.synchronised = false;
    w.setCalendar(365 * DAY);
    w.mail.answer = () => ({ refused: 'for-now', why: 'The certificate has expired.' });
    await restore();
    await live(3);
    w.setCalendar(-365 * DAY);
    w.mail.answer = () => 'accepted';
    await live(5);
    expect((await w.clock()).told_at).not.toBe(null);
  });

  it('stops telling in the middle when it is confirmed', async () => {
    for (let i = 0; i < 60; i += 1) {
      await w.watchSilence(await anAuthorWithAddress(`author-${i}@example.org`), 30);
    }
    const clock = await w.clock();
    expect(await writeSomeNotices(w.deps, 'paused', clock, 0)).toBe(null);
    expect(await w.messages()).toEqual([]);
    await w.setClock({ paused_reason: 'restored', paused_at: 1 });
    const next = await writeSomeNotices(w.deps, 'paused', clock, 0);
    expect(next).toBeGreaterThan(0);
    expect(await w.messages()).toHaveLength(50);
    expect(await writeSomeNotices(w.deps, 'paused', clock, next ?? 0)).toBe(null);
    expect(await w.messages()).toHaveLength(61);
  });

  it('counts nothing that passed before it', async () => {
    w.sleep(10 * DAY);
    await restore();
    await live(2);
    expect((await w.clock()).paused_for).toBeLessThanOrEqual(2 * DAY);
    await w.confirm();
    // Nor does a process that begins with it.
    await live(2);
    w.sleep(10 * DAY);
    await w.restart(memoryJournal(w.server.journal.entry && { ...w.server.journal.entry, releases: 9 }));
    await live(2);
    const { paused_reason, paused_for } = await w.clock();
    expect(paused_reason).toBe('restored');
    expect(paused_for).toBeLessThanOrEqual(2 * DAY);
  });

  it('goes on counting after a restart', async () => {
    await restore();
    await live(50);
    const kept = memoryJournal(w.server.journal.entry);
    await w.restart(kept);
    await live(39);
    expect(await isPaused()).toBe(true);
    // Where several may tick, it has looked for three of the long ticks first, and counts a day of them.
    await live(4);
    expect(await isPaused()).toBe(false);
  });

  it('tells nobody any more once its administrator has confirmed, and begins anew at the next pause', async () => {
    w.mail.answer = () => ({ refused: 'for-now', why: 'Not now.' });
    await restore();
    await live(40);
    await w.confirm();
    w.mail.answer = () => 'accepted';
    await live(3);
    expect(await told()).toEqual([['paused', 'author@example.org', 'cancelled']]);
    expect(await isPaused()).toBe(false);
    await restore();
    await live(80);
    expect(await isPaused()).toBe(true);
    expect((await told()).filter(([kind]) => kind === 'paused')).toEqual([
      ['paused', 'author@example.org', 'cancelled'],
      ['paused', 'author@example.org', 'sent'],
    ]);
  });

  it('survives a death between two mails, and sends the second', async () => {
    await anAuthorWithAddress('admin@example.org', true);
    await restore();
    let dead = true;
    w.mail.answer = () => {
      if (dead) throw new Error('killed');
      return 'accepted';
    };
    await live(1);
    dead = false;
    await live(2);
    expect((await told()).map(([, , state]) => state)).toEqual(['sent', 'sent']);
  });
});
