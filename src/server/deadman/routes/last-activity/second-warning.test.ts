// The second address that warnings go to: asked and proved as the first is, and as good as it.
import { afterEach, describe, expect, it } from 'vitest';
import type { SecondWarning, WarningAddress } from '../../../../shared/nouns/warning-addresses.ts';
import { DAY, HOUR } from '../../../../shared/time.ts';
import { describeOnEachEngine } from '../../../../testing/engines.ts';
import { failure } from '../../../../testing/instance.ts';
import { ageAccount, type Person, signUpByPassphrase } from '../../../../testing/people.ts';
import { accountIdOf } from '../../../../testing/planting.ts';
import { lastMessage, press, proveWarningAddress } from '../../../../testing/scrolls.ts';
import { aTransport, aWatchedInstance, type Watched } from '../../../../testing/switch.ts';
import { removeSecondWarning } from './store.ts';

const SECOND = '/api/second-warning';
const FIRST = '/api/warning-address';
const NUMBER = '+447700900123';

const instances: Watched[] = [];
afterEach(async () => {
  for (const instance of instances.splice(0)) await instance.close();
});

describeOnEachEngine('a second warning address', (engine) => {
  async function begin() {
    const texts = aTransport();
    const mail = aTransport();
    const watched = await aWatchedInstance({ engine, deps: { transports: { email: mail, sms: texts } } });
    instances.push(watched);
    const author = await signUpByPassphrase(watched.instance);
    await ageAccount(watched.instance, author);
    const accountId = await accountIdOf(watched.instance, author);
    return { ...watched, watched, instance: watched.instance, author, accountId, mail, texts };
  }
  const readAt = async <T>(author: Person, path: string) =>
    (await (await author.request('GET', path)).json()) as T;
  const second = (author: Person) => readAt<SecondWarning>(author, SECOND);
  const ask = (author: Person, channel: string, address: string) =>
    author.request('PUT', SECOND, { body: { wantedChannel: channel, address } });
  async function prove(watched: Watched, author: Person, channel = 'email', address = 'Second@Mail.Example') {
    expect((await ask(author, channel, address)).status).toBe(200);
    expect((await press(watched.instance, await lastMessage(watched.instance, 'prove-address'))).status).toBe(
      200,
    );
  }
  const permitTexts = (watched: Watched, accountId: number) =>
    watched.deps.db.updateTable('accounts').set({ texts_permitted: 1 }).where('id', '=', accountId).execute();
  const to = (letters: readonly { subject: string; to: string }[], kind: string) =>
    letters.filter(({ subject }) => subject === kind).map((letter) => letter.to);

  describe('is set', () => {
    it('only beside a first one that was proved, by a press in a mail, as people write it', async () => {
      const { watched, instance, author } = await begin();
      expect(await second(author)).toEqual({ channel: null, address: null, provedAt: null, request: null });
      expect(await failure(await ask(author, 'email', 'second@mail.example'))).toEqual({
        status: 409,
        code: 'warning-unproved',
      });
      await proveWarningAddress(instance, author);
      const asked = await ask(author, 'email', ' Second@Mail.Example');
      expect(await asked.json()).toEqual({
        channel: 'email',
        address: 'Second@Mail.Example',
        provedAt: null,
        request: { state: 'waiting', why: null },
      });
      await prove(watched, author);
      expect(await second(author)).toMatchObject({
        address: 'Second@Mail.Example',
        provedAt: expect.any(String),
        request: null,
      });
      expect(await readAt<WarningAddress>(author, FIRST)).toMatchObject({ address: 'author@mail.example' });
    });

    it('never to what is no address, or to the one that is there', async () => {
      const { watched, instance, author } = await begin();
      await proveWarningAddress(instance, author);
      await prove(watched, author);
      for (const [channel, address] of [
        ['email', NUMBER],
        ['sms', 'author@mail.example'],
        ['sms', '07700 900123'],
        ['whisper', 'a'.repeat(32)],
        ['email', 'author@mail.example'],
      ] as const) {
        expect(await failure(await ask(author, channel, address))).toMatchObject({ status: 422 });
      }
      const same = { body: { address: 'second@mail.example' } };
      expect(await failure(await author.request('PUT', FIRST, same))).toMatchObject({ status: 422 });
    });

    it('to a telephone, whose text message waits for the administrator’s permission', async () => {
      const { watched, instance, server, author, accountId, texts } = await begin();
      await proveWarningAddress(instance, author);
      expect((await ask(author, 'sms', '+44 7700 900123')).status).toBe(200);
      await server.deliver();
      expect(texts.letters).toEqual([]);
      expect(await second(author)).toMatchObject({
        channel: 'sms',
        address: NUMBER,
        request: { state: 'waiting', why: expect.stringContaining('administrator’s permission') },
      });
      await permitTexts(watched, accountId);
      await watched.live(DAY + 2 * HOUR, { deliver: true });
      expect(to(texts.letters, 'prove-address')).toEqual([NUMBER]);
    });

    it('anew, and the one before stays in use until the press', async () => {
      const { watched, instance, author } = await begin();
      await proveWarningAddress(instance, author);
      await prove(watched, author);
      await ask(author, 'sms', NUMBER);
      expect(await second(author)).toMatchObject({ channel: 'email', address: 'Second@Mail.Example' });
      await press(instance, await lastMessage(instance, 'prove-address'));
      expect(await second(author)).toMatchObject({ channel: 'sms', address: NUMBER, request: null });
    });
  });

  describe('gets each warning', () => {
    it('as the first one does, and the link in either ends the silence', async () => {
      const { watched, instance, author, accountId, mail, texts } = await begin();
      await proveWarningAddress(instance, author);
      await permitTexts(watched, accountId);
      await prove(watched, author, 'sms', NUMBER);
      const id = await watched.watchSilence(accountId, 2, { warning: 'mail' });
      await watched.live(DAY + 4 * HOUR, { deliver: true });
      expect(to(mail.letters, 'warning')).toEqual(['author@mail.example']);
      expect(to(texts.letters, 'warning')).toEqual([NUMBER]);
      const warnings = await watched.messages({ kind: 'warning' });
      expect(warnings.map(({ channel, state }) => [channel, state])).toEqual([
        ['email', 'sent'],
        ['sms', 'sent'],
      ]);
      expect((await press(instance, warnings[1]?.public_id ?? '')).status).toBe(200);
      expect(await watched.scroll(id)).toMatchObject({ warning_step: 0, warning_accepted: null });
      expect((await press(instance, warnings[0]?.public_id ?? '')).status).toBe(200);
    });

    it.each([
      ['first', 'author@mail.example'],
      ['second', 'Second@Mail.Example'],
    ])('and what the %s alone accepts counts as accepted', async (_, accepts) => {
      const { watched, instance, author, accountId, mail } = await begin();
      await proveWarningAddress(instance, author);
      await prove(watched, author);
      mail.answer = ({ to }) =>
        to === accepts ? 'accepted' : { refused: 'for-good', why: 'No such mailbox.' };
      const id = await watched.watchSilence(accountId, 4, { warning: 'mail' });
      await watched.live(4 * DAY + 4 * HOUR, { deliver: true });
      expect(await watched.stateOf(id)).toBe('released');
    });

    it('and where neither accepts any, the letter is held back as before', async () => {
      const { watched, instance, author, accountId, mail } = await begin();
      await proveWarningAddress(instance, author);
      await prove(watched, author);
      mail.answer = () => ({ refused: 'for-good', why: 'No such mailbox.' });
      const id = await watched.watchSilence(accountId, 2, { warning: 'mail' });
      await watched.live(15 * DAY, { deliver: true });
      expect(await watched.stateOf(id)).toBe('watching');
      await watched.live(DAY + 4 * HOUR, { deliver: true });
      expect(await watched.stateOf(id)).toBe('released');
    });

    it('and the mail after the release, if it is a mailbox', async () => {
      const { watched, instance, author, accountId, mail, texts } = await begin();
      await proveWarningAddress(instance, author);
      await prove(watched, author);
      await watched.watchSilence(accountId, 1);
      await watched.live(DAY + 4 * HOUR, { deliver: true });
      expect(to(mail.letters, 'after-release').sort()).toEqual([
        'Second@Mail.Example',
        'author@mail.example',
      ]);
      expect(to(texts.letters, 'after-release')).toEqual([]);
    });
  });

  describe('is removed', () => {
    it('by itself, with what waits for it, and the first one stays', async () => {
      const { watched, instance, author, accountId, mail } = await begin();
      await proveWarningAddress(instance, author);
      await prove(watched, author);
      mail.answer = () => ({ refused: 'for-now', why: 'Not now.' });
      const id = await watched.watchSilence(accountId, 2, { warning: 'mail' });
      await watched.live(DAY + 4 * HOUR, { deliver: true });
      await removeSecondWarning(watched.deps, accountId);
      expect(await watched.deps.db.selectFrom('warning_addresses').select('place').execute()).toEqual([
        { place: 'first' },
      ]);
      expect((await watched.messages({ kind: 'warning' })).map(({ state }) => state)).toEqual([
        'cancelled',
        'cancelled',
      ]);
      expect(await watched.scroll(id)).toMatchObject({ warning: 'mail' });
      mail.answer = () => 'accepted';
      mail.letters.length = 0;
      await watched.live(DAY + 4 * HOUR, { deliver: true });
      expect(to(mail.letters, 'warning')).toEqual(['author@mail.example']);
    });

    it('with the first one', async () => {
      const { watched, instance, author } = await begin();
      await proveWarningAddress(instance, author);
      await prove(watched, author);
      expect((await author.request('DELETE', SECOND)).status).toBe(204);
      expect(await second(author)).toMatchObject({ channel: null, address: null });
      await ask(author, 'sms', NUMBER);
      expect((await author.request('DELETE', FIRST)).status).toBe(204);
      expect(await second(author)).toMatchObject({ channel: null, address: null });
      expect(await watched.deps.db.selectFrom('warning_addresses').selectAll().execute()).toEqual([]);
    });
  });
});
