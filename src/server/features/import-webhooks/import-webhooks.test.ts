// Live imports. What is sent here is signed by a library that nobody here wrote.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Activity } from '../../../shared/nouns/activity.ts';
import {
  DELIVERY_LIMITS,
  type ImportWebhook,
  REVOKED_MAX,
  WEBHOOKS_MAX,
} from '../../../shared/nouns/import-webhooks.ts';
import type { Memory } from '../../../shared/nouns/memory.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../shared/time.ts';
import { countedAs } from '../../../testing/attempts.ts';
import { aRecipient, makeWebhook, type NewWebhook, openBox } from '../../../testing/deliveries.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { failure, openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import { aMember, signUpByPassphrase } from '../../../testing/people.ts';
import { accountIdOf } from '../../../testing/planting.ts';
import { begin } from '../../../testing/regenerating.ts';
import { aDelivery, aPayload, pathOf, type Sending } from '../../../testing/signed-deliveries.ts';
import { limit } from '../../../testing/usage.ts';
import { anEnvelope, aPassphraseWrap } from '../../../testing/vault-keys.ts';
import { deleteExpired } from '../../expiry.ts';

const PATH = '/api/import-webhooks';
type Member = Awaited<ReturnType<typeof aRecipient>>;
const NOTHING = { status: 404, code: 'not-found' };
const WRONG = { status: 401, code: 'webhook-signature' };
const REVOKED = { status: 410, code: 'webhook-revoked' };

describeOnEachEngine('live imports', (engine) => {
  let instance: TestInstance;
  let person: Member;
  let webhook: NewWebhook;
  beforeEach(async () => {
    instance = await openTestInstance({ engine });
    person = await aRecipient(instance);
    webhook = await makeWebhook(person);
  });
  afterEach(() => instance.close());

  const deliver = (
    sending: Partial<Sending> = {},
    to: Pick<NewWebhook, 'url' | 'secret'> = webhook,
    server = instance,
  ) => server.request('POST', pathOf(to), aDelivery(to, { at: instance.clock.now(), ...sending }));
  const listed = async (of: Member = person) =>
    (await (await of.request('GET', PATH)).json()) as ImportWebhook[];
  const memories = async (of: Pick<Member, 'request'> = person) =>
    (await (await of.request('GET', '/api/memory-entries')).json()) as Memory[];
  const rotate = async (oldSecret: string) => {
    const response = await person.request('POST', `${PATH}/${webhook.id}/rotate`, { body: { oldSecret } });
    expect(response.status).toBe(200);
    return (await response.json()) as NewWebhook;
  };
  const open = (row: Memory, field: 'title' | 'encryptedContent' | 'details') =>
    openBox(person.ageIdentity, row[field] ?? '');

  describe('of an owner', () => {
    it('are listed with what they have brought, and say address and secret once', async () => {
      expect(webhook.url).toMatch(/^http:\/\/localhost:3000\/api\/import\/[\w-]{43}$/);
      expect(webhook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      const { url: _, secret: __, ...row } = webhook;
      expect(await listed()).toEqual([row]);
      expect(row).toEqual({
        ...{ id: webhook.id, name: 'bmFtZQ==', createdAt: new Date(instance.clock.now()).toISOString() },
        ...{ lastUsedAt: null, received: 0, oldSecretUntil: null, lastRefusal: null },
        ...{ sealId: null, keyFingerprint: null },
      });
      instance.clock.advance(MINUTE);
      expect((await deliver()).status).toBe(204);
      const lastUsedAt = new Date(instance.clock.now()).toISOString();
      expect(await listed()).toMatchObject([{ received: 1, lastUsedAt }]);
    });

    it('stand in the database without address and secret', async () => {
      await deliver();
      const rows = JSON.stringify([
        await instance.deps.db.selectFrom('import_webhooks').selectAll().execute(),
        await instance.deps.db.selectFrom('import_deliveries').selectAll().execute(),
      ]);
      expect(rows).not.toContain(pathOf(webhook).split('/').at(-1));
      expect(rows).not.toContain(webhook.secret.slice(6));
      const bytes = Buffer.from(webhook.secret.slice(6), 'base64');
      expect(rows).not.toContain(bytes.toString('hex'));
      expect(rows).not.toContain(bytes.toString('base64url'));
    });

    it('are noted in the account’s activity', async () => {
      await rotate('ends-now');
      await person.request('DELETE', `${PATH}/${webhook.id}`);
      const activity = (await (await person.request('GET', '/api/activity')).json()) as Activity[];
      expect(activity.map(({ kind }) => kind).filter((kind) => kind.startsWith('webhook'))).toEqual([
        'webhook-revoked',
        'webhook-secret-replaced',
        'webhook-made',
      ]);
    });

    it('are twenty at most, also when many are made at once', async () => {
      const made = await Promise.all(
        Array.from({ length: WEBHOOKS_MAX + 5 }, () =>
          person.request('POST', PATH, { body: { name: 'bg==' } }),
        ),
      );
      const statuses = made.map(({ status }) => status);
      expect(statuses.filter((status) => status === 201)).toHaveLength(WEBHOOKS_MAX - 1);
      const refused = made.find(({ status }) => status !== 201) as Response;
      expect(await failure(refused)).toEqual({ status: 409, code: 'webhooks-full' });
      expect(await listed()).toHaveLength(WEBHOOKS_MAX);
    });

    it('have a name that is sealed under the key of today', async () => {
      const body = { name: 'bmFtZQ==', keyFingerprint: '0'.repeat(16) };
      const other = await person.request('POST', PATH, { body });
      expect(await failure(other)).toEqual({ status: 409, code: 'key-changed' });
      const sealId = 'A'.repeat(22);
      const { fingerprint: keyFingerprint } = person.envelope.clientKey;
      expect(await makeWebhook(person, { sealId, keyFingerprint })).toMatchObject({ sealId, keyFingerprint });
      const again = await person.request('POST', PATH, { body: { name: 'bmFtZQ==', sealId } });
      expect(await failure(again)).toEqual({ status: 409, code: 'seal-reused' });
    });
  });

  describe('a delivery', () => {
    it('of a library that nobody here wrote becomes a memory that only the vault can open', async () => {
      const content = 'Grüße 🌊\n\nWe walked to the harbour.';
      const data = { title: 'The harbour', content, happenedOn: '2019-05-17T05:30', tags: ['sea', 'dawn'] };
      const response = await deliver({ payload: aPayload(data) });
      expect(response.status).toBe(204);
      expect(await response.text()).toBe('');
      const [row] = (await memories()) as [Memory];
      const { fingerprint } = person.envelope.clientKey;
      expect(row).toMatchObject({ keyFingerprint: fingerprint, version: 1, timeLockUntil: null });
      expect(row.sealId).toMatch(/^[A-Za-z0-9_-]{21}[AQgw]$/);
      const common = { v: 1, kind: 'memory', sealId: row.sealId };
      expect(await open(row, 'title')).toEqual({ ...common, field: 'title', text: 'The harbour' });
      expect(await open(row, 'encryptedContent')).toEqual({
        ...common,
        field: 'encryptedContent',
        text: content,
      });
      const details = (await open(row, 'details')) as { text: string };
      expect(details).toMatchObject({ ...common, field: 'details' });
      expect(details.text).toBe(
        `{"arrived":{"by":"webhook","id":${webhook.id}},"happenedOn":"2019-05-17T05:30","tags":["sea","dawn"],"v":1}`,
      );
    });

    it.each([
      ['the first line that has something in it', { content: '\n  \n First  line \nsecond' }, 'First line'],
      ['text in place of content', { content: undefined, text: 'Only text' }, 'Only text'],
      [
        'a long first line, cut at a word',
        { content: `${'word '.repeat(40)}` },
        `${'word '.repeat(15).trim()}…`,
      ],
      ['one word without an end', { content: '🌊'.repeat(100) }, `${'🌊'.repeat(79)}…`],
      ['a blank title', { title: '  ', content: 'Words' }, 'Words'],
    ])('without a title has %s', async (_, data, title) => {
      expect((await deliver({ payload: aPayload({ title: undefined, ...data }) })).status).toBe(204);
      const [row] = (await memories()) as [Memory];
      expect((await open(row, 'title')).text).toBe(title);
    });

    it('may be 256 KiB large, and no byte larger', async () => {
      const room = 256 * 1024 - JSON.stringify(aPayload({ content: '' })).length;
      expect((await deliver({ payload: aPayload({ content: 'a'.repeat(room) }) })).status).toBe(204);
      const larger = await deliver({ payload: aPayload({ content: 'a'.repeat(room + 1) }) });
      expect(await failure(larger)).toEqual({ status: 413, code: 'too-large' });
      const [row] = (await memories()) as [Memory];
      expect((await open(row, 'encryptedContent')).text).toBe('a'.repeat(room));
    });

    it('is refused where it was altered', async () => {
      const body = JSON.stringify(aPayload());
      for (const altered of [`${body} `, body.replace('dawn', 'dusk'), '', '{}', `\ufeff${body}`]) {
        expect(await failure(await deliver({ altered }))).toEqual(WRONG);
      }
      // One byte that no text has: read as text, it would have become another.
      const bytes = Buffer.from(body);
      bytes[bytes.length - 5] = 0xff;
      expect(await failure(await deliver({ altered: new Uint8Array(bytes) }))).toEqual(WRONG);
      expect(await memories()).toEqual([]);
    });

    it.each([
      ['another secret', { secret: `whsec_${Buffer.alloc(32).toString('base64')}` }, WRONG],
      ['no id', { headers: { 'webhook-id': '' } }, { status: 401, code: 'webhook-unsigned' }],
      ['no time', { headers: { 'webhook-timestamp': '' } }, { status: 401, code: 'webhook-unsigned' }],
      ['no signature', { headers: { 'webhook-signature': '' } }, { status: 401, code: 'webhook-unsigned' }],
      ['an id that was not signed', { headers: { 'webhook-id': 'other' } }, WRONG],
      ['a time that was not signed', { headers: { 'webhook-timestamp': '1' } }, WRONG],
      ['another version', { headers: { 'webhook-signature': 'v2,AAAA' } }, WRONG],
    ])('is refused with %s', async (_, sending, refusal) => {
      expect(await failure(await deliver(sending))).toEqual(refusal);
      expect(await memories()).toEqual([]);
      expect(await listed()).toMatchObject([{ received: 0, lastRefusal: { reason: 'signature' } }]);
    });

    it.each([-5 * MINUTE - SECOND, 5 * MINUTE + SECOND])('is refused %i ms away from now', async (away) => {
      const response = await deliver({ at: instance.clock.now() + away });
      const { message, code } = (await response.json()) as { message: string; code: string };
      expect([response.status, code]).toEqual([401, 'webhook-time']);
      expect(message).toContain('five minutes');
      expect(await memories()).toEqual([]);
      expect(await listed()).toMatchObject([{ lastRefusal: { reason: 'time' } }]);
      expect((await deliver({ at: instance.clock.now() + Math.sign(away) * 5 * MINUTE })).status).toBe(204);
    });

    it.each<[string, unknown, string]>([
      ['no JSON', '{', 'not valid JSON'],
      ['a list', [], 'missing, or is no object'],
      ['no type', aPayload({}, { type: undefined }), 'type: This is missing'],
      ['a type with spaces', aPayload({}, { type: 'a b' }), 'type: This is not an event type'],
      ['no timestamp', aPayload({}, { timestamp: undefined }), 'timestamp:'],
      ['no data', aPayload({}, { data: undefined }), 'data: This is missing'],
      ['an unknown field', aPayload({}, { extra: 1 }), 'not known'],
      ['an unknown field in data', aPayload({ extra: 1 }), 'data: There is a field here that is not known'],
      ['neither content nor text', aPayload({ content: undefined }), 'data: Send either content or text'],
      ['both', aPayload({ text: 'x' }), 'data: Send either content or text'],
      ['a blank text', aPayload({ content: ' \n ' }), 'data: The text is blank'],
      ['a number', aPayload({ content: 1 }), 'data.content: This is not a text'],
      ['an endless title', aPayload({ title: 'x'.repeat(201) }), 'data.title: A title has 200'],
      ['a day that is none', aPayload({ happenedOn: '2019-02-31' }), 'data.happenedOn: This is not a date'],
      ['a moment with a zone', aPayload({ happenedOn: '2019-02-01T10:00Z' }), 'data.happenedOn:'],
      ['too many tags', aPayload({ tags: Array(13).fill('a') }), 'data.tags: There are 12'],
      ['a long tag', aPayload({ tags: ['a'.repeat(41)] }), 'data.tags.0: A tag has 40'],
      ['a blank tag', aPayload({ tags: [' '] }), 'data.tags.0: A tag is blank'],
      ['NUL', aPayload({ content: 'a\0b' }), 'NUL'],
    ])('with %s is refused, and told why', async (_, payload, why) => {
      const response = await deliver({ payload });
      const { message } = (await response.json()) as { message: string };
      expect([400, 422]).toContain(response.status);
      expect(message).toContain(why);
      expect(await listed()).toMatchObject([{ received: 0, lastRefusal: { reason: 'body' } }]);
    });

    it('is told nothing of its body while its signature is wrong', async () => {
      const { secret } = await makeWebhook(person);
      expect(await failure(await deliver({ payload: '{', secret }))).toEqual(WRONG);
      expect(await failure(await deliver({ payload: { a: 1 }, secret }))).toEqual(WRONG);
    });

    it('with more values than it has room for is refused before it is parsed', async () => {
      const response = await deliver({ payload: `{"a":[${'0,'.repeat(400)}0]` });
      expect(await failure(response)).toEqual({ status: 413, code: 'too-large' });
    });

    it('has to be JSON', async () => {
      const response = await deliver({ headers: { 'content-type': 'text/plain' } });
      expect(await failure(response)).toEqual({ status: 415, code: 'wrong-type' });
    });

    it('to a vault without a key is refused, and accepted once there is one', async () => {
      const newcomer = await signUpByPassphrase(instance);
      const early = await makeWebhook(newcomer);
      const sent = { id: 'msg_early' };
      expect(await failure(await deliver(sent, early))).toEqual({ status: 409, code: 'no-vault-key' });
      const list = (await (await newcomer.request('GET', PATH)).json()) as ImportWebhook[];
      expect(list).toMatchObject([{ lastRefusal: { reason: 'key' } }]);
      const clientKey = {
        ...anEnvelope(person.envelope.clientKey.recipient).clientKey,
        wraps: [aPassphraseWrap()],
      };
      expect((await newcomer.request('POST', '/api/encryption-key', { body: { clientKey } })).status).toBe(
        201,
      );
      expect((await deliver(sent, early)).status).toBe(204);
    });

    it('to a vault whose public key is none is refused', async () => {
      const other = await aMember(instance);
      expect(await failure(await deliver({}, await makeWebhook(other)))).toEqual({
        status: 409,
        code: 'key-unusable',
      });
    });

    it('waits while the key is being changed, and is sealed to the key that is there then', async () => {
      const send = (method: string, path: string, body?: unknown) => person.request(method, path, { body });
      await begin(send, person.envelope.clientKey.fingerprint);
      const sent = { id: 'msg_meanwhile' };
      const response = await deliver(sent);
      expect(response.headers.get('retry-after')).toBe('300');
      expect(await failure(response)).toEqual({ status: 503, code: 'key-being-changed' });
      expect(await memories()).toEqual([]);
      const replaced = {
        ...anEnvelope(person.envelope.clientKey.recipient).clientKey,
        wraps: [aPassphraseWrap()],
      };
      const body = { clientKey: replaced, previousFingerprint: person.envelope.clientKey.fingerprint };
      expect((await person.request('POST', '/api/encryption-key', { body })).status).toBe(201);
      expect((await deliver(sent)).status).toBe(204);
      expect(await memories()).toMatchObject([{ keyFingerprint: replaced.fingerprint }]);
    });

    it('does not wait for good for a browser that was closed in the middle of it', async () => {
      const send = (method: string, path: string, body?: unknown) => person.request(method, path, { body });
      await begin(send, person.envelope.clientKey.fingerprint);
      instance.clock.advance(HOUR);
      expect((await deliver()).status).toBe(204);
    });
  });

  it('that come slowly make room for others, the first of them first', async () => {
    const firstAnswer = Promise.race(
      Array.from({ length: 65 }, async (_, n) => {
        const { headers = {} } = aDelivery(webhook, { at: instance.clock.now() });
        const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) });
        return { n, ...(await failure(await instance.request('POST', pathOf(webhook), { headers, body }))) };
      }),
    );
    expect(await firstAnswer).toEqual({ n: 0, status: 503, code: 'busy' });
    expect((await deliver()).status).toBe(204);
  });

  describe('a repeated delivery', () => {
    it('is stored once and answered 204 each time, by whatever server and with whatever body, for thirty days', async () => {
      const sibling = instance.sibling();
      const sent = { id: 'msg_1' };
      expect((await deliver(sent)).status).toBe(204);
      // Standard Webhooks takes nothing but 2xx for delivered, and would send it for days.
      expect((await deliver(sent)).status).toBe(204);
      expect((await deliver(sent, webhook, sibling)).status).toBe(204);
      expect((await deliver({ ...sent, payload: aPayload({ title: 'Other' }) })).status).toBe(204);
      expect((await deliver({ ...sent, payload: aPayload({ extra: 1 }) })).status).toBe(204);
      expect(await listed()).toMatchObject([{ received: 1 }]);
      instance.clock.advance(30 * DAY - 1);
      await deleteExpired(instance.deps);
      expect((await deliver(sent)).status).toBe(204);
      instance.clock.advance(1);
      await deleteExpired(instance.deps);
      expect(await instance.deps.db.selectFrom('import_deliveries').selectAll().execute()).toEqual([]);
      // Its session has ended meanwhile.
      expect(await instance.deps.db.selectFrom('memory_entries').selectAll().execute()).toHaveLength(1);
    });

    it('that is signed with another secret is refused like every other', async () => {
      expect((await deliver({ id: 'msg_1' })).status).toBe(204);
      const { secret } = await makeWebhook(person);
      expect(await failure(await deliver({ id: 'msg_1', secret }))).toEqual(WRONG);
    });

    it('of which fifty come at once, at two servers, is stored once', async () => {
      const servers = [instance, instance.sibling()];
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) => deliver({ id: 'msg_race' }, webhook, servers[n % 2])),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 204));
      expect(await memories()).toHaveLength(1);
      expect(await listed()).toMatchObject([{ received: 1 }]);
      // Nor has it used up what the sender has for the day: the minute ends sooner than any counter of a day.
      const rows = await instance.deps.db
        .selectFrom('attempts')
        .selectAll()
        .where('resets_at', '>', instance.clock.now() + MINUTE)
        .execute();
      expect(rows.every(({ count }) => count <= 1)).toBe(true);
    });

    it('is another one at another webhook', async () => {
      const other = await makeWebhook(person);
      expect((await deliver({ id: 'msg_1' })).status).toBe(204);
      expect((await deliver({ id: 'msg_1' }, other)).status).toBe(204);
    });

    it('that was refused can be sent again', async () => {
      const sent = { id: 'msg_1' };
      expect((await deliver({ ...sent, payload: aPayload({ extra: 1 }) })).status).toBe(422);
      expect((await deliver(sent)).status).toBe(204);
    });
  });

  describe('another secret', () => {
    it('takes the place of the old one, which is accepted for another day', async () => {
      const { secret, oldSecretUntil } = await rotate('stays-a-day');
      expect(secret).not.toBe(webhook.secret);
      expect(oldSecretUntil).toBe(new Date(instance.clock.now() + DAY).toISOString());
      instance.clock.advance(DAY - SECOND);
      expect((await deliver()).status).toBe(204);
      expect((await deliver({ secret })).status).toBe(204);
      instance.clock.advance(SECOND);
      expect(await failure(await deliver())).toEqual(WRONG);
      expect((await deliver({ secret })).status).toBe(204);
      expect(await listed()).toMatchObject([{ oldSecretUntil: null }]);
    });

    it('takes its place at once where its owner wants that, also after a first change', async () => {
      const second = await rotate('stays-a-day');
      const third = await rotate('ends-now');
      expect(third.oldSecretUntil).toBeNull();
      for (const { secret } of [webhook, second])
        expect(await failure(await deliver({ secret }))).toEqual(WRONG);
      expect((await deliver({ secret: third.secret })).status).toBe(204);
    });

    it('ends the one before the one before', async () => {
      const second = await rotate('stays-a-day');
      const third = await rotate('stays-a-day');
      expect(await failure(await deliver())).toEqual(WRONG);
      for (const { secret } of [second, third]) expect((await deliver({ secret })).status).toBe(204);
    });
  });

  describe('an address', () => {
    it('that is revoked says so for thirty days, whatever is sent, and then answers as one that never was', async () => {
      const never = { ...webhook, url: webhook.url.replace(/[\w-]{43}$/, 'A'.repeat(43)) };
      expect((await person.request('DELETE', `${PATH}/${webhook.id}`)).status).toBe(204);
      expect(await listed()).toEqual([]);
      expect(await failure(await deliver())).toEqual(REVOKED);
      expect(await failure(await deliver({ secret: `whsec_${'A'.repeat(43)}=` }))).toEqual(REVOKED);
      expect(await failure(await deliver({}, never))).toEqual(NOTHING);
      expect(await memories()).toEqual([]);
      instance.clock.advance(30 * DAY - 1);
      await deleteExpired(instance.deps);
      expect(await failure(await deliver())).toEqual(REVOKED);
      instance.clock.advance(1);
      await deleteExpired(instance.deps);
      expect(await failure(await deliver())).toEqual(NOTHING);
      expect(await instance.deps.db.selectFrom('revoked_webhooks').selectAll().execute()).toEqual([]);
    });

    it('that is revoked is remembered of the last hundred of an account', async () => {
      const { db, clock } = { db: instance.deps.db, clock: instance.clock };
      const rows = Array.from({ length: REVOKED_MAX }, (_, n) => ({
        token_hash: `hash ${n}`,
        account_id: 0,
        revoked_at: clock.now() - n - 1,
      }));
      const account_id = await accountIdOf(instance, person);
      await db
        .insertInto('revoked_webhooks')
        .values(rows.map((row) => ({ ...row, account_id })))
        .execute();
      expect((await person.request('DELETE', `${PATH}/${webhook.id}`)).status).toBe(204);
      const left = await db.selectFrom('revoked_webhooks').select('token_hash').execute();
      expect(left).toHaveLength(REVOKED_MAX);
      expect(left).not.toContainEqual({ token_hash: `hash ${REVOKED_MAX - 1}` });
      expect(await failure(await deliver())).toEqual(REVOKED);
    });

    it('is found no more once its vault is destroyed, and nothing of it is left', async () => {
      await deliver();
      const revoked = await makeWebhook(person);
      await person.request('DELETE', `${PATH}/${revoked.id}`);
      const body = { confirm: 'DESTROY' };
      expect((await person.request('POST', '/api/vault/destroy', { body })).status).toBe(204);
      for (const to of [webhook, revoked]) expect(await failure(await deliver({}, to))).toEqual(NOTHING);
      for (const table of [
        'import_webhooks',
        'import_deliveries',
        'revoked_webhooks',
        'memory_entries',
      ] as const) {
        expect(await instance.deps.db.selectFrom(table).selectAll().execute()).toEqual([]);
      }
    });

    it('is in no line of the log, and nor is what is sent there', async () => {
      await deliver({ payload: aPayload({ title: 'canary-7f3a9c' }) });
      await deliver({ payload: aPayload({ extra: 'canary-7f3a9c' }) });
      await deliver({ altered: '{"canary-7f3a9c":1}' });
      await instance.request('POST', `${pathOf(webhook)}-canary-7f3a9c`, { body: {} });
      const lines = JSON.stringify(instance.log);
      expect(lines).toContain('"route":"/api/import/{token}"');
      expect(lines).not.toContain(pathOf(webhook).split('/').at(-1));
      expect(lines).not.toContain('canary');
    });
  });

  describe('a flood', () => {
    const soon = 11 * MINUTE;

    it('of right deliveries is held to so many a minute and a day, and told when to go on', async () => {
      const other = await makeWebhook(person);
      const first = await countedAs(instance, DELIVERY_LIMITS.minute - 2, deliver);
      const next = [await deliver(), await deliver(), await deliver(), await deliver()];
      expect([first, ...next].map(({ ok }) => ok)).toEqual([true, true, true, false, false]);
      const refused = await deliver();
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await failure(refused)).toEqual({ status: 429, code: 'too-many' });
      expect((await listed()).find(({ id }) => id === webhook.id)).toMatchObject({
        received: 3,
        lastRefusal: { reason: 'rate' },
      });
      // Another of the same vault, and the owner, go on.
      expect((await deliver({}, other)).status).toBe(204);
      expect(
        (
          await person.request('POST', '/api/memory-entries', {
            body: { title: 'dA==', encryptedContent: 'dA==' },
          })
        ).status,
      ).toBe(201);
      instance.clock.advance(MINUTE);
      expect((await deliver()).status).toBe(204);
      const day = await instance.deps.db.selectFrom('attempts').select('count').execute();
      expect(Math.max(...day.map(({ count }) => count))).toBe(DELIVERY_LIMITS.minute + 2);
    });

    it('stays within the quota of the vault, and says nothing of how full that is', async () => {
      await limit(instance, { bytes: 100_000, rows: 100 }, await accountIdOf(instance, person));
      const answers: Response[] = [];
      for (let n = 0; n < 20; n += 1) {
        answers.push(await deliver({ payload: aPayload({ content: 'a'.repeat(10_000) }) }));
      }
      const kept = answers.filter(({ ok }) => ok).length;
      expect(kept).toBeGreaterThan(2);
      expect(kept).toBeLessThan(8);
      const last = (await answers.at(-1)?.json()) as { code: string; message: string };
      expect(last.code).toBe('quota-bytes');
      expect(last.message).not.toMatch(/\d/);
      expect(await memories()).toHaveLength(kept);
      expect(await listed()).toMatchObject([{ received: kept, lastRefusal: { reason: 'room' } }]);
      expect(await instance.deps.db.selectFrom('import_deliveries').selectAll().execute()).toHaveLength(kept);
    });

    it('at a vault that is full is sealed no oftener than one that has room, and takes nothing off the day', async () => {
      const accountId = await accountIdOf(instance, person);
      await limit(instance, { bytes: 2 ** 30, rows: 0 }, accountId);
      const codes = [(await failure(await countedAs(instance, DELIVERY_LIMITS.minute - 2, deliver))).code];
      for (let n = 0; n < 3; n += 1) codes.push((await failure(await deliver())).code);
      expect(codes).toEqual(['quota-rows', 'quota-rows', 'quota-rows', 'too-many']);
      await limit(instance, { bytes: 2 ** 30, rows: 10_000 }, accountId);
      instance.clock.advance(MINUTE);
      expect((await deliver()).status).toBe(204);
      const rows = await instance.deps.db.selectFrom('attempts').select('count').execute();
      expect(Math.max(...rows.map(({ count }) => count))).toBeLessThanOrEqual(DELIVERY_LIMITS.minute);
    });

    it('by many webhooks of one vault is held to so many a minute', async () => {
      const hooks = [webhook, await makeWebhook(person), await makeWebhook(person)];
      const each = DELIVERY_LIMITS.vaultMinute / hooks.length;
      expect(each).toBeLessThan(DELIVERY_LIMITS.minute);
      let accepted = 0;
      for (const hook of hooks) {
        const first = await countedAs(instance, each - 1, () => deliver({}, hook));
        accepted += first.ok ? each - 1 : 0;
      }
      for (let n = 0; n < 3; n += 1) {
        for (const hook of hooks) accepted += (await deliver({}, hook)).ok ? 1 : 0;
      }
      expect(accepted).toBe(DELIVERY_LIMITS.vaultMinute);
    });

    it('of wrong ones at a known address shuts out whoever sends them, and not the real sender', async () => {
      const env = { TRUSTED_PROXIES: '' };
      const server = instance.sibling(env);
      const wrong = { secret: `whsec_${Buffer.alloc(32).toString('base64')}`, from: '203.0.113.9' };
      const send = async () => (await failure(await deliver(wrong, webhook, server))).code;
      const codes = [await countedAs(instance, 119, send), await send(), await send(), await send()];
      expect(codes).toEqual(['webhook-signature', 'webhook-signature', 'too-many', 'too-many']);
      expect((await deliver({ from: '198.51.100.7' }, webhook, server)).status).toBe(204);
      // Also from the very address: what is signed rightly is never counted with what is not.
      expect((await deliver({ from: '203.0.113.9' }, webhook, server)).status).toBe(204);
      instance.clock.advance(soon);
    });

    it('at addresses that are none is counted by who sends it, and closes the gate to nobody', async () => {
      const never = { ...webhook, url: webhook.url.replace(/[\w-]{43}$/, 'B'.repeat(43)) };
      const send = async () => (await failure(await deliver({ from: '203.0.113.9' }, never))).code;
      const codes = [await countedAs(instance, 119, send), await send(), await send(), await send()];
      expect(codes).toEqual(['not-found', 'not-found', 'too-many', 'too-many']);
      expect((await deliver({ from: '203.0.113.9' })).status).toBe(204);
      const entered = await instance.request('POST', '/api/gate/passphrase/enter', {
        body: { name: person.name, authKey: person.authKey },
        from: '203.0.113.9',
      });
      expect(entered.status).toBe(200);
    });
  });
});
