// The administrator's outbox and the word that a paused switch waits for.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../../../shared/nouns/outbox.ts';
import { DAY, HOUR } from '../../../../shared/time.ts';
import { describeOnEachEngine } from '../../../../testing/engines.ts';
import { failure, openTestInstance, type TestInstance } from '../../../../testing/instance.ts';
import { type Person, signUpByPassphrase } from '../../../../testing/people.ts';
import { accountIdOf, plantMessage } from '../../../../testing/planting.ts';
import { aWatch, firstOf, pressTokenOf, scrollsOf, take } from '../../../../testing/scrolls.ts';
import { instanceName } from '../../clock/instance.ts';
import { DELIVER } from '../../delivery/message-store.ts';

/** No transport fails. */
const WORKS = { noMailSince: null, noTextsSince: null };

describeOnEachEngine('the administrator', (engine) => {
  let instance: TestInstance;
  let administrator: Person;
  beforeAll(async () => {
    instance = await openTestInstance({ engine, env: { PUBLIC_URL: 'https://vault.example.org' } });
    administrator = await signUpByPassphrase(instance);
    await instance.deps.db.updateTable('accounts').set({ is_admin: 1 }).execute();
  });
  afterAll(() => instance.close());

  const now = () => new Date(instance.clock.now()).toISOString();
  const outbox = async (query = '') =>
    (await (await administrator.request('GET', `/api/outbox${query}`)).json()) as Message[];
  const prove = () =>
    administrator.request('POST', '/api/proof/passphrase', { body: { authKey: administrator.authKey } });
  const act = async (id: number, verb: 'retry' | 'passed-on') => {
    if (verb === 'passed-on') await prove();
    const response = await administrator.request('POST', `/api/outbox/${id}/${verb}`);
    expect(response.status).toBe(200);
    return (await response.json()) as Message;
  };
  const jobs = () => instance.deps.db.selectFrom('jobs').selectAll().where('kind', '=', DELIVER).execute();
  const setClock = (fields: object) => instance.deps.db.updateTable('instance_clock').set(fields).execute();

  describe('of the outbox', () => {
    let author: Person;
    beforeEach(async () => {
      await instance.deps.db.deleteFrom('messages').execute();
      await instance.deps.db.deleteFrom('jobs').execute();
      author = await signUpByPassphrase(instance);
    });
    async function aMessage(fields: object = {}): Promise<Message & { publicId: string }> {
      const account_id = await accountIdOf(instance, author);
      const { public_id: publicId } = await plantMessage(instance, { account_id, ...fields });
      const [message] = await outbox('?limit=1');
      return { ...(message as Message), publicId };
    }

    it('sees what a release says, which is nothing of the scroll', async () => {
      const scroll = await take(author, await aWatch(author), 'release');
      const [message] = await outbox();
      expect(message).toEqual({
        id: expect.any(Number),
        kind: 'release',
        channel: 'email',
        address: 'ada@mail.example',
        state: 'waiting',
        attempts: 0,
        why: null,
        withheld: null,
        nextTryAt: null,
        createdAt: now(),
        sentAt: null,
        byHand: false,
        scrollIds: [scroll.id],
        body: expect.stringContaining(`https://vault.example.org/legacy/${firstOf(scroll).publicId}`),
      });
      expect(message?.body).not.toContain('#');
    });

    it('passes on a link that counts, or asks for a sign-in where only that counts', async () => {
      const { publicId, body } = await aMessage();
      const link = `https://vault.example.org/still-here#${await pressTokenOf(instance, publicId)}`;
      expect(body).toContain(link);
      await instance.deps.db
        .updateTable('last_activity')
        .set({ confirmations: 3 })
        .where('account_id', '=', await accountIdOf(instance, author))
        .execute();
      const [again] = await outbox();
      expect(again?.body).not.toContain('still-here');
      expect(again?.body).toContain('https://vault.example.org/enter');
    });

    it.each(['sent', 'cancelled'])('does not see again what was %s', async (state) => {
      const { id, body } = await aMessage({ state });
      expect(body).toBeNull();
      for (const verb of ['retry', 'passed-on'] as const) {
        expect(await act(id, verb)).toMatchObject({ state, body: null });
      }
      expect(await jobs()).toEqual([]);
    });

    it('sees a whisper that reached nobody, and nothing to pass on', async () => {
      const { body } = await aMessage({
        kind: 'release',
        channel: 'whisper',
        state: 'failed',
        why: 'Nobody.',
      });
      expect(body).toBeNull();
    });

    it('sees the newest first, page by page', async () => {
      const ids: number[] = [];
      for (let i = 0; i < 5; i += 1) ids.unshift((await aMessage()).id);
      const seen: number[] = [];
      let path: string | undefined = '/api/outbox?limit=2';
      while (path) {
        const response = await administrator.request('GET', path);
        seen.push(...((await response.json()) as Message[]).map(({ id }) => id));
        path = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
      }
      expect(seen).toEqual(ids);
    });

    it.each(['failed', 'waiting'])('has what %s tried again at once', async (state) => {
      await setClock({ counted_time: 3 * DAY });
      const { id, publicId } = await aMessage({ state, why: 'The mail server refused it.', attempts: 4 });
      await instance.deps.db
        .insertInto('jobs')
        .values({ kind: 'deliver', dedupe_key: publicId, run_at: 9 * DAY, lease: null, lease_until: null })
        .execute();
      expect(await act(id, 'retry')).toMatchObject({ state: 'waiting', attempts: 4 });
      expect(await jobs()).toMatchObject([{ kind: 'deliver', dedupe_key: publicId, run_at: 3 * DAY }]);
    });

    it('passes on by hand, which delivers, and is no accepted warning', async () => {
      const released = await take(author, await aWatch(author), 'release');
      const [message] = await outbox();
      instance.clock.advance(HOUR);
      const passed = await act(message?.id ?? 0, 'passed-on');
      expect(passed).toMatchObject({ state: 'sent', sentAt: now(), byHand: true, body: null });
      const [shown] = await scrollsOf(author);
      expect(shown).toMatchObject({
        id: released.id,
        recipients: [{ delivery: { state: 'sent', at: now() } }],
      });

      author = await signUpByPassphrase(instance);
      const scroll = await aWatch(author);
      const warning = await aMessage({ scroll_id: scroll.id, state: 'failed', why: 'x' });
      expect(await act(warning.id, 'passed-on')).toMatchObject({ state: 'sent', why: null });
      const row = await instance.deps.db
        .selectFrom('legacy_scrolls')
        .select('warning_accepted')
        .where('id', '=', scroll.id)
        .executeTakeFirstOrThrow();
      expect(row.warning_accepted).toBeNull();
    });

    it('whoever has only their session cannot say that a letter was passed on, which would keep it from its recipient', async () => {
      await take(author, await aWatch(author), 'release');
      const [message] = await outbox();
      instance.clock.advance(HOUR);
      const path = `/api/outbox/${message?.id}`;
      const refused = await administrator.request('POST', `${path}/passed-on`);
      expect(await failure(refused)).toEqual({ status: 403, code: 'proof-needed' });
      expect((await outbox())[0]).toMatchObject({ state: 'waiting', byHand: false });
      expect((await administrator.request('POST', `${path}/retry`)).status).toBe(200);
    });

    it('knows no message of another number', async () => {
      await prove();
      for (const verb of ['retry', 'passed-on']) {
        const response = await administrator.request('POST', `/api/outbox/999999/${verb}`);
        expect(await failure(response)).toEqual({ status: 404, code: 'not-found' });
      }
    });
  });

  it('without PUBLIC_URL passes on links to where they see this server themselves', async () => {
    const local = await openTestInstance({ engine });
    const someone = await signUpByPassphrase(local);
    await local.deps.db.updateTable('accounts').set({ is_admin: 1 }).execute();
    const scroll = await take(someone, await aWatch(someone), 'release');
    const response = await someone.request('GET', '/api/outbox', { headers: { host: 'localhost:8123' } });
    const [message] = (await response.json()) as Message[];
    expect(message?.body).toContain(`http://localhost:8123/legacy/${firstOf(scroll).publicId}`);
    await local.close();
  });

  describe('of the switch', () => {
    const state = async (who = administrator) => (await who.request('GET', '/api/switch')).json();
    const confirm = (who = administrator) => who.request('POST', '/api/switch/confirm');
    beforeEach(async () => void (await prove()));

    it('sees, as everybody does, that it works', async () => {
      await setClock({ counted_time: 5 * DAY, held_until: 0 });
      expect(await state()).toEqual({
        paused: null,
        outOfReachSince: null,
        elsewhere: null,
        calendar: null,
        ...WORKS,
        heldFor: 0,
      });
      await setClock({ held_until: 6 * DAY });
      expect(await state(await signUpByPassphrase(instance))).toEqual({
        paused: null,
        outOfReachSince: null,
        elsewhere: null,
        calendar: null,
        ...WORKS,
        heldFor: DAY,
      });
    });

    it('confirms a paused one, for this instance; silence then releases nothing for three days', async () => {
      const paused_at = instance.clock.now();
      await setClock({
        counted_time: 5 * DAY,
        held_until: 0,
        paused_reason: 'restored',
        paused_at,
        epoch: 4,
      });
      expect(await state()).toEqual({
        paused: { reason: 'restored', since: now(), goesOnIn: null },
        outOfReachSince: null,
        elsewhere: null,
        calendar: null,
        ...WORKS,
        heldFor: 0,
      });
      const works = {
        ...{ paused: null, outOfReachSince: null, elsewhere: null, calendar: null },
        ...WORKS,
        heldFor: 3 * DAY,
      };
      expect(await (await confirm()).json()).toEqual(works);
      const row = () => instance.deps.db.selectFrom('instance_clock').selectAll().executeTakeFirstOrThrow();
      const confirmed = await row();
      expect(confirmed).toMatchObject({ epoch: 5, instance: instanceName(instance.deps.digests) });
      expect(await (await confirm()).json()).toEqual(works);
      expect(await row()).toEqual(confirmed);
    });

    it('and everybody may ask what can be expected of it', async () => {
      const person = await signUpByPassphrase(instance);
      const outlook = async (of: TestInstance = instance) =>
        (await of.request('GET', '/api/switch/outlook', { cookie: person.cookie })).json();
      expect(await outlook()).toEqual({ staysPaused: 'not-reached', calendar: null, uptime: null });
      const local = instance.sibling({ OUTSIDE_LOOK: 'no' });
      expect(await outlook(local)).toMatchObject({ staysPaused: 'no-address' });
      const forbidden = instance.sibling({ SWITCH_RESUME: 'never' });
      expect(await outlook(forbidden)).toMatchObject({ staysPaused: 'forbidden' });
    });

    it('is the only one who does', async () => {
      const other = await signUpByPassphrase(instance);
      expect(await failure(await confirm(other))).toEqual({ status: 403, code: 'not-admin' });
    });
  });

  describe('of the calendar', () => {
    const believed = { set_forward_by: 0, stood_still: 0, may_add: 0, vouched: 0, paused_reason: null };
    const unproved = { may_add: 26 * HOUR, counted_time: 5 * HOUR, paused_for: 0, proved_counted: 2 * HOUR };
    const doubts = [
      ['set-forward', { set_forward_by: 40 * DAY, stood_still: 1 }],
      ['stood-still', { stood_still: 1, may_add: 26 * HOUR }],
      ['unproved', unproved],
    ] as const;
    const ask = async (path: string, who = administrator) => (await who.request('GET', path)).json();
    const vouch = (says: string, who = administrator) =>
      who.request('POST', '/api/switch/calendar', { body: { says } });
    const readClock = () =>
      instance.deps.db.selectFrom('instance_clock').selectAll().executeTakeFirstOrThrow();
    const at = (milliseconds: number) => new Date(instance.clock.now() + milliseconds).toISOString();
    beforeEach(async () => {
      await setClock(believed);
      await prove();
    });
    afterAll(() => setClock(believed));

    it.each(doubts)('is told of one that is %s, with its date, as everybody is', async (doubt, row) => {
      await setClock(row);
      const person = await signUpByPassphrase(instance);
      for (const who of [administrator, person]) {
        expect(await ask('/api/switch', who)).toMatchObject({ calendar: { doubt, says: now() } });
        expect(await ask('/api/switch/outlook', who)).toMatchObject({ calendar: doubt });
      }
    });

    it.each(doubts)('vouches for one that is %s, and changes nothing else', async (_, row) => {
      await setClock(row);
      const before = await readClock();
      const answer = await vouch(now());
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ calendar: null });
      expect(await ask('/api/switch/outlook')).toMatchObject({ calendar: null });
      expect(await readClock()).toEqual({ ...before, vouched: 1 });
      // Twice is as good as once.
      expect((await vouch(now())).status).toBe(200);
      expect(await readClock()).toEqual({ ...before, vouched: 1 });
    });

    it.each([
      ['one that is believed', believed],
      ['one that has run for two hours unproved', { ...unproved, proved_counted: 3 * HOUR }],
      ['one that has run for long, and knows of no absence', { ...unproved, may_add: 0 }],
    ])('changes nothing of %s, whatever was shown', async (_, row) => {
      await setClock(row);
      const before = await readClock();
      const answer = await vouch(at(9 * DAY));
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ calendar: null });
      expect(await readClock()).toEqual(before);
    });

    it('is asked anew where the date is another one than was shown, by more than an hour', async () => {
      await setClock({ set_forward_by: 40 * DAY });
      for (const shown of [at(-HOUR - 1), at(HOUR + 1), at(-40 * DAY)]) {
        const refused = await vouch(shown);
        expect(await failure(refused)).toEqual({ status: 409, code: 'calendar-moved' });
      }
      expect(await readClock()).toMatchObject({ vouched: 0 });
      expect((await vouch(at(-HOUR))).status).toBe(200);
      expect(await readClock()).toMatchObject({ vouched: 1 });
    });

    it('is the only one who does, and says which date', async () => {
      await setClock({ set_forward_by: 40 * DAY });
      const other = await signUpByPassphrase(instance);
      expect(await failure(await vouch(now(), other))).toEqual({ status: 403, code: 'not-admin' });
      expect((await vouch('soon')).status).toBe(422);
      expect(await readClock()).toMatchObject({ vouched: 0 });
    });
  });
});
