import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Session } from '../../shared/nouns/session.ts';
import { DAY, HOUR, MINUTE } from '../../shared/time.ts';
import { describeOnEachEngine } from '../../testing/engines.ts';
import { cookieOf, failure, openTestInstance, type TestInstance } from '../../testing/instance.ts';
import {
  addPasskey,
  aMember,
  aName,
  anAuthKey,
  enterByPassphrase,
  type Person,
  signUpByPassphrase,
} from '../../testing/people.ts';
import { anEnvelope } from '../../testing/vault-keys.ts';
import { transact } from '../db/transact.ts';
import { recordActivity } from '../deadman/watch/last-activity-store.ts';
import { randomToken, sha256 } from '../digests.ts';
import { insertSession } from './session-store.ts';

const isIn = async ({ request }: Person) => (await request('GET', '/api/auth/user')).status === 200;

describeOnEachEngine('sessions', (engine) => {
  let instance: TestInstance;
  beforeAll(async () => {
    instance = await openTestInstance({ engine });
  });
  afterAll(() => instance.close());
  beforeEach(() => instance.clock.advance(10 * MINUTE));

  const list = async (person: Person) =>
    (await (await person.request('GET', '/api/sessions')).json()) as Session[];

  it('are kept as hashes alone', async () => {
    const { cookie } = await signUpByPassphrase(instance);
    const value = cookie.split('=')[1] ?? '';
    expect(Buffer.from(value, 'base64url')).toHaveLength(32);
    const rows = await instance.deps.db.selectFrom('sessions').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(value);
    expect(rows.map(({ id_hash }) => id_hash)).toContain(createHash('sha256').update(value).digest('hex'));
  });

  it.each([
    ['no cookie', undefined],
    ['an empty one', 'latebra-session='],
    ['one that nobody was given', `latebra-session=${'x'.repeat(43)}`],
    ['the hash instead of the value', `latebra-session=${'0'.repeat(64)}`],
    ['the cookie of a server behind https', `__Host-latebra-session=${'x'.repeat(43)}`],
  ])('answer %s with 401', async (_, cookie) => {
    expect((await instance.request('GET', '/api/auth/user', { cookie })).status).toBe(401);
  });

  it('are found among other cookies, however they are spaced', async () => {
    const { cookie } = await signUpByPassphrase(instance);
    for (const sent of [
      `a=b; ${cookie}`,
      `${cookie}; a=b`,
      `a=b;${cookie};c=d`,
      `xlatebra-session=y; ${cookie}`,
    ]) {
      expect((await instance.request('GET', '/api/auth/user', { cookie: sent })).status).toBe(200);
    }
  });

  it('roll on while they are used, and end thirty days after the last use', async () => {
    const person = await signUpByPassphrase(instance);
    instance.clock.advance(29 * DAY);
    expect(await isIn(person)).toBe(true);
    instance.clock.advance(30 * DAY - 1);
    expect(await isIn(person)).toBe(true);
    instance.clock.advance(30 * DAY);
    expect(await isIn(person)).toBe(false);
  });

  it('end ninety days after signing in, although they are used every day, and so does the cookie', async () => {
    const person = await signUpByPassphrase(instance);
    const began = instance.clock.now();
    let cookie = '';
    for (let day = 1; day < 90; day += 1) {
      instance.clock.advance(DAY);
      const response = await person.request('GET', '/api/auth/user');
      expect(response.status).toBe(200);
      cookie = response.headers.getSetCookie()[0] ?? '';
      if (day < 60) expect(cookie).toContain(`Max-Age=${(30 * DAY) / 1000};`);
    }
    expect(cookie).toContain(`Max-Age=${DAY / 1000};`);
    expect((await list(person))[0]?.expiresAt).toBe(new Date(began + 90 * DAY).toISOString());
    instance.clock.advance(DAY - 1);
    expect(await isIn(person)).toBe(true);
    instance.clock.advance(1);
    expect(await isIn(person)).toBe(false);
  });

  describe('number fifty at most in one account:', () => {
    /** A session as of another browser, and whether it still stands. */
    async function another(person: Person) {
      const { deps } = instance;
      const { id } = await deps.db
        .selectFrom('accounts')
        .select('id')
        .where('uid', '=', person.user.id)
        .executeTakeFirstOrThrow();
      const idHash = sha256(randomToken());
      return () =>
        transact(deps.db, async (tx) => {
          await recordActivity(deps, tx, id, 'person');
          await insertSession(deps, tx, {
            idHash,
            publicId: randomUUID(),
            accountId: id,
            way: 'passphrase',
            device: 'A program',
            provedAt: deps.now(),
            expiresAt: deps.now() + 30 * DAY,
          });
          return idHash;
        });
    }

    it('the least recently used one ends when one more begins', async () => {
      const person = await signUpByPassphrase(instance);
      instance.clock.advance(HOUR);
      const idle = await enterByPassphrase(instance, person);
      instance.clock.advance(MINUTE);
      for (let i = 0; i < 48; i += 1) await (await another(person))();
      instance.clock.advance(HOUR);
      expect(await isIn(person)).toBe(true);
      const newest = await enterByPassphrase(instance, person);
      expect(await Promise.all([person, idle, newest].map(isIn))).toEqual([true, false, true]);
      expect(await list(person)).toHaveLength(50);
    });

    it('sixty that begin at once leave fifty, and those of others alone', async () => {
      const person = await signUpByPassphrase(instance);
      const stranger = await signUpByPassphrase(instance);
      instance.clock.advance(HOUR);
      const begin = [];
      for (let i = 0; i < 60; i += 1) begin.push(await another(person));
      await Promise.all(begin.map((one) => one()));
      const newest = await enterByPassphrase(instance, person);
      expect(await list(newest)).toHaveLength(50);
      expect(await isIn(person)).toBe(false);
      expect(await isIn(stranger)).toBe(true);
    });

    it('one that has expired makes room before one that is in use', async () => {
      const person = await signUpByPassphrase(instance);
      const brief = instance.sibling({ SESSION_DAYS: '1' });
      const expired = await enterByPassphrase(brief, person);
      instance.clock.advance(2 * DAY);
      await enterByPassphrase(instance, person);
      for (let i = 0; i < 48; i += 1) await (await another(person))();
      expect(await isIn(person)).toBe(true);
      expect(await isIn(expired)).toBe(false);
    });
  });

  it('write their use down every fifteen minutes at most, and renew the cookie with it', async () => {
    const person = await signUpByPassphrase(instance);
    const use = () => person.request('GET', '/api/auth/user');
    expect((await use()).headers.getSetCookie()).toEqual([]);
    instance.clock.advance(15 * MINUTE - 1);
    expect((await use()).headers.getSetCookie()).toEqual([]);
    instance.clock.advance(1);
    expect(cookieOf(await use())).toBe(person.cookie);
    expect((await use()).headers.getSetCookie()).toEqual([]);
    const [session] = await list(person);
    expect(session).toMatchObject({
      seenAt: new Date(instance.clock.now()).toISOString(),
      expiresAt: new Date(instance.clock.now() + 30 * DAY).toISOString(),
    });
  });

  it('are listed to their owner, newest use first, with the browser but nothing that singles anybody out', async () => {
    const person = await signUpByPassphrase(instance);
    instance.clock.advance(MINUTE);
    const userAgent =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) Version/19.1 Mobile/15E148 Safari/604.1';
    const second = await enterByPassphrase(instance, person, { headers: { 'user-agent': userAgent } });
    const at = new Date(instance.clock.now()).toISOString();
    expect(await list(second)).toEqual([
      {
        id: expect.any(String),
        current: true,
        signedInBy: 'passphrase',
        device: 'Safari on iPhone',
        createdAt: at,
        seenAt: at,
        expiresAt: new Date(instance.clock.now() + 30 * DAY).toISOString(),
      },
      expect.objectContaining({ current: false, device: 'A program' }),
    ]);
    expect(JSON.stringify(await list(second))).not.toContain('19_1');
  });

  it('are ended one by one by their owner, and by nobody else', async () => {
    const person = await signUpByPassphrase(instance);
    const second = await enterByPassphrase(instance, person);
    const stranger = await signUpByPassphrase(instance);
    const id = (await list(person)).find(({ current }) => !current)?.id;
    expect((await stranger.request('DELETE', `/api/sessions/${id}`)).status).toBe(404);
    expect(await isIn(second)).toBe(true);
    expect((await person.request('DELETE', `/api/sessions/${id}`)).status).toBe(204);
    expect(await isIn(second)).toBe(false);
    expect(await isIn(person)).toBe(true);
    expect((await person.request('DELETE', `/api/sessions/${id}`)).status).toBe(404);
  });

  it('are ended all but this one at once', async () => {
    const person = await signUpByPassphrase(instance);
    const others = await Promise.all([1, 2, 3].map(() => enterByPassphrase(instance, person)));
    const stranger = await signUpByPassphrase(instance);
    expect((await person.request('DELETE', '/api/sessions')).status).toBe(204);
    expect(await Promise.all(others.map(isIn))).toEqual([false, false, false]);
    expect(await list(person)).toHaveLength(1);
    expect(await isIn(stranger)).toBe(true);
  });

  it('are ended by nobody who has not proved lately who they are', async () => {
    const person = await signUpByPassphrase(instance);
    const second = await enterByPassphrase(instance, person);
    const id = (await list(person)).find(({ current }) => !current)?.id;
    instance.clock.advance(10 * MINUTE);
    for (const path of [`/api/sessions/${id}`, '/api/sessions']) {
      expect(await failure(await person.request('DELETE', path))).toEqual({
        status: 403,
        code: 'proof-needed',
      });
    }
    expect(await isIn(second)).toBe(true);
  });

  it('end when the passphrase is taken away, except the one that took it', async () => {
    const person = await signUpByPassphrase(instance);
    await addPasskey(person);
    const second = await enterByPassphrase(instance, person);
    expect((await person.request('DELETE', '/api/passphrase')).status).toBe(200);
    expect(await isIn(second)).toBe(false);
    expect(await isIn(person)).toBe(true);
  });

  it('stay when the passphrase cannot be taken away, because nothing else would sign in', async () => {
    const person = await signUpByPassphrase(instance);
    const second = await enterByPassphrase(instance, person);
    expect((await person.request('DELETE', '/api/passphrase')).status).toBe(409);
    expect(await isIn(second)).toBe(true);
  });

  it('end when the vault gets another key, except the one that gave it', async () => {
    const person = await aMember(instance);
    const second = await enterByPassphrase(instance, person);
    const response = await person.request('POST', '/api/encryption-key', {
      body: {
        clientKey: anEnvelope().clientKey,
        previousFingerprint: person.envelope.clientKey.fingerprint,
      },
    });
    expect(response.status).toBe(201);
    expect(await isIn(second)).toBe(false);
    expect(await isIn(person)).toBe(true);
  });

  it('show no expired one', async () => {
    const person = await signUpByPassphrase(instance);
    instance.clock.advance(29 * DAY);
    const second = await enterByPassphrase(instance, person);
    expect(await list(second)).toHaveLength(2);
    instance.clock.advance(2 * DAY);
    expect(await list(second)).toHaveLength(1);
  });

  describe('are left', () => {
    const leave = (person: Person, headers: Record<string, string> = {}) =>
      person.request('GET', '/api/logout', { headers });

    it.each([
      ['from this site', { 'sec-fetch-site': 'same-origin' }],
      ['by typing the address', { 'sec-fetch-site': 'none' }],
      ['by a browser that does not say from where', {}],
    ])('%s: the session ends on the server, the cookie goes, and the way leads home', async (_, headers) => {
      const person = await signUpByPassphrase(instance);
      const response = await leave(person, headers as Record<string, string>);
      expect(response.status).toBe(302);
      expect(response.headers.get('location')).toBe('/');
      expect(response.headers.getSetCookie()).toEqual([
        'latebra-session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
      ]);
      expect(await isIn(person)).toBe(false);
    });

    it.each(['cross-site', 'same-site'])('not by a %s navigation, which only leads home', async (site) => {
      const person = await signUpByPassphrase(instance);
      const response = await leave(person, {
        'sec-fetch-site': site,
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'document',
      });
      expect(response.status).toBe(302);
      expect(response.headers.getSetCookie()).toEqual([]);
      expect(await isIn(person)).toBe(true);
    });

    it('by a page, which is told so, and by no page of another site', async () => {
      const person = await signUpByPassphrase(instance);
      const ask = (site: string) =>
        person.request('POST', '/api/logout', { headers: { 'sec-fetch-site': site } });
      expect((await ask('cross-site')).status).toBe(403);
      expect(await isIn(person)).toBe(true);
      const answer = await ask('same-origin');
      expect(await answer.json()).toEqual({ endsAt: null });
      expect(answer.headers.getSetCookie()).toEqual([
        'latebra-session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
      ]);
      expect(await isIn(person)).toBe(false);
    });

    it('twice without harm', async () => {
      const person = await signUpByPassphrase(instance);
      await leave(person);
      expect((await leave(person)).status).toBe(302);
      expect((await instance.request('GET', '/api/logout')).status).toBe(302);
    });
  });

  it('forget an ended session’s proofs', async () => {
    const person = await signUpByPassphrase(instance);
    instance.clock.advance(HOUR);
    await person.request('GET', '/api/logout');
    const body = { authKey: person.authKey };
    expect(await failure(await person.request('POST', '/api/proof/passphrase', { body }))).toEqual({
      status: 401,
      code: 'not-signed-in',
    });
  });
});

describe('the session cookie', () => {
  async function cookieIn(env: Record<string, string>): Promise<string> {
    const instance = await openTestInstance({ env });
    const response = await instance.request('POST', '/api/gate/passphrase/begin', {
      body: { name: aName(), authKey: anAuthKey() },
    });
    await instance.close();
    return (response.headers.getSetCookie()[0] ?? '').replace(/=[\w-]{43};/, '=…;');
  }

  it('on localhost is not Secure, because there is no https', async () => {
    expect(await cookieIn({})).toBe('latebra-session=…; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax');
    expect(await cookieIn({ PUBLIC_URL: 'http://localhost:3000' })).not.toContain('Secure');
  });

  it('behind https is Secure and bound to the host', async () => {
    expect(await cookieIn({ PUBLIC_URL: 'https://vault.example' })).toBe(
      '__Host-latebra-session=…; Max-Age=2592000; Path=/; HttpOnly; Secure; SameSite=Lax',
    );
  });

  it('lasts as long as SESSION_DAYS says', async () => {
    expect(await cookieIn({ SESSION_DAYS: '7' })).toContain('Max-Age=604800;');
  });
});
