// Proof of life, the warning address, and what is pressed in a mail.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { switchRules, type WarningAddress } from '../../../../shared/nouns/switch.ts';
import { DAY, HOUR, MINUTE } from '../../../../shared/time.ts';
import { describeOnEachEngine } from '../../../../testing/engines.ts';
import { failure, openTestHouse, type TestHouse } from '../../../../testing/instance.ts';
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
  proveWarningAddress,
  scrollsOf,
} from '../../../../testing/scrolls.ts';
import { aRedemptionId } from '../../../../testing/shares.ts';
import { aWatchedHouse } from '../../../../testing/switch.ts';

const ADDRESS = '/api/warning-address';
/** House time is behind the moment by up to what the next beat counts. */
const AHEAD = switchRules.beat * switchRules.beatCounts;
const over = { status: 410, code: 'press-over' };
const notFound = { status: 404, code: 'not-found' };

describeOnEachEngine('the switch as its author meets it', (engine) => {
  let house: TestHouse;
  let author: Person;
  beforeAll(async () => {
    house = await openTestHouse({ engine });
  });
  afterAll(() => house.close());
  beforeEach(async () => {
    author = await signUpByPassphrase(house);
    await ageAccount(house, author);
  });

  const now = () => new Date(house.clock.now()).toISOString();
  const setHouseTime = (house_time: number) =>
    house.deps.db.updateTable('house_clock').set({ house_time }).execute();
  const lifeOf = async (person: Person) =>
    house.deps.db
      .selectFrom('lives')
      .selectAll()
      .where('account_id', '=', await accountIdOf(house, person))
      .executeTakeFirst();
  const messageOf = (publicId: string) =>
    house.deps.db
      .selectFrom('messages')
      .selectAll()
      .where('public_id', '=', publicId)
      .executeTakeFirstOrThrow();
  /** A warning as the engine writes it. */
  async function aWarning(fields: object = {}): Promise<string> {
    const account_id = await accountIdOf(house, author);
    return (await plantMessage(house, { account_id, state: 'sent', ...fields })).public_id;
  }

  describe('life is proved', () => {
    it('by signing in, of which house time loses nothing, and which turns nothing back', async () => {
      await setHouseTime(5 * DAY);
      await enterByPassphrase(house, author);
      expect(await lifeOf(author)).toMatchObject({
        house_time: 5 * DAY + AHEAD,
        seen_at: house.clock.now(),
        presses: 0,
      });
      await setHouseTime(2 * DAY);
      house.clock.advance(MINUTE);
      await enterByPassphrase(house, author);
      expect(await lifeOf(author)).toMatchObject({
        house_time: 5 * DAY + AHEAD,
        seen_at: house.clock.now(),
      });
    });

    it('by every fresh proof of who one is', async () => {
      await press(house, await aWarning());
      house.clock.advance(HOUR);
      await author.request('POST', '/api/proof/passphrase', { body: { authKey: 'x'.repeat(43) } });
      expect(await lifeOf(author)).toMatchObject({ presses: 1 });
      await author.request('POST', '/api/proof/passphrase', { body: { authKey: author.authKey } });
      expect(await lifeOf(author)).toMatchObject({ seen_at: house.clock.now(), presses: 0 });
    });

    it('by a proof of life, and by nothing that is merely read', async () => {
      const scroll = await aWatch(author);
      house.clock.advance(HOUR);
      expect(await scrollsOf(author)).toMatchObject([{ lastActivity: scroll.lastActivity }]);
      const given = await author.request('POST', '/api/proof-of-life');
      expect(await given.json()).toEqual({ lastActivity: now() });
      expect(await scrollsOf(author)).toMatchObject([{ lastActivity: now() }]);
    });

    it('by many at once', async () => {
      const answers = await Promise.all([
        ...Array.from({ length: 20 }, () => author.request('POST', '/api/proof-of-life')),
        ...Array.from({ length: 5 }, async () => press(house, await aWarning())),
      ]);
      for (const { status } of answers.slice(0, 20)) expect(status).toBe(200);
    });
  });

  describe('a warning’s link', () => {
    it('counts once: one of 200 presses at the same moment', async () => {
      const warning = await aWarning();
      const answers = await Promise.all(
        Array.from({ length: 200 }, () =>
          press(house, warning, {
            request: (method, path, options) =>
              house.request(method, path, { from: '198.51.100.7', ...options }),
          }),
        ),
      );
      const [winner, ...others] = answers.filter(({ status }) => status === 200);
      expect(others).toEqual([]);
      expect(await winner?.json()).toEqual({ kind: 'warning', pressesLeft: 2 });
      for (const answer of answers) if (answer !== winner) expect(await failure(answer)).toEqual(over);
      expect(await lifeOf(author)).toMatchObject({ presses: 1 });
    });

    it('is not pressed by looking', async () => {
      const warning = await aWarning();
      const before = await lifeOf(author);
      for (let i = 0; i < 3; i += 1) {
        expect(await (await look(house, warning)).json()).toEqual({ kind: 'warning', state: 'open' });
      }
      expect(await lifeOf(author)).toEqual(before);
      expect((await messageOf(warning)).pressed_at).toBeNull();
      await press(house, warning);
      expect(await (await look(house, warning)).json()).toEqual({ kind: 'warning', state: 'pressed' });
    });

    it('ends the silence, and what was to be sent in it', async () => {
      const scroll = await aWatch(author);
      await house.deps.db
        .updateTable('legacy_scrolls')
        .set({ warned_rung: 2, warning_accepted: 7 })
        .where('id', '=', scroll.id)
        .execute();
      const [sent, waiting] = [
        await aWarning({ scroll_id: scroll.id }),
        await aWarning({ state: 'waiting' }),
      ];
      house.clock.advance(HOUR);
      await press(house, sent);
      expect(await scrollsOf(author)).toMatchObject([{ lastActivity: now(), warned: null }]);
      expect((await messageOf(waiting)).state).toBe('cancelled');
    });

    it('counts also when its mail is months old', async () => {
      const warning = await aWarning();
      house.clock.advance(200 * DAY);
      expect((await press(house, warning)).status).toBe(200);
    });

    it('counts three times in a row; then only a sign-in does, after which it counts again', async () => {
      const warnings = await Promise.all(Array.from({ length: 5 }, () => aWarning()));
      const [first, second, third, fourth, fifth] = warnings as [string, string, string, string, string];
      for (const [i, warning] of [first, second, third].entries()) {
        expect(await (await press(house, warning)).json()).toEqual({ kind: 'warning', pressesLeft: 2 - i });
      }
      const before = await lifeOf(author);
      house.clock.advance(HOUR);
      expect(await (await look(house, fourth)).json()).toEqual({ kind: 'warning', state: 'sign-in' });
      expect(await failure(await press(house, fourth))).toEqual({ status: 409, code: 'sign-in-counts' });
      expect(await failure(await press(house, third))).toEqual(over);
      expect(await lifeOf(author)).toEqual(before);
      expect((await messageOf(fourth)).pressed_at).toBeNull();
      await enterByPassphrase(house, author);
      expect(await (await look(house, fourth)).json()).toEqual({ kind: 'warning', state: 'open' });
      expect(await (await press(house, fourth)).json()).toEqual({ kind: 'warning', pressesLeft: 2 });
      expect((await press(house, fifth)).status).toBe(200);
    });

    it('counts three times of many at the same moment', async () => {
      const warnings = await Promise.all(Array.from({ length: 10 }, () => aWarning()));
      const answers = await Promise.all(warnings.map((warning) => press(house, warning)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
      expect(await lifeOf(author)).toMatchObject({ presses: 3 });
    });

    it('is over when its vault is gone', async () => {
      const orphan = await aWarning({ account_id: null });
      expect(await (await look(house, orphan)).json()).toEqual({ kind: 'warning', state: 'over' });
      expect(await failure(await press(house, orphan))).toEqual(over);
    });

    it('is nothing when it was made up, or belongs to a message that asks for no press', async () => {
      const release = await aWarning({ kind: 'release' });
      for (const id of [release, aRedemptionId()]) {
        expect(await failure(await look(house, id))).toEqual(notFound);
        expect(await failure(await press(house, id))).toEqual(notFound);
      }
      const body = { token: 'A'.repeat(43) };
      expect(await failure(await house.request('POST', '/api/presses', { body }))).toEqual(notFound);
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
      const message = await lastMessage(house, 'prove-address');
      expect(await messageOf(message)).toMatchObject({ address: 'one@mail.example', channel: 'email' });
      expect(await (await look(house, message)).json()).toEqual({ kind: 'prove-address', state: 'open' });
      const pressed = await press(house, message);
      expect(await pressed.json()).toEqual({ kind: 'prove-address', pressesLeft: null });
      const settled = { state: 'sent', by_hand: 1, sent_at: house.clock.now() };
      expect(await messageOf(message)).toMatchObject(settled);
      expect(await get()).toEqual({ address: 'one@mail.example', provedAt: now(), request: null });
      expect(await (await look(house, message)).json()).toEqual({ kind: 'prove-address', state: 'pressed' });
      expect(await failure(await press(house, message))).toEqual(over);
    });

    it('stays in use until another is proved', async () => {
      await proveWarningAddress(house, author, 'one@mail.example');
      const provedAt = now();
      house.clock.advance(MINUTE);
      await ask('two@mail.example');
      const second = await lastMessage(house, 'prove-address');
      expect(await get()).toEqual({ address: 'one@mail.example', provedAt, request });
      await ask('three@mail.example');
      expect((await messageOf(second)).state).toBe('cancelled');
      expect(await (await look(house, second)).json()).toEqual({ kind: 'prove-address', state: 'over' });
      expect(await failure(await press(house, second))).toEqual(over);
      expect((await messageOf(second)).pressed_at).toBeNull();
      await ask('one@mail.example');
      expect(await get()).toEqual({ address: 'one@mail.example', provedAt, request: null });
      await ask('four@mail.example');
      await press(house, await lastMessage(house, 'prove-address'));
      expect(await get()).toMatchObject({ address: 'four@mail.example', provedAt: now() });
    });

    it('is asked five times a day at most, and the sixth time a sentence says so', async () => {
      for (let i = 0; i < 5; i += 1) expect((await ask(`${i}@mail.example`)).status).toBe(200);
      const refused = await ask('6@mail.example');
      expect(refused.headers.get('retry-after')).toBe('86400');
      expect(await refused.json()).toMatchObject({
        code: 'too-many',
        message: 'Five addresses were asked today. Try another one tomorrow.',
      });
      expect(await get()).toMatchObject({ address: '4@mail.example', request });
      house.clock.advance(DAY);
      author = await enterByPassphrase(house, author);
      expect((await ask('6@mail.example')).status).toBe(200);
    });

    it('of a new account is one a day, and of its administrator five', async () => {
      const newcomer = await signUpByPassphrase(house);
      const asks = (address: string) => newcomer.request('PUT', ADDRESS, { body: { address } });
      expect((await asks('one@mail.example')).status).toBe(200);
      const refused = await asks('two@mail.example');
      expect(await refused.json()).toMatchObject({
        code: 'too-many',
        message: 'A new account can have one address asked each day. Try another address tomorrow.',
      });
      expect((await messageOf(await lastMessage(house, 'prove-address'))).state).toBe('waiting');
      await house.deps.db
        .updateTable('accounts')
        .set({ is_admin: 1 })
        .where('uid', '=', newcomer.user.id)
        .execute();
      expect((await asks('two@mail.example')).status).toBe(200);
    });

    it('that was asked is not asked again within a day, unless its mail has failed', async () => {
      await ask('one@mail.example');
      const first = await lastMessage(house, 'prove-address');
      expect(await (await ask('one@mail.example')).json()).toMatchObject({ request });
      expect(await lastMessage(house, 'prove-address')).toBe(first);
      expect((await messageOf(first)).state).toBe('waiting');
      await house.deps.db.updateTable('messages').set({ state: 'failed' }).execute();
      await ask('one@mail.example');
      const second = await lastMessage(house, 'prove-address');
      expect(second).not.toBe(first);
      await house.deps.db
        .updateTable('messages')
        .set({ state: 'sent' })
        .where('public_id', '=', second)
        .execute();
      await ask('one@mail.example');
      expect(await lastMessage(house, 'prove-address')).toBe(second);
      house.clock.advance(DAY);
      author = await enterByPassphrase(house, author);
      await ask('one@mail.example');
      expect(await lastMessage(house, 'prove-address')).not.toBe(second);
    });

    it.each(['', 'ada', 'a@b', 'a@mail.example\nBcc: b@mail.example', null])('is not %j', async (address) => {
      expect(await failure(await ask(address as string))).toEqual({ status: 422, code: 'invalid-input' });
    });

    it('is forgotten: what was to be warned by mail goes on with the dashboard alone', async () => {
      await proveWarningAddress(house, author);
      const scroll = await aWatch(author, {}, { warning: 'mail' });
      const waiting = await aWarning({ state: 'waiting', scroll_id: scroll.id });
      await ask('two@mail.example');
      const question = await lastMessage(house, 'prove-address');
      expect((await author.request('DELETE', ADDRESS)).status).toBe(204);
      expect(await get()).toEqual(none);
      expect(await scrollsOf(author)).toMatchObject([{ isActive: true, warning: 'dashboard' }]);
      for (const message of [waiting, question]) expect((await messageOf(message)).state).toBe('cancelled');
      expect(await failure(await press(house, question))).toEqual(over);
      expect((await author.request('DELETE', ADDRESS)).status).toBe(204);
    });

    it('proves life when it is forgotten: what was held for want of a warning is not released by it', async () => {
      const watched = await aWatchedHouse({ engine });
      const writer = await signUpByPassphrase(watched.house);
      await proveWarningAddress(watched.house, writer);
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
