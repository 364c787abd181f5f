import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '../../../shared/nouns/account.ts';
import { formatDuration, HOUR, MINUTE, SECOND } from '../../../shared/time.ts';
import { countedAs } from '../../../testing/attempts.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { cookieOf, failure, openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import {
  aMember,
  aName,
  anAuthKey,
  enterByPassphrase,
  keepVaultKey,
  type Person,
  signUpByPassphrase,
} from '../../../testing/people.ts';
import { anEnvelope, aPassphraseWrap, type Envelope } from '../../../testing/vault-keys.ts';

const wrongPassphrase = { status: 401, code: 'wrong-passphrase' };
const tooMany = { status: 429, code: 'too-many' };

describeOnEachEngine('the gate by name and passphrase', (engine) => {
  let instance: TestInstance;
  beforeAll(async () => {
    instance = await openTestInstance({ engine });
  });
  afterAll(() => instance.close());
  // A new window of attempts for every test.
  beforeEach(() => instance.clock.advance(10 * MINUTE));

  const saltOf = async (name: string) => {
    const response = await instance.request('POST', '/api/gate/passphrase/salt', { body: { name } });
    expect(response.status).toBe(200);
    return (await response.json()) as {
      salt: string;
      memory: number;
      iterations: number;
      parallelism: number;
    };
  };
  const begin = (name: string, authKey = anAuthKey()) =>
    instance.request('POST', '/api/gate/passphrase/begin', { body: { name, authKey } });
  const enter = (name: string, authKey: string, from?: string) =>
    instance.request('POST', '/api/gate/passphrase/enter', {
      body: { name, authKey },
      ...(from && { from }),
    });

  it('opens an account that is empty, not onboarded, and freshly proved', async () => {
    const name = aName();
    const { user } = await signUpByPassphrase(instance, name);
    expect(user).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email: null,
      firstName: null,
      lastName: null,
      stripeSubscriptionId: null,
      onboardingComplete: false,
      name: name.toLowerCase(),
      isAdmin: false,
      signedInBy: 'passphrase',
      provedUntil: new Date(instance.clock.now() + 10 * MINUTE).toISOString(),
      keyFingerprint: null,
      wordsKeptAt: null,
      passkeyCount: 0,
      recoveryPasskeys: 0,
      recoveryPassphrase: false,
      watchingScrolls: 0,
    });
  });

  it('lets its owner in again, to the same account', async () => {
    const person = await signUpByPassphrase(instance);
    const again = await enterByPassphrase(instance, person);
    expect(again.user.id).toBe(person.user.id);
    expect(again.cookie).not.toBe(person.cookie);
  });

  it.each([
    ['other capitals', 'ÉLISE ', 'élise'],
    ['other spaces', ' Élise  of\tBath ', 'élise of bath'],
    ['a composed and a decomposed accent', 'E\u0301lise Two', 'élise two'],
    ['full-width letters', 'Ｅｌｉｓｅ', 'elise'],
    ['characters that nobody sees', 'El\u200bi\u00adse Three', 'elise three'],
  ])('takes a name in %s as the same name', async (_, written, kept) => {
    const { user, authKey } = await signUpByPassphrase(instance, written);
    expect(user.name).toBe(kept);
    expect(await failure(await begin(kept))).toEqual({ status: 409, code: 'name-taken' });
    expect((await enter(kept, authKey)).status).toBe(200);
    expect(await saltOf(written)).toEqual(await saltOf(kept));
  });

  it.each(['', '   ', '\u200b', 'a'.repeat(65), 'a\u0000b', 'a\u0007b', '\ud800', 7, null, {}])(
    'refuses the name %j',
    async (name) => {
      const response = await instance.request('POST', '/api/gate/passphrase/begin', {
        body: { name, authKey: anAuthKey() },
      });
      expect(response.status).toBe(422);
    },
  );

  it('gives a name to one of twenty who ask for it at once', async () => {
    const name = aName();
    const answers = await Promise.all(Array.from({ length: 20 }, () => begin(name)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  });

  const TAKEN = { status: 409, code: 'name-taken' };

  it('gives no name that looks like another’s, and lets each in by exactly its own', async () => {
    const { authKey } = await signUpByPassphrase(instance, 'Paola Scope');
    const cyrillic = 'P\u0430ola Sc\u043epe';
    expect(await failure(await begin(cyrillic))).toEqual(TAKEN);
    expect(await failure(await begin('pao1a scope'))).toEqual(TAKEN);
    expect((await enter('paola scope', authKey)).status).toBe(200);
    expect(await failure(await enter(cyrillic, authKey))).toEqual(wrongPassphrase);
    // The salt is that of a name that nobody has.
    expect((await saltOf(cyrillic)).salt).toBe(instance.deps.digests.salt(cyrillic.toLowerCase()));
  });

  it('gives one of twenty names that look alike, which are asked for at once', async () => {
    const names = Array.from(
      { length: 20 },
      (_, n) => `nor${n % 2 ? 'a' : '\u0430'} ${'o\u043e'[(n >> 1) % 2]}f`,
    );
    const answers = await Promise.all(names.map((name) => begin(name)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  });

  describe('tells nobody whether a name exists:', () => {
    it('salts of known and unknown names look alike and stay what they are', async () => {
      const known = aName();
      const unknown = aName();
      const before = await saltOf(known);
      await signUpByPassphrase(instance, known);
      expect(await saltOf(known)).toEqual(before);
      expect(await saltOf(unknown)).toEqual(await saltOf(unknown));
      expect({ ...(await saltOf(unknown)), salt: '' }).toEqual({ ...before, salt: '' });
      expect((await saltOf(unknown)).salt).toHaveLength(before.salt.length);
      expect((await saltOf(unknown)).salt).not.toBe(before.salt);
    });

    it('a wrong key and an unknown name get the same answer, to the letter', async () => {
      const { name } = await signUpByPassphrase(instance);
      const wrong = await enter(name, anAuthKey());
      const unknown = await enter(aName(), anAuthKey());
      expect(wrong.status).toBe(401);
      expect(unknown.status).toBe(401);
      expect(await wrong.text()).toBe(await unknown.text());
      expect(Object.fromEntries(wrong.headers)).toEqual(Object.fromEntries(unknown.headers));
    });

    it('a salt is another one in another server', async () => {
      const other = await openTestInstance({ engine });
      const response = await other.request('POST', '/api/gate/passphrase/salt', { body: { name: 'ann' } });
      expect(((await response.json()) as { salt: string }).salt).not.toBe((await saltOf('ann')).salt);
      await other.close();
    });
  });

  it('gives back the salt that a new account was made with, also when the server has got another secret since', async () => {
    const name = aName();
    const { salt } = await saltOf(name);
    const other = instance.sibling({ SECRET_KEY: 'cd'.repeat(32) });
    const ask = async (by: TestInstance) => {
      const response = await by.request('POST', '/api/gate/passphrase/salt', { body: { name } });
      return ((await response.json()) as { salt: string }).salt;
    };
    expect(await ask(other)).not.toBe(salt);
    const body = { name, authKey: anAuthKey(), salt };
    expect((await other.request('POST', '/api/gate/passphrase/begin', { body })).status).toBe(201);
    expect(await ask(other)).toBe(salt);
    expect(await ask(instance)).toBe(salt);
  });

  it('keeps no key as it was sent', async () => {
    const { user, authKey } = await signUpByPassphrase(instance);
    const row = await instance.deps.db
      .selectFrom('accounts')
      .selectAll()
      .where('uid', '=', user.id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(authKey);
    expect(row.auth_hash).toMatch(/^[0-9a-f]{64}$/);
  });

  describe('counts attempts:', () => {
    it('three wrong ones at a name are free; then its address waits, told for how long, whatever it tries', async () => {
      const person = await signUpByPassphrase(instance);
      const from = '198.51.100.7';
      for (let i = 0; i < 3; i += 1) {
        expect(await failure(await enter(person.name, anAuthKey(), from))).toEqual(wrongPassphrase);
      }
      for (const wait of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]) {
        expect(await failure(await enter(person.name, anAuthKey(), from))).toEqual(wrongPassphrase);
        for (const any of [anAuthKey(), person.authKey]) {
          const refused = await enter(person.name, any, from);
          expect(refused.headers.get('retry-after')).toBe(String(wait));
          expect(await refused.clone().json()).toMatchObject({
            message: `Too many attempts. Please try again in ${formatDuration(wait * SECOND, 'second')}.`,
          });
          expect(await failure(refused)).toEqual(tooMany);
        }
        instance.clock.advance(wait * SECOND);
      }
      expect((await enter(person.name, person.authKey, from)).status).toBe(200);
    });

    it('the same for a name that nobody has', async () => {
      const [known, unknown] = [(await signUpByPassphrase(instance)).name, aName()];
      const answers = async (name: string) => {
        const told: unknown[] = [];
        for (let i = 0; i < 8; i += 1) {
          const { status, headers } = await enter(name, anAuthKey(), '198.51.100.14');
          told.push([status, headers.get('retry-after')]);
        }
        return told;
      };
      expect(await answers(unknown)).toEqual(await answers(known));
    });

    it('a success wipes the slate of name and address', async () => {
      const person = await signUpByPassphrase(instance);
      const from = '198.51.100.10';
      for (let round = 0; round < 3; round += 1) {
        for (let i = 0; i < 3; i += 1) await enter(person.name, anAuthKey(), from);
        expect((await enter(person.name, person.authKey, from)).status).toBe(200);
      }
    });

    it('from however many addresses, and none that has not tried is turned away', async () => {
      const person = await signUpByPassphrase(instance);
      // A thousand wrong tries of a day are reached by two hundred and fifty addresses, and those go on.
      await countedAs(instance, 250, async () => {
        for (let j = 0; j < 4; j += 1) await enter(person.name, anAuthKey(), '203.0.113.1');
      });
      const pastThem = '203.0.113.2';
      for (let j = 0; j < 3; j += 1) {
        expect(await failure(await enter(person.name, anAuthKey(), pastThem))).toEqual(wrongPassphrase);
      }
      expect(await failure(await enter(person.name, anAuthKey(), pastThem))).toEqual(tooMany);
      for (let i = 0; i < 10; i += 1) {
        expect((await enter(person.name, person.authKey, `198.51.100.${100 + i}`)).status).toBe(200);
      }
      // Somebody who mistypes is not turned away either.
      await enter(person.name, anAuthKey(), '198.51.100.120');
      expect((await enter(person.name, person.authKey, '198.51.100.120')).status).toBe(200);
    });

    it('a hundred and twenty questions and failures at the gate from one address', async () => {
      const from = '198.51.100.11';
      const nonce = () => instance.request('POST', '/api/gate/words/nonce', { from });
      expect((await countedAs(instance, 119, nonce)).status).toBe(200);
      expect((await nonce()).status).toBe(200);
      instance.clock.advance(9 * MINUTE);
      const refused = await nonce();
      expect(refused.headers.get('retry-after')).toBe('60');
      expect(await failure(refused)).toEqual(tooMany);
      expect((await instance.request('GET', '/api/auth/user', { from })).status).toBe(401);
    });

    it('no sign-in that succeeds: a server of many people shares one address', async () => {
      const person = await signUpByPassphrase(instance);
      const again = () => enter(person.name, person.authKey, '198.51.100.15');
      expect((await countedAs(instance, 130, again)).status).toBe(200);
      for (let i = 0; i < 3; i += 1) expect((await again()).status).toBe(200);
    });

    it('a household’s IPv6 addresses as one', async () => {
      const person = await signUpByPassphrase(instance);
      for (let i = 1; i <= 4; i += 1)
        await enter(person.name, anAuthKey(), `2001:db8:1:2::${i.toString(16)}`);
      expect(await failure(await enter(person.name, anAuthKey(), '2001:db8:1:2:ffff::1'))).toEqual(tooMany);
      expect(await failure(await enter(person.name, anAuthKey(), '2001:db8:1:3::1'))).toEqual(
        wrongPassphrase,
      );
    });

    it('exactly: of two hundred parallel tries, four are looked at', async () => {
      const person = await signUpByPassphrase(instance);
      const from = '198.51.100.12';
      const answers = await Promise.all(
        Array.from({ length: 200 }, () => enter(person.name, anAuthKey(), from)),
      );
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(4);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(196);
    });

    it('under a keyed hash, so that the table holds neither names nor addresses', async () => {
      const name = aName();
      await enter(name, anAuthKey(), '198.51.100.13');
      const rows = await instance.deps.db.selectFrom('attempts').selectAll().execute();
      expect(rows.length).toBeGreaterThan(0);
      for (const { bucket } of rows) expect(bucket).toMatch(/^[0-9a-f]{64}$/);
    });
  });

  describe('proves anew', () => {
    it('who stands behind a session', async () => {
      const person = await signUpByPassphrase(instance);
      instance.clock.advance(HOUR);
      const prove = (authKey: string) =>
        person.request('POST', '/api/proof/passphrase', { body: { authKey } });
      expect(await failure(await prove(anAuthKey()))).toEqual(wrongPassphrase);
      expect(await failure(await person.request('POST', '/api/passkeys/options'))).toMatchObject({
        status: 403,
      });
      expect(await (await prove(person.authKey)).json()).toEqual({
        provedUntil: new Date(instance.clock.now() + 10 * MINUTE).toISOString(),
      });
      expect((await person.request('POST', '/api/passkeys/options')).status).toBe(200);
    });

    it('in this session and in no other one', async () => {
      const person = await signUpByPassphrase(instance);
      const second = await enterByPassphrase(instance, person);
      instance.clock.advance(HOUR);
      await person.request('POST', '/api/proof/passphrase', { body: { authKey: person.authKey } });
      expect((await second.request('POST', '/api/passkeys/options')).status).toBe(403);
    });

    it('not by another account’s key, and not without end', async () => {
      const person = await signUpByPassphrase(instance);
      const other = await signUpByPassphrase(instance);
      const prove = () =>
        person.request('POST', '/api/proof/passphrase', { body: { authKey: other.authKey } });
      for (let i = 0; i < 4; i += 1) expect(await failure(await prove())).toEqual(wrongPassphrase);
      expect(await failure(await prove())).toEqual(tooMany);
    });

    it('however others have tried: at the gate, from the same address, or in a session that was stolen', async () => {
      const person = await signUpByPassphrase(instance);
      const stolen = await enterByPassphrase(instance, person);
      const from = '198.51.100.16';
      const nonce = () => instance.request('POST', '/api/gate/words/nonce', { from });
      for (let i = 0; i < 130; i += 1) await nonce();
      for (let i = 0; i < 10; i += 1) await enter(person.name, anAuthKey(), from);
      for (let i = 0; i < 130; i += 1) await stolen.request('POST', '/api/proof/words/nonce', { from });
      const guess = { body: { authKey: anAuthKey() }, from };
      for (let i = 0; i < 10; i += 1) await stolen.request('POST', '/api/proof/passphrase', guess);
      expect(await failure(await stolen.request('POST', '/api/proof/passphrase', guess))).toEqual(tooMany);
      expect((await nonce()).status).toBe(429);

      const proved = await person.request('POST', '/api/proof/passphrase', {
        body: { authKey: person.authKey },
        from,
      });
      expect(proved.status).toBe(200);
      for (const path of ['/api/proof/words/nonce', '/api/proof/passkey/options', '/api/passkeys/options']) {
        expect((await person.request('POST', path, { from })).status).toBe(200);
      }
    });
  });

  describe('changes name and passphrase:', () => {
    type Owner = Pick<Person, 'request'> & { envelope?: Envelope };
    const set = ({ request, envelope = anEnvelope() }: Owner, fields: Record<string, unknown> = {}) =>
      request('PUT', '/api/passphrase', {
        body: {
          name: aName(),
          authKey: anAuthKey(),
          fingerprint: envelope.clientKey.fingerprint,
          wrap: aPassphraseWrap(),
          ...fields,
        },
      });

    it('the new one enters, the old one does not, other sessions end, the wrap is replaced', async () => {
      const person = await aMember(instance);
      const second = await enterByPassphrase(instance, person);
      const name = aName();
      const authKey = anAuthKey();
      const wrap = aPassphraseWrap();
      const response = await set(person, { name, authKey, wrap });
      expect(response.status).toBe(200);
      expect((await response.json()) as User).toMatchObject({
        name: name.toLowerCase(),
        recoveryPassphrase: true,
      });

      expect((await second.request('GET', '/api/auth/user')).status).toBe(401);
      expect((await person.request('GET', '/api/auth/user')).status).toBe(200);
      expect(await failure(await enter(person.name, person.authKey))).toEqual(wrongPassphrase);
      expect((await enter(name, authKey)).status).toBe(200);
      expect((await saltOf(name)).salt).toBe(wrap.method === 'passphrase' ? wrap.params.salt : '');
      const envelope = await (await person.request('GET', '/api/encryption-key')).json();
      expect(envelope).toMatchObject({ clientKey: { wraps: [wrap] } });
    });

    it('a name of somebody else is refused, and nothing changes', async () => {
      const person = await aMember(instance);
      const second = await enterByPassphrase(instance, person);
      const other = await signUpByPassphrase(instance);
      expect(await failure(await set(person, { name: other.name }))).toEqual({
        status: 409,
        code: 'name-taken',
      });
      expect((await second.request('GET', '/api/auth/user')).status).toBe(200);
      expect((await enter(person.name, person.authKey)).status).toBe(200);
    });

    it('a name that looks like somebody else’s is refused as well, and one that looks like its own is not', async () => {
      const person = await aMember(instance);
      const other = await signUpByPassphrase(instance, 'Anna of Cove');
      const lookAlike = { name: other.name.replaceAll(/[aA]/g, '\u0430') };
      expect(await failure(await set(person, lookAlike))).toEqual(TAKEN);
      expect((await set(person, { name: `${person.name} \u0441` })).status).toBe(200);
      expect((await set(person, { name: `${person.name} c` })).status).toBe(200);
    });

    it('a vault without a key has nothing to wrap', async () => {
      const person = await signUpByPassphrase(instance);
      expect(await failure(await set(person))).toEqual({ status: 409, code: 'key-changed' });
      expect((await enter(person.name, person.authKey)).status).toBe(200);
    });

    it('a wrap of a key that is gone is refused', async () => {
      const person = await aMember(instance);
      expect(await failure(await set(person, { fingerprint: 'f'.repeat(16) }))).toEqual({
        status: 409,
        code: 'key-changed',
      });
      expect((await enterByPassphrase(instance, person)).user.id).toBe(person.user.id);
    });

    it('a passphrase that the gate would stretch otherwise is refused', async () => {
      const person = await aMember(instance);
      const wrap = aPassphraseWrap();
      const weak = { ...wrap, params: { ...wrap.params, memory: 8 } };
      expect(await failure(await set(person, { wrap: weak }))).toMatchObject({ status: 422 });
    });

    it('one change after the other, when two come at once', async () => {
      const person = await aMember(instance);
      const changes = [1, 2, 3, 4].map(() => ({ name: aName(), authKey: anAuthKey() }));
      const answers = await Promise.all(changes.map((change) => set(person, change)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const entered = await Promise.all(changes.map(({ name, authKey }) => enter(name, authKey)));
      expect(entered.filter(({ status }) => status === 200)).toHaveLength(1);
      const wraps = await instance.deps.db
        .selectFrom('wraps')
        .innerJoin('accounts', 'accounts.id', 'wraps.account_id')
        .select('wraps.id')
        .where('accounts.uid', '=', person.user.id)
        .execute();
      expect(wraps).toHaveLength(1);
    });
  });

  describe('is given up', () => {
    it('only when something else still signs the account in', async () => {
      const person = await signUpByPassphrase(instance);
      const remove = () => person.request('DELETE', '/api/passphrase');
      expect(await failure(await remove())).toEqual({ status: 409, code: 'last-way-in' });
      const { clientKey } = await keepVaultKey(person, anEnvelope());
      await person.request('POST', '/api/encryption-key/words', {
        body: { fingerprint: clientKey.fingerprint },
      });
      const response = await remove();
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ name: null, recoveryPassphrase: false });
      expect(await failure(await enter(person.name, person.authKey))).toEqual(wrongPassphrase);
      expect((await begin(person.name)).status).toBe(201);
    });
  });

  it('signs a browser out of the account it was in when it enters another one', async () => {
    const first = await signUpByPassphrase(instance);
    const second = await signUpByPassphrase(instance);
    const response = await instance.request('POST', '/api/gate/passphrase/enter', {
      cookie: first.cookie,
      body: { name: second.name, authKey: second.authKey },
    });
    expect(cookieOf(response)).not.toBe(first.cookie);
    expect((await first.request('GET', '/api/auth/user')).status).toBe(401);
  });
});
