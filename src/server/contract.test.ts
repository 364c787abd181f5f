// Walks the contract: every row is held to the same rules, also the rows of later issues.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { type CallShape, CONTRACT, CONTRACT_HEADER, PARAM_MAX } from '../shared/http/call.ts';
import { contractRows } from '../shared/http/contract.ts';
import { errorCodes } from '../shared/http/error-codes.ts';
import { fieldsOf } from '../shared/http/field-classes.ts';
import { ERASE_WORD } from '../shared/nouns/administration.ts';
import { MINUTE } from '../shared/time.ts';
import { openSelling } from '../testing/billing.ts';
import { describeOnEachEngine } from '../testing/engines.ts';
import { failure, openTestInstance, type TestInstance } from '../testing/instance.ts';
import { aMember, type Person, signUpByPassphrase } from '../testing/people.ts';
import { plantingFor } from '../testing/planting.ts';
import { honoPath } from './http/route.ts';

const rows = contractRows();
const named = rows.map(({ name, row }) => [`${name} (${row.method} ${row.path})`, row] as const);
const only = (wanted: (row: CallShape) => boolean) => named.filter(([, row]) => wanted(row));

/** A path of this row whose parameters name nothing. */
const somePath = (row: CallShape, id = '1') => row.path.replace(/\{\w+\}/g, id);

/** The name under which a row is asked, where it is not the server's first one. */
const hostFor = (row: CallShape): Record<string, string> =>
  row.checkoutOrigin ? { host: '127.0.0.1:3000', 'sec-fetch-site': 'same-origin' } : {};

/** What a call says of its body that is not JSON. */
const typeOf = ({ rawBody, access }: CallShape): Record<string, string> =>
  rawBody && access !== 'anyone' ? { 'content-type': rawBody.type } : {};

/** Somebody who may make the call of this row. */
async function somebodyFor(instance: TestInstance, row: CallShape): Promise<Person> {
  const person = await signUpByPassphrase(instance);
  if (row.access === 'admin') {
    await instance.deps.db
      .updateTable('accounts')
      .set({ is_admin: 1 })
      .where('uid', '=', person.user.id)
      .execute();
  }
  return person;
}

const SEALED = 'b3RoZXI=';
const BYTES_16 = 'A'.repeat(22);
const BYTES_32 = 'A'.repeat(43);
/** A field of every name that the body of a call with an id may want: one object passes all their schemas. */
const wellFormed = {
  sealId: BYTES_16,
  version: 1,
  name: SEALED,
  oldSecret: 'ends-now',
  title: SEALED,
  encryptedSentence: SEALED,
  recipientIds: [1],
  what: 'seen',
  personName: SEALED,
  eventType: 'moment',
  storyType: 'biography',
  emotionalWeight: 3,
  encryptedContent: SEALED,
  encryptedSecret: SEALED,
  doorHash: BYTES_32,
  claimHash: BYTES_32,
  stretching: null,
  door: BYTES_32,
  claim: BYTES_32,
  redemptionId: BYTES_16,
  triggerType: 'inactivity',
  triggerValue: '30',
  recipientType: 'email',
  recipientAddress: 'ada@mail.example',
  scrolls: 'disarm',
  confirm: ERASE_WORD,
};

describe('the contract', () => {
  let instance: TestInstance;
  beforeAll(async () => {
    instance = await openTestInstance();
  });
  afterAll(() => instance.close());

  it('has a route for every row and a row for every route', () => {
    const routes = instance.app.routes
      .filter(({ method, path }) => method !== 'ALL' && !path.includes('*'))
      .map(({ method, path }) => `${method} ${path}`)
      .filter(
        (route) =>
          !/\/(?:favicon\.(?:svg|ico)|robots\.txt|app\.webmanifest|(?:icon|apple-touch|screenshot)-[\w-]+\.(?:png|webp)|service-worker\.js|source|\.well-known\/[\w.-]+)$/.test(
            route,
          ),
      );
    expect([...new Set(routes)].sort()).toEqual(
      rows.map(({ row }) => `${row.method} ${honoPath(row.path)}`).sort(),
    );
  });

  it('names each call once', () => {
    const calls = rows.map(({ row }) => `${row.method} ${row.path}`);
    expect(new Set(calls).size).toBe(calls.length);
  });

  it.each(named)('gives every field of %s a class and says what it is', (_, row) => {
    for (const schema of [row.body, row.query, row.reply]) {
      if (!schema) continue;
      const unclassed = fieldsOf(schema).filter(({ meta }) => meta === null || meta.says === '');
      expect(unclassed.map(({ path }) => path)).toEqual([]);
    }
  });

  it.each(named)('gives %s a reply, unless it answers 204 or a file, or a browser goes there', (_, row) => {
    const hasNone = row.status === 204 || row.navigation === true || row.file !== undefined;
    expect(row.reply === undefined).toBe(hasNone);
  });

  it.each(only((row) => row.lines === true))('tells by %s how its lines end', (_, row) => {
    const ends = [{ type: 'end' }, { type: 'error', code: 'internal', message: 'Something went wrong.' }];
    for (const line of ends) expect(row.reply && z.safeParse(row.reply, line).success).toBe(true);
    expect(row.status).toBeUndefined();
  });

  it.each(only((row) => row.upload !== undefined))(
    'takes one file by %s, of a class and a size',
    (_, row) => {
      expect(row.body).toBeUndefined();
      expect(row.method).toBe('POST');
      expect(row.upload?.says).not.toBe('');
      expect(row.upload?.maxBytes).toBeLessThanOrEqual(25 * 1024 * 1024);
    },
  );

  it.each(only((row) => row.upload !== undefined))(
    'refuses every odd form for %s plainly, and repeats none of it',
    async (_, row) => {
      const canary = 'canary-7f3a9c';
      const speech = { engine: 'embedded', hearer: '', rough: true, maxSeconds: 1 } as const;
      const hearing = await openTestInstance({
        deps: { speech: { ...speech, hear: async () => 'unreadable' as const } },
      });
      const person = await somebodyFor(hearing, row);
      const head = (text: string) => `--XX\r\nContent-Disposition: form-data; ${text}\r\n\r\n`;
      const field = `name="${row.upload?.field}"; filename="${canary}"`;
      const type = 'multipart/form-data; boundary=XX';
      const end = '\r\n--XX--\r\n';
      const requests: [type: string, body: string, status: number][] = [
        ['application/json', '{}', 415],
        ['', canary, 415],
        ['multipart/form-data', canary, 415],
        [`multipart/form-data; boundary=${'X'.repeat(71)}`, canary, 415],
        ['multipart/mixed; boundary=XX', canary, 415],
        [type, '', 400],
        [type, canary, 400],
        [type, `${head(field)}${canary}`, 400],
        [type, `${head(field)}${canary}\r\n${head(field)}${canary}${end}`, 400],
        [type, `${head(`${field}; ${'x'.repeat(5000)}`)}${canary}${end}`, 400],
        [type, `${head(field)}${canary}${end}${canary}`, 400],
        [type, '--XX--\r\n', 422],
        [type, `${head(field)}${end}`, 422],
        [type, `${head(`name="${canary}"; filename="x"`)}${canary}${end}`, 422],
        [type, `${head(`name="${row.upload?.field}"`)}${canary}${end}`, 422],
        [type, `${head(field)}${canary}${end}`, 422],
      ];
      for (const [contentType, body, status] of requests) {
        const headers = { 'content-type': contentType };
        const answer = await person.request(row.method, row.path, { headers, body: Buffer.from(body) });
        const text = await answer.text();
        expect(answer.status, `${contentType} ${body}`).toBe(status);
        expect(Object.keys(JSON.parse(text)).sort()).toEqual(['code', 'message']);
        expect(text).not.toContain(canary);
        expect(JSON.stringify(hearing.log)).not.toContain(canary);
      }
      const large = Buffer.alloc((row.upload?.maxBytes ?? 0) + 64 * 1024);
      const headers = { 'content-type': type };
      const answer = await person.request(row.method, row.path, { headers, body: large });
      expect(await failure(answer)).toEqual({ status: 413, code: 'too-large' });
      await hearing.close();
    },
  );

  // What comes piece by piece, and unsigned, features/files/files.test.ts tries.
  it.each(only((row) => row.rawBody !== undefined && !row.rawBody.streamed))(
    'takes by %s signed bytes of one type and a size, and repeats none of what is not signed',
    async (_, row) => {
      expect(row.body ?? row.upload).toBeUndefined();
      const canary = 'canary-7f3a9c';
      const selling = await openSelling();
      const send = (contentType: string, body: Buffer, headers = {}) =>
        selling.request(row.method, row.path, {
          headers: { ...(contentType && { 'content-type': contentType }), ...headers },
          body,
        });
      const type = row.rawBody?.type ?? '';
      const limit = row.rawBody?.maxBytes ?? 0;
      const mayBeRight = `t=${Math.floor(selling.clock.now() / 1000)},v1=${'0'.repeat(64)}`;
      const requests: [type: string, body: Buffer, status: number][] = [
        ['', Buffer.from(canary), 415],
        ['text/plain', Buffer.from(canary), 415],
        [`${type}p`, Buffer.from(canary), 415],
        [type, Buffer.alloc(limit + 1, 'x'), 413],
        [type, Buffer.alloc(limit, 'x'), 400],
        [`${type}; charset=utf-8`, Buffer.from(`{"id":"${canary}"}`), 400],
        [type, Buffer.from([0xff, 0xfe, 0]), 400],
        [type, Buffer.alloc(0), 400],
      ];
      for (const [contentType, body, status] of requests) {
        for (const signature of [undefined, canary, `t=1,v1=${canary}`, 't=,v1=', mayBeRight]) {
          const headers = signature === undefined ? {} : { 'stripe-signature': signature };
          const answer = await send(contentType, body, headers);
          const text = await answer.text();
          // Nothing is received with a signature that cannot be right, so nobody knows how long it is.
          const expected = status === 413 && signature !== mayBeRight ? 400 : status;
          expect(answer.status, `${contentType} ${body.length}`).toBe(expected);
          expect(Object.keys(JSON.parse(text)).sort()).toEqual(['code', 'message']);
          expect(text).not.toContain(canary);
        }
      }
      expect(JSON.stringify(selling.log)).not.toContain(canary);
      await selling.close();
    },
  );

  it.each(only((row) => row.access !== 'anyone'))('answers 401 to %s without a session', async (_, row) => {
    for (const cookie of [undefined, 'latebra-session=', `latebra-session=${'A'.repeat(43)}`]) {
      const response = await instance.request(row.method, somePath(row), { cookie, body: row.body && {} });
      expect(await failure(response)).toEqual({ status: 401, code: 'not-signed-in' });
      expect(response.headers.get('content-type')).toBe('application/json');
    }
  });

  it.each(only((row) => row.access !== 'anyone'))(
    'answers 409 to %s from a page that shows another account',
    async (_, row) => {
      // There are more rows than sign-ups from one address in ten minutes.
      instance.clock.advance(MINUTE);
      const person = await signUpByPassphrase(instance);
      const headers = { 'x-latebra-account': 'somebody else' };
      const response = await person.request(row.method, somePath(row), { headers, body: row.body && {} });
      expect(await failure(response)).toEqual({ status: 409, code: 'other-account' });
    },
  );

  it('names its number to whoever is signed in, so that an older app knows before it writes', async () => {
    const person = await signUpByPassphrase(instance);
    for (const path of ['/api/auth/user', '/api/book', '/api/memory-entries'])
      expect((await person.request('GET', path)).headers.get(CONTRACT_HEADER)).toBe(String(CONTRACT));
    expect((await person.request('GET', '/api/login')).headers.has(CONTRACT_HEADER)).toBe(false);
    // A tab that asks for nothing in between hears it with its first call, also where that is refused.
    for (const [method, path, status] of [
      ['POST', '/api/memory-entries', 422],
      ['DELETE', '/api/memory-entries/999999999', 404],
      ['GET', '/api/admin/sign-up', 403],
    ] as const) {
      const refused = await person.request(method, path, method === 'POST' ? { body: {} } : {});
      expect([refused.status, refused.headers.get(CONTRACT_HEADER)]).toEqual([status, String(CONTRACT)]);
    }
    const stranger = await instance.request('GET', '/api/memory-entries');
    expect([stranger.status, stranger.headers.has(CONTRACT_HEADER)]).toEqual([401, false]);
  });

  it('wants a recent authentication for the key, the ways in, what a scroll waits for, and the sessions', () => {
    // The list in the threat model, "A stolen session". Finishing a regeneration counts its beginning (said there),
    // and changing or deleting a scroll asks where the scroll watches: both have tests of their own.
    const guarded = [
      'sessions.revoke',
      'sessions.revokeOthers',
      'passkeys.options',
      'passkeys.add',
      'passkeys.remove',
      'passphrase.set',
      'passphrase.remove',
      'vaultKey.put',
      'vaultKey.addWrap',
      'vaultKey.keepWords',
      'regeneration.begin',
      'vault.destroy',
      'importWebhooks.create',
      'importWebhooks.rotate',
      'importWebhooks.remove',
      'guardianKits.create',
      'guardianKits.remove',
      'sisters.send',
      'sisters.endAll',
      'legacyScrolls.activate',
      'legacyScrolls.disarm',
      'legacyScrolls.release',
      'warningAddress.put',
      'warningAddress.remove',
      'secondWarning.put',
      'secondWarning.remove',
      'trustedContact.put',
      'trustedContact.remove',
      'theSwitch.confirm',
      'theSwitch.vouch',
      'billing.portal',
    ];
    const fresh = rows.filter(({ row }) => row.fresh).map(({ name }) => name);
    expect(fresh).toEqual(expect.arrayContaining(guarded));
  });

  it.each(only((row) => row.fresh === true))(
    'wants a fresh proof for %s after ten minutes',
    async (_, row) => {
      const person = await somebodyFor(instance, row);
      const send = () => person.request(row.method, somePath(row), { body: row.body && {} });
      instance.clock.advance(10 * MINUTE - 1);
      expect((await send()).status).not.toBe(403);
      instance.clock.advance(1);
      expect(await failure(await send())).toEqual({ status: 403, code: 'proof-needed' });
    },
  );

  it.each(only((row) => row.access === 'admin'))(
    'answers 403 to %s from anybody but the administrator',
    async (_, row) => {
      const person = await signUpByPassphrase(instance);
      const response = await person.request(row.method, somePath(row), { body: row.body && {} });
      expect(await failure(response)).toEqual({ status: 403, code: 'not-admin' });
    },
  );

  it.each(only((row) => row.navigation === true))(
    'leads a person who meets an error at %s to a page that explains it',
    async (_, row) => {
      const response = await instance.request('GET', somePath(row), {
        headers: { accept: 'text/html,*/*;q=0.8' },
      });
      if (response.status === 302) {
        const to = new URL(response.headers.get('location') ?? '', 'http://localhost:3000');
        expect(to.origin).toBe('http://localhost:3000');
        const problem = to.searchParams.get('problem');
        if (problem !== null) expect(Object.keys(errorCodes)).toContain(problem);
      }
      expect(response.headers.get('content-type') ?? '').not.toContain('json');
    },
  );

  it.each(['/api/nothing', '/api/', '/api/memory-entries/1/2', '/api/memory-entries/', '/api//auth/user'])(
    'answers 404 as JSON at %s, by whatever method',
    async (path) => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        expect(await failure(await instance.request(method, path))).toEqual({
          status: 404,
          code: 'not-found',
        });
      }
    },
  );

  /** What screens show under a heading of their own, word for word. */
  const UNDER_A_HEADING = ['not-audio', 'unreadable-audio', 'transcription-failed'];

  it.each(Object.entries(errorCodes))(
    'has a sentence for people under the code %s',
    (code, [status, sentence]) => {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(sentence).toMatch(UNDER_A_HEADING.includes(code) ? /^[A-Z].*[a-z)]$/ : /^[A-Z].*\.$/);
    },
  );
});

/** What is found by an address that may be known to everybody. */
const ASKED_FOR = new Set(['vaults.find', 'linkedWallet.find']);

describeOnEachEngine('every row of the contract', (engine) => {
  let instance: TestInstance;
  let owner: Awaited<ReturnType<typeof aMember>>;
  let stranger: Person;
  beforeAll(async () => {
    // One that sells something, so that every call does what it can.
    instance = await openSelling({ engine });
    owner = await aMember(instance);
    stranger = await aMember(instance);
  });
  afterAll(() => instance.close());

  /** Gives the owner one row of each noun, and collects their ids by the path that lists them. */
  async function idsOf(person: typeof owner): Promise<Map<string, string>> {
    const plant = await plantingFor(instance, person, person.envelope.clientKey.fingerprint);
    await plant.passkey();
    await plant.memory();
    await plant.relationship();
    await plant.myth();
    await plant.memory({ deleted_at: instance.clock.now() });
    await plant.relationship({ deleted_at: instance.clock.now() });
    await plant.myth({ deleted_at: instance.clock.now() });
    await plant.webhook();
    await plant.guardianKit();
    await plant.ghost();
    await plant.sacredKey();
    await plant.sacredKey({ door_hash: null, claim_hash: null, encrypted_content: null, seal_id: null });
    await plant.breath();
    await plant.legacyScroll();
    // Left for this vault by another that is gone.
    await plant.legacyScroll({
      account_id: null,
      access: 'vault',
      envelope: '{}',
      state: 'released',
      released_at: instance.clock.now(),
      recipient_account_id: plant.accountId,
    });
    const { file_id } = await plant.file();
    const ids = new Map([['/api/files', file_id]]);
    for (const { row } of rows) {
      if (row.method !== 'GET' || row.access === 'anyone' || row.path.includes('{') || !row.reply) continue;
      const list: unknown = await (await person.request('GET', row.path)).json();
      const [first] = Array.isArray(list) ? (list as { id?: string | number; publicId?: string }[]) : [];
      if (first) ids.set(row.path, String(first.id ?? first.publicId));
    }
    return ids;
  }

  /** Every row that somebody could have, as the database has it. */
  async function everyRow(): Promise<Map<string, unknown[]>> {
    const { db } = instance.deps;
    const tables = (await db.introspection.getTables()).map(({ name }) => name).sort();
    const found = new Map<string, unknown[]>();
    for (const table of tables) {
      // Sessions are rolled by whoever asks, and attempts are counted.
      if (['sessions', 'attempts'].includes(table)) continue;
      const rows = await db
        .selectFrom(table as 'accounts')
        .selectAll()
        .execute();
      // PostgreSQL answers a row elsewhere once it was written anew.
      found.set(table, rows.map((row) => JSON.stringify(row)).sort());
    }
    return found;
  }

  it('answers 404 to another user’s id everywhere, and leaves what it names untouched', async () => {
    const ids = await idsOf(owner);
    const before = await everyRow();
    const walked: string[] = [];
    for (const { name, row } of rows) {
      const list = row.path.replace(/\/\{\w+\}.*$/, '');
      // What anybody may ask for by a link belongs to nobody; the test after this one walks it. A vault’s address and a
      // wallet’s are there to be asked for, and the administrator’s calls are shut to everybody else.
      if (list === row.path || row.access !== 'signed-in' || ASKED_FOR.has(name)) continue;
      const id = ids.get(list);
      expect(id, `${name}: nothing at ${list} to try it with`).toBeDefined();
      const body = row.body && wellFormed;
      const response = await stranger.request(row.method, somePath(row, id), { body, headers: typeOf(row) });
      expect(await failure(response), name).toEqual({ status: 404, code: 'not-found' });
      walked.push(name);
    }
    expect(walked).toEqual(
      expect.arrayContaining([
        'memories.update',
        'relationships.update',
        'myths.update',
        'deletedMemories.restore',
        'deletedRelationships.restore',
        'deletedMyths.restore',
        'files.get',
        'files.putPart',
        'files.complete',
        'files.read',
        'files.readByWhisper',
        'files.remove',
        'importWebhooks.rotate',
        'importWebhooks.remove',
        'guardianKits.remove',
        'ghosts.read',
        'shareableKeys.seal',
        'legacyScrolls.activate',
        'whispers.open',
        'whispers.remove',
        'sessions.revoke',
        'passkeys.remove',
      ]),
    );
    expect(await everyRow()).toEqual(before);
  });

  it('answers 404 to a link that names nothing, whoever follows it', async () => {
    const links = rows.filter(({ row }) => row.access === 'anyone' && row.path.includes('{'));
    expect(links.map(({ name }) => name)).toEqual([
      'files.readByLink',
      'files.readByLetter',
      'importWebhooks.receive',
      'shares.state',
      'shares.redeem',
      'shares.acknowledge',
      'legacy.state',
      'legacy.open',
      'rehearsals.open',
      'rehearsals.note',
      'reminders.page',
      'reminders.stop',
      'game.file',
    ]);
    const before = await everyRow();
    for (const { name, row } of links) {
      for (const { request } of [instance, owner]) {
        for (const id of [BYTES_16, '1', 'x'.repeat(500)]) {
          const response = await request(row.method, somePath(row, id), { body: row.body && wellFormed });
          expect(await failure(response), name).toEqual({ status: 404, code: 'not-found' });
        }
      }
    }
    expect(await everyRow()).toEqual(before);
  });

  it('takes a call without a body where the contract says so, and nowhere else', async () => {
    for (const { name, row } of rows) {
      if (!row.body || row.access === 'anyone') continue;
      const person = await somebodyFor(instance, row);
      instance.clock.advance(MINUTE);
      const response = await person.request(row.method, somePath(row, '999'));
      expect(response.status === 415, name).toBe(row.optionalBody !== true);
    }
  });

  const canary = 'canary-7f3a9c';
  const garbage = fc.oneof(
    fc.constantFrom(
      '',
      ' ',
      'null',
      'true',
      '7',
      '"text"',
      '[]',
      '[[]]',
      '{',
      '{"a":',
      'undefined',
      '\ufeff{}',
    ),
    fc.constant('['.repeat(30_000)),
    fc.constant(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`),
    fc.constant(`{"${canary}":"${canary}"}`),
    fc.constant('{"__proto__":{"x":1},"constructor":1}'),
    fc.json({ maxDepth: 3 }),
    fc.string({ maxLength: 200 }),
  );

  /** Objects with the row's own field names and values of every wrong kind in them. */
  function almost(row: CallShape) {
    const names = row.body
      ? [...new Set(fieldsOf(row.body).map(({ path }) => path.split(/[.[]/)[0] ?? ''))]
      : [];
    const odd = fc.oneof(
      fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 2 ** 31, 2 ** 53, 1e300, '', ' ', canary, [], {}, [
        canary,
      ]),
      fc.constantFrom('\u0000', '\ud800', 'a\u0000b', '0'.repeat(64), `${canary}=`, '2030-01-01T00:00:00Z'),
      fc.constantFrom({ id: '\u0000', response: { clientDataJSON: '' } }, { response: null }, [[[[]]]]),
      fc.jsonValue({ maxDepth: 2 }),
    );
    return fc
      .record(Object.fromEntries(names.map((name) => [name, odd])), { requiredKeys: [] })
      .map((value) => JSON.stringify(value));
  }

  it.each(only((row) => row.body !== undefined))(
    'answers every odd body of %s with a plain refusal that repeats none of it',
    async (_, row) => {
      instance.clock.advance(11 * MINUTE);
      const person = await somebodyFor(instance, row);
      await fc.assert(
        fc.asyncProperty(fc.oneof(garbage, almost(row)), async (body) => {
          instance.log.length = 0;
          const response = await person.request(row.method, somePath(row, '999'), {
            body,
            headers: hostFor(row),
          });
          const text = await response.text();
          if (response.ok) return;
          expect(response.status, text).toBeLessThan(500);
          const answer = JSON.parse(text);
          expect(Object.keys(answer).sort()).toEqual(['code', 'message']);
          expect(text).not.toContain(canary);
          expect(text).not.toMatch(/\bat .*\.ts|node_modules|SELECT|insert into/i);
          expect(JSON.stringify(instance.log)).not.toContain(canary);
        }),
        { numRuns: 60 },
      );
    },
  );

  it.each(only((row) => row.body !== undefined && row.access === 'anyone'))(
    'wants JSON for %s, and says so',
    async (_, row) => {
      instance.clock.advance(11 * MINUTE);
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', '']) {
        const response = await instance.request(row.method, row.path, {
          body: '{}',
          headers: { ...hostFor(row), 'content-type': type },
        });
        expect(await failure(response)).toEqual({ status: 415, code: 'wrong-type' });
      }
    },
  );

  it.each(only((row) => row.body !== undefined))('refuses a body over the limit of %s', async (_, row) => {
    instance.clock.advance(11 * MINUTE);
    const person = await somebodyFor(instance, row);
    const limit = row.bodyLimit ?? 64 * 1024;
    const response = await person.request(row.method, somePath(row), {
      body: `"${'A'.repeat(limit)}"`,
      headers: hostFor(row),
    });
    expect(await failure(response)).toEqual({ status: 413, code: 'too-large' });
  });

  it.each(['%00', '%FF', '%', '%2e%2e', '%0d%0a', '’', '1'.repeat(PARAM_MAX + 1)])(
    'knows nothing of the id %s',
    async (id) => {
      instance.clock.advance(11 * MINUTE);
      for (const { row } of rows) {
        if (!row.path.includes('{')) continue;
        const body = row.body && wellFormed;
        const fresh = await somebodyFor(instance, row);
        const options = { body, headers: typeOf(row) };
        expect((await fresh.request(row.method, somePath(row, id), options)).status).toBe(404);
      }
    },
  );
});
