// Whether a transport works: known from what is tried, told everywhere it is asked for, and over with the first acceptance.
import { afterEach, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { signUpByPassphrase } from '../../../testing/people.ts';
import { accountIdOf } from '../../../testing/planting.ts';
import { aServer, aWatchedInstance, HOURLY, memoryJournal, type Watched } from '../../../testing/switch.ts';
import type { Delivery } from '../../adapters/transport.ts';
import { releaseScroll } from '../watch/release-store.ts';
import { DELIVER } from './message-store.ts';
import { noteTry, readFailing } from './transport-store.ts';

const DOWN: Delivery = { refused: 'for-now', why: 'The mail server could not be reached.' };
const WORKS = { noMailSince: null, noTextsSince: null };
const METRICS_TOKEN = 'a-token-of-sixteen';

describeOnEachEngine('a transport', (engine) => {
  let w: Watched;
  afterEach(() => w.close());
  async function begin() {
    const rules = { ...HOURLY, tick: 10 * MINUTE };
    w = await aWatchedInstance({ engine, rules, alone: false, env: { METRICS_TOKEN } });
    return w.anAuthor();
  }
  async function release(author: number) {
    const id = await w.aScroll(author, { state: 'watching', trigger_type: 'manual' });
    await w.deps.db.transaction().execute((tx) => releaseScroll(w.deps, tx, id));
    await w.server.deliver();
  }
  const failing = () => readFailing(w.deps);
  const told = (word: string) =>
    w.instance.log.filter(({ msg }) => String(msg).startsWith(`mail can${word}`)).length;
  const ready = async () => (await w.instance.request('GET', '/readyz')).json();
  const gauge = async () => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const text = await (await w.instance.request('GET', '/metrics', { headers })).text();
    return text.match(/^latebra_transport_failing.*$/gm);
  };

  it('fails once three tries in a row have failed over five minutes, and not before', async () => {
    const author = await begin();
    const since = new Date(w.deps.now()).toISOString();
    w.mail.answer = () => DOWN;
    for (let i = 0; i < 4; i += 1) await release(author);
    expect(await failing()).toEqual(WORKS);
    await w.live(10 * MINUTE, { deliver: true });
    expect(await failing()).toEqual({ ...WORKS, noMailSince: since });
    expect(told('not')).toBe(1);
    await w.live(2 * HOUR, { deliver: true });
    expect(await failing()).toEqual({ ...WORKS, noMailSince: since });
    expect(told('not')).toBe(1);
  });

  it('is told of by readiness, which stays 200, by the figures, and to whoever asks for the switch', async () => {
    const author = await begin();
    expect(await ready()).toEqual({ status: 'ready', degraded: [] });
    // One that was not set up does not fail.
    expect(await gauge()).toEqual(['latebra_transport_failing{channel="email"} 0']);
    w.mail.answer = () => DOWN;
    await release(author);
    await w.live(HOUR, { deliver: true });
    expect(await ready()).toEqual({ status: 'ready', degraded: ['mail'] });
    expect(await gauge()).toEqual(['latebra_transport_failing{channel="email"} 1']);
    const person = await signUpByPassphrase(w.instance);
    const answer = async (path: string) => (await person.request('GET', path)).json();
    expect(await answer('/api/switch')).toMatchObject({
      noMailSince: expect.any(String),
      noTextsSince: null,
    });
    expect(await answer('/api/summary')).toMatchObject({ unsentMessages: 0 });
    await release(await accountIdOf(w.instance, person));
    expect(await answer('/api/summary')).toMatchObject({ unsentMessages: 1 });
  });

  it('works again with the first message that is accepted', async () => {
    const author = await begin();
    w.mail.answer = () => DOWN;
    await release(author);
    await w.live(HOUR, { deliver: true });
    w.mail.answer = () => 'accepted';
    await release(author);
    expect(await failing()).toEqual(WORKS);
    expect(await ready()).toEqual({ status: 'ready', degraded: [] });
    expect(told(' be sent again')).toBe(1);
    // What fails later fails anew.
    w.mail.answer = () => DOWN;
    for (let i = 0; i < 3; i += 1) await release(author);
    expect(await failing()).toEqual(WORKS);
  });

  it('is not judged by what is refused to one address', async () => {
    const author = await begin();
    for (const answer of [
      { refused: 'for-good', why: 'Nobody there.' },
      { refused: 'for-now', alone: true, why: 'Greylisted.' },
    ] as const) {
      w.mail.answer = () => answer;
      for (let i = 0; i < 4; i += 1) await release(author);
      await w.live(6 * HOUR, { deliver: true });
      expect(await failing()).toEqual(WORKS);
    }
  });

  it('is judged by the notices of a pause as well', async () => {
    const author = await begin();
    await w.deps.db
      .insertInto('warning_addresses')
      .values({ account_id: author, address: 'author@example.org', proved_at: 1 } as never)
      .execute();
    await w.watchSilence(author, 30, { warning: 'mail' });
    w.mail.answer = () => DOWN;
    await w.setClock({ paused_reason: 'restored', paused_at: 1 });
    await w.live(9 * HOUR, { deliver: true });
    expect((await failing()).noMailSince).not.toBeNull();
    w.mail.answer = () => 'accepted';
    await w.live(2 * DAY, { deliver: true, tick: HOUR });
    expect(await failing()).toEqual(WORKS);
  });

  it('is told of once, whichever servers try', async () => {
    const author = await begin();
    const other = aServer(w.instance, memoryJournal(w.server.journal.entry), false);
    await other.tick();
    w.mail.answer = () => DOWN;
    for (let i = 0; i < 4; i += 1) await release(author);
    await w.live(10 * MINUTE);
    await Promise.all([w.server.deliver(), other.deliver()]);
    expect(told('not')).toBe(1);
  });

  it('is believed to fail for as long as something is tried, which is each week', async () => {
    await begin();
    w.mail.answer = () => DOWN;
    const message = { channel: 'email' } as const;
    for (let i = 0; i < 3; i += 1) await noteTry(w.deps, message, DOWN);
    await w.live(7 * DAY, { tick: HOUR });
    expect((await failing()).noMailSince).not.toBeNull();
    await w.live(2 * DAY, { tick: HOUR });
    expect(await failing()).toEqual(WORKS);
  });

  it('that took nothing for days gets everything that waits at once when it takes something', async () => {
    const author = await begin();
    w.mail.answer = () => DOWN;
    for (let i = 0; i < 5; i += 1) await release(author);
    await w.live(3 * DAY, { deliver: true, tick: HOUR });
    w.mail.answer = () => 'accepted';
    await release(author);
    await w.server.deliver();
    expect((await w.messages()).map(({ state }) => state)).toEqual(Array(6).fill('sent'));
    expect(await w.deps.db.selectFrom('jobs').selectAll().where('kind', '=', DELIVER).execute()).toEqual([]);
  });

  it('whose calendar went back is not missed since a day that has not come', async () => {
    await begin();
    const message = { channel: 'sms' } as const;
    w.setCalendar(100 * DAY);
    for (let i = 0; i < 3; i += 1) await noteTry(w.deps, message, DOWN);
    w.setCalendar(-100 * DAY);
    await noteTry(w.deps, message, DOWN);
    await w.live(10 * MINUTE);
    expect(Date.parse((await failing()).noTextsSince ?? '')).toBeLessThan(w.deps.now());
  });
});
