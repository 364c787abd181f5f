// The trusted contact: told before a release by silence, and able to postpone it once in a silence by thirty days.
import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { CONTACT_DECLINED, type TrustedContact } from '../../../../shared/nouns/trusted-contact.ts';
import { DAY, HOUR } from '../../../../shared/time.ts';
import { describeOnEachEngine } from '../../../../testing/engines.ts';
import { failure } from '../../../../testing/instance.ts';
import { type Person, signUpByPassphrase } from '../../../../testing/people.ts';
import { accountIdOf } from '../../../../testing/planting.ts';
import { press as pressWarning, scrollsOf } from '../../../../testing/scrolls.ts';
import { aWatchedInstance, type Watched } from '../../../../testing/switch.ts';
import { transact } from '../../../db/transact.ts';
import { linkToken } from '../../delivery/link-token.ts';
import { lockLastActivity } from '../../watch/last-activity-store.ts';
import { releaseScroll } from '../../watch/release-store.ts';
import { endSilences } from '../../watch/silence-store.ts';
import { pressPostponement } from './postpone-store.ts';
import { nameContact, removeContact } from './store.ts';

const PATH = '/api/trusted-contact';
const BEN = { name: 'Ben', address: 'ben@mail.example', authorName: 'Agnes' };

const instances: Watched[] = [];
afterEach(async () => {
  for (const instance of instances.splice(0)) await instance.close();
});

/** For days in which it is no matter at which hour something happens. */
const seldom = { deliver: true, tick: 6 * HOUR };

describeOnEachEngine('a trusted contact', (engine) => {
  async function begin() {
    const watched = await aWatchedInstance({ engine });
    instances.push(watched);
    const author = await signUpByPassphrase(watched.instance);
    const accountId = await accountIdOf(watched.instance, author);
    const proved = { address: 'author@mail.example', proved_at: 1, asked_address: null, asked_message: null };
    await watched.deps.db
      .insertInto('warning_addresses')
      .values({ account_id: accountId, ...proved })
      .execute();
    return { watched, author, accountId };
  }
  /** With a contact who has been told of a letter whose time is over in less than three days. */
  async function beginNearRelease(days = 8) {
    const begun = await begin();
    const { watched, accountId } = begun;
    await nameContact(watched.deps, accountId, BEN);
    const id = await watched.watchSilence(accountId, days, { warning: 'mail' });
    await watched.live((days - 3) * DAY, seldom);
    await watched.live(4 * HOUR, { deliver: true });
    return { ...begun, id };
  }
  const read = async (author: Person) =>
    ((await (await author.request('GET', PATH)).json()) as { contact: TrustedContact | null }).contact;
  const row = ({ deps }: Watched) =>
    deps.db.selectFrom('trusted_contacts').selectAll().executeTakeFirstOrThrow();
  async function tokenOf(watched: Watched): Promise<string> {
    const { link_number } = await row(watched);
    return linkToken(watched.deps.digests, link_number ?? 'A'.repeat(22), 'postpone');
  }
  const at = (watched: Watched, path: string, token: string) =>
    watched.instance.request('POST', path, { body: { token } });
  const look = async (watched: Watched, token: string) =>
    (await at(watched, '/api/confirmations/look', token)).json();
  const press = (watched: Watched, token: string) => at(watched, '/api/confirmations', token);
  const to = ({ mail }: Watched, kind: string) =>
    mail.letters.filter(({ subject }) => subject === kind).map((letter) => letter.to);
  const over = { status: 410, code: 'press-over' };

  describe('is named', () => {
    it('but not as the author themselves, and not five and more in a day', async () => {
      const { author } = await begin();
      const put = (address: string) => author.request('PUT', PATH, { body: { ...BEN, address } });
      expect(await failure(await put('Author+me@mail.example'))).toEqual({
        status: 422,
        code: 'invalid-input',
      });
      expect(await read(author)).toBeNull();
      for (let i = 0; i < 5; i += 1) expect((await put(`ben-${i}@mail.example`)).status).toBe(200);
      expect(await failure(await put('ben@mail.example'))).toEqual({ status: 429, code: 'too-many' });
      expect(await read(author)).toMatchObject({ address: 'ben-4@mail.example' });
    });

    it('with a name and an address, changed, and removed, by its author alone', async () => {
      const { watched, author } = await begin();
      expect(await read(author)).toBeNull();
      const put = (body: object) => author.request('PUT', PATH, { body });
      const named = await put({ name: ' Ben ', address: 'ben@mail.example ', authorName: '' });
      expect(await named.json()).toMatchObject({
        contact: {
          name: 'Ben',
          address: 'ben@mail.example',
          authorName: null,
          postponedAt: null,
          told: null,
        },
      });
      const other = await signUpByPassphrase(watched.instance);
      expect(await read(other)).toBeNull();
      expect((await put({ name: 'Mia', address: 'mia@mail.example' })).status).toBe(200);
      expect(await read(author)).toMatchObject({ name: 'Mia', postponedFor: 0 });
      expect((await author.request('DELETE', PATH)).status).toBe(204);
      expect(await read(author)).toBeNull();
    });

    it.each([
      [{ name: '', address: 'ben@mail.example' }],
      [{ name: 'Ben https://evil.example', address: 'ben@mail.example' }],
      [{ name: 'Ben', address: 'no address' }],
      [{ name: 'Ben', address: 'ben@mail.example', authorName: 'a\nb' }],
    ])('never as %j', async (body) => {
      const { author } = await begin();
      expect(await failure(await author.request('PUT', PATH, { body }))).toMatchObject({ status: 422 });
    });
  });

  describe('is told', () => {
    it('three days before a release by silence, once, also where the dashboard alone warns', async () => {
      const { watched, author, accountId } = await begin();
      await nameContact(watched.deps, accountId, BEN);
      const ids = [await watched.watchSilence(accountId, 10), await watched.watchSilence(accountId, 10)];
      await watched.live(7 * DAY - HOUR, { deliver: true });
      expect(to(watched, 'contact-warning')).toEqual([]);
      await watched.live(4 * HOUR, { deliver: true });
      expect(to(watched, 'contact-warning')).toEqual(['ben@mail.example']);
      const [message] = await watched.messages({ kind: 'contact-warning' });
      expect(message).toMatchObject({ author_name: 'Agnes', state: 'sent' });
      const named = await watched.deps.db
        .selectFrom('warned_scrolls')
        .selectAll()
        .orderBy('scroll_id')
        .execute();
      expect(named.map(({ scroll_id }) => scroll_id)).toEqual(ids);
      expect(await read(author)).toMatchObject({ told: { state: 'sent' } });
      await watched.live(3 * DAY + 2 * HOUR, { deliver: true });
      expect(to(watched, 'contact-warning')).toHaveLength(1);
      expect(await Promise.all(ids.map(watched.stateOf))).toEqual(['released', 'released']);
    });

    it('of no date and no release by hand', async () => {
      const { watched, accountId } = await begin();
      await nameContact(watched.deps, accountId, BEN);
      const id = await watched.waitUntil(accountId, watched.deps.now() + 2 * DAY);
      await watched.live(2 * DAY + 4 * HOUR, { deliver: true });
      expect(await watched.stateOf(id)).toBe('released');
      expect(to(watched, 'contact-warning')).toEqual([]);
    });

    it('and a refused address delays nothing', async () => {
      const { watched, accountId } = await begin();
      await nameContact(watched.deps, accountId, BEN);
      watched.mail.answer = ({ to }) =>
        to === BEN.address ? { refused: 'for-good', why: 'No such mailbox.' } : 'accepted';
      const id = await watched.watchSilence(accountId, 10);
      await watched.live(10 * DAY + 4 * HOUR, { deliver: true });
      expect(await watched.stateOf(id)).toBe('released');
    });

    it('at half of a short period, and a release waits for that', async () => {
      const { watched, accountId } = await begin();
      await nameContact(watched.deps, accountId, BEN);
      const id = await watched.watchSilence(accountId, 1);
      watched.sleep(23 * HOUR);
      await watched.live(4 * HOUR, { deliver: true });
      expect(await watched.stateOf(id)).toBe('watching');
      expect(to(watched, 'contact-warning')).toHaveLength(1);
      await watched.live(12 * HOUR, { deliver: true });
      expect(await watched.stateOf(id)).toBe('released');
    });

    it('not any more once the author is active, or has disarmed the letter', async () => {
      const { watched, accountId, id } = await beginNearRelease();
      watched.mail.answer = () => ({ refused: 'for-now', why: 'Not now.' });
      await watched.stillHere(accountId);
      expect(await watched.scroll(id)).toMatchObject({ contact_told_at: null });
      await watched.live(5 * DAY + 4 * HOUR, { deliver: true });
      const [, waiting] = await watched.messages({ kind: 'contact-warning' });
      expect(waiting).toMatchObject({ state: 'waiting' });
      await watched.stillHere(accountId);
      const states = (await watched.messages({ kind: 'contact-warning' })).map(({ state }) => state);
      expect(states).toEqual(['sent', 'cancelled']);
    });
  });

  describe('may postpone', () => {
    it('by one press, thirty days of counted time, and the author is told and warned anew', async () => {
      const { watched, author, accountId, id } = await beginNearRelease();
      const token = await tokenOf(watched);
      for (let i = 0; i < 2; i += 1)
        expect(await look(watched, token)).toEqual({ kind: 'postpone', state: 'open' });
      expect(await row(watched)).toMatchObject({ postponed_at: null, postponed_until: 0 });
      const before = (await watched.clock()).counted_time;
      expect(await (await press(watched, token)).json()).toEqual({
        kind: 'postpone',
        confirmationsLeft: null,
      });
      const { postponed_until } = await row(watched);
      expect(postponed_until).toBe(before + 30 * DAY);
      expect(await look(watched, token)).toEqual({ kind: 'postpone', state: 'pressed' });
      expect(await scrollsOf(author)).toMatchObject([{ hold: 'postponed' }]);
      expect(await read(author)).toMatchObject({
        postponedAt: new Date(watched.deps.now()).toISOString(),
        postponedFor: 30 * DAY,
      });
      const warnings = to(watched, 'warning').length;
      await watched.live(30 * DAY - 2 * HOUR, seldom);
      expect(to(watched, 'postponed')).toEqual(['author@mail.example']);
      // Three days and a day before the end: no warning comes before half of the eight days.
      expect(to(watched, 'warning').length).toBe(warnings + 2);
      // Told once more, with nothing to press.
      expect(to(watched, 'contact-warning')).toHaveLength(2);
      expect(await watched.stateOf(id)).toBe('watching');
      await watched.live(4 * HOUR, { deliver: true });
      expect(await watched.stateOf(id)).toBe('released');
      expect((await watched.clock()).counted_time).toBeGreaterThanOrEqual(postponed_until);
      expect(accountId).toBeGreaterThan(0);
    });

    it('once in a silence: no second press, however many, and never longer than thirty days', async () => {
      const { watched, id } = await beginNearRelease();
      const token = await tokenOf(watched);
      const answers = await Promise.all(Array.from({ length: 20 }, () => press(watched, token)));
      const won = answers.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      for (const answer of answers) if (answer !== won[0]) expect(await failure(answer)).toEqual(over);
      const { postponed_until } = await row(watched);
      await watched.live(29 * DAY, seldom);
      expect(await failure(await press(watched, token))).toEqual(over);
      expect(await row(watched)).toMatchObject({ postponed_until });
      expect(await watched.messages({ kind: 'postponed' })).toHaveLength(1);
      // No warning was accepted since, and it is not held for that as well.
      await watched.live(DAY + 4 * HOUR);
      expect(await watched.stateOf(id)).toBe('released');
    });

    it('again after a sign of life, which ends what was postponed at once', async () => {
      const { watched, accountId, id } = await beginNearRelease(10);
      const token = await tokenOf(watched);
      await press(watched, token);
      await watched.live(DAY, { deliver: true });
      await watched.stillHere(accountId);
      expect(await row(watched)).toMatchObject({ postponed_at: null, postponed_until: 0, link_hash: null });
      expect(await look(watched, token)).toEqual({ kind: 'postpone', state: 'over' });
      expect(await failure(await press(watched, token))).toEqual(over);
      await watched.live(8 * DAY, seldom);
      const anew = await tokenOf(watched);
      expect(anew).not.toBe(token);
      await watched.live(2 * DAY + 4 * HOUR, { deliver: true });
      // The thirty days of the earlier silence hold nothing any more.
      expect(await watched.stateOf(id)).toBe('released');
    });

    it('and the link in the mail that tells the author is a sign of life', async () => {
      const { watched } = await beginNearRelease();
      await press(watched, await tokenOf(watched));
      const [told] = await watched.messages({ kind: 'postponed' });
      const pressed = await pressWarning(watched.instance, told?.public_id ?? '');
      expect(await pressed.json()).toMatchObject({ kind: 'warning', confirmationsLeft: 2 });
      expect(await row(watched)).toMatchObject({ postponed_until: 0 });
    });

    it('nothing after the release', async () => {
      const { watched, id } = await beginNearRelease();
      const token = await tokenOf(watched);
      await watched.live(3 * DAY + 2 * HOUR);
      expect(await watched.stateOf(id)).toBe('released');
      expect(await look(watched, token)).toEqual({ kind: 'postpone', state: 'over' });
      expect(await failure(await press(watched, token))).toEqual(over);
      expect(await row(watched)).toMatchObject({ link_number: null, link_hash: null, postponed_until: 0 });
    });

    it('nothing once they were removed or replaced', async () => {
      const { watched, accountId } = await beginNearRelease();
      const token = await tokenOf(watched);
      await nameContact(watched.deps, accountId, { ...BEN, address: 'mia@mail.example' });
      expect(await failure(await press(watched, token))).toEqual(over);
      await removeContact(watched.deps, accountId);
      expect(await failure(await press(watched, token))).toEqual(over);
      expect(await look(watched, token)).toEqual({ kind: 'postpone', state: 'over' });
    });

    it('nothing any more once they want to be no contact, by one press of whoever reads their mail', async () => {
      const { watched, author, accountId, id } = await beginNearRelease();
      const token = await tokenOf(watched);
      const { decline_number } = await row(watched);
      const declines = linkToken(watched.deps.digests, decline_number, 'decline-contact');
      const page = await watched.instance.request('GET', `/api/reminders/${declines}`);
      expect([page.status, page.headers.get('location')]).toEqual([302, `/still-here#${declines}`]);
      expect(await look(watched, declines)).toEqual({ kind: 'decline', state: 'open' });
      await press(watched, token);
      expect((await watched.instance.request('POST', `/api/reminders/${declines}`)).status).toBe(204);
      expect(await look(watched, declines)).toEqual({ kind: 'decline', state: 'pressed' });
      expect(await (await press(watched, declines)).json()).toMatchObject({ kind: 'decline' });
      // What they have postponed ends, nothing of them is left among the messages, and nobody is told any more.
      expect(await row(watched)).toMatchObject({ link_hash: null, postponed_until: 0 });
      expect(await watched.messages({ kind: 'contact-warning' })).toEqual([]);
      expect((await read(author))?.told).toMatchObject({ state: 'failed', why: CONTACT_DECLINED });
      expect(await failure(await press(watched, token))).toEqual(over);
      // Nothing that they had postponed is sent before its author was warned once more.
      const warned = to(watched, 'warning').length;
      await watched.live(DAY / 2, { deliver: true });
      expect(await watched.stateOf(id)).toBe('watching');
      await watched.live(4 * DAY, { deliver: true });
      expect(to(watched, 'warning').length).toBeGreaterThan(warned);
      expect(await watched.stateOf(id)).toBe('released');
      expect(to(watched, 'contact-warning')).toHaveLength(1);
      await expect(nameContact(watched.deps, accountId, BEN)).rejects.toMatchObject({
        code: 'invalid-input',
      });
      await nameContact(watched.deps, accountId, { ...BEN, address: 'mia@mail.example' });
      expect(await look(watched, declines).catch(() => null)).not.toMatchObject({ kind: 'decline' });
    });

    it('and nothing of them stays among the messages once they were removed or replaced', async () => {
      const { watched, accountId } = await beginNearRelease();
      expect(await watched.messages({ kind: 'contact-warning' })).toHaveLength(1);
      await nameContact(watched.deps, accountId, { ...BEN, name: 'Benjamin' });
      await nameContact(watched.deps, accountId, { ...BEN, address: 'mia@mail.example' });
      expect(JSON.stringify(await watched.messages())).not.toContain(BEN.address);
    });

    it('with the token alone, of which the hash is stored', async () => {
      const { watched } = await beginNearRelease();
      const token = await tokenOf(watched);
      const { link_hash } = await row(watched);
      expect(link_hash).toBe(createHash('sha256').update(token).digest('base64url'));
      const everything = JSON.stringify([
        await row(watched),
        await watched.messages(),
        await watched.deps.db.selectFrom('jobs').selectAll().execute(),
      ]);
      expect(everything).not.toContain(token);
      const forged = `${'A'.repeat(20)}${token.slice(20)}`;
      expect(await failure(await press(watched, forged))).toEqual({ status: 404, code: 'not-found' });
    });

    it('or the letter is released, and never both', async () => {
      const { watched, accountId, id } = await beginNearRelease();
      await watched.live(3 * DAY - 6 * HOUR, { deliver: true });
      const { counted_time } = await watched.clock();
      await watched.setClock({ counted_time: counted_time + DAY });
      const token = await tokenOf(watched);
      const clock = await watched.clock();
      const [pressed] = await Promise.all([
        pressPostponement(watched.deps, token),
        endSilences(watched.deps, clock),
        pressPostponement(watched.deps, token),
      ]);
      const [again] = await Promise.all([pressPostponement(watched.deps, token)]);
      expect(again).toBe(false);
      const { postponed_until } = await row(watched);
      const isReleased = (await watched.stateOf(id)) === 'released';
      expect(isReleased).toBe(postponed_until === 0);
      expect((await watched.messages({ kind: 'postponed' })).length).toBe(isReleased ? 0 : 1);
      if (isReleased) expect(pressed).toBe(false);
      expect(accountId).toBeGreaterThan(0);
    });

    it('and one of two letters that was released by hand leaves the link to the other', async () => {
      const { watched, accountId } = await begin();
      await nameContact(watched.deps, accountId, BEN);
      const [one, other] = [
        await watched.watchSilence(accountId, 10),
        await watched.watchSilence(accountId, 10),
      ];
      await watched.live(7 * DAY + 4 * HOUR, { deliver: true });
      const token = await tokenOf(watched);
      const release = (id: number) =>
        transact(watched.deps.db, async (tx) => {
          await lockLastActivity(tx, accountId);
          return releaseScroll(watched.deps, tx, id);
        });
      await release(one);
      expect(await look(watched, token)).toMatchObject({ state: 'open' });
      await release(other);
      expect(await look(watched, token)).toMatchObject({ state: 'over' });
    });
  });

  describe('whose press came before the end of a pause of the switch', () => {
    async function pressAndConfirm(when: 'before' | 'during') {
      const begun = await beginNearRelease();
      const { watched } = begun;
      const token = await tokenOf(watched);
      const pause = async () => {
        await watched.setClock({ paused_reason: 'restored', paused_at: 1 });
        await watched.live(HOUR);
      };
      if (when === 'during') await pause();
      expect((await press(watched, token)).status).toBe(200);
      if (when === 'before') await pause();
      const { postponed_until } = await row(watched);
      await watched.confirm();
      return { ...begun, token, until: postponed_until };
    }

    it.each(['before', 'during'] as const)(
      '(%s it) has postponed as they were told, although every silence begins anew',
      async (when) => {
        const { watched, author, token, until } = await pressAndConfirm(when);
        expect(await row(watched)).toMatchObject({
          postponed_at: null,
          postponed_until: until,
          link_hash: null,
        });
        expect(await look(watched, token)).toMatchObject({ state: 'over' });
        expect((await read(author))?.postponedFor).toBe(until - (await watched.clock()).counted_time);
        expect(await watched.messages({ kind: 'postponed' })).toMatchObject([{ state: 'waiting' }]);
      },
    );

    it('is asked anew before the end of it, and may postpone once in the new silence', async () => {
      const { watched, id } = await pressAndConfirm('during');
      // The first tick after a pause counts nothing.
      await watched.live(HOUR, { deliver: true });
      await watched.live(26 * DAY - HOUR, seldom);
      expect(await watched.stateOf(id)).toBe('watching');
      expect(to(watched, 'contact-warning')).toHaveLength(1);
      await watched.live(DAY + 4 * HOUR, { deliver: true });
      expect(to(watched, 'contact-warning')).toHaveLength(2);
      const anew = await tokenOf(watched);
      expect((await press(watched, anew)).status).toBe(200);
      expect(await failure(await press(watched, anew))).toEqual(over);
      await watched.live(29 * DAY, seldom);
      expect(await watched.stateOf(id)).toBe('watching');
      await watched.live(2 * DAY, seldom);
      expect(await watched.stateOf(id)).toBe('released');
    });
  });
});
