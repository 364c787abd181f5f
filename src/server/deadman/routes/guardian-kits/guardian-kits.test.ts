// Guardians' kits: made, asked for, warned of, stopped by any activity, opened after a wait in counted time, removed.
import { createHash, randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { ReplyOf } from '../../../../shared/http/call.ts';
import {
  ASKS_MAX,
  type GuardianKit,
  guardianKits,
  KITS_MAX,
} from '../../../../shared/nouns/guardian-kits.ts';
import { DAY, HOUR, MINUTE } from '../../../../shared/time.ts';
import { describeOnEachEngine } from '../../../../testing/engines.ts';
import { failure } from '../../../../testing/instance.ts';
import { enterByPassphrase, type Person, signUpByPassphrase } from '../../../../testing/people.ts';
import { accountIdOf, aSealId, ciphertext } from '../../../../testing/planting.ts';
import { aSuccessor, begin as beginKey, REGENERATION, stage } from '../../../../testing/regenerating.ts';
import { look, press } from '../../../../testing/scrolls.ts';
import { aServer, aWatchedInstance, memoryJournal, type Watched } from '../../../../testing/switch.ts';
import { anEnvelope } from '../../../../testing/vault-keys.ts';
import { transact } from '../../../db/transact.ts';
import { countedTime } from '../../clock/counted-time-store.ts';
import { lockLastActivity } from '../../watch/last-activity-store.ts';
import { listKits, removeKit } from './store.ts';

const PATH = '/api/guardian-kits';
const ASK = `${PATH}/ask`;
type Answer = ReplyOf<typeof guardianKits.ask>;

const instances: Watched[] = [];
afterEach(async () => {
  for (const instance of instances.splice(0)) await instance.close();
});

/** For days in which it is no matter at which hour something happens. */
const seldom = { deliver: true, tick: 6 * HOUR };

describeOnEachEngine('a guardians’ kit', (engine) => {
  async function begin({
    alone,
    addresses = ['author@mail.example'],
  }: {
    alone?: boolean;
    addresses?: string[];
  } = {}) {
    const watched = await aWatchedInstance({ engine, ...(alone === undefined ? {} : { alone }) });
    instances.push(watched);
    const author = await signUpByPassphrase(watched.instance);
    const accountId = await accountIdOf(watched.instance, author);
    const key = anEnvelope();
    await author.request('POST', '/api/encryption-key', { body: { clientKey: key.clientKey } });
    for (const [i, address] of addresses.entries()) {
      await watched.deps.db
        .insertInto('warning_addresses')
        .values({
          ...{ account_id: accountId, address, proved_at: 1, asked_address: null, asked_message: null },
          ...{ place: i === 0 ? 'first' : 'second' },
        } as never)
        .execute();
    }
    return { watched, author, accountId, key };
  }
  type Begun = Awaited<ReturnType<typeof begin>>;

  /** What a browser makes of a secret, but that nothing of it opens anything. */
  function aKit(key: Begun['key'], fields: object = {}) {
    const claim = randomBytes(32).toString('base64url');
    const address = aSealId();
    const claimHash = createHash('sha256').update(Buffer.from(claim, 'base64url')).digest('base64url');
    const body = {
      ...{
        details: ciphertext(),
        needed: 2,
        count: 3,
        waitDays: 14,
        address,
        claimHash,
        wrap: ciphertext(92),
      },
      ...{ sealId: aSealId(), keyFingerprint: key.clientKey.fingerprint },
      ...fields,
    };
    return { body, shown: { address, claim } };
  }
  async function make({ author, key }: Begun, fields: object = {}) {
    const kit = aKit(key, fields);
    const response = await author.request('POST', PATH, { body: kit.body });
    expect(response.status).toBe(201);
    return { ...kit, row: (await response.json()) as GuardianKit };
  }
  const list = async (author: Person) => (await (await author.request('GET', PATH)).json()) as GuardianKit[];
  /** The same once the author's session is over. */
  const stored = ({ watched, accountId }: Begun) => listKits(watched.deps, accountId);
  const request = ({ watched }: Begun, body: object) => watched.instance.request('POST', ASK, { body });
  const ask = async (begun: Begun, body: object) => (await (await request(begun, body)).json()) as Answer;
  const mails = ({ mail }: Watched, kind: string) =>
    mail.letters.filter(({ subject }) => subject === kind).map(({ to }) => to);
  const waiting = (remaining: number) => ({ state: 'waiting', remaining, wrap: null });

  describe('is made', () => {
    it('listed with what its author chose, and removed, by its author alone', async () => {
      const begun = await begin();
      const { author, watched } = begun;
      const { body, row } = await make(begun);
      const { claimHash, wrap, ...kept } = body;
      expect(row).toMatchObject({ ...kept, asks: 0, asked: null, stoppedAt: null, openedAt: null });
      expect(JSON.stringify(await list(author))).not.toContain(wrap);
      expect(JSON.stringify(await list(author))).not.toContain(claimHash);
      const other = await signUpByPassphrase(watched.instance);
      expect(await list(other)).toEqual([]);
      expect((await other.request('DELETE', `${PATH}/${row.id}`)).status).toBe(404);
      expect((await author.request('DELETE', `${PATH}/${row.id}`)).status).toBe(204);
      expect(await list(author)).toEqual([]);
    });

    it('and removed in one mail each to its author, whoever has done it', async () => {
      const begun = await begin({ addresses: ['author@mail.example', 'second@mail.example'] });
      const { watched, author } = begun;
      const both = ['author@mail.example', 'second@mail.example'];
      const { row } = await make(begun);
      await watched.server.deliver();
      expect([mails(watched, 'kit-made').sort(), mails(watched, 'kit-removed')]).toEqual([both, []]);
      expect((await author.request('DELETE', `${PATH}/${row.id + 1}`)).status).toBe(404);
      expect((await author.request('DELETE', `${PATH}/${row.id}`)).status).toBe(204);
      await watched.server.deliver();
      expect([mails(watched, 'kit-made').sort(), mails(watched, 'kit-removed').sort()]).toEqual([both, both]);
    });

    it('twenty times a day, however often they are removed: each writes messages that count against no quota', async () => {
      const begun = await begin();
      const { watched, author } = begun;
      const remake = async () => {
        const { row } = await make(begun);
        expect((await author.request('DELETE', `${PATH}/${row.id}`)).status).toBe(204);
      };
      // One that is refused does not count.
      expect((await author.request('POST', PATH, { body: aKit(anEnvelope() as never).body })).status).toBe(
        409,
      );
      for (let n = 0; n < 20; n += 1) await remake();
      const written = (await watched.messages()).length;
      const refused = await author.request('POST', PATH, { body: aKit(begun.key).body });
      expect(await failure(refused)).toEqual({ status: 429, code: 'too-many' });
      expect(await list(author)).toEqual([]);
      expect(await watched.messages()).toHaveLength(written);
      watched.instance.clock.advance(DAY);
      begun.author = await enterByPassphrase(watched.instance, author);
      await make(begun);
    });

    it('each time is told of: a mail that has not left yet when it happens again says how often it did', async () => {
      const begun = await begin({ addresses: ['author@mail.example'] });
      const { watched, author } = begun;
      const { row } = await make(begun);
      const first = watched.deps.now();
      await watched.server.deliver();
      // One left in time. Of the next three none does.
      watched.instance.clock.advance(MINUTE);
      const rows = [await make(begun), await make(begun), await make(begun)].map((made) => made.row);
      watched.instance.clock.advance(MINUTE);
      for (const { id } of [row, ...rows]) await author.request('DELETE', `${PATH}/${id}`);
      const told = await watched.deps.db
        .selectFrom('messages')
        .select(['kind', 'state', 'step', 'deadline'])
        .where('state', '!=', 'cancelled')
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      expect(told).toEqual([
        { kind: 'kit-made', state: 'sent', step: 1, deadline: first },
        { kind: 'kit-made', state: 'waiting', step: 3, deadline: first + MINUTE },
        { kind: 'kit-removed', state: 'waiting', step: 4, deadline: first + 2 * MINUTE },
      ]);
    });

    it('five times at most, under the present key, each at an address of its own', async () => {
      const begun = await begin();
      const { author, key } = begun;
      const { body } = await make(begun);
      const again = await author.request('POST', PATH, {
        body: { ...aKit(key).body, address: body.address },
      });
      expect(await failure(again)).toEqual({ status: 409, code: 'seal-reused' });
      const stale = await author.request('POST', PATH, {
        body: aKit(key, { keyFingerprint: '0'.repeat(16) }).body,
      });
      expect(await failure(stale)).toEqual({ status: 409, code: 'key-changed' });
      for (let i = 1; i < KITS_MAX; i += 1) await make(begun);
      const sixth = await author.request('POST', PATH, { body: aKit(key).body });
      expect(await failure(sixth)).toEqual({ status: 409, code: 'kits-full' });
    });

    it.each([{ needed: 4 }, { needed: 1 }, { count: 16 }, { waitDays: 6 }, { waitDays: 91 }])(
      'never with %j',
      async (fields) => {
        const begun = await begin();
        const response = await begun.author.request('POST', PATH, { body: aKit(begun.key, fields).body });
        expect(await failure(response)).toMatchObject({ status: 422 });
      },
    );
  });

  describe('is asked for', () => {
    it('by the right claim alone: a wrong one and an unknown address are answered alike', async () => {
      const begun = await begin();
      const { shown } = await make(begun);
      const nobody = { status: 404, code: 'not-found' };
      const claim = randomBytes(32).toString('base64url');
      expect(await failure(await request(begun, { ...shown, claim }))).toEqual(nobody);
      expect(await failure(await request(begun, { ...shown, address: aSealId() }))).toEqual(nobody);
      expect(await ask(begun, shown)).toEqual(waiting(14 * DAY));
      expect(await list(begun.author)).toMatchObject([
        { asks: 1, asked: { remaining: 14 * DAY, isOver: false } },
      ]);
    });

    it('which tells the author at once, and at 7, 3 and 1 days before the end, at each address', async () => {
      const begun = await begin({ addresses: ['author@mail.example', 'second@mail.example'] });
      const { watched } = begun;
      const { shown, body } = await make(begun);
      await ask(begun, shown);
      await watched.server.deliver();
      const both = ['author@mail.example', 'second@mail.example'];
      expect(mails(watched, 'kit-asked').sort()).toEqual(both);
      const left: number[] = [];
      for (let step = 0; step < 13 * 4 + 2; step += 1) {
        const before = mails(watched, 'kit-asked').length;
        await watched.live(6 * HOUR, seldom);
        const { remaining } = await ask(begun, shown);
        if (mails(watched, 'kit-asked').length > before) left.push(Math.ceil((remaining ?? 0) / DAY));
      }
      expect(left).toEqual([7, 3, 1]);
      expect(mails(watched, 'kit-asked')).toHaveLength(8);
      await watched.live(DAY, seldom);
      await watched.live(4 * HOUR, { deliver: true });
      expect(await ask(begun, shown)).toEqual({ state: 'open', remaining: null, wrap: body.wrap });
    });

    it('twice at once, and by two servers, as one', async () => {
      const begun = await begin({ alone: false });
      const { watched, author } = begun;
      const { shown } = await make(begun);
      const other = aServer(watched.instance, memoryJournal(), false);
      const answers = await Promise.all([1, 2, 3, 4].map(() => ask(begun, shown)));
      expect(answers.map(({ state }) => state)).toEqual(['waiting', 'waiting', 'waiting', 'waiting']);
      expect(await list(author)).toMatchObject([{ asks: 1 }]);
      expect(await watched.messages({ kind: 'kit-asked' })).toHaveLength(1);
      for (let day = 0; day < 15; day += 1) {
        await watched.live(DAY, seldom);
        await other.tick();
      }
      expect((await watched.messages({ kind: 'kit-asked' })).length).toBe(5);
      expect(await ask(begun, shown)).toMatchObject({ state: 'open' });
    });

    it('while another kit is removed, and its author is told', async () => {
      const begun = await begin({ alone: false });
      const { watched, accountId } = begun;
      const { deps } = watched;
      const [one, other] = [await make(begun), await make(begun)];
      const events: string[] = [];
      // As guardians who ask hold it.
      const removing = await transact(deps.db, async (tx) => {
        await lockLastActivity(tx, accountId);
        const removed = removeKit(deps, { accountId, device: 'A browser' }, one.row.id).then(() =>
          events.push('removed'),
        );
        // It would have gone by then, if it did not wait.
        for (let query = 0; query < 50; query += 1) await countedTime(tx);
        events.push('asked');
        return { removed };
      });
      await removing.removed;
      expect(events).toEqual(['asked', 'removed']);
      await ask(begun, other.shown);
      expect(await watched.messages({ kind: 'kit-asked' })).toMatchObject([{ state: 'waiting' }]);
    });

    it('in one mail for all kits that wait', async () => {
      const begun = await begin();
      const { watched } = begun;
      const [one, other] = [await make(begun), await make(begun)];
      await ask(begun, one.shown);
      await ask(begun, other.shown);
      await watched.live(13 * DAY + 12 * HOUR, seldom);
      // At once, where the second takes the place of the first, and three times before the end.
      expect(mails(watched, 'kit-asked')).toHaveLength(4);
      await watched.live(2 * DAY, seldom);
      expect(await ask(begun, one.shown)).toMatchObject({ state: 'open' });
      expect(await ask(begun, other.shown)).toMatchObject({ state: 'open' });
    });
  });

  describe('is stopped', () => {
    it.each(['a sign of life', 'a sign-in', 'a link in a mail'] as const)(
      'by %s, and the author is told',
      async (by) => {
        const begun = await begin();
        const { watched, author } = begun;
        const { shown } = await make(begun);
        await ask(begun, shown);
        await watched.live(3 * DAY, seldom);
        const [told] = await watched.messages({ kind: 'kit-asked' });
        if (by === 'a sign of life') await author.request('POST', '/api/proof-of-life');
        else if (by === 'a sign-in') await watched.stillHere(begun.accountId);
        else {
          const link = told?.public_id ?? '';
          expect(await (await look(watched.instance, link)).json()).toEqual({
            kind: 'guardians',
            state: 'open',
          });
          expect((await press(watched.instance, link)).status).toBe(200);
        }
        expect(await ask(begun, shown)).toEqual({ state: 'stopped', remaining: null, wrap: null });
        await watched.live(30 * DAY, seldom);
        expect(await ask(begun, shown)).toMatchObject({ state: 'stopped' });
        expect(mails(watched, 'kit-stopped')).toEqual(['author@mail.example']);
        expect(await stored(begun)).toMatchObject([
          { asked: null, stoppedAt: expect.any(String), openedAt: null },
        ]);
      },
    );

    it('also after its wait, and then another asking waits anew, ten times in all', async () => {
      const begun = await begin();
      const { watched, accountId } = begun;
      const { shown } = await make(begun);
      await ask(begun, shown);
      await watched.live(15 * DAY, seldom);
      expect(await ask(begun, shown)).toMatchObject({ state: 'open' });
      await watched.stillHere(accountId);
      expect(await ask(begun, shown)).toMatchObject({ state: 'stopped', wrap: null });
      for (let i = 1; i < ASKS_MAX; i += 1) {
        expect(await ask(begun, { ...shown, again: true })).toEqual(waiting(14 * DAY));
        await watched.stillHere(accountId);
      }
      const spent = await request(begun, { ...shown, again: true });
      expect(await failure(spent)).toEqual({ status: 409, code: 'kit-spent' });
    });

    it('which the dashboard says for thirty days, because signing in stops it before anybody can read of it', async () => {
      const begun = await begin();
      const { watched, author } = begun;
      const { shown } = await make(begun);
      const told = async () => await (await author.request('GET', '/api/summary')).json();
      await ask(begun, shown);
      expect(await told()).toMatchObject({ kitsAsked: 1, kitsStopped: 0 });
      await author.request('POST', '/api/proof-of-life');
      expect(await told()).toMatchObject({ kitsAsked: 0, kitsStopped: 1 });
      await watched.deps.db
        .updateTable('guardian_kits')
        .set({ stopped_at: watched.deps.now() - 30 * DAY })
        .execute();
      expect(await told()).toMatchObject({ kitsAsked: 0, kitsStopped: 0 });
    });

    it('and asked for again is told of more loudly, unless thirty days have passed', async () => {
      const begun = await begin();
      const { watched, accountId, author } = begun;
      const { shown } = await make(begun);
      const again = () =>
        watched.deps.db.selectFrom('guardian_kits').select('asked_again').executeTakeFirstOrThrow();
      await ask(begun, shown);
      expect(await again()).toEqual({ asked_again: 0 });
      await author.request('POST', '/api/proof-of-life');
      await ask(begun, { ...shown, again: true });
      expect(await again()).toEqual({ asked_again: 1 });
      await watched.stillHere(accountId);
      await watched.live(31 * DAY, seldom);
      await ask(begun, { ...shown, again: true });
      expect(await again()).toEqual({ asked_again: 0 });
    });
  });

  describe('opens', () => {
    it('only once the mail server has taken a warning a day before, or fourteen days later', async () => {
      const begun = await begin();
      const { watched } = begun;
      const { shown } = await make(begun);
      watched.mail.answer = () => ({ refused: 'for-now', alone: true, why: 'Not now.' });
      await ask(begun, shown);
      await watched.live(27 * DAY, seldom);
      expect(await ask(begun, shown)).toMatchObject({ state: 'waiting' });
      await watched.live(2 * DAY, seldom);
      expect(await ask(begun, shown)).toMatchObject({ state: 'open' });
    });

    it('a day after the first warning that was taken late', async () => {
      const begun = await begin();
      const { watched } = begun;
      const { shown } = await make(begun);
      watched.mail.answer = () => ({ refused: 'for-now', alone: true, why: 'Not now.' });
      await ask(begun, shown);
      await watched.live(15 * DAY, seldom);
      watched.mail.answer = () => 'accepted';
      await watched.live(2 * DAY, { deliver: true });
      const { warning_accepted } = await watched.deps.db
        .selectFrom('guardian_kits')
        .select('warning_accepted')
        .executeTakeFirstOrThrow();
      expect(warning_accepted).toBeGreaterThan(14 * DAY);
      await watched.live(DAY, { deliver: true });
      expect(await ask(begun, shown)).toMatchObject({ state: 'open' });
    });

    it('fourteen days late for an author who can be told nowhere', async () => {
      const begun = await begin({ addresses: [] });
      const { shown } = await make(begun);
      await ask(begun, shown);
      await begun.watched.live(27 * DAY, seldom);
      expect(await ask(begun, shown)).toMatchObject({ state: 'waiting' });
      await begun.watched.live(2 * DAY, seldom);
      expect(await ask(begun, shown)).toMatchObject({ state: 'open' });
    });

    it('as often as it is asked within one wait, which its author is told once', async () => {
      const begun = await begin();
      const { watched } = begun;
      const { shown, body } = await make(begun);
      await ask(begun, shown);
      await watched.live(15 * DAY, seldom);
      for (let i = 0; i < 3; i += 1) expect(await ask(begun, shown)).toMatchObject({ wrap: body.wrap });
      await watched.live(DAY, seldom);
      expect(mails(watched, 'kit-opened')).toHaveLength(1);
      expect(await stored(begun)).toMatchObject([
        { openedAt: expect.any(String), asked: { isOver: true, remaining: 0 } },
      ]);
    });

    it('never while the switch is paused, and anew after the pause', async () => {
      const begun = await begin();
      const { watched } = begun;
      const { shown } = await make(begun);
      await ask(begun, shown);
      await watched.live(15 * DAY, seldom);
      expect(await ask(begun, shown)).toMatchObject({ state: 'open' });
      await watched.setClock({ paused_reason: 'restored', paused_at: watched.deps.now() });
      expect(await ask(begun, shown)).toMatchObject({ state: 'waiting', wrap: null });
      await watched.live(20 * DAY, seldom);
      expect(await ask(begun, shown)).toMatchObject({ state: 'waiting', wrap: null });
      await watched.confirm();
      expect(await ask(begun, shown)).toMatchObject({ state: 'waiting' });
      await watched.live(13 * DAY, seldom);
      expect(await ask(begun, shown)).toMatchObject({ state: 'waiting' });
      await watched.live(3 * DAY, seldom);
      expect(await ask(begun, shown)).toMatchObject({ state: 'open' });
      await watched.live(DAY, seldom);
      // Once before the pause, and once after it.
      expect(mails(watched, 'kit-opened')).toHaveLength(2);
    });

    it('which its author is told again after another wait, also where the calendar was wrong at the first', async () => {
      const begun = await begin();
      const { watched, accountId } = begun;
      const { shown } = await make(begun);
      await ask(begun, shown);
      await watched.live(15 * DAY, seldom);
      expect(await ask(begun, shown)).toMatchObject({ state: 'open' });
      await watched.stillHere(accountId);
      // As if the calendar had stood a year ahead then.
      const ahead = watched.deps.now() + 365 * DAY;
      await watched.deps.db.updateTable('guardian_kits').set({ opened_at: ahead }).execute();
      await ask(begun, { ...shown, again: true });
      await watched.live(15 * DAY, seldom);
      for (let i = 0; i < 2; i += 1) expect(await ask(begun, shown)).toMatchObject({ state: 'open' });
      await watched.live(DAY, seldom);
      expect(mails(watched, 'kit-opened')).toHaveLength(2);
    });

    it('nothing once it was removed, also in the middle of a wait, and warns of nothing any more', async () => {
      const begun = await begin();
      const { watched, author } = begun;
      const { shown, row } = await make(begun);
      await ask(begun, shown);
      // Whoever has just proved themselves has been active; what waits here was asked for since.
      expect((await author.request('DELETE', `${PATH}/${row.id}`)).status).toBe(204);
      await watched.live(30 * DAY, seldom);
      expect(await failure(await request(begun, shown))).toEqual({ status: 404, code: 'not-found' });
      expect(mails(watched, 'kit-asked')).toEqual([]);
    });
  });

  describe('follows the key', () => {
    const resealed = ({ id }: GuardianKit) => ({ kind: 'guardian-kit' as const, id, details: ciphertext() });
    const send =
      ({ author }: Begun) =>
      (method: string, path: string, body?: unknown) =>
        author.request(method, path, { body } as never);

    it('with a wrap of the new one in the transaction that replaces it, or nothing is replaced', async () => {
      const begun = await begin();
      const { shown, row } = await make(begun);
      const { fingerprint } = begun.key.clientKey;
      const id = await beginKey(send(begun), fingerprint);
      expect((await stage(send(begun), id, [resealed(row)])).status).toBe(204);
      const next = aSuccessor(id, fingerprint);
      const clientKey = { ...next.clientKey, succession: begun.key.vouchFor(next.clientKey) };
      const wrap = ciphertext(92);
      const finish = (kits: object[] | null) =>
        send(begun)('POST', `${REGENERATION}/finish`, { ...next, clientKey, kits });
      for (const wrong of [
        null,
        [],
        [{ id: row.id + 1, wrap }],
        [
          { id: row.id, wrap },
          { id: row.id + 1, wrap },
        ],
      ])
        expect(await failure(await finish(wrong))).toEqual({ status: 409, code: 'entries-changed' });
      expect((await finish([{ id: row.id, wrap }])).status).toBe(201);
      expect(await list(begun.author)).toMatchObject([{ keyFingerprint: clientKey.fingerprint }]);
      await ask(begun, shown);
      await begun.watched.live(15 * DAY, seldom);
      expect(await ask(begun, shown)).toMatchObject({ state: 'open', wrap });
    });

    it('and opens nothing under a key that was replaced without it', async () => {
      const begun = await begin();
      const { shown } = await make(begun);
      await ask(begun, shown);
      const next = anEnvelope();
      const succession = begun.key.vouchFor(next.clientKey);
      const replaced = await begun.author.request('POST', '/api/encryption-key', {
        body: {
          clientKey: { ...next.clientKey, succession },
          previousFingerprint: begun.key.clientKey.fingerprint,
        },
      });
      expect(replaced.status).toBe(201);
      expect(await failure(await request(begun, shown))).toEqual({ status: 404, code: 'not-found' });
    });

    it('and is never sealed anew by itself, without a wrap', async () => {
      const begun = await begin();
      const { row } = await make(begun);
      const body = { keyFingerprint: begun.key.clientKey.fingerprint, entries: [resealed(row)] };
      const response = await begun.author.request('POST', '/api/encryption-key/reseal', { body });
      expect(await failure(response)).toMatchObject({ status: 422 });
    });
  });
});

it('no call of guardians’ kits answers a key that anything could be sealed to', () => {
  // What recovery fails at elsewhere: a server that names the key to which a secret is sealed.
  const answered = Object.values(guardianKits).flatMap((row) =>
    'reply' in row ? [JSON.stringify(z.toJSONSchema(row.reply, { unrepresentable: 'any' }))] : [],
  );
  expect(answered).toHaveLength(3);
  for (const reply of answered) expect(reply).not.toMatch(/recipient|publicKey|verifyingKey|age1/i);
});
