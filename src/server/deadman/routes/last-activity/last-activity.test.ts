// Proof of life, the warning address, and what is pressed in a mail.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { switchRules } from '../../../../shared/nouns/switch-rules.ts';
import type { WarningAddress } from '../../../../shared/nouns/warning-addresses.ts';
import { DAY, HOUR, MINUTE } from '../../../../shared/time.ts';
import { describeOnEachEngine } from '../../../../testing/engines.ts';
import { failure, openTestInstance, type TestInstance } from '../../../../testing/instance.ts';
import {
  ageAccount,
  enterByPassphrase,
  type Person,
  signUpByPassphrase,
} from '../../../../testing/people.ts';
import { accountIdOf, plantMessage } from '../../../../testing/planting.ts';
import {
  aWatch,
  lastMessage,
  look,
  press,
  pressTokenOf,
  proveWarningAddress,
  scrollsOf,
} from '../../../../testing/scrolls.ts';
import { aRedemptionId } from '../../../../testing/shares.ts';
import { aWatchedInstance } from '../../../../testing/switch.ts';
import { type PressPurpose, pressToken } from '../../delivery/link-token.ts';

const ADDRESS = '/api/warning-address';
/** Counted time is behind the moment by up to what the next tick counts. */
const AHEAD = switchRules.tick * switchRules.tickCounts;
const over = { status: 410, code: 'press-over' };
const notFound = { status: 404, code: 'not-found' };

describeOnEachEngine('the switch as its author meets it', (engine) => {
  let instance: TestInstance;
  let author: Person;
  beforeAll(async () => {
    instance = await openTestInstance({ engine });
  });
  afterAll(() => instance.close());
  beforeEach(async () => {
    author = await signUpByPassphrase(instance);
    await ageAccount(instance, author);
  });

  const now = () => new Date(instance.clock.now()).toISOString();
  const setCountedTime = (counted_time: number) =>
    instance.deps.db.updateTable('instance_clock').set({ counted_time }).execute();
  const lastActivityOf = async (person: Person) =>
    instance.deps.db
      .selectFrom('last_activity')
      .selectAll()
      .where('account_id', '=', await accountIdOf(instance, person))
      .executeTakeFirst();
  const messageOf = (publicId: string) =>
    instance.deps.db
      .selectFrom('messages')
      .selectAll()
      .where('public_id', '=', publicId)
      .executeTakeFirstOrThrow();
  /** A warning as the engine writes it. */
  async function aWarning(fields: object = {}): Promise<string> {
    const account_id = await accountIdOf(instance, author);
    return (await plantMessage(instance, { account_id, state: 'sent', ...fields })).public_id;
  }

  describe('life is proved', () => {
    it('by signing in, of which counted time loses nothing, and which turns nothing back', async () => {
      await setCountedTime(5 * DAY);
      await enterByPassphrase(instance, author);
      expect(await lastActivityOf(author)).toMatchObject({
        counted_time: 5 * DAY + AHEAD,
        seen_at: instance.clock.now(),
        confirmations: 0,
      });
      await setCountedTime(2 * DAY);
      instance.clock.advance(MINUTE);
      await enterByPassphrase(instance, author);
      expect(await lastActivityOf(author)).toMatchObject({
        counted_time: 5 * DAY + AHEAD,
        seen_at: instance.clock.now(),
      });
    });

    it('by every fresh proof of who one is', async () => {
      await press(instance, await aWarning());
      instance.clock.advance(HOUR);
      await author.request('POST', '/api/proof/passphrase', { body: { authKey: 'x'.repeat(43) } });
      expect(await lastActivityOf(author)).toMatchObject({ confirmations: 1 });
      await author.request('POST', '/api/proof/passphrase', { body: { authKey: author.authKey } });
      expect(await lastActivityOf(author)).toMatchObject({ seen_at: instance.clock.now(), confirmations: 0 });
    });

    it('by a proof of life, and by nothing that is merely read', async () => {
      const scroll = await aWatch(author);
      instance.clock.advance(HOUR);
      expect(await scrollsOf(author)).toMatchObject([{ lastActivity: scroll.lastActivity }]);
      const given = await author.request('POST', '/api/proof-of-life');
      expect(await given.json()).toEqual({ lastActivity: now() });
      expect(await scrollsOf(author)).toMatchObject([{ lastActivity: now() }]);
    });

    it('by many at once', async () => {
      const answers = await Promise.all([
        ...Array.from({ length: 20 }, () => author.request('POST', '/api/proof-of-life')),
        ...Array.from({ length: 5 }, async () => press(instance, await aWarning())),
      ]);
      for (const { status } of answers.slice(0, 20)) expect(status).toBe(200);
    });
  });

  describe('a warning’s link', () => {
    it('counts once: one of 200 presses at the same moment', async () => {
      const warning = await aWarning();
      const answers = await Promise.all(
        Array.from({ length: 200 }, () =>
          press(instance, warning, {
            request: (method, path, options) =>
              instance.request(method, path, { from: '198.51.100.7', ...options }),
          }),
        ),
      );
      const [winner, ...others] = answers.filter(({ status }) => status === 200);
      expect(others).toEqual([]);
      expect(await winner?.json()).toEqual({ kind: 'warning', confirmationsLeft: 2 });
      for (const answer of answers) if (answer !== winner) expect(await failure(answer)).toEqual(over);
      expect(await lastActivityOf(author)).toMatchObject({ confirmations: 1 });
    });

    it('is not pressed by looking', async () => {
      const warning = await aWarning();
      const before = await lastActivityOf(author);
      for (let i = 0; i < 3; i += 1) {
        expect(await (await look(instance, warning)).json()).toEqual({ kind: 'warning', state: 'open' });
      }
      expect(await lastActivityOf(author)).toEqual(before);
      expect((await messageOf(warning)).confirmed_at).toBeNull();
      await press(instance, warning);
      expect(await (await look(instance, warning)).json()).toEqual({ kind: 'warning', state: 'pressed' });
    });

    it('ends the silence, and what was to be sent in it', async () => {
      const scroll = await aWatch(author);
      await instance.deps.db
        .updateTable('legacy_scrolls')
        .set({ warning_step: 2, warning_accepted: 7 })
        .where('id', '=', scroll.id)
        .execute();
      const [sent, waiting] = [
        await aWarning({ scroll_id: scroll.id }),
        await aWarning({ state: 'waiting' }),
      ];
      instance.clock.advance(HOUR);
      await press(instance, sent);
      expect(await scrollsOf(author)).toMatchObject([{ lastActivity: now(), warned: null }]);
      expect((await messageOf(waiting)).state).toBe('cancelled');
    });

    it('counts also when its mail is months old', async () => {
      const warning = await aWarning();
      instance.clock.advance(200 * DAY);
      expect((await press(instance, warning)).status).toBe(200);
    });

    it('counts three times in a row; then only a sign-in does, after which it counts again', async () => {
      const warnings = await Promise.all(Array.from({ length: 5 }, () => aWarning()));
      const [first, second, third, fourth, fifth] = warnings as [string, string, string, string, string];
      for (const [i, warning] of [first, second, third].entries()) {
        expect(await (await press(instance, warning)).json()).toEqual({
          kind: 'warning',
          confirmationsLeft: 2 - i,
        });
      }
      const before = await lastActivityOf(author);
      instance.clock.advance(HOUR);
      expect(await (await look(instance, fourth)).json()).toEqual({ kind: 'warning', state: 'sign-in' });
      expect(await failure(await press(instance, fourth))).toEqual({ status: 409, code: 'sign-in-counts' });
      expect(await failure(await press(instance, third))).toEqual(over);
      expect(await lastActivityOf(author)).toEqual(before);
      expect((await messageOf(fourth)).confirmed_at).toBeNull();
      await enterByPassphrase(instance, author);
      expect(await (await look(instance, fourth)).json()).toEqual({ kind: 'warning', state: 'open' });
      expect(await (await press(instance, fourth)).json()).toEqual({ kind: 'warning', confirmationsLeft: 2 });
      expect((await press(instance, fifth)).status).toBe(200);
    });

    it('counts three times of many at the same moment', async () => {
      const warnings = await Promise.all(Array.from({ length: 10 }, () => aWarning()));
      const answers = await Promise.all(warnings.map((warning) => press(instance, warning)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
      expect(await lastActivityOf(author)).toMatchObject({ confirmations: 3 });
    });

    it('is over when its vault is gone', async () => {
      const warning = await aWarning();
      const token = await pressTokenOf(instance, warning);
      const to = (path: string) => instance.request('POST', path, { body: { token } });
      await instance.deps.db
        .updateTable('messages')
        .set({ account_id: null })
        .where('public_id', '=', warning)
        .execute();
      expect(await (await to('/api/confirmations/look')).json()).toEqual({ kind: 'warning', state: 'over' });
      expect(await failure(await to('/api/confirmations'))).toEqual(over);
    });

    it('is nothing when it was made up, or belongs to a message that asks for no press', async () => {
      const release = await pressTokenOf(instance, await aWarning({ kind: 'release' }));
      const nobodys = pressToken(instance.deps.digests, {
        purpose: 'press-warning',
        publicId: aRedemptionId(),
        uid: randomUUID(),
      });
      for (const token of [release, nobodys, 'A'.repeat(43), 'A'.repeat(64)]) {
        for (const path of ['/api/confirmations/look', '/api/confirmations']) {
          expect(await failure(await instance.request('POST', path, { body: { token } }))).toEqual(notFound);
        }
      }
    });

    it('that another server with this secret has sent counts here, once, and three in a row', async () => {
      const { uid } = await instance.deps.db
        .selectFrom('accounts')
        .select('uid')
        .where('id', '=', await accountIdOf(instance, author))
        .executeTakeFirstOrThrow();
      const aForeign = (purpose: PressPurpose = 'press-warning') =>
        pressToken(instance.deps.digests, { purpose, publicId: aRedemptionId(), uid });
      const to = (path: string, token: string) => instance.request('POST', path, { body: { token } });
      const token = aForeign();
      expect(
        (await instance.request('POST', '/api/confirmations', { body: { token: aForeign('prove-address') } }))
          .status,
      ).toBe(404);
      const look = async () => (await to('/api/confirmations/look', token)).json();
      expect(await look()).toEqual({ kind: 'warning', state: 'open' });
      instance.clock.advance(HOUR);
      const answers = await Promise.all(Array.from({ length: 10 }, () => to('/api/confirmations', token)));
      const [pressed, ...others] = answers.filter(({ status }) => status === 200);
      expect(others).toEqual([]);
      expect(await pressed?.json()).toEqual({ kind: 'warning', confirmationsLeft: 2 });
      expect(await look()).toEqual({ kind: 'warning', state: 'pressed' });
      expect(await lastActivityOf(author)).toMatchObject({ confirmations: 1 });
      for (let i = 0; i < 2; i += 1) await to('/api/confirmations', aForeign());
      expect(await failure(await to('/api/confirmations', aForeign()))).toEqual({
        status: 409,
        code: 'sign-in-counts',
      });
    });
  });

  describe('the warning address', () => {
    const get = async () => (await (await author.request('GET', ADDRESS)).json()) as WarningAddress;
    const ask = (address: string) => author.request('PUT', ADDRESS, { body: { address } });
    const none = { address: null, provedAt: null, request: null };
    const request = { state: 'waiting', why: null };

    it('is none at first, is asked by mail, and is proved by a press', async () => {
      expect(await get()).toEqual(none);
      const asked = await ask(' one@mail.example ');
      const unproved = { address: 'one@mail.example', provedAt: null, request };
      expect(await asked.json()).toEqual(unproved);
      expect(await get()).toEqual(unproved);
      const message = await lastMessage(instance, 'prove-address');
      expect(await messageOf(message)).toMatchObject({ address: 'one@mail.example', channel: 'email' });
      expect(await (await look(instance, message)).json()).toEqual({ kind: 'prove-address', state: 'open' });
      const pressed = await press(instance, message);
      expect(await pressed.json()).toEqual({ kind: 'prove-address', confirmationsLeft: null });
      const settled = { state: 'sent', by_hand: 1, sent_at: instance.clock.now() };
      expect(await messageOf(message)).toMatchObject(settled);
      expect(await get()).toEqual({ address: 'one@mail.example', provedAt: now(), request: null });
      expect(await (await look(instance, message)).json()).toEqual({
        kind: 'prove-address',
        state: 'pressed',
      });
      expect(await failure(await press(instance, message))).toEqual(over);
    });

    it('stays in use until another is proved', async () => {
      await proveWarningAddress(instance, author, 'one@mail.example');
      const provedAt = now();
      instance.clock.advance(MINUTE);
      await ask('two@mail.example');
      const second = await lastMessage(instance, 'prove-address');
      expect(await get()).toEqual({ address: 'one@mail.example', provedAt, request });
      await ask('three@mail.example');
      expect((await messageOf(second)).state).toBe('cancelled');
      expect(await (await look(instance, second)).json()).toEqual({ kind: 'prove-address', state: 'over' });
      expect(await failure(await press(instance, second))).toEqual(over);
      expect((await messageOf(second)).confirmed_at).toBeNull();
      await ask('one@mail.example');
      expect(await get()).toEqual({ address: 'one@mail.example', provedAt, request: null });
      await ask('four@mail.example');
      await press(instance, await lastMessage(instance, 'prove-address'));
      expect(await get()).toMatchObject({ address: 'four@mail.example', provedAt: now() });
    });

    it('is asked five times a day at most, and the sixth time a sentence says so', async () => {
      for (let i = 0; i < 5; i += 1) expect((await ask(`${i}@mail.example`)).status).toBe(200);
      const refused = await ask('6@mail.example');
      expect(refused.headers.get('retry-after')).toBe('86400');
      expect(await refused.json()).toMatchObject({
        code: 'too-many',
        message: 'Confirmation links were sent to five addresses today. Try another one tomorrow.',
      });
      expect(await get()).toMatchObject({ address: '4@mail.example', request });
      instance.clock.advance(DAY);
      author = await enterByPassphrase(instance, author);
      expect((await ask('6@mail.example')).status).toBe(200);
    });

    it('of a new account is one a day, and of its administrator five', async () => {
      const newcomer = await signUpByPassphrase(instance);
      const asks = (address: string) => newcomer.request('PUT', ADDRESS, { body: { address } });
      expect((await asks('one@mail.example')).status).toBe(200);
      const refused = await asks('two@mail.example');
      expect(await refused.json()).toMatchObject({
        code: 'too-many',
        message: 'A new account can have one address asked each day. Try another address tomorrow.',
      });
      expect((await messageOf(await lastMessage(instance, 'prove-address'))).state).toBe('waiting');
      await instance.deps.db
        .updateTable('accounts')
        .set({ is_admin: 1 })
        .where('uid', '=', newcomer.user.id)
        .execute();
      expect((await asks('two@mail.example')).status).toBe(200);
    });

    it('that was asked while the calendar was ahead is asked again once that is put right', async () => {
      instance.clock.advance(365 * DAY);
      author = await enterByPassphrase(instance, author);
      await ask('one@mail.example');
      const first = await lastMessage(instance, 'prove-address');
      instance.clock.advance(-365 * DAY);
      author = await enterByPassphrase(instance, author);
      await ask('one@mail.example');
      expect(await lastMessage(instance, 'prove-address')).not.toBe(first);
    });

    it('that was asked is not asked again within a day, unless its mail has failed', async () => {
      await ask('one@mail.example');
      const first = await lastMessage(instance, 'prove-address');
      expect(await (await ask('one@mail.example')).json()).toMatchObject({ request });
      expect(await lastMessage(instance, 'prove-address')).toBe(first);
      expect((await messageOf(first)).state).toBe('waiting');
      await instance.deps.db.updateTable('messages').set({ state: 'failed' }).execute();
      await ask('one@mail.example');
      const second = await lastMessage(instance, 'prove-address');
      expect(second).not.toBe(first);
      await instance.deps.db
        .updateTable('messages')
        .set({ state: 'sent' })
        .where('public_id', '=', second)
        .execute();
      await ask('one@mail.example');
      expect(await lastMessage(instance, 'prove-address')).toBe(second);
      instance.clock.advance(DAY);
      author = await enterByPassphrase(instance, author);
      await ask('one@mail.example');
      expect(await lastMessage(instance, 'prove-address')).not.toBe(second);
    });

    it.each(['', 'ada', 'a@b', 'a@mail.example\nBcc: b@mail.example', null])('is not %j', async (address) => {
      expect(await failure(await ask(address as string))).toEqual({ status: 422, code: 'invalid-input' });
    });

    it('is forgotten: what was to be warned by mail goes on with the dashboard alone', async () => {
      await proveWarningAddress(instance, author);
      const scroll = await aWatch(author, {}, { warning: 'mail' });
      const waiting = await aWarning({ state: 'waiting', scroll_id: scroll.id });
      await ask('two@mail.example');
      const question = await lastMessage(instance, 'prove-address');
      expect((await author.request('DELETE', ADDRESS)).status).toBe(204);
      expect(await get()).toEqual(none);
      expect(await scrollsOf(author)).toMatchObject([{ isActive: true, warning: 'dashboard' }]);
      for (const message of [waiting, question]) expect((await messageOf(message)).state).toBe('cancelled');
      expect(await failure(await press(instance, question))).toEqual(over);
      expect((await author.request('DELETE', ADDRESS)).status).toBe(204);
    });

    it('proves life when it is forgotten: what was held for want of a warning is not released by it', async () => {
      const watched = await aWatchedInstance({ engine });
      const writer = await signUpByPassphrase(watched.instance);
      await proveWarningAddress(watched.instance, writer);
      await aWatch(writer, { triggerValue: '1' }, { warning: 'mail' });
      watched.mail.answer = () => ({ refused: 'for-now', why: 'Not now.' });
      await watched.live(5 * DAY, { deliver: true });
      expect(await scrollsOf(writer)).toMatchObject([{ isActive: true, hold: 'warning-unaccepted' }]);
      // Whose proof is fresh without having proved life.
      await watched.deps.db.updateTable('sessions').set({ proved_at: watched.deps.now() }).execute();
      expect((await writer.request('DELETE', ADDRESS)).status).toBe(204);
      await watched.live(20 * HOUR);
      expect(await scrollsOf(writer)).toMatchObject([{ isActive: true, warning: 'dashboard' }]);
      await watched.close();
    });
  });
});
